"""One level of one dimension, judged: met or not, how sure, and why not."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.instruments.agency.rubric import MINIMUM_UNITS, Drop, Intensities, Level, Rate
from proctor.instruments.agency.threshold import (
    Characteristic,
    Policy,
    characteristic,
    judge,
    threshold_of,
    units_to_settle,
)
from proctor.instruments.agency.units import Unit, tally
from proctor.spec.claims import MINIMUM_FAMILIES
from proctor.spec.regime import Intensity, Regime
from proctor.spec.rules import Rules
from proctor.stats.differences import newcombe
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import ClusteredEstimate, clustered_proportion

Status = Literal["met", "not met", "not tested", "too little evidence", "not measurable"]

HARDNESS = {Intensity.BASELINE: 0, Intensity.MILD: 1, Intensity.MODERATE: 2, Intensity.SEVERE: 3}


class RateUnder(Struct, frozen=True):
    """A cell's rate under one regime (and, for learning, in one phase): plain, and clustered by template."""

    regime: str
    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None
    method: str
    threshold: float
    clustered: ClusteredEstimate
    excluded: dict[str, int]
    """Units that could not be scored, by cause."""
    format_errors: int
    reasons: dict[str, int]
    """Why units failed, most frequent first."""
    families: dict[str, tuple[int, int]]
    """Successes and scored units of each family."""
    failed: tuple[int, ...]
    """Positions of some failed episodes, to look at."""
    phase: str | None = None


class LevelReading(Struct, frozen=True):
    """How one level was judged."""

    cell: str
    level: int
    asks: str
    status: Status
    provisional: bool
    """Sampling could have decided it: more units would settle it."""
    clustered_met: bool
    """The same judgement with the template-clustered interval."""
    rates: tuple[RateUnder, ...]
    reason: str
    """Why it is met, or what stopped it: numbers first."""
    target: RateUnder | None = None
    """The rate the level is about, pooled over its families; None where nothing was tested."""
    difference: Estimate | None = None
    """A drop or gain with its interval, where the rule asks for one."""
    survives_control: bool = False
    """A gain that is there without training too: not learning, whatever its size."""
    settles_at: int | None = None
    """For a provisional rate: units at which the same rate would be settled."""
    characteristic: Characteristic | None = None
    """How often the rule promotes agents of known ability at this n."""

    @property
    def met(self) -> bool:
        """Whether the level's own criteria hold."""
        return self.status == "met"


def not_tested(level: Level, why: str = "not tested") -> LevelReading:
    """A level without evidence."""
    return LevelReading(level.cell, level.level, level.text, "not tested", False, False, (), f"{level.cell}: {why}")


def read_level(
    level: Level,
    units: list[Unit],
    *,
    families: int,
    regimes: dict[str, Regime],
    rules: Rules,
    policy: Policy | None = None,
) -> LevelReading:
    """Judge one level that is decided by rates. `families` is counted over the whole dimension."""
    if not units:
        return not_tested(level)
    rates = rates_under(units, regimes, rules)
    chosen = target_units(units, level.intensity, regimes)
    if not chosen:
        easier = ", ".join(rate.regime for rate in rates)
        return not_tested(level, f"tested under {easier} only, needs a {level.intensity} regime")
    target = rate_of(" and ".join(sorted({unit.regime for unit in chosen})), chosen, rules)
    if isinstance(level.rule, Rate):
        reading = _read_rate(level, level.rule, chosen, rates, target, rules, policy)
    elif isinstance(level.rule, Drop):
        reading = _read_drop(level, level.rule, rates, target, rules, policy)
    else:
        message = f"{level.cell} is not judged by rates alone"
        raise TypeError(message)
    return with_minimum(level, reading, target.n, families)


def rates_under(
    units: list[Unit], regimes: dict[str, Regime], rules: Rules, phase: str | None = None
) -> tuple[RateUnder, ...]:
    """The rates of some units, from the easiest regime to the hardest."""
    names = sorted({unit.regime for unit in units}, key=lambda name: (HARDNESS[regimes[name].intensity], name))
    return tuple(rate_of(name, [unit for unit in units if unit.regime == name], rules, phase) for name in names)


def rate_of(regime: str, units: list[Unit], rules: Rules, phase: str | None = None) -> RateUnder:
    """The rate of units that share a regime."""
    counted = tally(units)
    theta = threshold_of(counted, rules)
    estimate = judge(counted.k, counted.n, rules=rules, threshold=theta).estimate
    clustered = clustered_proportion(
        [k for k, _ in counted.by_template], [n for _, n in counted.by_template], confidence=rules.confidence
    )
    return RateUnder(
        regime=regime,
        k=counted.k,
        n=counted.n,
        rate=estimate.estimate,
        low=estimate.low,
        high=estimate.high,
        method=estimate.method,
        threshold=float(theta),
        clustered=clustered,
        excluded={
            name: count
            for name, count in (("infrastructure", counted.infrastructure), ("invalid", counted.invalid))
            if count
        },
        format_errors=counted.format_errors,
        reasons=counted.reasons,
        families=counted.by_family,
        failed=counted.failed,
        phase=phase,
    )


def target_units(units: list[Unit], intensity: Intensities, regimes: dict[str, Regime]) -> list[Unit]:
    """The units the level is about: each family under the asked intensity, or the next harder one it was tested under.

    Where a family was tested under several such regimes, the one in which it did worst.
    """
    asked = HARDNESS[Intensity(intensity)]
    hardness = {name: HARDNESS[regimes[name].intensity] for name in {unit.regime for unit in units}}
    selected: list[Unit] = []
    for family in sorted({unit.family for unit in units}):
        own = [unit for unit in units if unit.family == family and hardness[unit.regime] >= asked]
        if not own:
            continue
        nearest = min(hardness[unit.regime] for unit in own)
        by_regime: dict[str, list[Unit]] = {}
        for unit in own:
            if hardness[unit.regime] == nearest:
                by_regime.setdefault(unit.regime, []).append(unit)
        worst = min(sorted(by_regime), key=lambda name: _success(by_regime[name]))
        selected += by_regime[worst]
    return selected


def _success(units: list[Unit]) -> float:
    counted = tally(units)
    return counted.k / counted.n if counted.n else 0.0


def with_minimum(level: Level, reading: LevelReading, n: int, families: int) -> LevelReading:
    """The same reading, or "too little evidence" where the minimum of §10.3.1 is not reached."""
    needed, families_needed = MINIMUM_UNITS[level.level], MINIMUM_FAMILIES[level.level]
    if reading.status == "not measurable":
        return reading
    if n < needed:
        lacking = f"{n} scored units, needs {needed}"
    elif families < families_needed:
        lacking = f"{families} {'family' if families == 1 else 'families'} over the dimension, needs {families_needed}"
    else:
        return reading
    return LevelReading(
        reading.cell,
        reading.level,
        reading.asks,
        "too little evidence",
        True,
        False,
        reading.rates,
        f"{reading.reason}; too little evidence: {lacking}",
        reading.target,
        reading.difference,
        survives_control=reading.survives_control,
        characteristic=reading.characteristic,
    )


def _read_rate(
    level: Level,
    rule: Rate,
    units: list[Unit],
    rates: tuple[RateUnder, ...],
    target: RateUnder,
    rules: Rules,
    policy: Policy | None,
) -> LevelReading:
    verdict = judge(target.k, target.n, rules=rules, threshold=target.threshold, policy=policy)
    met, provisional = verdict.met, verdict.provisional
    reason = _rate_reason(level, target, met, provisional)
    if met and rule.families > 1:
        passing = _families_meeting(units, rules, policy)
        if len(passing) < rule.families:
            met = False
            reason += f"; {len(passing)} of its families meet it by themselves, needs {rule.families}"
    return LevelReading(
        level.cell,
        level.level,
        level.text,
        "met" if met else "not met",
        provisional,
        met and clustered_meets(target, rules, policy),
        rates,
        reason,
        target,
        settles_at=units_to_settle(target.k, target.n, rules=rules, threshold=target.threshold)
        if provisional
        else None,
        characteristic=characteristic(target.n, rules=rules, threshold=target.threshold, policy=policy),
    )


def _families_meeting(units: list[Unit], rules: Rules, policy: Policy | None) -> list[str]:
    meeting = []
    for family in sorted({unit.family for unit in units}):
        counted = tally(unit for unit in units if unit.family == family)
        theta = threshold_of(counted, rules)
        if judge(counted.k, counted.n, rules=rules, threshold=theta, policy=policy).met:
            meeting.append(family)
    return meeting


def clustered_meets(rate: RateUnder, rules: Rules, policy: Policy | None) -> bool:
    """The borderline rule with the clustered bound in place of the plain one."""
    effect = rate.clustered.design_effect
    if rate.clustered.low is None or effect is None or effect <= 1.0:
        # Nothing speaks for clustering: the plain interval stands.
        return True
    chosen = policy or rules.borderline
    outside_zone = rate.n > 0 and rate.k / rate.n >= rate.threshold + 0.05
    if chosen == "worked" and outside_zone:
        # Beyond the zone the rule asks for no interval; yet clustering alone must not drag the bound below the zone.
        floor = rate.threshold - 0.05
        return rate.clustered.low >= floor or (rate.low is not None and rate.low < floor)
    return rate.clustered.low >= rate.threshold


def _rate_reason(level: Level, rate: RateUnder, met: bool, provisional: bool) -> str:
    text = f"{level.cell}: {rate.k}/{rate.n} under {rate.regime}"
    if met:
        return text
    needs = f"{text}, needs {percent(rate.threshold)}"
    if provisional:
        needs += " with a lower bound that clears it" if rate.rate is not None and rate.rate >= rate.threshold else ""
    worst = next(iter(rate.reasons), None)
    return needs + (f"; fails most on {worst}" if worst else "")


def percent(share: float) -> str:
    """70 % rather than 0.7; a decimal only where there is one."""
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def _read_drop(
    level: Level, rule: Drop, rates: tuple[RateUnder, ...], target: RateUnder, rules: Rules, policy: Policy | None
) -> LevelReading:
    before = next((rate for rate in rates if rate.regime == "baseline"), None)
    if before is None:
        return not_tested(level, "a drop needs the baseline regime too, which was not tested")
    drop = newcombe(before.k, before.n, target.k, target.n, confidence=rules.confidence)
    verdict = judge(target.k, target.n, rules=rules, threshold=target.threshold, policy=policy)
    small = within(before.k, before.n, target.k, target.n, rule.points)
    fell = 0 if drop.estimate is None else round(100 * drop.estimate)
    met = small and verdict.met
    reason = f"{level.cell}: {target.k}/{target.n} under {target.regime}, {fell} points below {before.regime}"
    if not small:
        reason += f", at most {rule.points} allowed"
    elif not verdict.met:
        reason += f", needs {percent(target.threshold)}"
    return LevelReading(
        level.cell,
        level.level,
        level.text,
        "met" if met else "not met",
        small and verdict.provisional,
        met and clustered_meets(target, rules, policy),
        rates,
        reason,
        target,
        drop,
        characteristic=characteristic(target.n, rules=rules, threshold=target.threshold, policy=policy),
    )


def within(k1: int, n1: int, k2: int, n2: int, points: int) -> bool:
    """Whether k1/n1 exceeds k2/n2 by at most so many points, in integers."""
    return 100 * (k1 * n2 - k2 * n1) <= points * n1 * n2
