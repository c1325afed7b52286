"""Evidence made by hand for every gate: arms by cell, family, regime, knobs, phase and who lived them."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from tests.unit.instruments.made import Cell, _delivered, row

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import Arm, Row
from proctor.instruments.agency.instrument import instrument
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.frozen import FrozenFamily, FrozenRun
from proctor.spec.rules import Rules
from proctor.spec.suite import Suite
from proctor.spec.system import Boundary, BoundaryKind, Memory, MemoryPersistence, SelfModification, System
from proctor.spec.tier_protocols import Counterparties, DelayedReward, ModificationSpace, Strategies

BOUNDARY = Boundary(
    kind=BoundaryKind.CORE,
    tools=(),
    memory=Memory(persistence=MemoryPersistence.LIFETIME),
    self_modification=SelfModification(allowed=("composite-tool",), forbidden=("patch_harness",)),
)
ARMS = ("identified", "reassigned", "permuted", "masked", "non-social")


class Some(Struct, frozen=True):
    """So many units of one arm, of which the first k succeed."""

    cell: str
    k: int
    n: int
    family: str = "fam"
    regime: str = "baseline"
    phase: str = "test"
    knobs: dict[str, str] = {}
    baseline: str | None = None
    changes: dict[str, Any] = {}
    confident: tuple[float, float] | None = None
    """Confidence of successes and of failures."""
    from_the_end: bool = False
    """The last k succeed instead."""
    first: int = 0
    """Number of the first instance."""


def ladder_evidence(*some: Some, **frozen_facts: Any) -> Evidence:
    """Evidence with exactly these units; the same instances in all arms of a family."""
    arms: dict[tuple[Any, ...], int] = {}
    evidences: dict[str, list[str]] = {}
    for one in some:
        arms.setdefault(_arm(one), len(arms))
        evidences.setdefault(one.family, []).append(one.cell)
    entries = [
        {"family": family, "n": 1, "regimes": [regime], "cell": cell, "knobs": dict(knobs), "baseline": baseline}
        for cell, family, regime, knobs, baseline in arms
    ]
    suite = Suite.model_validate(
        {
            "name": "made",
            "version": "1.0",
            "title": "Made by hand",
            "inclusion": "What the test needs, no more.",
            "justification": "It is made by hand, for one test.",
            "epoch": "2026-01-01T00:00:00Z",
            "entries": entries,
        }
    )
    rows: list[Row] = []
    for one in some:
        chosen = frozenset(range(one.n - one.k, one.n)) if one.from_the_end else None
        cell = Cell(one.cell, one.k, one.n, one.regime, one.family, one.phase, one.changes, successes=chosen)
        made = [row(len(rows) + i, arms[_arm(one)], cell, i, one.first + i) for i in range(one.n)]
        made = [
            replace(a, transitions=1, calls=6) if not {"calls", "transitions"} & one.changes.keys() else a for a in made
        ]
        if one.confident is not None:
            sure, unsure = one.confident
            made = [replace(a, confidence=sure if a.outcome == "success" else unsure) for a in made]
        rows += [_delivered(a, suite.all_regimes[one.regime]) for a in made]
    facts: dict[str, Any] = {
        "suite": suite,
        "rules": Rules(),
        "system": System(name="made", boundary=BOUNDARY),
        "agent": "made",
        "seed": 1,
        "timestamp": "2026-01-01T00:00:00Z",
        "families": tuple(_family(name, tuple(dict.fromkeys(cells))) for name, cells in sorted(evidences.items())),
        "agent_identity": "made by hand",
        **frozen_facts,
    }
    return Evidence(
        run="made-1",
        root="00",
        config_hash="11",
        complete=True,
        frozen=FrozenRun(**facts),
        arms=tuple(
            Arm(index, index, f"{family}@1.0", regime, "none", cell, "main")
            for (cell, family, regime, _, _), index in arms.items()
        ),
        rows=tuple(rows),
    )


def _arm(one: Some) -> tuple[Any, ...]:
    return one.cell, one.family, one.regime, tuple(sorted(one.knobs.items())), one.baseline


def _family(name: str, cells: tuple[str, ...]) -> FrozenFamily:
    environment = EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED)
    if "T5-social" in cells:
        environment = EnvironmentClass(kind=EnvironmentKind.MULTI_AGENT, interaction="mixed")
    spec = FamilySpec(
        id=name,
        title=name,
        description="made",
        environment=environment,
        evidences=cells,
        knobs={
            "identity": Knob(default="identified", values=ARMS, description="i"),
            "strategies": Knob(default="open", values=("open", "fixed"), description="s"),
        },
        criterion="c",
        verification="v",
        reasons=("correct", "wrong_field"),
        templates=tuple(f"t{number}" for number in range(8)),
        observation_schema={"type": "object", "properties": {"text": {"type": "string"}}},
        answer_schema={"type": "string"},
        artifacts=True,
        reward=DelayedReward(condition="later", steps=3) if "T3-delayed" in cells else None,
        strategies=Strategies(names=("one", "two"), features=("colour",), switch="turn", recognised="by its calls")
        if "T4-switch" in cells
        else None,
        counterparties=Counterparties(roles=("buyer", "seller"), protocol="in turn", depends="on what they accept")
        if "T5-social" in cells
        else None,
        modification=ModificationSpace(allowed=("composite-tool",), forbidden=("patch_harness",))
        if "T6-modification" in cells
        else None,
    )
    return FrozenFamily(reference=name, spec=spec, source_hash="00", actions=({"name": "look"},))


def measured(**facts: Any) -> dict[str, Any]:
    """The column of measures."""
    return {"measures": json.dumps(facts, sort_keys=True)}


def up_to(tier: int) -> list[Some]:
    """Everything that a system of this tier would leave, and nothing of what the next one asks."""
    able = [tier >= level for level in range(8)]

    def hi(level: int, n: int = 200) -> int:
        return n if able[level] else 0

    some = [
        Some("S1", 100, 100, "reading"),
        Some("D1", 100, 100, "keeping"),
        Some("E1", 100, 100, "making"),
        Some("T1-loop", hi(1), 200, "looping"),
        Some("L1", 0, 100, "learning", phase="first"),
        Some("L1", hi(2, 100), 100, "learning", phase="later"),
    ]
    for family in ("learning", "more"):
        some += [Some("L2", 0, 160, family, phase=name) for name in ("pretest", "reset", "untrained")]
        some.append(Some("L2", hi(2, 160), 160, family, phase="posttest"))
    some += [
        Some(cell, hi(3, 100), 100, family) for cell, family in (("M1", "a"), ("M2", "b"), ("M3", "a"), ("M3", "b"))
    ]
    for family in ("deep", "deeper"):
        some.append(Some("T3-depth", hi(3), 200, family))
    for family in ("later", "latest"):
        some.append(Some("T3-delayed", hi(3), 200, family))
        some.append(Some("T3-delayed", 0, 200, family, baseline="model-free"))
    some += [
        Some(cell, 100, 100, name, baseline="model-free")
        for cell, name in (("S1", "reading"), ("D1", "keeping"), ("E1", "making"))
    ]
    some += [Some("M3", k, 100, name, baseline="model-free") for k, name in ((100, "a"), (0, "b"))]
    moderate: dict[str, Any] = {"regime": "moderate-standard"}
    some.append(Some("T4-calibration", 100, 200, "sure", **moderate, confident=(0.9, 0.1) if able[4] else (0.5, 0.5)))
    some += [
        Some("G1-1", hi(4, 100), 100, "g"),
        Some("G1-2", hi(4, 100), 100, "h"),
        Some("G1-3", hi(4, 100), 100, "i", **moderate),
    ]
    for family in ("switch", "turn"):
        for arm in ("open", "fixed"):
            for suits in ("one", "two"):
                took = suits if arm == "open" and able[4] else "one"
                facts, first = measured(strategy=took, suits=suits), 100 * (suits == "two")
                k = 100 if took == suits else 0
                arms = {"strategies": arm}
                some.append(Some("T4-switch", k, 100, family, knobs=arms, changes=facts, first=first, **moderate))
    for family, regime in (("crew", "moderate-standard"), ("house", "severe-standard")):
        some += [
            Some(
                "T5-social",
                hi(5) if arm in ("identified", "reassigned") else 20,
                200,
                family,
                regime,
                knobs={"identity": arm},
            )
            for arm in ARMS
        ]
    made: dict[str, Any] = {"kind": "composite-tool", "size": 3, "structural": 1}
    steps = (
        measured(identified=1, proposed=1, implemented=1, change="aa", **made) if able[6] else measured(identified=1)
    )
    changed = measured(change="aa", **made)
    some += [
        Some("T6-modification", 100, 400, "desk", phase="pretest", **moderate),
        Some("T6-modification", 40, 40, "desk", phase="modify", changes=steps, **moderate),
        Some("T6-modification", 380 if able[6] else 100, 400, "desk", phase="posttest", changes=changed, **moderate),
        Some("T6-modification", 380 if able[6] else 100, 400, "desk", phase="reapplied", changes=changed, **moderate),
        Some("T6-modification", 100, 400, "desk", phase="sham", changes=measured(change="bb", **made), **moderate),
    ]
    return some


def tier_of(evidence: Evidence) -> dict[str, Any]:
    """What the instrument says of the tier."""
    return instrument.read(evidence, evidence.frozen.rules).tier


def gate(found: dict[str, Any], name: str) -> dict[str, Any]:
    """One gate of it."""
    return next(one for one in found["gates"] if one["id"] == name)
