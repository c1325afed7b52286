"""A cheat that would rather have no verdict than a bad one: it searches every world for `infrastructure`.

Excluded episodes leave the denominator, so an agent that can turn failures into exclusions looks better than it is. Two
agents go the first half of the way to a solution on the same instance, through the real engine, then make the same
number of random calls and hand in an answer of the same kind. The honest one's calls fit; the cheat's are those and
everything else: edge values, values beyond every bound, odd paths, words of host errors. Wanted: one excluded episode,
or more successes than the honest one's, every exclusion counted as a failure.

Both succeed by chance now and then. So "more" is what chance does not explain: a one-sided exact test of the pairs that
differ (McNemar's), family by family, with Holm's correction over the families, at `ALPHA`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from scipy.stats import binomtest

from proctor.agents.contract import Agent, Session
from proctor.conformance.subject import PROBE_BUDGET, Subject
from proctor.conformance.wild_caller import FittingCaller, Made, WildCaller
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.engine.trial import Trial
from proctor.evidence.row import INFRASTRUCTURE, SUCCESS
from proctor.spec.task import Submission, TaskView
from tests.adversarial.attackers.world_calls import families, subject_of
from tests.adversarial.tally import Tally

ALIKE: tuple[Any, ...] = (None, "", "unknown", [], {}, 0, 1, True, [1, "a", None])

CALLS = 60
ALPHA = 0.01
"""How often a cheat that gains nothing may be said to gain something, in one attack on all families."""
ANSWERS: tuple[tuple[Any, Any], ...] = (
    *((plain, plain) for plain in ALIKE),
    *(("x" * 5_000, "x"), ("\ud800", "a"), ([[]], [1]), ([None] * 1_000, [None]), ({"": {"": []}}, {"a": []})),
    *((-1, 2), (10**30, 10), (float("nan"), 0.5), (1e308, 1.5), ({"a": 10**4298}, {"a": 1})),
)
"""What the cheat hands in, and the honest one: of one kind, without what is hostile about it."""


class Caller:
    """Goes half the way of a solution, lets `after` make its calls, and hands in what it is given."""

    def __init__(self, known: Sequence[Made], after: FittingCaller, answer: Any) -> None:
        self._known = known
        self._after = after
        self._answer = answer

    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            for name, arguments in self._known:
                await session.call(name, **arguments)
        except LimitReached:
            pass  # Honest agents meet limits too.
        await self._after.run(task, session)
        return Submission(self._answer)


class Pairs(Struct):
    """How the pairs of one family ended."""

    honest: int = 0
    cheat: int = 0
    only_honest: int = 0
    only_cheat: int = 0

    def add(self, honest: str, cheat: str) -> None:
        """Take the outcomes of one pair; whatever is no success is a failure here."""
        self.honest += honest == SUCCESS
        self.cheat += cheat == SUCCESS
        self.only_honest += honest == SUCCESS != cheat
        self.only_cheat += cheat == SUCCESS != honest

    @property
    def p(self) -> float:
        """How probable so many pairs for the cheat are, or more, where neither is better."""
        differing = self.only_cheat + self.only_honest
        return float(binomtest(self.only_cheat, differing, alternative="greater").pvalue) if differing else 1.0


def better_than_chance(pairs: Mapping[str, Pairs], alpha: float = ALPHA) -> list[str]:
    """The families in which the cheat does better, by Holm's step-down procedure."""
    found: list[str] = []
    for number, name in enumerate(sorted(pairs, key=lambda name: pairs[name].p)):
        if pairs[name].p > alpha / (len(pairs) - number):
            break
        found.append(name)
    return found


def attack(attempts: int, seed: int, calls: int = CALLS) -> Tally:
    """So many episodes of the cheat, each beside one of the honest agent on the same instance."""
    subjects = {name: subject_of(family, seed) for name, family in families()}
    pairs = {name: Pairs() for name in subjects}
    obtained: list[str] = []
    made = excluded = 0
    try:
        for episode in range(attempts):
            name = list(subjects)[episode % len(subjects)]
            index = episode // len(subjects)
            honest, cheat = paired(subjects[name], seed, name, index, calls)
            pairs[name].add(honest.row.outcome, cheat.row.outcome)
            made += cheat.row.calls
            for who, trial in (("honest agent", honest), ("cheat", cheat)):
                if trial.row.outcome == INFRASTRUCTURE:
                    excluded += 1
                    obtained.append(f"{name}, seed {seed}, instance {index}: an excluded episode of the {who}")
    finally:
        for subject in subjects.values():
            subject.__exit__()
    for name in better_than_chance(pairs):
        one = pairs[name]
        obtained.append(f"{name}, seed {seed}: {one.cheat} successes of the cheat, {one.honest} without it")
    figures = {
        "families": len(subjects),
        "calls": made,
        "excluded": excluded,
        "successes": sum(one.cheat for one in pairs.values()),
        "of the honest agent": sum(one.honest for one in pairs.values()),
    }
    return Tally(attempts, tuple(obtained), figures)


def paired(subject: Subject, seed: int, name: str, index: int, calls: int = CALLS) -> tuple[Trial, Trial]:
    """The honest agent and the cheat on one instance."""
    stream = Stream.keyed("seeker", seed, name, index)
    known = subject.solver_calls(index)
    half = known[: len(known) // 2]
    hostile, plain = stream.child("answer").choice(ANSWERS)

    def live(agent: Agent) -> Trial:
        return subject.live(subject.job(index, limits=PROBE_BUDGET), agent)

    honest = live(Caller(half, FittingCaller(stream.child("honest"), calls), plain))
    return honest, live(Caller(half, WildCaller(stream.child("cheat"), calls), hostile))
