"""Finding things by name, lazily: entry points first, then the user's own files.

Groups are `proctor.families`, `proctor.agents`, `proctor.suites`, `proctor.instruments` and `proctor.models`;
Proctor's own come in by the same door. An entry point's module is imported only when its name is asked for. A broken
plugin costs one sentence, and only when it is used.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from proctor.core.errors import InputError

Group = Literal["families", "agents", "suites", "instruments", "models", "metrics"]

_SINGULAR = {
    "families": "family",
    "agents": "agent",
    "suites": "suite",
    "instruments": "instrument",
    "models": "model",
    "metrics": "metric",
}


@cache
def _points(group: Group) -> dict[str, EntryPoint]:
    # Proctor's own come last and win: a plugin cannot take the place of a built-in by taking its name.
    found = sorted(entry_points(group=f"proctor.{group}"), key=lambda p: (p.value.startswith("proctor."), p.name))
    return dict(sorted((point.name, point) for point in found))


def names(group: Group) -> list[str]:
    """Every name of a group, sorted, without importing anything."""
    return list(_points(group))


def load(group: Group, name: str) -> Any:
    """The object behind a name; an unknown or broken one is one sentence."""
    points = _points(group)
    point = points.get(name)
    if point is None:
        close = get_close_matches(name, points, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"there are: {', '.join(points) or 'none installed'}"
        message = f"no {_SINGULAR[group]} is called '{name}'; {hint}"
        raise InputError(message)
    try:
        return point.load()
    except Exception as error:
        message = (
            f"{_SINGULAR[group]} '{name}' is registered as {point.value} but cannot be loaded "
            f"({type(error).__name__}: {' '.join(str(error).split())}); reinstall or fix that package"
        )
        raise InputError(message) from error
