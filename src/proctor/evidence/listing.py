"""The runs of a store at a glance, counted by the store itself: no row is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from proctor.evidence.registration import seed_committed
from proctor.evidence.row import INFRASTRUCTURE, INVALID, OUTCOMES, SUCCESS
from proctor.evidence.store.contract import EvidenceStore, RunRecord

NO_GATES: Mapping[str, str] = {}


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
    label: str = ""
    """What must be said of it wherever a rate of it stands."""
    seed_label: str = ""
    """`public seed`, or that the author chose it, where that has to be said."""
    gate: str = ""
    """What a gate made it for to be sure of another run; empty where none did."""


def list_runs(
    store: EvidenceStore,
    label_of: Callable[[str, str], str] = lambda _agent, recorded: recorded,
    gates: Mapping[str, str] = NO_GATES,
) -> list[ListedRun]:
    """Every run of a store, in its order; `label_of` says what must be said of an agent.

    `gates` says, by configuration hash, for what a gate made a run.
    """
    return [_listed(store, record, label_of, gates.get(record.config_hash, "")) for record in store.runs()]


def _listed(store: EvidenceStore, record: RunRecord, label_of: Callable[[str, str], str], gate: str) -> ListedRun:
    counted = store.outcomes(record.number, stop=record.cut)
    outcomes = {name: counted.get(name, 0) for name in OUTCOMES}
    scored = sum(outcomes.values()) - outcomes[INFRASTRUCTURE] - outcomes[INVALID]
    frozen = store.frozen(record.number)
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
        label=label_of(record.agent, record.recorded_label),
        seed_label=frozen.seed_label(committed=seed_committed(record, frozen)),
        gate=gate,
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
