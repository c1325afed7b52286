"""How names and words of a run look when Proctor writes them; whoever reads a store or a bundle holds them to it.

They are printed, and a run's name becomes the name of a file. So a value that could leave a folder, drive a terminal or
begin a line of its own is refused where it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from proctor.core.texts import is_line
from proctor.evidence.row import Arm, Row
from proctor.spec.name import NAME_PATTERN, VERSION_PATTERN

RUN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}\Z")
STATUSES: Final = frozenset({"running", "interrupted", "complete", "limit", "failed", "failed-safety"})
_SUITE: Final = re.compile(rf"{NAME_PATTERN[:-1]}@{VERSION_PATTERN[1:-1]}\Z")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")

OF_RUN: Final[Mapping[str, Callable[[str], object]]] = {
    "name": RUN_NAME.match,
    "status": STATUSES.__contains__,
    "suite": _SUITE.match,
    "agent": is_line,
    "config_hash": _DIGEST.match,
    "root": _DIGEST.match,
    "seal": _DIGEST.match,
}
"""The texts of a run, and what says whether one is as Proctor writes it."""
_OF_OTHERS: Final = frozenset({"preregistration", "agent_files"})
"""Facts with words of somebody else: prose, and names of files, which may hold anything. They are shown in one line."""
_OF_ARM: Final = ("family", "regime", "condition", "cell", "stage")
_OF_ROW: Final = ("template", "instance", "phase", "reason", "cost")


def odd_in_run(run: object) -> str | None:
    """The first text of a run, as a store keeps it, that Proctor does not write."""
    for name, fits in OF_RUN.items():
        value = getattr(run, name)
        if value is not None and not fits(value):
            return name
    return None


def odd_in_arm(arm: Arm) -> str | None:
    """The first text of an arm that is more than a line."""
    return next((name for name in _OF_ARM if not is_line(getattr(arm, name) or "")), None)


def odd_in_row(row: Row) -> str | None:
    """The first name or code of a row that is more than a line."""
    return next((name for name in _OF_ROW if not is_line(getattr(row, name) or "")), None)


def odd_in_execution(facts: Mapping[str, Any]) -> str | None:
    """The first fact of an execution in which a text is more than a line."""
    return next(
        (name for name, value in facts.items() if name not in _OF_OTHERS and not all(map(is_line, _texts(value)))),
        None,
    )


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
