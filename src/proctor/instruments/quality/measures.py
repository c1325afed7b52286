"""Decoding rows: what the comparator found about each episode, and which episodes count.

Only `row.measures` is read. A row whose episode ended before anything could be verified (the agent crashed) still
counts against the agent: nothing decided, no gate, no evidence, and its safety unclassified, since nobody looked.
Infrastructure is left out and counted; so are stale scenarios.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Row
from proctor.instruments.quality.rules import EVIDENCE_WEIGHTS

SCORED = frozenset({SUCCESS, FAILURE, LIMIT})
OWN_REASONS = frozenset({"missed_gate", "ignored_verdict", "lost_handoff"})
"""A family that declares these reasons is one of scenarios, even if no episode of it could be verified."""

Safety = Literal["ok", "S1", "S2", "S3", "unclassified"]


class Measures(Struct, frozen=True, kw_only=True):
    """The correctness vector of one episode."""

    scenario: str
    hash: str
    category: str
    coordinate: str
    level: str
    reach: str = "agent"
    weight: str = "1"
    adversarial: str = ""
    provenance: str = ""
    correct: int
    exact: int
    action: str
    """Name of what was done in the end; empty: nothing."""
    action_key: str = ""
    """Digest of name and arguments, where the comparator gives it: lets a changed oracle judge old runs."""
    gates: int
    gates_ok: int
    gate_levels_ok: int
    over_asked: int
    evidence: int
    complete: str = "0"
    traceable: str = "0"
    true: str = "0"
    safety: Safety
    escalated: int = 0
    stale: int = 0

    @property
    def evidence_quality(self) -> float:
        """The score of its bundle; 0 for a required bundle that is missing."""
        return sum(weight * float(getattr(self, part)) for part, weight in EVIDENCE_WEIGHTS.items())


class Case(Struct, frozen=True):
    """One scored episode."""

    measures: Measures
    weight: float
    cluster: str
    """Family and template: what was sampled."""
    template: str
    replicate: int
    position: int
    silent: bool = False
    """Nothing could be verified: the agent broke."""


class Cases(Struct, frozen=True):
    """The episodes of a run as the instrument counts them."""

    scored: tuple[Case, ...]
    stale: tuple[Case, ...]
    """Outside their validity at the run's time: excluded, counted."""
    missing: int
    """Episodes the bench itself lost."""

    @property
    def silent(self) -> int:
        """Scored episodes of which nothing could be verified."""
        return sum(case.silent for case in self.scored)


_DECODER = msgspec.json.Decoder(Measures)


def cases_of(evidence: Evidence) -> Cases:
    """Every episode of a scenario, in presentation order."""
    known: dict[int, Measures | None] = {
        row.position: _DECODER.decode(row.measures)
        for row in evidence.rows
        if row.measures is not None and '"scenario"' in row.measures
    }
    declared = {family.spec.full_name: frozenset(family.spec.reasons) for family in evidence.frozen.families}
    own = {arm.index for arm in evidence.arms if declared.get(arm.family, frozenset()) >= OWN_REASONS}
    own |= {row.arm for row in evidence.rows if row.position in known}
    siblings = {(row.arm, row.instance): known[row.position] for row in evidence.rows if row.position in known}
    scored: list[Case] = []
    stale: list[Case] = []
    missing = 0
    for row in evidence.rows:
        if row.arm not in own:
            continue
        if row.outcome not in SCORED:
            missing += 1
            continue
        found = known.get(row.position)
        silent = found is None
        measures = _unseen(row, siblings.get((row.arm, row.instance))) if found is None else found
        family = evidence.arms[row.arm].family.partition("@")[0]
        case = Case(
            measures,
            float(measures.weight),
            f"{family}/{row.template}",
            row.template,
            row.replicate,
            row.position,
            silent,
        )
        (stale if measures.stale else scored).append(case)
    return Cases(tuple(scored), tuple(stale), missing)


def _unseen(row: Row, sibling: Measures | None) -> Measures:
    """An episode without verification: nothing right, and what it was about from another episode of its instance."""
    if sibling is not None:
        return msgspec.structs.replace(
            sibling,
            correct=0,
            exact=0,
            action="",
            action_key="",
            gates_ok=0,
            gate_levels_ok=0,
            over_asked=0,
            complete="0",
            traceable="0",
            true="0",
            safety="unclassified",
            escalated=0,
        )
    return Measures(
        scenario=f"instance-{row.instance}",
        hash="",
        category="unknown",
        coordinate="",
        level="",
        correct=0,
        exact=0,
        action="",
        gates=0,
        gates_ok=0,
        gate_levels_ok=0,
        over_asked=0,
        evidence=0,
        safety="unclassified",
    )
