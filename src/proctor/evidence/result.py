"""What a run was and how it ended, read from the store alone: nothing is loaded that could run an agent."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from proctor.evidence.row import INFRASTRUCTURE, OUTCOMES, WALL_CLOCK
from proctor.evidence.services import why_ended, why_nothing
from proctor.evidence.store.contract import EvidenceStore
from proctor.spec.frozen import Seed

FAILED = "failed"
"""The status of a run that ended because going on was pointless."""

LabelOf = Callable[[str, str], str]
"""Gives the label of an agent from its string and from what the run recorded; agents are above this layer."""


class RunResult(msgspec.Struct, frozen=True):
    """What a run was and how it ended, as `proctor run --json` prints it."""

    run: str
    suite: str
    agent: str
    label: str
    """Empty, or what must be said wherever this result appears."""
    seed: Seed
    timestamp: str
    scale: int
    only: tuple[str, ...]
    """The families it was restricted to; empty for the whole suite."""
    scope: str | None
    """The part of the organisation whose scenarios were run, and how many those are; None for all of them."""
    root: str | None
    seal: str | None
    config_hash: str
    episodes: int
    outcomes: dict[str, int]
    complete: bool
    status: str
    reason: str | None
    """Why it ended before its plan did, or why nothing was measured; None where there is nothing to say."""
    timing_dependent: int
    """Episodes that real time ended: the root of such a run need not come out again."""
    skipped: dict[str, str]
    store: str


def result_of(store: EvidenceStore, name: str, label_of: LabelOf, *, reason: str | None = None) -> RunResult:
    """The result of a run as the store has it."""
    record = store.run(name)
    frozen = store.frozen(record.number)
    counted = store.outcomes(record.number, stop=record.cut)
    if reason is None and (record.status == FAILED or 0 < counted.get(INFRASTRUCTURE, 0) == sum(counted.values())):
        rows = list(store.rows(record.number, stop=record.cut))
        reason = (why_ended(rows) if record.status == FAILED else None) or why_nothing(rows)
    return RunResult(
        run=record.name,
        suite=record.suite,
        agent=record.agent,
        label=label_of(record.agent, record.recorded_label),
        # What a preregistration hides is not printed, neither before it is revealed nor after.
        seed=frozen.seed if frozen.preregistration is None else frozen.shown_seed,
        timestamp=frozen.timestamp,
        scale=frozen.scale,
        only=frozen.only,
        scope=None if frozen.scope is None else frozen.scope.sentence,
        root=record.root,
        seal=record.seal,
        config_hash=record.config_hash,
        episodes=sum(counted.values()),
        outcomes={outcome: counted.get(outcome, 0) for outcome in OUTCOMES},
        complete=record.status == "complete",
        status=record.status,
        reason=reason,
        timing_dependent=store.count_reason(record.number, WALL_CLOCK),
        skipped=frozen.skipped,
        store=store.location,
    )
