"""What families keep of their Baseline under harder regimes: the counts from which robustness is read."""

from __future__ import annotations

from msgspec import Struct

from proctor.instruments.agency.drops import BASELINE, DropUnder, drop_of
from proctor.instruments.agency.level import MINIMUM_OF_FAMILY, rates_under
from proctor.instruments.agency.reading import RateUnder
from proctor.instruments.agency.rubric import Robust
from proctor.instruments.agency.threshold import Policy, Verdict, judge, threshold_of
from proctor.instruments.agency.units import Tally, Unit, tally
from proctor.spec.regime import Intensity, Regime
from proctor.spec.rules import Rules


def interference(regime: Regime) -> frozenset[str]:
    """The kinds of faults by which an adversary acts: injected instructions, perturbed tool output."""
    kinds = {"injection": regime.adversary.injection, "perturbation": regime.stability.perturbation}
    return frozenset(kind for kind, share in kinds.items() if share > 0)


class Retained(Struct, frozen=True):
    """The units of R by family and regime. Families without Baseline have nothing to be compared with."""

    units: dict[tuple[str, str], list[Unit]]
    regimes: dict[str, Regime]
    rules: Rules
    policy: Policy | None
    rates: dict[str, RateUnder]
    """By regime, over all families."""
    families: list[str]
    """With Baseline."""
    without_baseline: list[str]

    @classmethod
    def of_units(cls, units: list[Unit], regimes: dict[str, Regime], rules: Rules, policy: Policy | None) -> Retained:
        """The same, from a list."""
        families = sorted({unit.family for unit in units if unit.regime == BASELINE and unit.success is not None})
        by_both: dict[tuple[str, str], list[Unit]] = {}
        for unit in units:
            if unit.family in families:
                by_both.setdefault((unit.family, unit.regime), []).append(unit)
        counted = [unit for unit in units if unit.family in families]
        return cls(
            by_both,
            regimes,
            rules,
            policy,
            {rate.regime: rate for rate in rates_under(counted, regimes, rules)},
            families,
            sorted({unit.family for unit in units} - {*families}),
        )

    def of(self, family: str | None, regime: str) -> list[Unit]:
        """The units of a family, or of all, under a regime."""
        if family is not None:
            return self.units.get((family, regime), [])
        return [unit for name in self.families for unit in self.of(name, regime)]

    def attacked(self, family: str | None, regime: str) -> list[Unit]:
        """The units under a regime that count: with an adversary only those in which it acted."""
        kinds = interference(self.regimes[regime])
        return [unit for unit in self.of(family, regime) if not kinds or unit.faults & kinds]

    def named(self, intensity: Intensity, *, attacked: bool) -> list[str]:
        """The tested regimes of this intensity, with or without an adversary in them."""
        return [
            name
            for name in self.rates
            if self.regimes[name].intensity is intensity and bool(interference(self.regimes[name])) == attacked
        ]

    def attacks(self) -> list[str]:
        """The tested regimes with an adversary in them."""
        return [name for name in self.rates if interference(self.regimes[name])]

    def mildest(self) -> list[str]:
        """The mild regimes; the moderate ones where none was tested."""
        return self.named(Intensity.MILD, attacked=False) or self.named(Intensity.MODERATE, attacked=False)

    def drop(self, family: str | None, regime: str, allowed: int) -> DropUnder:
        """The drop of a family, or over all, on the instances tested under both."""
        return drop_of(regime, self.of(family, BASELINE), self.attacked(family, regime), allowed)

    def verdict(self, family: str, regime: str) -> tuple[Verdict, Tally]:
        """How a family does by itself."""
        counted = tally(self.attacked(family, regime))
        theta = threshold_of(counted, self.rules)
        return judge(counted.k, counted.n, rules=self.rules, threshold=theta, policy=self.policy), counted

    def at_baseline(self) -> tuple[list[str], list[str]]:
        """The families that pass Baseline by themselves, and those that are too close or too few to say."""
        passing: list[str] = []
        close: list[str] = []
        for family in self.families:
            verdict, counted = self.verdict(family, BASELINE)
            if counted.n < MINIMUM_OF_FAMILY or verdict.provisional:
                close.append(family)
            elif verdict.met:
                passing.append(family)
        return passing, close

    def holding(self, rule: Robust, names: list[str]) -> tuple[list[str], list[str]]:
        """The families that keep what the rule asks under each of these regimes, and those too close to say.

        A family is judged under those of the regimes it was tested under: one at least without an adversary, and one
        with an adversary where the regimes have one.
        """
        passing, close = self.at_baseline()
        holding: list[str] = []
        undecided: list[str] = []
        for family in (*passing, *close):
            own = [name for name in names if self.of(family, name)]
            kinds = {bool(interference(self.regimes[name])) for name in names}
            if kinds != {bool(interference(self.regimes[name])) for name in own}:
                continue
            drops = [self.drop(family, name, rule.points) for name in own]
            verdicts = [self.verdict(family, name)[0] for name in own] if rule.rate else []
            few = any(drop.pairs < MINIMUM_OF_FAMILY for drop in drops)
            if not few and not all(drop.kept for drop in drops):
                continue
            if not few and family in passing and all(verdict.met for verdict in verdicts):
                holding.append(family)
            elif few or all(verdict.met or verdict.provisional for verdict in verdicts):
                undecided.append(family)
        return holding, undecided
