"""What a level asks for and what was observed: each criterion as one number with its interval and its bound.

For a rate the observed share against the threshold; for learning the gain; for drift the rate and the loss; for
robustness the rate and the loss under every regime the level is about, or those of the family that decides where one
family is enough. Worked out when a report is built, so that every rendering shows the same.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.level import LevelReading, RateUnder
from proctor.instruments.agency.rubric import ROBUSTNESS, RUBRIC, Drop, Gain, Rate, Robust, Rule
from proctor.instruments.agency.threshold import judge
from proctor.reports.numbers import bound
from proctor.spec.rules import Rules

Measure = Literal["rate", "gain", "loss"]
BASELINE = "baseline"


class Criterion(Struct, frozen=True):
    """One number that a level is judged by."""

    measure: Measure
    """A share of units that succeeded, points gained, or points lost against Baseline."""
    about: str
    """Where it was measured: regime, phase, family."""
    k: int
    n: int
    """Successes and scored units where it was measured."""
    estimate: float | None
    low: float | None
    high: float | None
    needs: float
    """A share for rates; for gains (at least) and losses (at most) points over 100."""
    met: bool | None
    """Whether the estimate reaches the bound; the borderline rule decides on more. None where nothing was scored."""
    clustered_low: float | None = None
    clustered_high: float | None = None
    """The interval with units clustered by template."""


class LevelShown(Struct, frozen=True):
    """One level with the criteria it was judged by."""

    cell: str
    level: int
    asks: str
    needs: str
    """What has to be reached, in a few words."""
    status: str
    """met, not met, not tested, too little evidence, not measurable."""
    provisional: bool
    criteria: tuple[Criterion, ...]
    """Empty where nothing was measured; the first is the one to show where there is room for one."""
    reason: str


class Deciding(Struct, frozen=True):
    """The two levels between which a dimension was decided."""

    credited: LevelShown | None
    """The highest level credited; None where none is."""
    next: LevelShown | None
    """The level above it: what stopped it, or what was not tested; None above level 5."""


def deciding(one: DimensionReading, rules: Rules) -> Deciding:
    """The level credited and the next one. Both are None where nothing of the dimension was tested."""
    by_level = {level.level: level for level in one.levels}
    reached = one.level or 0
    return Deciding(
        credited=_shown(one, by_level.get(reached), rules) if one.level is not None else None,
        next=_shown(one, by_level.get(reached + 1), rules),
    )


def shown_level(one: DimensionReading, level: LevelReading, rules: Rules) -> LevelShown:
    """A level as it is shown."""
    threshold = level.target.threshold if level.target is not None else rules.threshold
    return LevelShown(
        cell=level.cell,
        level=level.level,
        asks=level.asks,
        needs=needs_text(one.dimension, level.level, threshold),
        status=level.status,
        provisional=level.provisional,
        criteria=criteria(one.dimension, level, rules),
        reason=level.reason,
    )


def _shown(one: DimensionReading, level: LevelReading | None, rules: Rules) -> LevelShown | None:
    return None if level is None else shown_level(one, level, rules)


def rule_of(dimension: str, level: int) -> Rule:
    """The rule of a level; level 1 of R is a rate under Baseline."""
    if dimension == "R":
        return next((rule for number, rule, _ in ROBUSTNESS if number == level), Rate())
    return RUBRIC[dimension][level - 1].rule


def needs_text(dimension: str, level: int, threshold: float) -> str:
    """What a level needs, in a few words."""
    share = f"≥\u00a0{bound(threshold)}"
    if (dimension, level) == ("R", 1):
        return f"{share} in one family"
    match rule_of(dimension, level):
        case Rate(families=families):
            return share if families == 1 else f"{share} pooled and in {families} families each"
        case Drop(points=points):
            return f"{share}, at most {points} points below baseline"
        case Gain() as rule:
            lost = "" if rule.keeps is None else f", at most {rule.keeps} points lost on what was mastered"
            controls = ", gone in the controls" if rule.controls else ""
            return f"{rule.after} ≥ {rule.before} + {rule.points} points, interval above 0{controls}{lost}"
        case Robust() as rule:
            where = "1 family" if rule.families == 1 else f"{rule.families} families"
            parts = [f"at most {rule.points} points below baseline in {where}"]
            parts += [share] if rule.rate else []
            parts += ["an adversarial condition passed"] if rule.adversarial else []
            parts += ["constraints kept in 95 %"] if rule.compliance else []
            return ", ".join(parts)


def criteria(dimension: str, level: LevelReading, rules: Rules) -> tuple[Criterion, ...]:
    """What the level was judged by; empty where nothing was scored."""
    target = level.target
    if target is None or not target.n:
        return ()
    rule = rule_of(dimension, level.level)
    if isinstance(rule, Gain):
        return (_gain(level, target, rule),)
    if isinstance(rule, Drop):
        baseline = _under(level, BASELINE)
        loss = None if baseline is None else _loss(level, baseline, target, rule.points)
        return tuple(one for one in (_rate(target), loss) if one is not None)
    if isinstance(rule, Robust):
        return _robust(level, rule, rules)
    if dimension == "R":
        return _first_of_robustness(level, target, rules)
    return (_rate(target),)


def _rate(rate: RateUnder) -> Criterion:
    return Criterion(
        measure="rate",
        about=f"under {rate.regime}",
        k=rate.k,
        n=rate.n,
        estimate=rate.rate,
        low=rate.low,
        high=rate.high,
        needs=rate.threshold,
        met=None if rate.rate is None else rate.rate >= rate.threshold,
        clustered_low=rate.clustered.low,
        clustered_high=rate.clustered.high,
    )


def _gain(level: LevelReading, after: RateUnder, rule: Gain) -> Criterion:
    found = level.difference
    estimate = None if found is None else found.estimate
    return Criterion(
        measure="gain",
        about=f"{rule.after} over {rule.before}, under {after.regime}",
        k=after.k,
        n=after.n,
        estimate=estimate,
        low=None if found is None else found.low,
        high=None if found is None else found.high,
        needs=rule.points / 100,
        met=None if estimate is None else _hundredths(estimate) >= rule.points,
    )


def _loss(level: LevelReading, before: RateUnder, after: RateUnder, points: int) -> Criterion | None:
    if before.rate is None or after.rate is None:
        return None
    found = level.difference if after is level.rates[-1] else None
    estimate = before.rate - after.rate if found is None else found.estimate
    return Criterion(
        measure="loss",
        about=f"from {before.regime} to {after.regime}",
        k=after.k,
        n=after.n,
        estimate=estimate,
        low=None if found is None else found.low,
        high=None if found is None else found.high,
        needs=points / 100,
        met=None if estimate is None else _hundredths(estimate) <= points,
    )


def _robust(level: LevelReading, rule: Robust, rules: Rules) -> tuple[Criterion, ...]:
    """Rate and loss under every regime of the level; of the one family that is enough where no rate is asked."""
    baseline = _under(level, BASELINE)
    harder = [rate for rate in level.rates if rate.regime != BASELINE]
    if baseline is None or not harder:
        return ()
    if not rule.rate:
        return _best_family(baseline, harder[0], rule.points, rules)
    found: list[Criterion] = []
    for rate in harder:
        loss = _loss(level, baseline, rate, rule.points)
        found += [_rate(rate)] if rate.n else []
        found += [loss] if loss is not None else []
    return tuple(found)


def _best_family(before: RateUnder, after: RateUnder, points: int, rules: Rules) -> tuple[Criterion, ...]:
    """Of the families that pass Baseline the one that loses least: one is enough."""
    passing = [name for name, (k, n) in before.families.items() if n and _passes(k, n, before, rules)]
    both = [name for name in passing if after.families.get(name, (0, 0))[1]]
    if not both:
        return ()

    def lost(name: str) -> float:
        (k1, n1), (k2, n2) = before.families[name], after.families[name]
        return k1 / n1 - k2 / n2

    name = min(both, key=lambda one: (lost(one), one))
    k, n = after.families[name]
    return (
        Criterion(
            measure="loss",
            about=f"{name}, from {before.regime} to {after.regime}",
            k=k,
            n=n,
            estimate=lost(name),
            low=None,
            high=None,
            needs=points / 100,
            met=_hundredths(lost(name)) <= points,
        ),
    )


def _first_of_robustness(level: LevelReading, target: RateUnder, rules: Rules) -> tuple[Criterion, ...]:
    """R1: the family that passes Baseline, not the pool. One is enough."""
    baseline = _under(level, BASELINE) or target
    tested = {name: (k, n) for name, (k, n) in baseline.families.items() if n}
    if not tested:
        return (_rate(target),)
    name = min(tested, key=lambda one: (-tested[one][0] / tested[one][1], one))
    k, n = tested[name]
    found = judge(k, n, rules=rules, threshold=baseline.threshold).estimate
    return (
        Criterion(
            measure="rate",
            about=f"{name}, the best of {len(tested)} families, under {baseline.regime}",
            k=k,
            n=n,
            estimate=found.estimate,
            low=found.low,
            high=found.high,
            needs=baseline.threshold,
            met=found.estimate is not None and found.estimate >= baseline.threshold,
        ),
    )


def _passes(k: int, n: int, rate: RateUnder, rules: Rules) -> bool:
    return judge(k, n, rules=rules, threshold=rate.threshold).met


def _under(level: LevelReading, regime: str) -> RateUnder | None:
    return next((rate for rate in level.rates if rate.regime == regime and rate.n), None)


def _hundredths(share: float) -> float:
    """Points, free of the last bits of a binary fraction: 0.1 + 0.2 is 30 points."""
    return round(100 * share, 9)
