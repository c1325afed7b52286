"""Evidence made by hand: so many successes of so many units in a cell, under a regime, in a phase."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from proctor.evidence.evidence import Evidence
from proctor.evidence.ratings import Ratings
from proctor.evidence.row import Arm, Row
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.frozen import FrozenFamily, FrozenRun
from proctor.spec.intensity import sizes_with
from proctor.spec.protocols import PAIRED, WHOLE_LIFETIMES
from proctor.spec.regime import Regime
from proctor.spec.rules import Rules
from proctor.spec.suite import Suite
from proctor.spec.system import Boundary, BoundaryKind, Memory, MemoryPersistence, System

DECLARED = Boundary(kind=BoundaryKind.CORE, tools=(), memory=Memory(persistence=MemoryPersistence.LIFETIME))


class Cell(Struct, frozen=True):
    """Some units of one family in one cell."""

    cell: str
    k: int
    n: int
    regime: str = "baseline"
    family: str = "fam"
    phase: str = "test"
    changes: dict[str, Any] = {}
    """Other columns of every row."""
    craft: str = ""
    """What is practised, as the knob `craft` of its entry."""
    successes: frozenset[int] | None = None
    """Which units succeed; None: the first `k`."""
    first: int | None = None
    """Number of its first instance; None: after those that the same arm has in the same phase already."""


def row(position: int, arm: int, cell: Cell, number: int, instance: int) -> Row:
    success = number < cell.k if cell.successes is None else number in cell.successes
    values: dict[str, Any] = {
        "position": position,
        "lifetime": position,
        "arm": arm,
        "unit": position,
        "part": 0,
        "template": f"t{number % 8}",
        "instance": f"{instance:04x}",
        "phase": cell.phase,
        "replicate": 0,
        "outcome": "success" if success else "failure",
        "reason": "correct" if success else "wrong_field",
        "format_error": False,
        "faults": None,
        "calls": 1,
        "retries": 0,
        "undeclared": 0,
        "violations": None,
        "tokens": None,
        "cost": None,
        "measures": None,
        "artifact_ok": True,
        "answer": "1",
        "head": b"",
        "elapsed_us": 10,
        "attempts": 1,
        "aside": None,
        **cell.changes,
    }
    return Row(**values)


LAYERS = ("noise", "timeouts", "failures", "partial_errors", "perturbation", "context_cut", "rate", "drift")


def _delivered(row: Row, regime: Regime) -> Row:
    """The row with a receipt of every layer its regime has, injections apart: those are told by the test."""
    names = [name for name in sizes_with(regime, None, ()) if name in LAYERS]
    given = {} if row.faults is None else json.loads(row.faults)
    faults = dict.fromkeys(names, 1) | given
    return replace(row, faults=json.dumps(faults, sort_keys=True, separators=(",", ":")) if faults else None)


def evidence(
    *cells: Cell,
    rules: Rules | None = None,
    boundary: Boundary = DECLARED,
    ratings: Ratings | None = None,
    regimes: tuple[Any, ...] = (),
    only: tuple[str, ...] = (),
    extra_entries: tuple[dict[str, Any], ...] = (),
    skipped: dict[str, str] | None = None,
    system: dict[str, Any] | None = None,
    complete: bool = True,
    evidences: dict[str, tuple[str, ...]] | None = None,
    touched: frozenset[str] = frozenset(),
) -> Evidence:
    """Evidence of a run with exactly these units. Families evidence the cells they are used for, unless told."""
    arms: dict[tuple[str, str, str, str], int] = {}
    named: dict[str, tuple[str, ...]] = {}
    for cell in cells:
        arms.setdefault((cell.cell, cell.family, cell.regime, cell.craft), len(arms))
        named[cell.family] = tuple(dict.fromkeys((*named.get(cell.family, ()), cell.cell)))
    named |= evidences or {}
    crafts = sorted({craft for _, _, _, craft in arms if craft})
    entries = [
        {
            "family": family,
            "n": 1,
            "regimes": [regime],
            "cell": cell,
            "knobs": {"craft": craft} if craft else {},
            "parts": 2 if cell in PAIRED else 1,
            "program": [{"episodes": 3 if cell in WHOLE_LIFETIMES else 1}],
        }
        for cell, family, regime, craft in arms
    ]
    suite = Suite.model_validate(
        {
            "name": "made",
            "version": "1.0",
            "title": "Made by hand",
            "inclusion": "What the test needs.",
            "justification": "It is made by hand, for one test.",
            "epoch": "2026-01-01T00:00:00Z",
            "entries": [*entries, *extra_entries],
            "regimes": [*regimes],
        }
    )
    frozen = FrozenRun(
        suite=suite,
        rules=rules or Rules(),
        system=System(name="made", boundary=boundary, **(system or {})),
        agent="made",
        seed=1,
        timestamp="2026-01-01T00:00:00Z",
        families=tuple(_family(name, named[name], crafts) for name in sorted(named)),
        only=only,
        skipped=skipped or {},
        agent_identity="made by hand",
    )
    rows: list[Row] = []
    taken: Counter[tuple[int, str]] = Counter()
    for cell in cells:
        arm = arms[cell.cell, cell.family, cell.regime, cell.craft]
        regime = suite.all_regimes[cell.regime]
        first = taken[arm, cell.phase] if cell.first is None else cell.first
        taken[arm, cell.phase] += cell.n
        made = [row(len(rows) + number, arm, cell, number, first + number) for number in range(cell.n)]
        if cell.cell in PAIRED:
            # The second half of each pair ends like the first.
            made += [
                replace(one, position=one.position + cell.n, lifetime=one.lifetime + cell.n, part=1) for one in made
            ]
        rows += [_delivered(one, regime) for one in made]
    return Evidence(
        run="made-1",
        root="00",
        config_hash="11",
        complete=complete,
        frozen=frozen,
        arms=tuple(
            Arm(index, index, f"{family}@1.0", regime, "none", cell, "main")
            for (cell, family, regime, _), index in arms.items()
        ),
        rows=tuple(rows),
        ratings=ratings or Ratings(),
        touched=touched,
    )


def _family(name: str, evidences: tuple[str, ...], crafts: list[str]) -> FrozenFamily:
    spec = FamilySpec(
        id=name,
        title=name,
        description="made",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=evidences,
        knobs={"craft": Knob(default=crafts[0], values=tuple(crafts), description="c")} if crafts else {},
        criterion="c",
        verification="v",
        reasons=("correct", "wrong_field"),
        templates=tuple(f"t{number}" for number in range(8)),
        observation_schema={"type": "object", "properties": {"text": {"type": "string"}}},
        answer_schema={"type": "string"},
        artifacts=True,
    )
    return FrozenFamily(reference=name, spec=spec, source_hash="00", actions=({"name": "look"},))
