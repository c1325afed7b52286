"""Evidence made by hand: so many successes of so many units in a cell, under a regime, in a phase."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.ratings import Rating
from proctor.evidence.row import Arm, Row
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.frozen import FrozenFamily, FrozenRun
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
    lifetime: bool = False
    """All units of this cell, phase after phase, belong to lifetimes numbered alike."""


def row(position: int, arm: int, cell: Cell, number: int) -> Row:
    success = number < cell.k
    values: dict[str, Any] = {
        "position": position,
        "lifetime": position,
        "arm": arm,
        "unit": position,
        "part": 0,
        "template": f"t{number % 8}",
        "instance": f"{number:04x}",
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


def evidence(
    *cells: Cell,
    rules: Rules | None = None,
    boundary: Boundary = DECLARED,
    ratings: tuple[Rating, ...] = (),
    regimes: tuple[Any, ...] = (),
    only: tuple[str, ...] = (),
    extra_entries: tuple[dict[str, Any], ...] = (),
    skipped: dict[str, str] | None = None,
    system: dict[str, Any] | None = None,
    complete: bool = True,
) -> Evidence:
    """Evidence of a run with exactly these units."""
    arms: dict[tuple[str, str, str], int] = {}
    for cell in cells:
        arms.setdefault((cell.cell, cell.family, cell.regime), len(arms))
    entries = [{"family": family, "n": 1, "regimes": [regime], "cell": cell} for cell, family, regime in arms]
    names = sorted({family for _, family, _ in arms})
    suite = Suite.model_validate(
        {
            "name": "made",
            "version": "1.0",
            "title": "Made by hand",
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
        families=tuple(_family(name) for name in names),
        only=only,
        skipped=skipped or {},
        agent_identity="made by hand",
    )
    rows: list[Row] = []
    for cell in cells:
        arm = arms[cell.cell, cell.family, cell.regime]
        rows += [row(len(rows) + number, arm, cell, number) for number in range(cell.n)]
    return Evidence(
        run="made-1",
        root="00",
        config_hash="11",
        complete=complete,
        frozen=frozen,
        arms=tuple(
            Arm(index, index, f"{family}@1.0", regime, "none", cell, "main")
            for (cell, family, regime), index in arms.items()
        ),
        rows=tuple(rows),
        ratings=ratings,
    )


def _family(name: str) -> FrozenFamily:
    spec = FamilySpec(
        id=name,
        title=name,
        description="made",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="c",
        verification="v",
        reasons=("correct", "wrong_field"),
        templates=tuple(f"t{number}" for number in range(8)),
        observation_schema={"type": "object", "properties": {"text": {"type": "string"}}},
        answer_schema={"type": "string"},
        artifacts=True,
    )
    return FrozenFamily(reference=name, spec=spec, source_hash="00", actions=({"name": "look"},))
