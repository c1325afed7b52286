"""What decided a dimension: the criterion its stopping level was judged by, as one number with an interval.

For a rate the observed share against the threshold; for learning the gain, for robustness and drift the loss, where
that is what stopped it. Computed when a report is built, so that every rendering shows the same.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.level import HARDNESS, LevelReading, RateUnder
from proctor.instruments.agency.rubric import ROBUSTNESS, RUBRIC, Drop, Gain, Intensities, Rate, Robust, Rule
from proctor.reports.numbers import bound
from proctor.spec.regime import Intensity, Regime
from proctor.stats.intervals import proportion

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


def deciding(reading: DimensionReading, evidence: Evidence) -> Deciding | None:
    """The criterion of the level that stopped it; where that says nothing, of the highest level met below it, or of
    the lowest one above it that was tested."""
    stop = stop_of(reading)
    number = stop.level if stop is not None else len(reading.levels) + 1
    below = [level for level in reversed(reading.levels) if level.level < number]
    above = [level for level in reading.levels if level.level > number]
    for level in ([stop] if stop is not None else []) + below + above:
        found = _criterion(reading.dimension, level, evidence)
        if found is not None:
            return found
    return None


def _criterion(dimension: str, level: LevelReading, evidence: Evidence) -> Deciding | None:
    tested = [rate for rate in level.rates if rate.n]
    if not tested:
        return None
    rule = rule_of(dimension, level.level)
    if isinstance(rule, Gain):
        after = next((rate for rate in tested if rate.phase == rule.after), tested[-1])
        return _difference(level, after, "gain", rule.points)
    rate = _asked_rate(dimension, level, tested, evidence)
    if isinstance(rule, Drop | Robust) and level.difference is not None and level.difference.estimate is not None:
        fails = not isinstance(rule, Robust) or rule.rate
        fails = fails and rate.rate is not None and rate.rate < rate.threshold
        lost = level.difference.estimate > rule.points / 100
        if (lost and not fails) or (isinstance(rule, Robust) and not rule.rate):
            return _difference(level, tested[-1], "loss", rule.points)
    return _rate(level, rate)


def _asked_rate(dimension: str, level: LevelReading, tested: list[RateUnder], evidence: Evidence) -> RateUnder:
    if dimension == "R":
        harder = [rate for rate in tested if rate.regime != "baseline"] if level.level > 1 else tested[:1]
        return min(harder or tested, key=lambda rate: (rate.rate or 0.0, rate.regime))
    return _pooled(tested, RUBRIC[dimension][level.level - 1].intensity, evidence) or tested[-1]


def _pooled(tested: list[RateUnder], intensity: Intensities, evidence: Evidence) -> RateUnder | None:
    """The rate a level is about: each family under the asked intensity or the next harder one, and there at its worst.

    Where that is one regime for all, its rate as the reading has it; otherwise their counts together, for which no
    clustered interval is known here.
    """
    regimes, rules = evidence.frozen.suite.all_regimes, evidence.frozen.rules
    asked = HARDNESS[Intensity(intensity)]
    hard = [rate for rate in tested if rate.regime in regimes and HARDNESS[regimes[rate.regime].intensity] >= asked]
    chosen: dict[str, RateUnder] = {}
    for rate in hard:
        for family, counted in rate.families.items():
            other = chosen.get(family)
            if other is None or _closer(rate, other, counted, other.families[family], regimes):
                chosen[family] = rate
    under = list(dict.fromkeys(rate.regime for rate in chosen.values()))
    for rate in hard:
        if under == [rate.regime] and rate.families.keys() == chosen.keys():
            return rate
    counts = [rate.families[family] for family, rate in chosen.items()]
    k, n = sum(k for k, _ in counts), sum(n for _, n in counts)
    if not n:
        return None
    found = proportion(k, n, method=rules.interval, confidence=rules.confidence)
    unknown = msgspec.structs.replace(hard[0].clustered, low=None, high=None, reason="several regimes together")
    needs = sum(chosen[family].threshold * n for family, (_, n) in zip(chosen, counts, strict=True)) / n
    return msgspec.structs.replace(
        hard[0],
        regime=" and ".join(sorted(under)),
        k=k,
        n=n,
        rate=found.estimate,
        low=found.low,
        high=found.high,
        threshold=needs,
        clustered=unknown,
    )


def _closer(
    rate: RateUnder, other: RateUnder, own: tuple[int, int], theirs: tuple[int, int], regimes: dict[str, Regime]
) -> bool:
    """Whether a family is judged by this rate rather than by the other one."""
    hardness = [HARDNESS[regimes[one.regime].intensity] for one in (rate, other)]
    if hardness[0] != hardness[1]:
        return hardness[0] < hardness[1]
    return own[0] * theirs[1] < theirs[0] * own[1]


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
