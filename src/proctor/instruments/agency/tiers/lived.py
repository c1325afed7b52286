"""Which units a gate is about: those of a cell, in one arm, under a regime that is hard enough.

What the bench broke counts against the gate: a failure where success is asked for, a success in what it is compared
with. Where that changes a status, it is Provisional; minimums count what was measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import INFRASTRUCTURE, NOT_IMPOSED
from proctor.instruments.agency.level import HARDNESS
from proctor.instruments.agency.tiers.gates import CYCLE_STEPS, DEEP_STEPS, Arm, Asked, Credit
from proctor.instruments.agency.units import Unit
from proctor.instruments.agency.validity import NOT_THE_VERIFIERS
from proctor.spec.family import FamilySpec
from proctor.spec.regime import Intensity, Regime
from proctor.spec.rules import Rules

Group = dict[tuple[str, str], list[Unit]]
"""Units by family and regime."""


class Count(Struct, frozen=True):
    """Successes of some units."""

    k: int
    n: int
    lost: int
    """Units that were not measured."""

    @property
    def worst(self) -> tuple[int, int]:
        """With everything lost counted as a failure."""
        return self.k, self.n + self.lost


class Compared(Struct, frozen=True):
    """The two arms of one family under one regime."""

    family: str
    regime: str
    better: list[Unit]
    worse: list[Unit]


class Subject(Struct, frozen=True):
    """What gates are judged on."""

    evidence: Evidence
    own: dict[str, list[Unit]]
    """Units of the system, by cell."""
    baseline: dict[str, list[Unit]]
    """Units that its model-free baseline lived, by cell."""
    regimes: dict[str, Regime]
    specs: dict[str, FamilySpec]
    """By `id@version`."""
    rules: Rules

    @classmethod
    def of(cls, evidence: Evidence, own: list[Unit], baseline: list[Unit], rules: Rules) -> Subject:
        """From all units of a run."""
        return cls(
            evidence,
            _by_cell(own),
            _by_cell(baseline),
            evidence.frozen.suite.all_regimes,
            {family.spec.full_name: family.spec for family in evidence.frozen.families},
            rules,
        )

    def lived(self, cell: str, arm: Arm, asked: Asked) -> Group:
        """The units of an arm, for each family under every regime that is hard enough."""
        units = (self.own if arm.baseline is None else self.baseline).get(cell, [])
        least = HARDNESS[Intensity(asked)]
        found: Group = defaultdict(list)
        for unit in units:
            if HARDNESS[self.regimes[unit.regime].intensity] >= least and _is_of(unit, arm):
                found[unit.family, unit.regime].append(unit)
        return found

    def nearest(self, group: Iterable[tuple[str, str]], families: set[str] | None = None) -> dict[str, list[str]]:
        """For each family the regimes next to what was asked, by name; harder ones are not needed."""
        by_family: dict[str, list[str]] = defaultdict(list)
        for family, regime in group:
            by_family[family].append(regime)
        chosen: dict[str, list[str]] = {}
        for family, names in sorted(by_family.items()):
            if families is None or family in families:
                least = min(self.hardness(name) for name in names)
                chosen[family] = sorted(name for name in names if self.hardness(name) == least)
        return chosen

    def hardness(self, regime: str) -> int:
        """How hard a regime is, as a number."""
        return HARDNESS[self.regimes[regime].intensity]

    def tested(self, cell: str) -> bool:
        """Whether anything of a cell was run."""
        return bool(self.own.get(cell))


def _by_cell(units: list[Unit]) -> dict[str, list[Unit]]:
    found: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        found[unit.cell].append(unit)
    return dict(found)


def _is_of(unit: Unit, arm: Arm) -> bool:
    if arm.phases and unit.phase not in arm.phases:
        return False
    return not arm.knobs or arm.knobs.items() <= dict(unit.knobs).items()


def lost(unit: Unit) -> bool:
    """Whether nothing is known of a unit, through nobody's choice."""
    return unit.missing == INFRASTRUCTURE and unit.missing_reason not in NOT_THE_VERIFIERS


def not_imposed(units: list[Unit]) -> bool:
    """Whether an agent could not live one of them as the baseline it was asked for."""
    return any(unit.missing_reason == NOT_IMPOSED for unit in units)


def credited(unit: Unit, credit: Credit) -> bool:
    """Whether a unit is a success that counts."""
    if not unit.success:
        return False
    if credit == "cycle":
        # Every call is answered by an observation, the one that changed the state too.
        return unit.calls >= CYCLE_STEPS and bool(unit.transitions)
    return credit == "success" or unit.calls >= DEEP_STEPS


def count(units: list[Unit], credit: Credit = "success") -> Count:
    """Successes that count, among the scored."""
    scored = [unit for unit in units if unit.success is not None]
    return Count(sum(credited(unit, credit) for unit in scored), len(scored), sum(map(lost, units)))


def rate(counted: Count) -> Fraction:
    """The share; 0 where nothing was scored."""
    return Fraction(counted.k, counted.n) if counted.n else Fraction(0)


def short(family: str) -> str:
    """A family without its version."""
    return family.partition("@")[0]
