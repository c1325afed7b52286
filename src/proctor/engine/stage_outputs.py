"""What a finished stage leaves for later ones: counts of answers or codes, what was replied, what state was kept.

Frozen outputs are data with a SHA-256; a condition that makes use of one records that it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from proctor.core.canonical import unchain
from proctor.evidence.events import StateWritten, Submitted
from proctor.evidence.row import Row
from proctor.evidence.stages import StageFold
from proctor.evidence.store.contract import EvidenceStore

StageOutputs = Mapping[str, tuple[str, Any]]
"""By stage: (SHA-256, the frozen output)."""


def frozen_output(kind: str, store: EvidenceStore, run: int, rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """The output of a stage whose rows these are; `kind` is what the stage declares as `freeze`."""
    fold = StageFold(kind)
    arms = store.arms(run)
    for row in rows:
        arm = arms[row.arm]
        if fold.wants_events(arm, row):
            events = store.events(run, row.position)
            submitted = next((event.answer for event in events if isinstance(event, Submitted)), None)
            written = {event.field: event.value for event in events if isinstance(event, StateWritten)}
            fold.add(arm, row, submitted=submitted, written=written)
        else:
            fold.add(arm, row)
    return fold.output


def prior_counts(output: Any, family: str | None) -> dict[str, int]:
    """How often each code was given in a stage that froze codes: of one family, or (None) of all."""
    counts: dict[str, int] = {}
    for name, group in output.items():
        if family is None or name.rpartition("/")[0] == family:
            for code, number in group.items():
                counts[code] = counts.get(code, 0) + number
    return dict(sorted(counts.items()))


def instance_outputs(output: Any, family: str, instance: str) -> dict[str, Any]:
    """What each condition of a stage left for one instance, in a stage that froze states or replies."""
    return {
        # As it was handed in or written: evidence holds numbers as text.
        name.rpartition("/")[2]: unchain(group[instance])
        for name, group in output.items()
        if name.rpartition("/")[0] == family and instance in group
    }
