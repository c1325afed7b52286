"""Scenarios that turned: right in the accepted runs, wrong now, looked at one by one.

The run-level test sees a run; three scenarios of hundreds that always go wrong from one release on disappear in what
runs differ by. So every scenario that was right (at most ⌊0.05 n⌋ of its n accepted episodes wrong) and is wrong in all
replicates now is repeated, on fresh streams, until it is right once or has been wrong s times in all. Then it is
named, and a person decides: a scenario is no run, and nothing here blocks.

Right in the runs of the anchor counts as well: accepted runs can be chosen, and a scenario that is wrong in two of five
of them could otherwise be wrong for good from then on.

Each part of a scenario by itself: its action, its required gates, their level, its evidence. A gate that is never gone
through any more, or where the wrong person is asked, is no less wrong because the action is right and the share of all
gates still meets its target.

Where accepted runs never differed there is no deviation to test with. Fisher's exact test on scenario-runs says how
unlikely so many wrong ones in the newest run are. It takes scenarios to fail independently, which a bad day of one
server breaks; so it calls a person too, and a block stays with the run-level test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from proctor.core.hashing import sha256_hex
from proctor.instruments.quality.baseline import Decided, RunSummary, ScenarioRecord
from proctor.instruments.quality.runs import shared
from proctor.spec.scenario import Action
from proctor.stats.turning import beyond_chance, few_wrong, repeats, still_p

MOST_NAMED = 10
"""Scenarios named in a sentence; data has all of them."""
MOST_DONE = 3
"""Different acts in one scenario that are named."""
DIGEST = "arguments of digest"
"""Stands before what an answer binds an act's arguments by."""
_KEY_DIGITS: Final = 6
_WHOLE: Final = 1 - 1e-9
"""Above it evidence lacks nothing: qualities are kept rounded."""

Part = Literal["action", "gates", "level", "evidence"]

_ASKED: Final[dict[Part, Callable[[ScenarioRecord], bool]]] = {
    "action": lambda record: bool(record.decided),
    "gates": lambda record: record.gates > 0,
    "level": lambda record: record.gates > 0,
    "evidence": lambda record: any(one.evidence is not None for one in record.decided),
}
"""Whether a scenario asks for a part at all."""
_RIGHT: Final[dict[Part, Callable[[ScenarioRecord], list[bool] | None]]] = {
    "action": lambda record: [bool(one.correct) for one in record.decided],
    "gates": lambda record: [one.gates_ok >= record.gates for one in record.decided],
    # A gate that was not passed was not passed at the right level either: an agent that now skips it and now asks the
    # wrong person is wrong each time. What is skipped alone is said of the gates, see `_without_missing`.
    "level": lambda record: None if record.levels is None else [passed >= record.gates for passed in record.levels],
    "evidence": lambda record: [one.evidence is None or one.evidence > _WHOLE for one in record.decided],
}
"""Whether a part was right, episode by episode; None where that was not kept."""
_WRONG_WORDS: Final[dict[Part, str]] = {
    "action": "wrong",
    "gates": "a required gate missing",
    "level": "a required gate not asked at the right level",
    "evidence": "evidence missing or wrong",
}


class Turned(Struct, frozen=True, kw_only=True):
    """A part of a scenario that was right in the accepted runs and is wrong in all replicates now."""

    scenario: str
    part: Part = "action"
    accepted: int
    """Accepted episodes, with at most ⌊0.05 n⌋ of them wrong."""
    accepted_wrong: int
    anchor: bool = False
    """Whether these are the episodes of the anchor: in the accepted runs it was wrong too often to have turned."""
    now: int
    """Episodes of the new run, all of them wrong."""
    needed: int
    """How often it has to be wrong in all before it is named."""
    repeated: int = 0
    """Repeats on fresh streams."""
    repeated_right: int = 0
    done: tuple[str, ...] = ()
    """What was done where the action is wrong, each once: its name and the beginning of a digest of its arguments.
    Whoever answers for this scenario answers for these acts."""

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
        whose = "episodes of the anchor release" if self.anchor else "accepted episodes"
        before = f"right in {self.accepted - self.accepted_wrong} of {self.accepted} {whose}"
        more = f" and {len(self.done) - MOST_DONE} more" if len(self.done) > MOST_DONE else ""
        done = f", done: {' / '.join(self.done[:MOST_DONE])}{more}" if self.done else ""
        where = "in this run and its repeats" if self.repeated else "in this run"
        wrong = f"{_WRONG_WORDS[self.part]} {self.times} of {self.times} times {where}"
        return f"{self.scenario} ({before}, {wrong}{done})"


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
    run: RunSummary,
    accepted: Sequence[RunSummary],
    *,
    alpha: float,
    anchor: Sequence[RunSummary] = (),
    repeated: RunSummary | None = None,
    levels: bool = True,
) -> tuple[Turned, ...]:
    """Those of a run, by id and part, with what repeats of them showed. Without `levels` it does not matter who was
    asked. Runs of the `anchor` are given where they are not the accepted ones.
    """
    references = [
        _Reference(run, runs, anchor=older, levels=levels) for runs, older in ((accepted, False), (anchor, True))
    ]
    # Over all parts that could have turned, not over those that happen to be eligible: how many are eligible depends
    # on the same chance. What can turn from either counts twice.
    candidates = sum(one.candidates for one in references)
    found = {
        (turned.part, turned.scenario): turned
        for one in reversed(references)
        for turned in one.turned(repeated, candidates, alpha)
    }
    return tuple(sorted(_without_missing(list(found.values())), key=lambda one: one.scenario))


class _Reference:
    """Runs in which a scenario may have been right, and the parts of the scenarios of a run that they met as well."""

    def __init__(self, run: RunSummary, runs: Sequence[RunSummary], *, anchor: bool, levels: bool) -> None:
        self._run, self._runs, self._anchor = run, runs, anchor
        names = shared(run, runs).scenarios if runs else ()
        records = {name: [run.scenarios[name], *(other.scenarios[name] for other in runs)] for name in names}
        self._asked = {
            part: [name for name in names if _asks_for(records[name], part)] for part in _parts(levels=levels)
        }

    @property
    def candidates(self) -> int:
        """How many parts of scenarios could have turned from these runs."""
        return sum(map(len, self._asked.values()))

    def turned(self, repeated: RunSummary | None, candidates: int, alpha: float) -> Iterator[Turned]:
        """Those that did."""
        for part, names in self._asked.items():
            for name in names:
                before = [one for other in self._runs for one in _RIGHT[part](other.scenarios[name]) or []]
                found = _turned(name, part, self._run, before, repeated, candidates, alpha)
                if found is not None:
                    yield replace(found, anchor=self._anchor)


def _parts(*, levels: bool) -> list[Part]:
    return [part for part in _ASKED if levels or part != "level"]


def _asks_for(records: Sequence[ScenarioRecord], part: Part) -> bool:
    """Whether a scenario asks for a part, and all of these kept it: else nobody knows that it turned."""
    return _ASKED[part](records[0]) and all(_RIGHT[part](record) is not None for record in records)


def _without_missing(found: Sequence[Turned]) -> list[Turned]:
    """These without levels that were wrong only where the gate itself was missing, which the gates say already."""
    missing = {one.scenario: one.wrong for one in found if one.part == "gates"}
    return [one for one in found if one.part != "level" or one.wrong != missing.get(one.scenario)]


def _turned(
    name: str,
    part: Part,
    run: RunSummary,
    before: Sequence[bool],
    repeated: RunSummary | None,
    candidates: int,
    alpha: float,
) -> Turned | None:
    right = _RIGHT[part]
    record = run.scenarios[name]
    now = right(record) or []
    if any(now):
        return None
    wrong = before.count(False)
    if not before or wrong > few_wrong(len(before)):
        return None
    needed = repeats(candidates, len(before), alpha=alpha)
    again: list[bool] = []
    episodes = list(record.decided)
    met = None if repeated is None else repeated.scenarios.get(name)
    if met is not None and met.hash == record.hash:
        further = max(needed - len(now), 0)
        again = (right(met) or [])[:further]
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
    """What ended an episode, in a few words; the arguments themselves are in its trace."""
    if not one.action:
        return "nothing"
    if one.action_key and sha256_hex(Action(name=one.action).key).startswith(one.action_key):
        return f"{one.action} without arguments"
    return f"{one.action} with {DIGEST} {one.action_key[:_KEY_DIGITS]}" if one.action_key else one.action


def never_right(run: RunSummary, accepted: Sequence[RunSummary], *, levels: bool = True) -> tuple[str, ...]:
    """Scenarios that the accepted runs do not have as they are now, and of which a part is wrong in all replicates.

    Nothing turned wrong there; but somebody approved them, after an incident say, and they are not met.
    """
    known = set(shared(run, accepted).scenarios)
    return tuple(
        name
        for name, record in sorted(run.scenarios.items())
        if name not in known
        and record.decided
        and any(not any(verdicts) for part in _parts(levels=levels) if (verdicts := _RIGHT[part](record)) is not None)
    )


def never_met(accepted: Sequence[RunSummary]) -> dict[str, tuple[Part, ...]]:
    """Scenarios with the parts of them that are wrong in every accepted episode, by id: these cannot turn."""
    names = sorted({name for run in accepted for name in run.scenarios})
    records = {name: [run.scenarios[name] for run in accepted if name in run.scenarios] for name in names}
    found = {name: _never_met(records[name]) for name in names}
    return {name: parts for name, parts in found.items() if parts}


def _never_met(records: Sequence[ScenarioRecord]) -> tuple[Part, ...]:
    verdicts = {part: _verdicts(records, part) for part in _ASKED}
    wrong = [part for part, every in verdicts.items() if every is not None and not any(every)]
    # A missing gate is not named as one at the wrong level as well.
    return tuple(part for part in wrong if part != "level" or "gates" not in wrong)


def never_met_words(found: Mapping[str, Sequence[Part]], most: int) -> str:
    """The first of them in words: those whose action is wrong by their ids alone."""
    named = [
        name if part == "action" else f"{name}: {_WRONG_WORDS[part]}" for name, parts in found.items() for part in parts
    ]
    return ", ".join(named[:most]) + (", …" if len(named) > most else "")


def given_up(
    before: Sequence[RunSummary],
    after: Sequence[RunSummary],
    *,
    last: Sequence[RunSummary] | None = None,
    few: bool = False,
    levels: bool = True,
) -> tuple[str, ...]:
    """Scenarios that were right `before` and are not in the runs to be accepted.

    Wrong in at least half of their episodes, or in more than chance explains for one that is right; with `few`, wrong
    too often to turn: so where the anchor is replaced, since nothing else would ever say that they turned. Without
    `levels` it does not matter who was asked.

    One that is not there before with the content it has now was approved by somebody, so it is meant to be met, and
    counts as having been right; unless the `last` accepted runs (those before, if none are given) have it under its id
    and it was wrong too often there too: then that was accepted already.
    """
    if not before or not after:
        return ()
    names = sorted({name for run in after for name in run.scenarios})
    known = set.intersection(*(set(shared(run, before).scenarios) for run in after))
    lost = []
    for name in names:
        was = _records(name, before if name in known else before if last is None else last)
        now = _records(name, after)
        if any(
            _is_given_up(part, was, now, same=name in known, scenarios=len(names), few=few)
            for part in _parts(levels=levels)
        ):
            lost.append(name)
    return tuple(lost)


def _is_given_up(
    part: Part,
    before: Sequence[ScenarioRecord],
    after: Sequence[ScenarioRecord],
    *,
    same: bool,
    scenarios: int,
    few: bool,
) -> bool:
    """`same`: whether its content is what it was; then nobody knows what was not kept."""
    was, now = _verdicts(before, part), _verdicts(after, part)
    if now is None or (was is None and same) or (was or []).count(False) > few_wrong(len(was or [])):
        return False
    if few:
        return now.count(False) > few_wrong(len(now))
    # Exactly half is half: three of six chosen runs would do.
    enough = min((len(now) + 1) // 2, beyond_chance(scenarios, len(now)))
    return now.count(False) >= enough


def _records(name: str, runs: Sequence[RunSummary]) -> list[ScenarioRecord]:
    return [run.scenarios[name] for run in runs if name in run.scenarios]


def _verdicts(records: Sequence[ScenarioRecord], part: Part) -> list[bool] | None:
    """Whether a part was right in each episode of those that ask for it; None where none does, or one kept nothing."""
    kept = [_RIGHT[part](record) for record in records if _ASKED[part](record)]
    return [one for verdicts in kept for one in verdicts or []] if kept and None not in kept else None


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
