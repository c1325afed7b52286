"""L5: what was mastered is still there after more was learned.

Measured from the post-test to the retest of the same tasks, each weighing the same, unrounded, in lifetimes that went
on learning in between. Nothing can be kept that was not mastered: at the post-test the threshold must be met.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from proctor.instruments.agency.criterion import Criterion, loss_criterion, points
from proctor.instruments.agency.level import rate_criterion, rate_of
from proctor.instruments.agency.phases import task_rates, tasks_of
from proctor.instruments.agency.threshold import Policy
from proctor.instruments.agency.units import Unit, tally
from proctor.spec.claims import CONFIDENCE
from proctor.spec.rules import Rules
from proctor.stats.differences import newcombe


def too_few_tested_again(after: list[Unit], again: list[Unit]) -> str:
    """Why the retest says nothing about forgetting; empty where it does. The last task taught may be missing in it."""
    taught, tested = {unit.knobs for unit in after}, {unit.knobs for unit in again}
    names = tasks_of(after)
    if not taught & tested:
        return "what was tested again is not what was taught"
    if len(taught) == 1 and any(taught):
        return "one task was taught, and nothing after it that could displace it"
    taught_last = {unit.lifetime: unit.positions[0] for unit in sorted(after, key=lambda unit: unit.positions[0])}
    if any(unit.positions[0] < taught_last.get(unit.lifetime, -1) for unit in again):
        return "it was tested again before everything was taught"
    missing = sorted(names[task] for task in taught - tested)
    return f"{', '.join(missing)} were not tested again" if len(missing) > 1 else ""


def retention(
    after: list[Unit], again: list[Unit], allowed: int, rules: Rules, policy: Policy | None
) -> list[Criterion]:
    """At most so many points lost on the tasks that were tested again, and mastery before: of them, and of all."""
    shared = {unit.knobs for unit in after} & {unit.knobs for unit in again}
    old = [unit for unit in after if unit.knobs in shared]
    retest = [unit for unit in again if unit.knobs in shared]
    lost = _lost(old, retest)
    first, second = tally(old), tally(retest)
    difference = newcombe(first.k, first.n, second.k, second.n, confidence=CONFIDENCE)
    kept = lost is not None and 100 * lost <= allowed
    bound = "" if kept else f", at most {allowed} allowed"
    counts = f"{first.k}/{first.n} posttest, {second.k}/{second.n} retest"
    text = f"{points(lost)} points lost on earlier tasks{bound} ({counts})"
    if lost is None:
        text = f"a task that was tested again could not be scored on both sides ({counts})"
    criteria = [loss_criterion(difference, allowed, kept=kept, what="loss from posttest to retest", text=text)]
    criteria.append(_mastery(after, "all tasks", rules, policy))
    if len(old) < len(after):
        criteria.append(_mastery(old, "tasks tested again", rules, policy))
    return criteria


def _mastery(units: list[Unit], which: str, rules: Rules, policy: Policy | None) -> Criterion:
    rate = rate_of("+".join(sorted({unit.regime for unit in units})), units, rules, "posttest")
    found = rate_criterion(rate, rules, policy, f"mastery at posttest, {which}")
    return replace(found, text=f"mastery of {which} at posttest: {found.text}")


def _lost(before: list[Unit], after: list[Unit]) -> Fraction | None:
    """Points over 100, exactly, averaged over tasks: one that was seldom tested weighs as much as any other."""
    names = tasks_of(before) or {before[0].knobs: ""}
    early, late = task_rates(before, names), task_rates(after, names)
    if not late or any(task not in early for task in late):
        return None
    lost = sum((Fraction(*early[task]) - Fraction(*late[task]) for task in late), Fraction(0))
    return lost / len(late)
