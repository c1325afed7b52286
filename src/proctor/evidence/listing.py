"""The runs of a store at a glance, counted by the store itself: no row is read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from proctor.evidence.row import INFRASTRUCTURE, INVALID, OUTCOMES, SUCCESS
from proctor.evidence.store.contract import EvidenceStore, RunRecord


class ListedRun(msgspec.Struct, frozen=True):
    """One run in a list."""

    name: str
    suite: str
    agent: str
    status: str
    started: str | None
    """Real time of its first start; None where none is recorded."""
    seconds: int | None
    """Real time at work: of the last start until the end. None while it runs, and where it was interrupted before."""
    episodes: int
    """Planned."""
    stored: int
    outcomes: dict[str, int]
    scored: int
    """Episodes that count: without those that the bench itself broke, and those that are invalid."""
    rate: float | None
    """Successes over `scored`, all families, regimes and phases together; None where nothing counts."""
    tokens: int | None
    """As the agents reported them; None where nobody counted."""
    cost: str | None
    config_hash: str
    cut: int | None
    root: str | None
    seal: str | None
    execution: dict[str, Any]


def list_runs(store: EvidenceStore) -> list[ListedRun]:
    """Every run of a store, oldest first."""
    return [_listed(store, record) for record in store.runs()]


def _listed(store: EvidenceStore, record: RunRecord) -> ListedRun:
    counted = store.outcomes(record.number, stop=record.cut)
    outcomes = {name: counted.get(name, 0) for name in OUTCOMES}
    scored = sum(outcomes.values()) - outcomes[INFRASTRUCTURE] - outcomes[INVALID]
    spent = store.spent(record.number, stop=record.cut)
    return ListedRun(
        name=record.name,
        suite=record.suite,
        agent=record.agent,
        status=record.status,
        started=record.started,
        seconds=_seconds(record),
        episodes=record.episodes,
        stored=store.count(record.number),
        outcomes=outcomes,
        scored=scored,
        rate=outcomes[SUCCESS] / scored if scored else None,
        tokens=spent.tokens,
        cost=spent.cost,
        config_hash=record.config_hash,
        cut=record.cut,
        root=record.root,
        seal=record.seal,
        execution=record.execution,
    )


def _seconds(record: RunRecord) -> int | None:
    """How long it took; a stranger's run may hold anything where a moment is expected."""
    starts, finished = record.execution.get("started"), record.execution.get("finished")
    if not isinstance(starts, list) or len(starts) != 1 or not isinstance(finished, str):
        return None
    try:
        taken = datetime.fromisoformat(finished) - datetime.fromisoformat(starts[0])
        return max(0, round(taken.total_seconds()))
    except (TypeError, ValueError):
        return None
