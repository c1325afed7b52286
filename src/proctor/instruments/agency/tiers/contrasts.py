"""Gates that compare two arms: a point estimate of so many points, and an interval that excludes 0."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from proctor.instruments.agency.criterion import points
from proctor.instruments.agency.tiers.characteristic import of_contrast
from proctor.instruments.agency.tiers.finding import Finding, OfFamily, not_evaluable, not_tested
from proctor.instruments.agency.tiers.fitness import why_unfit
from proctor.instruments.agency.tiers.gates import Arm, Asked, Contrast, Gate
from proctor.instruments.agency.tiers.lived import Compared, Subject, lost, not_imposed, short
from proctor.instruments.agency.tiers.strategies import why_not_switched
from proctor.instruments.agency.units import Knobs, Unit
from proctor.spec.claims import CONFIDENCE
from proctor.stats.differences import newcombe, newcombe_paired
from proctor.stats.estimate import Estimate


class Difference(Struct, frozen=True):
    """One arm minus another, as measured and with everything that was lost counted against it."""

    plain: Estimate
    worst: Estimate
    first: int
    second: int
    """Scored units of either arm; equal where they are paired."""
    gain: Fraction
    gain_at_worst: Fraction
    base: float
    """The rate of the worse arm."""

    def shows(self, asked: int, *, minimum: int) -> bool:
        """Whether it counts."""
        enough = min(self.first, self.second) >= minimum
        return enough and 100 * self.gain_at_worst >= asked and _above_zero(self.worst)

    def could_show(self, asked: int, *, minimum: int) -> bool:
        """Not shown, and more or measured instances could show it: the threshold is met, or too few were measured."""
        return not self.shows(asked, minimum=minimum) and 100 * self.gain >= asked


def _above_zero(estimate: Estimate) -> bool:
    return estimate.low is not None and estimate.low > 0


def difference(better: Iterable[Unit], worse: Iterable[Unit], *, paired: bool) -> Difference:
    """better − worse; paired by instance, within a lifetime where a program has several."""
    one, two = list(better), list(worse)
    if paired:
        return _paired(one, two)
    k, n, e = _sums(one)
    k2, n2, e2 = _sums(two)
    hung = sum(unit.cut_off for unit in two)  # Failed, which shows no inability: at worst it would have succeeded.
    return Difference(
        newcombe(k, n, k2, n2, confidence=CONFIDENCE),
        newcombe(k, n + e, k2 + e2 + hung, n2 + e2, confidence=CONFIDENCE),
        n,
        n2,
        _share(k, n) - _share(k2, n2),
        _share(k, n + e) - _share(k2 + e2 + hung, n2 + e2),
        float(_share(k2, n2)),
    )


def _paired(one: list[Unit], two: list[Unit]) -> Difference:
    others = {unit.instance: unit for unit in two}
    pairs = [(unit, others[unit.instance]) for unit in one if unit.instance in others]
    known = [(bool(a.success), bool(b.success)) for a, b in pairs if a.success is not None and b.success is not None]
    against = [
        (bool(a.success), b.success is None or b.success or b.cut_off)
        for a, b in pairs
        if _measurable(a) and _measurable(b)
    ]
    plain, worst = _of_pairs(known), _of_pairs(against)
    return Difference(plain, worst, len(known), len(known), _gain(known), _gain(against), _base(known))


def _measurable(unit: Unit) -> bool:
    return unit.success is not None or lost(unit)


def _of_pairs(pairs: list[tuple[bool, bool]]) -> Estimate:
    both, first = sum(a and b for a, b in pairs), sum(a and not b for a, b in pairs)
    second = sum(b and not a for a, b in pairs)
    return newcombe_paired(both, first, second, len(pairs) - both - first - second, confidence=CONFIDENCE)


def _gain(pairs: list[tuple[bool, bool]]) -> Fraction:
    return Fraction(sum(a - b for a, b in pairs), len(pairs)) if pairs else Fraction(0)


def _base(pairs: list[tuple[bool, bool]]) -> float:
    return sum(b for _, b in pairs) / len(pairs) if pairs else 0.0


def _sums(units: list[Unit]) -> tuple[int, int, int]:
    scored = [unit for unit in units if unit.success is not None]
    return sum(bool(unit.success) for unit in scored), len(scored), sum(map(lost, units))


def _share(k: int, n: int) -> Fraction:
    return Fraction(k, n) if n else Fraction(0)


def compared(subject: Subject, cell: str, arms: tuple[Arm, Arm], asked: Asked, *, paired: bool) -> list[Compared]:
    """Each family under the asked regime or the next harder one in which both arms were run alike; of several the one
    with the smaller difference."""
    varied = {name for arm in arms for name in arm.knobs}
    better, worse = (subject.lived(cell, arm, asked) for arm in arms)
    both: dict[tuple[str, str], list[Compared]] = {}
    for (family, name), units in better.items():
        one, two = _by_setting(units, varied), _by_setting(worse.get((family, name), []), varied)
        if found := [Compared(family, name, one[setting], two[setting]) for setting in one if setting in two]:
            both[family, name] = found
    return [
        min(
            (one for name in names for one in both[family, name]),
            key=lambda one: difference(one.better, one.worse, paired=paired).gain,
        )
        for family, names in subject.nearest(both).items()
    ]


def _by_setting(units: list[Unit], varied: set[str]) -> dict[tuple[str, Knobs], list[Unit]]:
    """By condition and knobs, without those that make the arms: arms that differ in anything else show nothing."""
    found: dict[tuple[str, Knobs], list[Unit]] = defaultdict(list)
    for unit in units:
        found[unit.condition, tuple(knob for knob in unit.knobs if knob[0] not in varied)].append(unit)
    return found


def read_contrast(gate: Gate, rule: Contrast, subject: Subject) -> Finding:
    """Whether the better arm is above the worse one: in so many families by themselves and in the pool."""
    cell = rule.cell
    if rule.worse.baseline is not None and subject.tested(cell):
        why = _without_baseline(subject, rule.worse, cell)
        if why is not None:
            return not_evaluable(why)
    arms = compared(subject, cell, (rule.better, rule.worse), gate.regime, paired=rule.paired)
    arms = [one for one in arms if _is_declared(one.family, rule, subject)]
    if not arms:
        return not_tested(_why_untested(gate, rule, subject))
    if rule.fit and (unfit := why_unfit(subject)) is not None:
        return not_evaluable(unfit)
    return _judged(gate, rule, arms, subject)


def _judged(gate: Gate, rule: Contrast, arms: list[Compared], subject: Subject) -> Finding:
    found = {one.family: difference(one.better, one.worse, paired=rule.paired) for one in arms}
    where = {one.family: one.regime for one in arms}
    shown = {name: one.shows(rule.points, minimum=rule.minimum) for name, one in found.items()}
    whole = difference(
        [unit for one in arms for unit in one.better], [unit for one in arms for unit in one.worse], paired=rule.paired
    )
    enough = [name for name, one in found.items() if min(one.first, one.second) >= rule.minimum]
    by_itself = [name for name in enough if shown[name]]
    needed = rule.families if rule.families > 1 else 0
    pool = whole.shows(rule.points, minimum=rule.minimum)
    met = pool and len(by_itself) >= needed and len(enough) >= max(rule.broad, rule.families)
    text = f"{points(whole.gain)} points, {rule.better.name} above {rule.worse.name}"
    lacking = _lacking(rule, whole, pool, by_itself, enough)
    switched = why_not_switched(arms, subject.specs) if rule.strategies and met else None
    if switched is not None:
        met, lacking = False, switched
    hopeful = [name for name, one in found.items() if shown[name] or one.could_show(rule.points, minimum=rule.minimum)]
    could = len(hopeful) >= needed and (pool or whole.could_show(rule.points, minimum=rule.minimum))
    sizes = [(found[name].first, found[name].second) for name in enough] if needed else [(whole.first, whole.second)]
    return Finding(
        "passed" if met else "failed",
        text if met else f"{text}{lacking}",
        whole.plain.estimate,
        whole.plain.low,
        whole.plain.high,
        rule.points / 100,
        whole.first,
        {
            name: OfFamily(one.plain.estimate, one.plain.low, one.plain.high, one.first, where[name], shown[name])
            for name, one in found.items()
        },
        " and ".join(sorted(set(where.values()))),
        of_contrast(sizes[: needed or 1], rule.points, whole.base),
        provisional=(not needed and not all(shown.values())) if met else could and switched is None,
    )


def _lacking(rule: Contrast, whole: Difference, pool: bool, by_itself: list[str], enough: list[str]) -> str:
    if len(enough) < max(rule.broad, rule.families):
        return f"; {len(enough)} of {max(rule.broad, rule.families)} families have {rule.minimum} instances in each arm"
    if not pool:
        return f", needs {rule.points}" if 100 * whole.gain_at_worst < rule.points else ", whose interval reaches 0"
    names = ", ".join(map(short, by_itself)) or "none"
    return f"; {len(by_itself)} of {rule.families} families show {rule.points} by themselves ({names})"


def _is_declared(family: str, rule: Contrast, subject: Subject) -> bool:
    """Whether a family declares what its tier asks to be declared beforehand."""
    spec = subject.specs[family]
    if rule.cell == "T3-delayed":
        return spec.reward is not None
    if rule.cell == "T4-switch":
        return spec.strategies is not None
    if rule.cell == "T5-social":
        return spec.counterparties is not None
    return spec.modification is not None if rule.cell == "T6-modification" else True


def _without_baseline(subject: Subject, arm: Arm, cell: str) -> str | None:
    """Why nobody lived as the baseline; None where somebody did."""
    frozen = subject.evidence.frozen
    if frozen.no_baseline is not None:
        return frozen.no_baseline
    units = subject.baseline.get(cell, [])
    if not units:
        return f"no {arm.name} baseline was run"
    if not_imposed(units):
        return (
            f"the agent could not be made {arm.name}: it owns its loop; declare system.baselines.{arm.baseline}, or "
            "give one with act(observation)"
        )
    return None


def _why_untested(gate: Gate, rule: Contrast, subject: Subject) -> str:
    if not subject.tested(rule.cell):
        return f"{rule.cell} was not run"
    harder = "" if gate.regime == "baseline" else f" under a {gate.regime} regime or harder"
    unlike = ", with the same condition and other knobs" if _were_both_run(gate, rule, subject) else ""
    return f"{rule.cell} was not run both as {rule.better.name} and as {rule.worse.name}{harder}{unlike}"


def _were_both_run(gate: Gate, rule: Contrast, subject: Subject) -> bool:
    better, worse = (subject.lived(rule.cell, arm, gate.regime) for arm in (rule.better, rule.worse))
    return not better.keys().isdisjoint(worse)
