"""Scenarios that turned: right in the accepted runs, wrong now, looked at one by one.

The run-level test sees a run; three scenarios of hundreds that always go wrong from one release on disappear in what
runs differ by. So every scenario that was right (at most ⌊0.05 n⌋ of its n accepted episodes wrong) and is wrong in all
replicates now is repeated, on fresh streams, until it is right once or has been wrong s times in all. Then it is
named, and a person decides: a scenario is no run, and nothing here blocks.

Each part of a scenario by itself: its action, its required gates, its evidence. A gate that is never gone through any
more is none the less skipped because the action is right and the share of all gates still meets its target.

Where accepted runs never differed there is no deviation to test with. Fisher's exact test on scenario-runs says how
unlikely so many wrong ones in the newest run are. It takes scenarios to fail independently, which a bad day of one
server breaks; so it calls a person too, and a block stays with the run-level test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

from msgspec import Struct

from proctor.instruments.quality.baseline import Decided, RunSummary, ScenarioRecord
from proctor.instruments.quality.runs import shared
from proctor.stats.turning import few_wrong, repeats, still_p

MOST_NAMED = 10
"""Scenarios named in a sentence; data has all of them."""
MOST_DONE = 3
"""Different acts in one scenario that are named."""
_KEY_DIGITS: Final = 6
_WHOLE: Final = 1 - 1e-9
"""Above it evidence lacks nothing: qualities are kept rounded."""

Part = Literal["action", "gates", "evidence"]

_ASKED: Final[dict[Part, Callable[[ScenarioRecord, Decided], bool]]] = {
    "action": lambda _, __: True,
    "gates": lambda record, _: record.gates > 0,
    "evidence": lambda _, one: one.evidence is not None,
}
"""Whether a scenario asks for a part at all."""
_RIGHT: Final[dict[Part, Callable[[ScenarioRecord, Decided], bool]]] = {
    "action": lambda _, one: bool(one.correct),
    "gates": lambda record, one: one.gates_ok >= record.gates,
    "evidence": lambda _, one: one.evidence is None or one.evidence > _WHOLE,
}
_WRONG_WORDS: Final[dict[Part, str]] = {
    "action": "wrong",
    "gates": "a required gate missing",
    "evidence": "evidence missing or wrong",
}


class Turned(Struct, frozen=True, kw_only=True):
    """A part of a scenario that was right in the accepted runs and is wrong in all replicates now."""

    scenario: str
    part: Part = "action"
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
    done: tuple[str, ...] = ()
    """What was done where the action is wrong, each once: its name and the beginning of its digest. Whoever answers for
    this scenario answers for these acts."""

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
        return f"{self.scenario}: {_WRONG_WORDS[self.part]} {self.wrong} of {self.times} times"

    def sentence(self) -> str:
        """In words."""
        before = f"right in {self.accepted - self.accepted_wrong} of {self.accepted} accepted episodes"
        more = f" and {len(self.done) - MOST_DONE} more" if len(self.done) > MOST_DONE else ""
        done = f", done: {' / '.join(self.done[:MOST_DONE])}{more}" if self.done else ""
        return f"{self.scenario} ({before}, {_WRONG_WORDS[self.part]} {self.times} of {self.times} times now{done})"


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
    """Those of a run, by id and part, with what repeats of them showed."""
    names = shared(run, accepted).scenarios
    asked = {part: [name for name in names if _asks_for(run.scenarios[name], part)] for part in _ASKED}
    # Over all parts that could have turned, not over those that happen to be eligible: how many are eligible depends
    # on the same chance.
    candidates = sum(map(len, asked.values()))
    found = [
        turned
        for part, ones in asked.items()
        for name in ones
        if (turned := _turned(name, part, run, accepted, repeated, candidates, alpha)) is not None
    ]
    return tuple(sorted(found, key=lambda one: one.scenario))


def _asks_for(record: ScenarioRecord, part: Part) -> bool:
    return any(_ASKED[part](record, one) for one in record.decided)


def _turned(
    name: str,
    part: Part,
    run: RunSummary,
    accepted: Sequence[RunSummary],
    repeated: RunSummary | None,
    candidates: int,
    alpha: float,
) -> Turned | None:
    def right(record: ScenarioRecord) -> list[bool]:
        return [_RIGHT[part](record, one) for one in record.decided]

    record = run.scenarios[name]
    now = right(record)
    if any(now):
        return None
    before = [one for other in accepted for one in right(other.scenarios[name])]
    wrong = before.count(False)
    if not before or wrong > few_wrong(len(before)):
        return None
    needed = repeats(candidates, len(before), alpha=alpha)
    again: list[bool] = []
    episodes = list(record.decided)
    met = None if repeated is None else repeated.scenarios.get(name)
    if met is not None and met.hash == record.hash:
        further = max(needed - len(now), 0)
        again = right(met)[:further]
        episodes += met.decided[:further]
    return Turned(
        scenario=name,
        part=part,
        accepted=len(before),
        accepted_wrong=wrong,
        now=len(now),
        needed=needed,
        repeated=len(again),
        repeated_right=sum(again),
        done=tuple(sorted({_done(one) for one in episodes if not one.correct})) if part == "action" else (),
    )


def _done(one: Decided) -> str:
    """What ended an episode, in a word."""
    return f"{one.action} {one.action_key[:_KEY_DIGITS]}".strip() or "nothing"


def never_right(run: RunSummary, accepted: Sequence[RunSummary]) -> tuple[str, ...]:
    """Scenarios that the accepted runs do not have as they are now, and of which a part is wrong in all replicates.

    Nothing turned wrong there; but somebody approved them, after an incident say, and they are not met.
    """
    known = set(shared(run, accepted).scenarios)
    return tuple(
        name
        for name, record in sorted(run.scenarios.items())
        if name not in known
        and record.decided
        and any(not any(right(record, one) for one in record.decided) for right in _RIGHT.values())
    )


def never_met(accepted: Sequence[RunSummary]) -> list[str]:
    """Scenarios whose action is wrong in every accepted episode, by id: they cannot turn."""
    names = sorted({name for run in accepted for name in run.scenarios})
    return [
        name
        for name in names
        if not any(one.correct for run in accepted if name in run.scenarios for one in run.scenarios[name].decided)
    ]


def given_up(before: Sequence[RunSummary], after: Sequence[RunSummary]) -> tuple[str, ...]:
    """Scenarios that were right in the accepted runs and are wrong more often than not in those to be accepted.

    Nothing would ever say again that they turned wrong. Scenarios with another content now are none of them.
    """
    if not before or not after:
        return ()
    known = set.intersection(*(set(shared(run, before).scenarios) for run in after))
    return tuple(
        name
        for name in sorted(known)
        if any(
            _is_given_up(right, [one.scenarios[name] for one in before], [one.scenarios[name] for one in after])
            for right in _RIGHT.values()
        )
    )


def _is_given_up(
    right: Callable[[ScenarioRecord, Decided], bool], before: list[ScenarioRecord], after: list[ScenarioRecord]
) -> bool:
    was, now = ([right(record, one) for record in records for one in record.decided] for records in (before, after))
    return bool(was and now) and was.count(False) <= few_wrong(len(was)) and now.count(False) > len(now) / 2


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


def open_repeats(turned: Sequence[Turned]) -> dict[str, int]:
    """How many more times each scenario has to be met before all can be said of it; without those that are clear."""
    return {
        name: max(one.open for one in turned if one.scenario == name)
        for name in dict.fromkeys(one.scenario for one in turned if one.open)
    }


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
