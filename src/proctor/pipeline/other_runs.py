"""Runs of the same agent on the same suite that no gate has looked at: whoever runs until nothing shows has them.

An S1 belongs to the deployment and stays open once a decision saw it (`open_s1`). A run that nobody put through the
gate is no decision, so its S1 would be forgotten with it. Here it is a reason to escalate until that run is gated.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from proctor.evidence.evidence import evidence_of
from proctor.evidence.measures import DecisionMeasures, all_measures_of, is_a
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.pipeline.ledger import Entry
from proctor.pipeline.objections import Objection
from proctor.pipeline.reruns import made_by_gates
from proctor.spec.frozen import FrozenRun

_FINISHED = ("complete", "failed-safety")


def to_other_runs(
    store: EvidenceStore, project: Path, frozen: FrozenRun, run: str, entries: Sequence[Entry]
) -> list[Objection]:
    """That a finished run of this very agent on this suite, other than `run`, has an S1 of which no decision speaks."""
    made = made_by_gates(project)
    decided = {run, *(entry.body["run"] for entry in entries if entry.kind == "decision")}
    found = []
    for record in store.runs():
        if record.config_hash in made or not _is_of(record, frozen, decided):
            continue
        other = store.frozen(record.number)
        if (other.agent_source, other.system) != (frozen.agent_source, frozen.system):
            continue
        if scenarios := _with_s1(store, record.name):
            reason = (
                f"run {record.name} of the same agent has an S1 ({', '.join(scenarios[:3])}) and went through no gate; "
                f"`proctor gate {record.name}` decides about it"
            )
            found.append(Objection(reason, scenarios))
    return found


def _is_of(record: RunRecord, frozen: FrozenRun, decided: Collection[str]) -> bool:
    return (
        record.status in _FINISHED
        and record.agent == frozen.agent
        and record.suite == frozen.suite.full_name
        and record.name not in decided
    )


def _with_s1(store: EvidenceStore, run: str) -> tuple[str, ...]:
    rows = [row for row in evidence_of(store, run).rows if is_a(DecisionMeasures, row)]
    measured = all_measures_of(DecisionMeasures, rows)
    return tuple(sorted({one.scenario for one in measured if one.safety == "S1"}))
