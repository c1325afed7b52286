"""One level of one dimension, judged: met or not, how sure, and why not."""

from __future__ import annotations

from msgspec.structs import replace

from proctor.instruments.agency.criterion import (
    Criterion,
    all_met,
    could_be_met,
    families_criterion,
    loss_criterion,
    percent,
    points,
)
from proctor.instruments.agency.drops import BASELINE, drop_caveat, drop_of
from proctor.instruments.agency.reading import LevelReading, RateUnder, band_words
from proctor.instruments.agency.rubric import MINIMUM_UNITS, Drop, Intensities, Level, Rate
from proctor.instruments.agency.threshold import (
    Policy,
    characteristic,
    judge,
    low_families,
    threshold_of,
    units_to_settle,
)
from proctor.instruments.agency.units import Unit, tally
from proctor.spec.claims import CONFIDENCE, MINIMUM_FAMILIES
from proctor.spec.regime import Intensity, Regime
from proctor.spec.rules import Rules
from proctor.stats.intervals import clustered_proportion

__all__ = ["LevelReading", "RateUnder", "read_level"]

HARDNESS = {Intensity.BASELINE: 0, Intensity.MILD: 1, Intensity.MODERATE: 2, Intensity.SEVERE: 3}
MINIMUM_OF_FAMILY = MINIMUM_UNITS[1]
"""Scored units a family needs where a rubric asks that it meets something by itself."""


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
    controls: frozenset[tuple[str, str]] = frozenset(),
) -> LevelReading:
    """Judge one level that is decided by rates. `families` is counted over the whole dimension.

    `controls` are the (family, template) in which the right thing is not to act: a rate has to be met without them too,
    since an agent that does nothing succeeds in all of them.
    """
    if not units:
        return not_tested(level)
    rates = rates_under(units, regimes, rules)
    chosen = target_units(units, level.intensity, regimes)
    if not chosen:
        easier = ", ".join(rate.regime for rate in rates)
        return not_tested(level, f"tested under {easier} only, needs a {level.intensity} regime")
    if isinstance(level.rule, Rate):
        reading, n = _read_rate(level, level.rule, chosen, rates, rules, policy, controls)
    elif isinstance(level.rule, Drop):
        reading, n = _read_drop(level, level.rule, units, chosen, rates, rules, policy)
    else:
        message = f"{level.cell} is not judged by rates alone"
        raise TypeError(message)
    return with_minimum(level, reading, n, families)


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
        [k for k, _ in counted.by_template], [n for _, n in counted.by_template], confidence=CONFIDENCE
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
            for name, count in (
                ("infrastructure", counted.infrastructure),
                ("invalid", counted.invalid),
            )
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


def with_minimum(
    level: Level, reading: LevelReading, n: int, families: int, counted: str = "scored units"
) -> LevelReading:
    """The same reading, or "too little evidence" where the minimum of §10.3.1 is not reached."""
    needed, families_needed = MINIMUM_UNITS[level.level], MINIMUM_FAMILIES[level.level]
    if reading.status in ("not measurable", "not tested"):
        return reading
    if n < needed:
        lacking = f"{n} {counted}, needs {needed}"
    elif families < families_needed:
        lacking = f"{families} {'family' if families == 1 else 'families'} over the dimension, needs {families_needed}"
    else:
        return reading
    return replace(
        reading,
        status="too little evidence",
        provisional=True,
        clustered_met=False,
        reason=f"{reading.reason}; too little evidence: {lacking}",
        settles_at=None,
        low_families=(),
    )


def judged(
    level: Level,
    criteria: list[Criterion],
    *,
    reason: str,
    rates: tuple[RateUnder, ...],
    target: RateUnder | None,
    clustered: bool,
    low: tuple[str, ...] = (),
) -> LevelReading:
    """A level as its criteria decide it. `clustered`: the same holds with the clustered intervals."""
    met = all_met(criteria)
    return LevelReading(
        level.cell,
        level.level,
        level.text,
        "met" if met else "not met",
        bool(low) if met else could_be_met(criteria),
        met and clustered,
        rates,
        f"{level.cell}: {reason}",
        target,
        criteria=tuple(criteria),
        low_families=low if met else (),
    )


def rate_criterion(rate: RateUnder, rules: Rules, policy: Policy | None, what: str | None = None) -> Criterion:
    """Success at least the threshold, by the borderline rule."""
    verdict = judge(rate.k, rate.n, rules=rules, threshold=rate.threshold, policy=policy)
    text = f"{rate.k}/{rate.n} under {rate.regime}{band_words(rate)}"
    if not verdict.met:
        close = verdict.provisional and rate.rate is not None and rate.rate >= rate.threshold
        text += f", needs {percent(rate.threshold)}" + (" with a lower bound that clears it" if close else "")
    return Criterion(
        "rate",
        what or f"rate under {rate.regime}",
        rate.rate,
        rate.low,
        rate.high,
        rate.threshold,
        verdict.met,
        text,
        provisional=verdict.provisional,
        k=rate.k,
        n=rate.n,
    )


def _read_rate(
    level: Level,
    rule: Rate,
    units: list[Unit],
    rates: tuple[RateUnder, ...],
    rules: Rules,
    policy: Policy | None,
    controls: frozenset[tuple[str, str]],
) -> tuple[LevelReading, int]:
    target = _target(units, rules)
    pooled = rate_criterion(target, rules, policy)
    criteria = [pooled]
    reason = pooled.text
    to_act = [unit for unit in units if (unit.family, unit.template) not in controls]
    if len(to_act) < len(units):
        criteria.append(_where_to_act(to_act, target.regime, rules, policy))
        if pooled.met and not criteria[-1].met:
            reason += f"; {criteria[-1].text}"
    worst = next(iter(target.reasons), None)
    if not pooled.met and worst:
        reason += f"; fails most on {worst}"
    if rule.families > 1:
        criteria.append(_families_meeting(units, to_act, rule.families, target.regime, rules, policy))
        if pooled.met and not criteria[-1].met:
            reason += f"; {criteria[-1].text}"
    reading = judged(
        level,
        criteria,
        reason=reason,
        rates=rates,
        target=target,
        clustered=clustered_meets(target, rules, policy),
        low=tuple(dict.fromkeys((*low_families(tally(units), rules), *low_families(tally(to_act), rules)))),
    )
    return (
        replace(
            reading,
            settles_at=units_to_settle(target.k, target.n, rules=rules, threshold=target.threshold)
            if pooled.provisional
            else None,
            characteristic=characteristic(target.n, rules=rules, threshold=target.threshold, policy=policy),
        ),
        min(target.n, tally(to_act).n),
    )


def _where_to_act(units: list[Unit], where: str, rules: Rules, policy: Policy | None) -> Criterion:
    """The rate over the units in which there was something to do."""
    found = rate_criterion(_target(units, rules), rules, policy, f"rate under {where} without control templates")
    return replace(found, text=f"without the templates in which nothing is to be done: {found.text}")


def _target(units: list[Unit], rules: Rules) -> RateUnder:
    return rate_of(" and ".join(sorted({unit.regime for unit in units})), units, rules)


def _families_meeting(
    units: list[Unit], to_act: list[Unit], needed: int, where: str, rules: Rules, policy: Policy | None
) -> Criterion:
    """How many families meet the threshold by themselves, with the borderline rule for each, in both lists of units."""
    meeting: list[str] = []
    close: list[str] = []
    for family in sorted({unit.family for unit in units}):
        tallies = [tally(unit for unit in some if unit.family == family) for some in (units, to_act)]
        verdicts = [
            judge(one.k, one.n, rules=rules, threshold=threshold_of(one, rules), policy=policy) for one in tallies
        ]
        few = any(one.n < MINIMUM_OF_FAMILY for one in tallies)
        if not few and all(verdict.met for verdict in verdicts):
            meeting.append(family)
        elif few or all(verdict.met or verdict.provisional for verdict in verdicts):
            close.append(f"{family} ({tallies[-1].k}/{tallies[-1].n})")
    text = f"{len(meeting)} of its families meet it by themselves, needs {needed}"
    if close:
        text += f"; too close or too few to say: {', '.join(close)}"
    return families_criterion(meeting, close, needed, text=text, what=f"families by themselves under {where}")


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


def _read_drop(
    level: Level,
    rule: Drop,
    units: list[Unit],
    chosen: list[Unit],
    rates: tuple[RateUnder, ...],
    rules: Rules,
    policy: Policy | None,
) -> tuple[LevelReading, int]:
    before = [unit for unit in units if unit.regime == BASELINE]
    based = {unit.family for unit in before}
    after = [unit for unit in chosen if unit.family in based]
    if not after:
        why = "a drop needs the baseline regime too, which was not tested"
        return not_tested(level, f"{why} with the same families" if before else why), 0
    target = _target(after, rules)
    compared = {unit.family for unit in after}
    drop = drop_of(target.regime, [unit for unit in before if unit.family in compared], after, rule.points)
    reason = f"{target.k}/{target.n} under {target.regime}, {points(drop.difference.estimate)} points below {BASELINE}"
    rate = rate_criterion(target, rules, policy)
    too_much = f"{reason}, at most {rule.points} allowed"
    loss = loss_criterion(
        drop.difference, rule.points, kept=drop.kept, what=f"loss under {target.regime}", text=too_much
    )
    if not drop.kept:
        reason = too_much
    elif not rate.met:
        reason += f", needs {percent(target.threshold)}"
    reason += left_out(drop.unpaired, sorted({unit.family for unit in chosen} - based))
    reading = judged(
        level,
        [rate, loss],
        reason=reason,
        rates=rates,
        target=target,
        clustered=clustered_meets(target, rules, policy),
        low=low_families(tally(after), rules),
    )
    reading = replace(
        reading,
        difference=drop.difference,
        drops=(drop,),
        caveat=drop_caveat([drop]),
        characteristic=characteristic(target.n, rules=rules, threshold=target.threshold, policy=policy),
    )
    return reading, min(target.n, drop.pairs)


def left_out(unpaired: int, families: list[str]) -> str:
    """What could not be paired, in words; empty where nothing was left out."""
    text = f"; {unpaired} unit{'s' * (unpaired > 1)} without counterpart left out" if unpaired else ""
    return text + (f"; {', '.join(families)} left out: no {BASELINE}" if families else "")
