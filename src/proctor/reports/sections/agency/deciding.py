"""What decided a dimension: the criterion its stopping level was judged by, as one number with an interval.

For a rate the observed share against the threshold; for learning the gain, for robustness and drift the loss, where
that is what stopped it. Computed when a report is built, so that every rendering shows the same.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.level import LevelReading, RateUnder
from proctor.instruments.agency.rubric import ROBUSTNESS, RUBRIC, Drop, Gain, Rate, Robust, Rule
from proctor.reports.numbers import bound

Kind = Literal["rate", "gain", "loss"]


class Deciding(Struct, frozen=True):
    """One criterion of one cell."""

    cell: str
    level: int
    kind: Kind
    regime: str
    k: int
    n: int
    estimate: float | None
    low: float | None
    high: float | None
    clustered_low: float | None
    clustered_high: float | None
    needs: float
    """A share for rates; for gains (at least) and losses (at most) points over 100."""
    stopped: bool
    """False: it was met; the level above was not tested, or there is none."""


def rule_of(dimension: str, level: int) -> Rule:
    """The rule of a level; level 1 of R is a plain rate under Baseline."""
    if dimension == "R":
        return next((rule for number, rule, _ in ROBUSTNESS if number == level), Rate())
    return RUBRIC[dimension][level - 1].rule


def needs_text(dimension: str, level: int, threshold: float) -> str:
    """What a level needs, in a few words."""
    share = f"≥\u00a0{bound(threshold)}"
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


def stop_of(reading: DimensionReading) -> LevelReading | None:
    """The first level that is not met."""
    return next((level for level in reading.levels if not level.met), None)


def deciding(reading: DimensionReading) -> Deciding | None:
    """The criterion of the level that stopped it; where that says nothing, of the highest level met below it, or of
    the lowest one above it that was tested."""
    stop = stop_of(reading)
    number = stop.level if stop is not None else len(reading.levels) + 1
    below = [level for level in reversed(reading.levels) if level.level < number]
    above = [level for level in reading.levels if level.level > number]
    for level in ([stop] if stop is not None else []) + below + above:
        criterion = _criterion(reading.dimension, level)
        if criterion is not None:
            return criterion
    return None


def _criterion(dimension: str, level: LevelReading) -> Deciding | None:
    rate = level.target
    if rate is None or not rate.n:
        return None
    rule = rule_of(dimension, level.level)
    if isinstance(rule, Gain):
        return _difference(level, rate, "gain", rule.points)
    if isinstance(rule, Drop | Robust) and level.difference is not None and level.difference.estimate is not None:
        fails = not isinstance(rule, Robust) or rule.rate
        fails = fails and rate.rate is not None and rate.rate < rate.threshold
        lost = level.difference.estimate > rule.points / 100
        if (lost and not fails) or (isinstance(rule, Robust) and not rule.rate):
            return _difference(level, rate, "loss", rule.points)
    return _rate(level, rate)


def _rate(level: LevelReading, rate: RateUnder) -> Deciding:
    return Deciding(
        cell=level.cell,
        level=level.level,
        kind="rate",
        regime=rate.regime,
        k=rate.k,
        n=rate.n,
        estimate=rate.rate,
        low=rate.low,
        high=rate.high,
        clustered_low=rate.clustered.low,
        clustered_high=rate.clustered.high,
        needs=rate.threshold,
        stopped=not level.met,
    )


def _difference(level: LevelReading, rate: RateUnder, kind: Kind, points: int) -> Deciding:
    difference = level.difference
    return Deciding(
        cell=level.cell,
        level=level.level,
        kind=kind,
        regime=rate.regime,
        k=rate.k,
        n=rate.n,
        estimate=None if difference is None else difference.estimate,
        low=None if difference is None else difference.low,
        high=None if difference is None else difference.high,
        clustered_low=None,
        clustered_high=None,
        needs=points / 100,
        stopped=not level.met,
    )
