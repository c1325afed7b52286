"""Criteria of levels whose reading does not bring them: worked out from its rates, under the rule of the level."""

from __future__ import annotations

from msgspec.structs import replace

from proctor.instruments.agency.criterion import Criterion
from proctor.instruments.agency.rubric import Drop, Gain, Robust
from proctor.reports.sections.agency.needs import rule_of
from proctor.reports.sections.agency.shown import Dimension, Level, Rate, Vector
from proctor.stats.intervals import proportion

BASELINE = "baseline"


def with_criteria(vector: Vector) -> Vector:
    """The vector with criteria for every level that was measured."""
    return replace(vector, vector={name: _dimension(one) for name, one in vector.vector.items()})


def _dimension(one: Dimension) -> Dimension:
    levels = tuple(
        level if level.criteria else replace(level, criteria=criteria(one.dimension, level)) for level in one.levels
    )
    return replace(one, levels=levels, parts={name: _dimension(part) for name, part in one.parts.items()})


def criteria(dimension: str, level: Level) -> tuple[Criterion, ...]:
    """What the level was judged by; empty where nothing was scored."""
    target = level.target
    if target is None or not target.n:
        return ()
    rule = rule_of(dimension, level.level)
    if isinstance(rule, Gain):
        return (_gain(level, target, rule),)
    if isinstance(rule, Drop):
        baseline = _under(level, BASELINE)
        return (_rate(target), *([] if baseline is None else [_loss(level, baseline, target, rule.points)]))
    if isinstance(rule, Robust):
        return _robust(level, rule)
    return (_best_family(_under(level, BASELINE) or target),) if dimension == "R" else (_rate(target),)


def _rate(rate: Rate) -> Criterion:
    met = rate.rate is not None and rate.rate >= rate.threshold
    what = f"rate under {rate.regime}"
    return Criterion("rate", what, rate.rate, rate.low, rate.high, rate.threshold, met, k=rate.k, n=rate.n)


def _gain(level: Level, after: Rate, rule: Gain) -> Criterion:
    found = level.difference
    value = None if found is None else found.estimate
    return Criterion(
        "gain",
        f"{rule.after} above {rule.before}",
        value,
        None if found is None else found.low,
        None if found is None else found.high,
        rule.points / 100,
        value is not None and _points(value) >= rule.points,
        k=after.k,
        n=after.n,
    )


def _loss(level: Level, before: Rate, after: Rate, points: int) -> Criterion:
    # The reading has one difference, of its last regime; of the others there is the loss and no interval.
    found = level.difference if after.regime == level.rates[-1].regime else None
    value = (before.rate or 0.0) - (after.rate or 0.0) if found is None else found.estimate
    return Criterion(
        "loss",
        f"loss from {before.regime} to {after.regime}",
        value,
        None if found is None else found.low,
        None if found is None else found.high,
        points / 100,
        value is not None and _points(value) <= points,
        k=after.k,
        n=after.n,
    )


def _robust(level: Level, rule: Robust) -> tuple[Criterion, ...]:
    """Rate and loss under every regime of the level; of the one family that is enough where no rate is asked."""
    baseline = _under(level, BASELINE)
    harder = [rate for rate in level.rates if rate.regime != BASELINE and rate.n]
    if baseline is None or not harder:
        return ()
    if not rule.rate:
        return (_least_loss(baseline, harder[0], rule.points),)
    return tuple(one for rate in harder for one in (_rate(rate), _loss(level, baseline, rate, rule.points)))


def _least_loss(before: Rate, after: Rate, points: int) -> Criterion:
    """Of the families that pass Baseline the one that loses least: one is enough."""
    both = [name for name, (_, n) in before.families.items() if n and after.families.get(name, (0, 0))[1]]
    passing = [name for name in both if _share(before, name) >= before.threshold]

    def lost(name: str) -> float:
        return _share(before, name) - _share(after, name)

    name = min(passing or both, key=lambda one: (lost(one), one))
    k, n = after.families[name]
    what = f"loss of {name} from {before.regime} to {after.regime}"
    met = bool(passing) and _points(lost(name)) <= points
    return Criterion("loss", what, lost(name), None, None, points / 100, met, k=k, n=n)


def _best_family(rate: Rate) -> Criterion:
    """R1: the family that passes Baseline, not the pool. One is enough."""
    tested = [name for name, (_, n) in rate.families.items() if n]
    if not tested:
        return _rate(rate)
    name = min(tested, key=lambda one: (-_share(rate, one), one))
    k, n = rate.families[name]
    found = proportion(k, n)
    what = f"rate of {name}, the best of {len(tested)} families, under {rate.regime}"
    met = _share(rate, name) >= rate.threshold
    return Criterion("rate", what, found.estimate, found.low, found.high, rate.threshold, met, k=k, n=n)


def _share(rate: Rate, family: str) -> float:
    k, n = rate.families[family]
    return k / n


def _under(level: Level, regime: str) -> Rate | None:
    return next((rate for rate in level.rates if rate.regime == regime and rate.n), None)


def _points(share: float) -> float:
    """Points, free of the last bits of a binary fraction: 0.1 + 0.2 is 30 points."""
    return round(100 * share, 9)
