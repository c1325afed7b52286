"""What a finished stage leaves for later ones, folded from its episodes in presentation order.

The bench writes it when a stage ends, and verification folds it again from rows and events: one rule, in one place.
Groups are named `family/condition`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.evidence.row import Arm, Row

CODE = "code"
"""The measure that holds a canonical action code."""
FROM_EVENTS = frozenset({"replies", "states"})
"""Kinds of output that rows alone do not tell."""


class StageFold:
    """Takes the episodes of one stage, gives its frozen output. `kind` is what the stage declares as `freeze`."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.output: dict[str, dict[str, Any]] = {}

    def wants_events(self, arm: Arm, row: Row) -> bool:
        """Whether the next episode has to be added with what its events say."""
        return self.kind in FROM_EVENTS and row.instance not in self.output.get(_name(arm), {})

    def add(self, arm: Arm, row: Row, *, submitted: Any = None, written: dict[str, Any] | None = None) -> None:
        """Add an episode: what was handed in first and what state was written last are needed for some kinds."""
        group = self.output.setdefault(_name(arm), {})
        if self.kind == "answers":
            _count(group, row.answer)
        elif self.kind == "codes":
            _count(group, _code(row))
        elif row.instance not in group:
            # Replicates say the same of an instance; the first in presentation order stands for it.
            kept = submitted if self.kind == "replies" else written or None
            if kept is not None:
                group[row.instance] = kept


def _name(arm: Arm) -> str:
    return f"{arm.family}/{arm.condition}"


def _count(group: dict[str, Any], what: str | None) -> None:
    if what is not None:
        group[what] = group.get(what, 0) + 1


def _code(row: Row) -> str | None:
    code = None if row.measures is None else msgspec.json.decode(row.measures).get(CODE)
    return None if code is None else str(code)
