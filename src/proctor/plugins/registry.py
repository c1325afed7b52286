"""Finding things by name, lazily: entry points first, then the user's own files.

A group is `proctor.` and one of `GROUPS`; Proctor's own objects are registered in the same way as everybody's. An entry
point's module is imported only when its name is asked for. A broken plug-in costs one sentence, and only when it is
used. A plug-in cannot take over a built-in by taking its name.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from proctor.core.errors import InputError, Terminated
from proctor.core.texts import shortened

Group = Literal[
    "agents",
    "families",
    "suites",
    "instruments",
    "metrics",
    "sections",
    "models",
    "executors",
    "stores",
    "importers",
    "commands",
]

GROUPS: dict[Group, str] = {
    "agents": "agent",
    "families": "family",
    "suites": "suite",
    "instruments": "instrument",
    "metrics": "metric",
    "sections": "section",
    "models": "model",
    "executors": "executor",
    "stores": "store",
    "importers": "importer",
    "commands": "command",
}
"""Every group, and what one thing of it is called."""

_MOST_NAMED = 20
_LISTED: tuple[Group, ...] = ("agents", "families", "suites")
"""Groups that a command of the same name lists."""
_OWN = "proctor"
"""The distribution whose names cannot be taken over."""


_LOADED: set[str] = set()
"""Top-level packages of other distributions whose code was loaded in this process."""


def loaded_packages() -> list[str]:
    """The packages of plug-ins that were loaded so far, sorted: their code took part in whatever was done."""
    return sorted(_LOADED)


@cache
def _installed() -> Any:
    # Reading the metadata of everything installed takes milliseconds: once for all groups. (What it gives has one type
    # in Python 3.11 and another since; both have `select`.)
    return entry_points()


@cache
def _points(group: Group) -> dict[str, EntryPoint]:
    registered: list[EntryPoint] = sorted(
        _installed().select(group=f"proctor.{group}"), key=lambda point: (point.name, point.value)
    )
    chosen: dict[str, EntryPoint] = {}
    for point in registered:
        if point.name not in chosen or _is_own(point):
            chosen[point.name] = point
    return chosen


def _is_own(point: EntryPoint) -> bool:
    """Whether Proctor itself registered it: its distribution says so, not the module it names."""
    return point.dist is not None and point.dist.name == _OWN


def names(group: Group) -> list[str]:
    """Every name of a group, sorted, without importing anything."""
    return list(_points(group))


def load(group: Group, name: str) -> Any:
    """The object behind a name; an unknown or broken one is one sentence."""
    points = _points(group)
    point = points.get(name)
    if point is None:
        from difflib import get_close_matches

        close = get_close_matches(name, points, n=1)
        hint = f"did you mean '{close[0]}'?" if close else _all_there_are(group)
        message = f"no {GROUPS[group]} is called '{shortened(name)}'; {hint}"
        raise InputError(message)
    try:
        loaded = point.load()
    except Terminated:
        raise
    except (Exception, SystemExit) as error:
        from proctor.plugins.places import with_place

        said = f"{type(error).__name__}: {' '.join(str(error).split())}"
        message = (
            f"{GROUPS[group]} '{name}' is registered as {point.value} but cannot be loaded "
            f"({with_place(said, error, point.module.partition('.')[0])}); reinstall or fix that package"
        )
        raise InputError(message) from error
    if not _is_own(point):
        _LOADED.add(point.module.partition(".")[0])
    return loaded


def _all_there_are(group: Group) -> str:
    """The names of a group for a sentence; where they are too many, the command that lists them."""
    points = _points(group)
    if len(points) > _MOST_NAMED and group in _LISTED:
        return f"there are {len(points)}; `proctor {group}` lists them"
    return f"there are: {', '.join(points) or 'none installed'}"


def module_of(group: Group, name: str) -> str:
    """The module in which an installed thing is registered, without importing it; empty for an unknown name."""
    point = _points(group).get(name)
    return "" if point is None else point.module


def package_of(group: Group, name: str) -> str:
    """The distribution that registers a name, with its version: `proctor 1.0`; empty for an unknown name."""
    point = _points(group).get(name)
    return "" if point is None or point.dist is None else f"{point.dist.name} {point.dist.version}"


def is_own(group: Group, name: str) -> bool:
    """Whether a name is one of Proctor's own."""
    point = _points(group).get(name)
    return point is not None and _is_own(point)


def called(group: Group, name: str) -> str:
    """A registered thing in an error message: `metric 'ADV' (my_package.metrics:adversarial)`."""
    point = _points(group).get(name)
    return f"{GROUPS[group]} '{name}'" + ("" if point is None else f" ({point.value})")
