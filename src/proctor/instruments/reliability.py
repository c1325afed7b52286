"""Reliability curves: how success holds when a task is taken again, and how it grows with what may be spent.

With replicates: pass@k (at least one of k succeeds) and pass^k (all k succeed), over instances. For every arm: the
share of episodes that succeeded within so many actions or tokens. Budgets are those the evidence has; nothing is
extrapolated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from proctor.evidence.arms import knobs_apart
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Arm, Row
from proctor.instruments.base import Flag, Reading, Value, conditions_of
from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate
from proctor.stats.exclusions import Band, too_many_excluded
from proctor.stats.intervals import proportion
from proctor.stats.reliability import pass_all_k, pass_at_k

_POINTS = 6
"""Budgets on a curve, at most."""
_SCORED = frozenset({SUCCESS, FAILURE, LIMIT})


class ReliabilityInstrument:
    """Curves over repeats and budgets."""

    name = "reliability"
    version = "1.0"

    def read(self, evidence: Evidence, rules: Rules) -> Reading:
        """The curves of this evidence."""
        groups: dict[tuple[int, str], list[Row]] = defaultdict(list)
        lost: Counter[tuple[int, str]] = Counter()
        lost_of: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
        for row in evidence.rows:
            if row.outcome in _SCORED:
                groups[row.arm, row.phase].append(row)
            else:
                lost[row.arm, row.phase] += 1
                lost_of[row.arm, row.phase][row.instance] += 1
        apart = knobs_apart(evidence)
        values: list[Value] = []
        for (number, phase), rows in sorted(groups.items()):
            where = _where(evidence.arms[number], phase, apart.get(number))
            values += _repeats(rows, where, rules, lost_of[number, phase])
            values += _within(rows, where, "actions", rules, lost[number, phase])
            values += _within(rows, where, "tokens", rules, lost[number, phase])
        return Reading(
            instrument=self.name,
            version=self.version,
            measured=bool(values),
            reason=None if values else "no arm has repeated instances or episodes of different cost",
            values=tuple(values),
            flags=(),
            conditions=conditions_of(evidence, rules, __name__),
        )


def _where(arm: Arm, phase: str, knobs: str | None) -> dict[str, str]:
    where = {"family": arm.family, "regime": arm.regime, "condition": arm.condition, "phase": phase}
    return where | ({"cell": arm.cell} if arm.cell else {}) | ({"knobs": knobs} if knobs else {})


class _Repeated(Value, frozen=True):
    """A chance over repeats some of which were not measured; it is no share of episodes, so it has its own band."""

    bounds: Band | None = None

    @property
    def band(self) -> Band | None:
        return self.bounds


def _repeats(rows: list[Row], where: dict[str, str], rules: Rules, lost: Counter[str]) -> list[Value]:
    """pass@k and pass^k where instances were taken more than once."""
    taken: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        taken[row.instance][0] += row.outcome == SUCCESS
        taken[row.instance][1] += 1
    successes, trials = [k for k, _ in taken.values()], [n for _, n in taken.values()]
    most = min(trials)
    if most < 2:
        return []
    ks = sorted({1, *(2**power for power in range(1, most.bit_length()) if 2**power <= most), most})
    values: list[Value] = []
    flags = _flags(len(rows), lost.total())
    for k in ks:
        for name, chance in ((f"pass@{k}", pass_at_k), (f"pass^{k}", pass_all_k)):
            estimate = chance(successes, trials, k=k, confidence=rules.confidence)
            if lost:
                bounds = _bounds(taken, lost, partial(chance, k=k))
                values.append(_Repeated(name, estimate, where=where, flags=flags, bounds=bounds))
            else:
                values.append(Value(name, estimate, where=where))
    return values


def _bounds(
    taken: Mapping[str, Sequence[int]], lost: Counter[str], chance: Callable[[list[int], list[int]], Estimate]
) -> Band | None:
    """The chance if all repeats that were not measured had failed, and if all had succeeded: it grows with them."""
    # An instance of which nothing was measured would have been taken as often as the others.
    least = min(trials for _, trials in taken.values())
    unmeasured = {name: lost[name] if name in taken else max(lost[name], least) for name in (*taken, *lost)}
    k = [taken[name][0] if name in taken else 0 for name in unmeasured]
    n = [number + (taken[name][1] if name in taken else 0) for name, number in unmeasured.items()]
    low = chance(k, n).estimate
    high = chance([one + more for one, more in zip(k, unmeasured.values(), strict=True)], n).estimate
    return None if low is None or high is None else Band(low, high, lost.total())


def _within(rows: list[Row], where: dict[str, str], unit: str, rules: Rules, lost: int) -> list[Value]:
    """Success against a budget: the share that succeeded with no more than so much."""
    spent = [row.calls if unit == "actions" else row.tokens for row in rows]
    used = sorted({amount for amount in spent if amount is not None})
    if len(used) < 2 or None in spent:
        return []
    step = max(1, (len(used) - 1) // (_POINTS - 1))
    budgets = sorted({*used[::step], used[-1]})
    values = []
    for budget in budgets:
        k = sum(
            row.outcome == SUCCESS and amount is not None and amount <= budget
            for row, amount in zip(rows, spent, strict=True)
        )
        estimate = proportion(k, len(rows), method=rules.interval, confidence=rules.confidence, missing=lost)
        flags = _flags(len(rows), lost)
        values.append(Value(f"success within {budget} {unit}", estimate, successes=k, where=where, flags=flags))
    return values


def _flags(n: int, lost: int) -> tuple[Flag, ...]:
    text = f"{lost} of {n + lost} episodes were not measured"
    return (Flag("Provisional", text),) if too_many_excluded(n, lost) else ()


instrument = ReliabilityInstrument()
