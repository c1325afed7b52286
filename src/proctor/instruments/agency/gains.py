"""Learning: levels that ask for a gain from one phase of a lifetime to another (§10.8).

A gain counts when its point estimate reaches the threshold and its interval excludes zero. What came after training
must also exceed both controls by an interval that excludes zero: the agent put back to its memory from before training,
and lifetimes without training. A gain of which a control shows as much is not learning. Phases are compared only where
they were run with the same families under the same regimes. A pre-test above 75 % leaves no headroom: nothing can be
said, and zero is not said.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from proctor.instruments.agency.criterion import Criterion, decisive, points
from proctor.instruments.agency.level import judged, not_tested, rate_of, with_minimum
from proctor.instruments.agency.phases import comparable, task_rates, tasks_of
from proctor.instruments.agency.reading import LevelReading, RateUnder
from proctor.instruments.agency.retention import retention, too_few_tested_again
from proctor.instruments.agency.rubric import CONTROLS, MINIMUM_UNITS, Gain, Level
from proctor.instruments.agency.threshold import Policy, low_families
from proctor.instruments.agency.units import Knobs, Unit, tally
from proctor.spec.claims import CONFIDENCE
from proctor.spec.regime import Regime
from proctor.spec.rules import Rules
from proctor.stats.differences import newcombe, newcombe_paired
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import mean

HEADROOM = Fraction(3, 4)
IN_WORDS = {
    "reset": "when the agent is put back to its memory from before training",
    "untrained": "in lifetimes without training",
}


class _Asked(Struct, frozen=True):
    """Everything a level of learning is read from."""

    level: Level
    rule: Gain
    phases: dict[str, list[Unit]]
    rates: dict[str, RateUnder]
    rules: Rules
    policy: Policy | None


class _Control(Struct, frozen=True):
    """What a control shows."""

    criterion: Criterion
    not_learning: bool = False
    small: bool = False


def read_gain(
    level: Level,
    units: list[Unit],
    *,
    families: int,
    regimes: dict[str, Regime],
    rules: Rules,
    policy: Policy | None = None,
) -> LevelReading:
    """Judge one level of learning from the units of its cell."""
    assert isinstance(level.rule, Gain)
    rule = level.rule
    ran = {unit.phase for unit in units}
    if not {rule.before, rule.after} <= ran:
        return not_tested(level, f"phases {rule.before} and {rule.after} were not both run" if units else "not tested")
    found = comparable(level, rule, units, regimes)
    if not found.units:
        return not_tested(level, found.problem)
    phases = _by_phase(found.units)
    tasks = tasks_of(found.units)
    rates = {phase: _pooled(phase, own, tasks, rules) for phase, own in phases.items()}
    asked = _Asked(level, rule, phases, rates, rules, policy)
    reading = _judged(asked)
    reading = replace(reading, rates=tuple(rates.values()), target=rates[rule.after], caveat=found.caveat)
    if found.left_out:
        reading = replace(reading, reason=f"{reading.reason}; {found.left_out} units under other regimes left out")
    if reading.status == "too little evidence":
        return reading
    needed = [rates[rule.before].n, rates[rule.after].n]
    if reading.status == "met":
        needed += [rates[phase].n for phase in (rule.also_before, *_retested(rule)) if phase]
    return with_minimum(level, reading, min(needed), families)


def _retested(rule: Gain) -> tuple[str, ...]:
    return () if rule.keeps is None else ("retest",)


def _controls(rule: Gain) -> tuple[str, ...]:
    return CONTROLS if rule.controls else ()


def _by_phase(units: list[Unit]) -> dict[str, list[Unit]]:
    phases: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        phases[unit.phase].append(unit)
    return dict(phases)


def _pooled(phase: str, units: list[Unit], tasks: dict[Knobs, str], rules: Rules) -> RateUnder:
    rate = rate_of("+".join(sorted({unit.regime for unit in units})), units, rules, phase)
    return replace(rate, tasks=task_rates(units, tasks))


def _judged(asked: _Asked) -> LevelReading:
    rule, rates, phases = asked.rule, asked.rates, asked.phases
    before, after = rates[rule.before], rates[rule.after]
    text = f"{_k(after)} {rule.after} against {_k(before)} {rule.before}"
    if before.n == 0 or after.n == 0:
        return _unmeasurable(asked, f"{text}: {_missing(phases[rule.before] + phases[rule.after])}")
    pretests = [name for name in (rule.before, rule.also_before) if name in rates and rates[name].n]
    full = next((name for name in pretests if Fraction(rates[name].k, rates[name].n) > HEADROOM), None)
    if full is not None:
        beyond = "" if full == rule.before else f" ({_k(rates[full])} {full})"
        return _unmeasurable(asked, f"{text}{beyond}: no headroom, the pre-test is above 75 %")
    for name in (rule.also_before, *_retested(rule)):
        if name is not None and (name not in rates or not rates[name].n):
            why = "what was mastered before was not tested again" if name == "retest" else f"phase {name} was not run"
            return not_tested(asked.level, f"{text}; {why}")
    if rule.keeps is not None and (why := too_few_tested_again(phases[rule.after], phases["retest"])):
        return not_tested(asked.level, f"{text}; {why}")
    criteria = [_gain(asked, name) for name in (rule.before, rule.also_before) if name is not None]
    if rule.keeps is not None:
        criteria += retention(phases[rule.after], phases["retest"], rule.keeps, asked.rules, asked.policy)
    gained = all(criterion.met for criterion in criteria)
    controls = [_control(asked, name) for name in _controls(rule)]
    criteria += [control.criterion for control in controls]
    return _reading(asked, text, criteria, controls, gained=gained)


def _reading(
    asked: _Asked, text: str, criteria: list[Criterion], controls: list[_Control], *, gained: bool
) -> LevelReading:
    survives = gained and any(control.not_learning for control in controls)
    main, *others = criteria
    decided = decisive(criteria) or main
    # Beside the gain: what stopped the level, or for one that is met what it kept.
    told = [one for one in others if one is decided or (decided.met and one.kind == "loss")]
    reason = "; ".join([f"{text}, {main.text}", *(one.text for one in told)])
    after = asked.phases[asked.rule.after]
    steady = _across_lifetimes(after, asked.phases[asked.rule.before])
    low = low_families(tally(after), asked.rules) if asked.rule.keeps is not None else ()
    reading = judged(
        asked.level,
        criteria,
        reason=reason,
        rates=(),
        target=None,
        clustered=steady is None or steady.low is None or steady.low > 0,
        low=low,
    )
    if gained and any(control.small for control in controls):
        reading = replace(reading, status="too little evidence", provisional=True, clustered_met=False, low_families=())
    gain = _difference(after, asked.phases[asked.rule.before])
    return replace(reading, difference=gain, survives_control=survives)


def _unmeasurable(asked: _Asked, why: str) -> LevelReading:
    level = asked.level
    return LevelReading(level.cell, level.level, level.text, "not measurable", False, False, (), f"{level.cell}: {why}")


def _gain(asked: _Asked, name: str) -> Criterion:
    """The rise over one pre-test: large enough, and not by luck."""
    rule = asked.rule
    after, before = asked.rates[rule.after], asked.rates[name]
    difference = _difference(asked.phases[rule.after], asked.phases[name])
    enough, sure = _reaches(after, before, rule.points), _excludes_zero(difference)
    text = f"a gain of {_points(after, before)} points" + ("" if name == rule.before else f" over {name}")
    if not enough:
        text += f", needs {rule.points}"
    elif not sure:
        text += ", whose interval does not exclude 0"
    return Criterion(
        "gain",
        f"{rule.after} above {name}",
        difference.estimate,
        difference.low,
        difference.high,
        rule.points / 100,
        enough and sure,
        text,
        provisional=enough and not sure,
        n=difference.n,
    )


def _control(asked: _Asked, name: str) -> _Control:
    """Whether what came after training exceeds a control.

    The control's own gain over the pre-test cannot be the test: both share the pre-test and its luck.
    """
    rule, rates = asked.rule, asked.rates
    what = f"{rule.after} above {name}"
    if name not in rates or not rates[name].n:
        why = f"the control {name} was not run"
        if name in rates:
            why = f"the control {name} could not be run: {_missing(asked.phases[name])}"
        return _Control(Criterion("gain", what, None, None, None, 0.0, False, why, provisional=True))
    after, control, before = rates[rule.after], rates[name], rates[rule.before]
    rest = _difference(asked.phases[rule.after], asked.phases[name])
    needed = MINIMUM_UNITS[asked.level.level]
    small = control.n < needed
    own = _difference(asked.phases[name], asked.phases[rule.before])
    as_much = _reaches(control, before, rule.points) and not _reaches(after, control, rule.points)
    not_learning = not small and _excludes_zero(own) and (as_much or not _excludes_zero(rest))
    met = _excludes_zero(rest) and not not_learning and not small
    text = f"{_points(after, control)} points over {name} ({_k(control)})"
    if small:
        text += f"; too little evidence: the control has {control.n} scored units, needs {needed}"
    elif not_learning:
        text = (
            f"the gain survives {IN_WORDS[name]}: {_points(control, before)} points are there too ({_k(control)}), "
            "not learning"
        )
    elif not met:
        text += ", and the interval does not exclude 0"
    criterion = Criterion(
        "gain",
        what,
        rest.estimate,
        rest.low,
        rest.high,
        0.0,
        met,
        text,
        provisional=not met and not not_learning,
        n=rest.n,
    )
    return _Control(criterion, not_learning, small)


def _excludes_zero(difference: Estimate) -> bool:
    return difference.low is not None and difference.low > 0


def _difference(after: list[Unit], before: list[Unit]) -> Estimate:
    """after − before: paired where each lifetime gave one unit to either, Newcombe's otherwise."""
    late, early = _scored(after), _scored(before)
    pairs = [(late[life][0], early[life][0]) for life in late if life in early]
    single = all(len(outcomes) == 1 for outcomes in (*late.values(), *early.values()))
    if single and len(pairs) == len(late) == len(early):
        both, first = sum(a and b for a, b in pairs), sum(a and not b for a, b in pairs)
        second = sum(b and not a for a, b in pairs)
        return newcombe_paired(both, first, second, len(pairs) - both - first - second, confidence=CONFIDENCE)
    counts = [sum(map(sum, group.values())) for group in (late, early)]
    sizes = [sum(map(len, group.values())) for group in (late, early)]
    return newcombe(counts[0], sizes[0], counts[1], sizes[1], confidence=CONFIDENCE)


def _across_lifetimes(after: list[Unit], before: list[Unit]) -> Estimate | None:
    """The mean gain over lifetimes with Student's interval; None where lifetimes say nothing about each other."""
    late, early = _scored(after), _scored(before)
    gains = [_rate(late[life]) - _rate(early[life]) for life in late if life in early]
    if len(gains) < 2 or len(set(gains)) == 1:
        return None
    return mean(gains, confidence=CONFIDENCE)


def _scored(units: list[Unit]) -> dict[int, list[bool]]:
    by_lifetime: dict[int, list[bool]] = defaultdict(list)
    for unit in units:
        if unit.success is not None:
            by_lifetime[unit.lifetime].append(unit.success)
    return by_lifetime


def _rate(outcomes: list[bool]) -> float:
    return sum(outcomes) / len(outcomes)


def _reaches(after: RateUnder, before: RateUnder, asked: int) -> bool:
    """Whether the rise is at least so many points, in integers."""
    return 100 * (after.k * before.n - before.k * after.n) >= asked * after.n * before.n


def _points(after: RateUnder, before: RateUnder) -> str:
    return points(Fraction(after.k, after.n) - Fraction(before.k, before.n))


def _k(rate: RateUnder) -> str:
    return f"{rate.k}/{rate.n}"


def _missing(units: list[Unit]) -> str:
    causes = sorted({unit.missing_reason for unit in units if unit.success is None})
    return f"nothing could be scored ({', '.join(causes)})" if causes else "nothing could be scored"
