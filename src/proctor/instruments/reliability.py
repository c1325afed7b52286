"""Reliability curves: how success holds when a task is taken again, and how it grows with what may be spent.

With replicates: pass@k (at least one of k succeeds) and pass^k (all k succeed), over instances. For every arm: the
share of episodes that succeeded within so many actions or tokens. Budgets are those the evidence has; nothing is
extrapolated.
"""

from __future__ import annotations

from collections import defaultdict

from proctor.evidence.arms import knobs_apart
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS, Arm, Row
from proctor.instruments.base import Reading, Value, conditions_of
from proctor.spec.rules import Rules
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
        for row in evidence.rows:
            if row.outcome in _SCORED:
                groups[row.arm, row.phase].append(row)
        apart = knobs_apart(evidence)
        values: list[Value] = []
        for (number, phase), rows in sorted(groups.items()):
            where = _where(evidence.arms[number], phase, apart.get(number))
            values += _repeats(rows, where, rules)
            values += _within(rows, where, "actions", rules)
            values += _within(rows, where, "tokens", rules)
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


def _repeats(rows: list[Row], where: dict[str, str], rules: Rules) -> list[Value]:
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
    values = []
    for k in ks:
        values.append(Value(f"pass@{k}", pass_at_k(successes, trials, k=k, confidence=rules.confidence), where=where))
        values.append(Value(f"pass^{k}", pass_all_k(successes, trials, k=k, confidence=rules.confidence), where=where))
    return values


def _within(rows: list[Row], where: dict[str, str], unit: str, rules: Rules) -> list[Value]:
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
        estimate = proportion(k, len(rows), method=rules.interval, confidence=rules.confidence)
        values.append(Value(f"success within {budget} {unit}", estimate, successes=k, where=where))
    return values


instrument = ReliabilityInstrument()
