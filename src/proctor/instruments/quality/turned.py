"""Scenarios that turned: right in the accepted runs, wrong now, looked at one by one.

The run-level test sees a run; three scenarios of hundreds that always go wrong from one release on disappear in what
runs differ by. So every scenario that was right (at most ⌊0.05 n⌋ of its n accepted episodes wrong) and is wrong in all
replicates now is repeated alone, on fresh streams, until it is right once or has been wrong s times in all. Then it is
named, and a person decides: a scenario is no run, and nothing here blocks.

Where accepted runs never differed there is no deviation to test with. Fisher's exact test on scenario-runs says how
unlikely so many wrong ones in the newest run are. It takes scenarios to fail independently, which a bad day of one
server breaks; so it calls a person too, and a block stays with the run-level test.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from proctor.instruments.quality.baseline import RunSummary
from proctor.instruments.quality.runs import shared
from proctor.stats.turning import few_wrong, repeats, still_p

MOST_NAMED = 10
"""Scenarios named in a sentence; data has all of them."""


class Turned(Struct, frozen=True, kw_only=True):
    """A scenario that was right in the accepted runs and is wrong in all replicates now."""

    scenario: str
    accepted: int
    """Accepted episodes, with at most ⌊0.05 n⌋ of them wrong."""
    accepted_wrong: int
    now: int
    """Episodes of the new run, all of them wrong."""
    needed: int
    """How often it has to be wrong in all before it is named."""
    repeated: int = 0
    """Repeats on fresh streams."""
    repeated_right: int = 0

    @property
    def open(self) -> int:
        """How many more repeats are needed; 0: none, it is clear."""
        return 0 if self.repeated_right else max(self.needed - self.now - self.repeated, 0)

    @property
    def named(self) -> bool:
        """Whether it was wrong as often as it has to be."""
        return not self.repeated_right and self.now + self.repeated >= self.needed

    @property
    def times(self) -> int:
        """How often it was met, in the run and in its repeats."""
        return self.now + self.repeated

    @property
    def wrong(self) -> int:
        """How often it was wrong in all."""
        return self.times - self.repeated_right

    def counts(self) -> str:
        """The counts in words, for one that was right in some of its repeats."""
        return f"{self.scenario}: wrong {self.wrong} of {self.times} times"

    def sentence(self) -> str:
        """In words."""
        before = f"right in {self.accepted - self.accepted_wrong} of {self.accepted} accepted episodes"
        return f"{self.scenario} ({before}, wrong {self.times} of {self.times} times now)"


class Still(Struct, frozen=True, kw_only=True):
    """A run against accepted runs in which no scenario ever changed."""

    runs: int
    right: int
    """M: scenarios right in every accepted episode."""
    wrong: tuple[str, ...]
    """D of them: those wrong in all replicates now."""
    p_value: float
    """C(M, D) / C((K + 1)·M, D)."""
    alpha: float

    @property
    def declined(self) -> bool:
        """Whether so many are beyond chance."""
        return self.p_value <= self.alpha

    def sentence(self) -> str:
        """In words."""
        return (
            f"{len(self.wrong)} of {self.right} scenarios that were right in all {self.runs} accepted runs are wrong "
            f"now (Fisher's exact test on scenario-runs, p = {self.p_value:.2g}, α = {self.alpha:g}; it takes "
            "scenarios to fail independently)"
        )


def turned_scenarios(
    run: RunSummary, accepted: Sequence[RunSummary], *, alpha: float, repeated: RunSummary | None = None
) -> tuple[Turned, ...]:
    """Those of a run, by id, with what repeats of them showed."""
    names = shared(run, accepted).scenarios
    found = []
    for name in names:
        now = [one.correct for one in run.scenarios[name].decided]
        if not now or any(now):
            continue
        before = [one.correct for other in accepted for one in other.scenarios[name].decided]
        wrong = before.count(0)
        if not before or wrong > few_wrong(len(before)):
            continue
        # Over all scenarios that could have turned, not over those that happen to be eligible: how many are eligible
        # depends on the same chance.
        needed = repeats(len(names), len(before), alpha=alpha)
        again: list[int] = []
        record = None if repeated is None else repeated.scenarios.get(name)
        if record is not None and record.hash == run.scenarios[name].hash:
            again = [one.correct for one in record.decided][: max(needed - len(now), 0)]
        found.append(
            Turned(
                scenario=name,
                accepted=len(before),
                accepted_wrong=wrong,
                now=len(now),
                needed=needed,
                repeated=len(again),
                repeated_right=sum(again),
            )
        )
    return tuple(found)


def still_baseline(run: RunSummary, accepted: Sequence[RunSummary], *, alpha: float) -> Still | None:
    """The exact test where no scenario changed between accepted runs; None where one did, or a single run is there."""
    names = shared(run, accepted).scenarios
    if len(accepted) < 2 or not names or not is_still(accepted, names):
        return None
    right = [name for name in names if all(one.correct for one in accepted[0].scenarios[name].decided)]
    wrong = tuple(name for name in right if not any(one.correct for one in run.scenarios[name].decided))
    p_value = still_p(len(right), len(wrong), len(accepted))
    return Still(runs=len(accepted), right=len(right), wrong=wrong, p_value=p_value, alpha=alpha)


def is_still(accepted: Sequence[RunSummary], names: Sequence[str]) -> bool:
    """Whether every one of these scenarios was decided alike in all accepted runs: always right, or always wrong."""
    return all(len({one.correct for other in accepted for one in other.scenarios[name].decided}) == 1 for name in names)


def wavering(turned: Sequence[Turned]) -> list[Turned]:
    """Those that were right in some of their repeats, which are not named; the most often wrong first."""
    found = [one for one in turned if one.repeated_right]
    return sorted(found, key=lambda one: (-one.wrong / one.times, one.scenario))


def wavering_sentence(turned: Sequence[Turned]) -> str:
    """Them with their counts, in words; empty where there is none."""
    known = [one.counts() for one in wavering(turned)]
    if not known:
        return ""
    more = f", and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return (
        "wrong in this run and not every time it was repeated, so not named as turned wrong: "
        f"{', '.join(known[:MOST_NAMED])}{more}"
    )


def named(turned: Sequence[Turned]) -> str:
    """The scenarios that are named, in words; empty where none is."""
    known = [one.sentence() for one in turned if one.named]
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return ", ".join(known[:MOST_NAMED]) + more
