"""Gates that ask for a success rate, or for a level of the Agency Vector."""

from __future__ import annotations

from fractions import Fraction

from proctor.instruments.agency.criterion import percent
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.threshold import ZONE, characteristic, judge, threshold_of_family
from proctor.instruments.agency.tiers.finding import FalsePromotion, Finding, OfFamily, not_tested
from proctor.instruments.agency.tiers.gates import Asked, Credit, Gate, Levels, Rate
from proctor.instruments.agency.tiers.lived import Count, Subject, count, rate, short
from proctor.instruments.agency.units import Unit
from proctor.spec.rules import Rules
from proctor.stats.exclusions import exclusion_band, too_many_excluded

IN_WORDS: dict[Credit, str] = {
    "success": "successes",
    "cycle": "successes with a state transition and two steps",
    "depth": "successes in five steps or more",
}


def read_rate(gate: Gate, rule: Rate, subject: Subject) -> Finding:
    """A rate of at least the threshold: of the pool and of so many families by themselves, or of one alone."""
    chosen = chosen_units(subject, rule, gate.regime)
    if not chosen:
        return not_tested(_why_untested(rule.cell, gate.regime, subject))
    families = {name: _of_family(name, units, rule, subject.rules) for name, units in chosen.items()}
    counts = {name: count(units, rule.credit) for name, units in chosen.items()}
    meeting = [name for name, one in families.items() if one.met]
    close = [name for name in families if name not in meeting and _is_close(name, counts[name], rule, subject.rules)]
    best = max(families, key=lambda name: (families[name].met, rate(counts[name])))
    shown = counts[best] if rule.once else pooled(list(counts.values()))
    theta = _asked(list(counts), counts, subject.rules) if not rule.once else threshold_of_family(best, subject.rules)
    verdict = judge(*shown.worst, rules=subject.rules, threshold=theta)
    measured = judge(shown.k, shown.n, rules=subject.rules, threshold=theta)
    estimate = measured.estimate
    band = exclusion_band(shown.k, shown.n, shown.lost)
    enough = len(meeting) >= rule.families
    met = enough and (rule.once or verdict.met)
    where = families[best].regime if rule.once else " and ".join(sorted({one.regime for one in families.values()}))
    text = f"{shown.k}/{shown.n} {IN_WORDS[rule.credit]} under {where}"
    text += f" ({short(best)})" if rule.once else ""
    text += "" if band is None else f" ({band.words})"
    few = [name for name, one in counts.items() if one.n < rule.minimum]
    if not met:
        text += f", needs {percent(theta)}" if not verdict.met or rule.once else ""
        text += "" if enough or rule.once else f"; {len(meeting)} of {rule.families} families meet it"
        text += f"; fewer than {rule.minimum} instances in {', '.join(map(short, few))}" if few else ""
    could = len(meeting) + len(close) >= rule.families and (
        rule.once or verdict.met or verdict.provisional or measured.met
    )
    low = [name for name in families if rate(counts[name]) < threshold_of_family(name, subject.rules) + ZONE]
    return Finding(
        "passed" if met else "failed",
        text,
        estimate.estimate,
        estimate.low,
        estimate.high,
        float(theta),
        shown.n,
        families,
        where,
        FalsePromotion(None, round(characteristic(shown.n, rules=subject.rules, threshold=theta).below, 4)),
        provisional=too_many_excluded(shown.n, shown.lost) or (bool(low) and not rule.once if met else could),
    )


def chosen_units(subject: Subject, rule: Rate, asked: Asked) -> dict[str, list[Unit]]:
    """By family: the units under the asked regime, or the next harder one; where several, the one it did worst in."""
    group = subject.lived(rule.cell, rule.arm, asked)
    return {
        family: min((group[family, name] for name in names), key=lambda units: rate(count(units, rule.credit)))
        for family, names in subject.nearest(group).items()
    }


def _of_family(name: str, units: list[Unit], rule: Rate, rules: Rules) -> OfFamily:
    counted = count(units, rule.credit)
    theta = threshold_of_family(name, rules)
    verdict = judge(*counted.worst, rules=rules, threshold=theta)
    estimate = judge(counted.k, counted.n, rules=rules, threshold=theta).estimate
    met = verdict.met and counted.n >= rule.minimum
    return OfFamily(estimate.estimate, estimate.low, estimate.high, counted.n, units[0].regime, met)


def _is_close(name: str, counted: Count, rule: Rate, rules: Rules) -> bool:
    """Whether more, or measured, instances could make a family meet it."""
    theta = threshold_of_family(name, rules)
    verdict = judge(*counted.worst, rules=rules, threshold=theta)
    without = judge(counted.k, counted.n, rules=rules, threshold=theta)
    return verdict.provisional or without.met or (verdict.met and counted.n < rule.minimum)


def pooled(counts: list[Count]) -> Count:
    """Several counts as one."""
    return Count(sum(one.k for one in counts), sum(one.n for one in counts), sum(one.lost for one in counts))


def _asked(names: list[str], counts: dict[str, Count], rules: Rules) -> Fraction:
    """What the pool has to meet: each unit brings the threshold of its family."""
    total = sum(counts[name].n for name in names)
    if not total:
        return threshold_of_family(names[0], rules)
    return sum((counts[name].n * threshold_of_family(name, rules) for name in names), Fraction(0)) / total


def _why_untested(cell: str, asked: Asked, subject: Subject) -> str:
    if not subject.tested(cell):
        return f"{cell} was not run"
    return f"{cell} was not run under a {asked} regime or harder" if asked != "baseline" else f"no such arm of {cell}"


def read_levels(gate: Gate, rule: Levels, subject: Subject, vector: dict[str, DimensionReading]) -> Finding:
    """Dimensions that reach a level; the lowest of them is what is shown."""
    readings = {name: _dimension(name, vector) for name in rule.dimensions}
    untested = [name for name, one in readings.items() if one is None or one.level is None]
    if untested:
        return not_tested(f"{', '.join(untested)} {'has' if len(untested) == 1 else 'have'} no level")
    found = {name: one for name, one in readings.items() if one is not None}
    lowest = min(found, key=lambda name: found[name].level or 0)
    levels = {name: one.level or 0 for name, one in found.items()}
    text = ", ".join(f"{name} = {level}" for name, level in levels.items())
    met = levels[lowest] >= rule.level
    failing = [found[name] for name in found if levels[name] < rule.level]
    open_ones = all(any(flag.name == "Provisional" for flag in one.flags) for one in failing)
    reading = Finding(
        "passed" if met else "failed",
        text if met else f"{text}, needs {rule.level}",
        float(levels[lowest]),
        needs=float(rule.level),
        n=sum(one.n for one in found.values()),
        regime=gate.regime,
        false_promotion=_false_promotion(list(found.values()), rule.level),
        provisional=open_ones and bool(failing),
        families={},
    )
    if rule.cell is None or not met:
        return reading
    beside = read_rate(gate, Rate(rule.cell), subject)
    return Finding(
        beside.status,
        f"{text}; {rule.cell}: {beside.text}",
        beside.value,
        beside.low,
        beside.high,
        beside.needs,
        beside.n,
        beside.families,
        beside.regime,
        beside.false_promotion,
        beside.provisional,
        {"level": float(levels[lowest])},
    )


def _dimension(name: str, vector: dict[str, DimensionReading]) -> DimensionReading | None:
    if name in vector:
        return vector[name]
    return next((one.parts[name] for one in vector.values() if name in one.parts), None)


def _false_promotion(readings: list[DimensionReading], level: int) -> FalsePromotion | None:
    """Of the levels that have to be met together."""
    chances = [
        one.characteristic.below
        for reading in readings
        for one in reading.levels
        if one.level == level and one.characteristic is not None
    ]
    if not chances:
        return None
    whole = 1.0
    for chance in chances:
        whole *= chance
    return FalsePromotion(None, round(whole, 4))
