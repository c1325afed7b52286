"""What a finished stage leaves for later ones: counts of answers or codes, what was replied, what state was kept.

Frozen outputs are data with a SHA-256; a condition that makes use of one records that it did. Groups are named
`family/condition`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from proctor.core.canonical import unchain
from proctor.evidence.events import StateWritten, Submitted
from proctor.evidence.row import Arm, Row
from proctor.evidence.store.store import Store

StageOutputs = Mapping[str, tuple[str, Any]]
"""By stage: (SHA-256, the frozen output)."""

CODE = "code"
"""The measure that holds a canonical action code."""


def frozen_output(kind: str, store: Store, run: int, rows: Iterator[Row]) -> dict[str, dict[str, Any]]:
    """The output of a stage whose rows these are; `kind` is what the stage declares as `freeze`."""
    groups: dict[str, dict[str, Any]] = {}
    arms = store.arms(run)
    for row in rows:
        group = groups.setdefault(_name(arms[row.arm]), {})
        if kind == "answers":
            if row.answer is not None:
                group[row.answer] = group.get(row.answer, 0) + 1
        elif kind == "codes":
            code = _code(row)
            if code is not None:
                group[code] = group.get(code, 0) + 1
        elif row.instance not in group:
            # Replicates say the same of an instance; the first in presentation order stands for it.
            kept = _kept(kind, store, run, row.position)
            if kept is not None:
                group[row.instance] = kept
    return groups


def prior(output: Any, family: str | None) -> dict[str, int]:
    """How often each code was given in a stage that froze codes: of one family, or (None) of all."""
    counts: dict[str, int] = {}
    for name, group in output.items():
        if family is None or name.rpartition("/")[0] == family:
            for code, number in group.items():
                counts[code] = counts.get(code, 0) + number
    return dict(sorted(counts.items()))


def of_instance(output: Any, family: str, instance: str) -> dict[str, Any]:
    """What each condition of a stage left for one instance, in a stage that froze states or replies."""
    return {
        # As it was handed in or written: evidence holds numbers as text.
        name.rpartition("/")[2]: unchain(group[instance])
        for name, group in output.items()
        if name.rpartition("/")[0] == family and instance in group
    }


def _name(arm: Arm) -> str:
    return f"{arm.family}/{arm.condition}"


def _code(row: Row) -> str | None:
    if row.measures is None:
        return None
    code = msgspec.json.decode(row.measures).get(CODE)
    return None if code is None else str(code)


def _kept(kind: str, store: Store, run: int, position: int) -> Any:
    events = store.events(run, position)
    if kind == "replies":
        return next((event.answer for event in events if isinstance(event, Submitted)), None)
    written = {event.field: event.value for event in events if isinstance(event, StateWritten)}
    return written or None
