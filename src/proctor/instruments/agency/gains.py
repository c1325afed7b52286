"""Learning: levels that ask for a gain from one phase of a lifetime to another (§10.8).

A gain counts when its point estimate reaches the threshold and its interval excludes zero. It must vanish when the
agent is put back to its memory from before training, and in lifetimes without training: a gain that survives either is
not learning. A pre-test above 75 % leaves no headroom: nothing can be said, and zero is not said.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from proctor.instruments.agency.level import (
    HARDNESS,
    LevelReading,
    RateUnder,
    Status,
    not_tested,
    rate_of,
    rates_under,
    with_minimum,
)
from proctor.instruments.agency.rubric import Gain, Level
from proctor.instruments.agency.units import Unit
from proctor.spec.regime import Intensity, Regime
from proctor.spec.rules import Rules
from proctor.stats.differences import newcombe, newcombe_paired
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import mean

HEADROOM = Fraction(3, 4)
CONTROLS = {
    "reset": "put back to its memory from before training",
    "untrained": "in lifetimes without training",
}


_Judged = tuple[Status, bool, str, bool]
"""Status, provisional, reason, and whether the gain survives a control."""


def read_gain(
    level: Level, units: list[Unit], *, families: int, regimes: dict[str, Regime], rules: Rules
) -> LevelReading:
    """Judge one level of learning from the units of its cell."""
    assert isinstance(level.rule, Gain)
    rule = level.rule
    phases = _by_phase(units)
    before, after = phases.get(rule.before, []), phases.get(rule.after, [])
    if not before or not after:
        return not_tested(level, f"phases {rule.before} and {rule.after} were not both run" if units else "not tested")
    if max(HARDNESS[regimes[unit.regime].intensity] for unit in after) < HARDNESS[Intensity(level.intensity)]:
        return not_tested(level, f"{rule.after} was tested under easier regimes only, needs {level.intensity}")
    rates = tuple(_pooled(phase, reading, regimes, rules) for phase, reading in phases.items())
    rate = {one.phase: one for one in rates}
    gain = _difference(after, before, rules)
    status, provisional, reason, survives = _judged(level, rule, rate, phases, gain, rules)
    by_lifetime = _across_lifetimes(after, before, rules)
    steady = by_lifetime is None or by_lifetime.low is None or by_lifetime.low > 0
    reading = LevelReading(
        level.cell,
        level.level,
        level.text,
        status,
        provisional,
        status == "met" and steady,
        rates,
        f"{level.cell}: {reason}",
        rate[rule.after],
        gain,
        survives_control=survives,
    )
    return with_minimum(level, reading, min(rate[rule.before].n, rate[rule.after].n), families)


def _by_phase(units: list[Unit]) -> dict[str, list[Unit]]:
    phases: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        phases[unit.phase].append(unit)
    return dict(phases)


def _pooled(phase: str, units: list[Unit], regimes: dict[str, Regime], rules: Rules) -> RateUnder:
    under = rates_under(units, regimes, rules, phase)
    return under[0] if len(under) == 1 else rate_of("+".join(one.regime for one in under), units, rules, phase)


def _judged(
    level: Level,
    rule: Gain,
    rate: dict[str | None, RateUnder],
    phases: dict[str, list[Unit]],
    gain: Estimate,
    rules: Rules,
) -> _Judged:
    before, after = rate[rule.before], rate[rule.after]
    text = f"{_k(after)} {rule.after} against {_k(before)} {rule.before}"
    if before.n == 0 or after.n == 0:
        return "not measurable", False, f"{text}: {_missing(phases[rule.before] + phases[rule.after])}", False
    if Fraction(before.k, before.n) > HEADROOM:
        return "not measurable", False, f"{text}: no headroom, the pre-test is above 75 %", False
    text += f", a gain of {_points(after, before)} points"
    for name in (rule.before, rule.also_before):
        if name is None:
            continue
        if name not in rate:
            return "not tested", False, f"{text}; phase {name} was not run", False
        if not _reaches(after, rate[name], rule.points):
            return "not met", False, f"{text} ({_points(after, rate[name])} over {name}), needs {rule.points}", False
        if not (_difference(phases[rule.after], phases[name], rules).low or 0.0) > 0:
            return "not met", True, f"{text}, whose interval does not exclude 0", False
    if rule.keeps is not None:
        lost = _lost(rule, rate)
        if lost is not None:
            return *lost[:2], f"{text}; {lost[2]}", False
    if rule.controls:
        stopped = _controls(rule, rate, phases, rules)
        if stopped is not None:
            return *stopped[:2], f"{text}; {stopped[2]}", stopped[3]
    return "met", False, text, False


def _lost(rule: Gain, rate: dict[str | None, RateUnder]) -> tuple[Status, bool, str] | None:
    """What speaks against retention: None when nothing does."""
    if "prior" not in rate or "retest" not in rate or not rate["prior"].n or not rate["retest"].n:
        return "not tested", False, "what was mastered before was not tested again"
    prior, retest = rate["prior"], rate["retest"]
    assert rule.keeps is not None
    if _points(prior, retest) > rule.keeps:
        return "not met", False, f"{_points(prior, retest)} points lost on earlier tasks, at most {rule.keeps} allowed"
    return None


def _controls(
    rule: Gain, rate: dict[str | None, RateUnder], phases: dict[str, list[Unit]], rules: Rules
) -> _Judged | None:
    """What speaks against learning: a control that was not run, or in which the gain is there all the same."""
    for name, words in CONTROLS.items():
        if name not in rate:
            return "not met", True, f"the control {name} was not run", False
        if rate[name].n == 0:
            return "not met", True, f"the control {name} could not be run: {_missing(phases[name])}", False
        if _survives(rule, name, rate, phases, rules):
            return "not met", False, f"the gain survives {words} ({_k(rate[name])}): not learning", True
    return None


def _survives(
    rule: Gain, name: str, rate: dict[str | None, RateUnder], phases: dict[str, list[Unit]], rules: Rules
) -> bool:
    """Whether a control shows the gain as well."""
    if name not in rate or not rate[name].n or not rate[rule.before].n:
        return False
    low = _difference(phases[name], phases[rule.before], rules).low
    return _reaches(rate[name], rate[rule.before], rule.points) and low is not None and low > 0


def _difference(after: list[Unit], before: list[Unit], rules: Rules) -> Estimate:
    """after − before: paired where each lifetime gave one unit to either, Newcombe's otherwise."""
    late, early = _scored(after), _scored(before)
    pairs = [(late[life][0], early[life][0]) for life in late if life in early]
    single = all(len(outcomes) == 1 for outcomes in (*late.values(), *early.values()))
    if single and len(pairs) == len(late) == len(early):
        both, first = sum(a and b for a, b in pairs), sum(a and not b for a, b in pairs)
        second = sum(b and not a for a, b in pairs)
        return newcombe_paired(both, first, second, len(pairs) - both - first - second, confidence=rules.confidence)
    counts = [sum(map(sum, group.values())) for group in (late, early)]
    sizes = [sum(map(len, group.values())) for group in (late, early)]
    return newcombe(counts[0], sizes[0], counts[1], sizes[1], confidence=rules.confidence)


def _across_lifetimes(after: list[Unit], before: list[Unit], rules: Rules) -> Estimate | None:
    """The mean gain over lifetimes with Student's interval; None where lifetimes say nothing about each other."""
    late, early = _scored(after), _scored(before)
    gains = [_rate(late[life]) - _rate(early[life]) for life in late if life in early]
    if len(gains) < 2 or len(set(gains)) == 1:
        return None
    return mean(gains, confidence=rules.confidence)


def _scored(units: list[Unit]) -> dict[int, list[bool]]:
    by_lifetime: dict[int, list[bool]] = defaultdict(list)
    for unit in units:
        if unit.success is not None:
            by_lifetime[unit.lifetime].append(unit.success)
    return by_lifetime


def _rate(outcomes: list[bool]) -> float:
    return sum(outcomes) / len(outcomes)


def _reaches(after: RateUnder, before: RateUnder, points: int) -> bool:
    """Whether the rise is at least so many points, in integers."""
    return 100 * (after.k * before.n - before.k * after.n) >= points * after.n * before.n


def _points(after: RateUnder, before: RateUnder) -> int:
    return round(100 * (Fraction(after.k, after.n) - Fraction(before.k, before.n)))


def _k(rate: RateUnder) -> str:
    return f"{rate.k}/{rate.n}"


def _missing(units: list[Unit]) -> str:
    causes = sorted({unit.missing_reason for unit in units if unit.success is None})
    return f"nothing could be scored ({', '.join(causes)})" if causes else "nothing could be scored"
