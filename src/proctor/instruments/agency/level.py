"""One level of one dimension, judged: met or not, how sure, and why not."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.instruments.agency.rubric import MINIMUM_FAMILIES, MINIMUM_UNITS, Drop, Level, Rate
from proctor.instruments.agency.threshold import Policy, judge
from proctor.instruments.agency.units import Tally, Unit, tally
from proctor.spec.regime import Intensity, Regime
from proctor.spec.rules import Rules
from proctor.stats.differences import newcombe
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import clustered_proportion

Status = Literal["met", "not met", "not tested", "too little evidence"]

_HARDNESS = {Intensity.BASELINE: 0, Intensity.MILD: 1, Intensity.MODERATE: 2, Intensity.SEVERE: 3}


class RateUnder(Struct, frozen=True):
    """A cell's rate under one regime, plain and clustered by template."""

    regime: str
    tally: Tally
    estimate: Estimate
    clustered: Estimate


class LevelReading(Struct, frozen=True):
    """How one level was judged."""

    level: Level
    status: Status
    provisional: bool
    clustered_met: bool
    """The same judgement with the template-clustered interval."""
    rates: tuple[RateUnder, ...]
    reason: str
    """Why it is met, or what stopped it."""
    difference: Estimate | None = None
    """A drop or gain with its interval, where the rule asks for one."""

    @property
    def met(self) -> bool:
        """Whether the level's own criteria hold."""
        return self.status == "met"


def read_level(
    level: Level,
    units: list[Unit],
    *,
    families: int,
    regimes: dict[str, Regime],
    rules: Rules,
    policy: Policy | None = None,
) -> LevelReading:
    """Judge one level from the units of its cell. `families` is counted over the whole dimension."""
    if not units:
        return LevelReading(level, "not tested", False, False, (), f"{level.cell}: not tested")
    rates = _rates(units, regimes, rules)
    target = rates[-1]
    lacking = _lacking(level, target.tally, families)
    if isinstance(level.rule, Rate):
        found = _read_rate(level, level.rule, units, rates, rules, policy)
    elif isinstance(level.rule, Drop):
        found = _read_drop(level, level.rule, rates, rules, policy)
    else:
        message = f"{level.cell} is not judged by rates alone"
        raise TypeError(message)
    if lacking is not None:
        return LevelReading(level, "too little evidence", True, False, rates, lacking, found.difference)
    return found


def _rates(units: list[Unit], regimes: dict[str, Regime], rules: Rules) -> tuple[RateUnder, ...]:
    """The cell's rates, from the easiest regime to the hardest: the last is the one the level is about."""
    names = sorted({unit.regime for unit in units}, key=lambda name: (_HARDNESS[regimes[name].intensity], name))
    return tuple(_rate(name, [unit for unit in units if unit.regime == name], rules) for name in names)


def _rate(regime: str, units: list[Unit], rules: Rules) -> RateUnder:
    counted = tally(units)
    verdict = judge(counted.k, counted.n, rules=rules)
    clustered = clustered_proportion(
        [k for k, _ in counted.by_template], [n for _, n in counted.by_template], confidence=rules.confidence
    )
    return RateUnder(regime, counted, verdict.estimate, clustered)


def _lacking(level: Level, counted: Tally, families: int) -> str | None:
    units_needed, families_needed = MINIMUM_UNITS[level.level], MINIMUM_FAMILIES[level.level]
    if counted.n < units_needed:
        return f"{level.cell}: {counted.n} scored units, needs {units_needed}"
    if families < families_needed:
        return f"{level.cell}: {families} families over the dimension, needs {families_needed}"
    return None


def _read_rate(
    level: Level, rule: Rate, units: list[Unit], rates: tuple[RateUnder, ...], rules: Rules, policy: Policy | None
) -> LevelReading:
    target = rates[-1]
    verdict = judge(target.tally.k, target.tally.n, rules=rules, policy=policy)
    met, provisional = verdict.met, verdict.provisional
    reason = _rate_reason(level, target, rules, met)
    if met and rule.families > 1:
        passing = _families_meeting(target.regime, units, rules, policy)
        if len(passing) < rule.families:
            met = False
            reason = f"{level.cell}: {len(passing)} families meet it by themselves, needs {rule.families}"
    clustered_met = met and _clustered_meets(target, rules, policy)
    return LevelReading(level, "met" if met else "not met", provisional, clustered_met, rates, reason)


def _families_meeting(regime: str, units: list[Unit], rules: Rules, policy: Policy | None) -> list[str]:
    found = []
    for family in sorted({unit.family for unit in units}):
        counted = tally(unit for unit in units if unit.family == family and unit.regime == regime)
        if judge(counted.k, counted.n, rules=rules, policy=policy).met:
            found.append(family)
    return found


def _clustered_meets(rate: RateUnder, rules: Rules, policy: Policy | None) -> bool:
    """The borderline rule with the clustered bound in place of the plain one."""
    if rate.clustered.low is None:
        return True
    chosen = policy or rules.borderline
    outside_zone = rate.tally.n > 0 and rate.tally.k / rate.tally.n >= rules.threshold + 0.05
    if chosen == "worked" and outside_zone:
        # Beyond the zone the plain rule asks for no interval; the clustered one must at least not fall below the zone.
        return rate.clustered.low >= rules.threshold - 0.05
    return rate.clustered.low >= rules.threshold


def _rate_reason(level: Level, rate: RateUnder, rules: Rules, met: bool) -> str:
    counted = rate.tally
    text = f"{level.cell}: {counted.k}/{counted.n} under {rate.regime}"
    if met:
        return text
    worst = next(iter(counted.reasons), None)
    return f"{text}, needs {100 * rules.threshold:.0f} %" + (f"; fails most on {worst}" if worst else "")


def _read_drop(
    level: Level, rule: Drop, rates: tuple[RateUnder, ...], rules: Rules, policy: Policy | None
) -> LevelReading:
    if len(rates) < 2:
        return LevelReading(level, "not tested", False, False, rates, f"{level.cell}: tested under one regime only")
    before, after = rates[0].tally, rates[-1].tally
    drop = newcombe(before.k, before.n, after.k, after.n, confidence=rules.confidence)
    verdict = judge(after.k, after.n, rules=rules, policy=policy)
    # In integers: k1/n1 - k2/n2 <= points/100.
    small = 100 * (before.k * after.n - after.k * before.n) <= rule.points * before.n * after.n
    fell = 0 if drop.estimate is None else round(100 * drop.estimate)
    met = small and verdict.met
    reason = f"{level.cell}: {after.k}/{after.n} under {rates[-1].regime}, {fell} points below {rates[0].regime}"
    if not small:
        reason += f", at most {rule.points} allowed"
    elif not verdict.met:
        reason += f", needs {100 * rules.threshold:.0f} %"
    clustered_met = met and _clustered_meets(rates[-1], rules, policy)
    provisional = small and verdict.provisional
    return LevelReading(level, "met" if met else "not met", provisional, clustered_met, rates, reason, drop)
