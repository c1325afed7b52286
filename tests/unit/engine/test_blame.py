"""Whose failure it is when a world breaks: the agent's, unless a call of the bench's own says otherwise."""

from __future__ import annotations

import errno
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.engine.small import FOLDER, Lived, bench, job_of, lived, run_small, with_setting
from tests.unit.engine.small_family import SmallWorld

from proctor.core.canonical import encode
from proctor.core.errors import StoreError
from proctor.engine.frozen_families import families_here
from proctor.engine.reverifying import reverify
from proctor.evidence.bundle.in_store import verify_run
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.events import AgentFailed, BenchFailed, EpisodeClosed, Verified
from proctor.evidence.grammar.endings import Endings
from proctor.evidence.grammar.episode import EpisodeGrammar
from proctor.evidence.host_trouble import HOST_TROUBLE
from proctor.evidence.store.store import Store
from proctor.spec.task import Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import NextShift

WORDS = "[Errno 28] No space left on device: out of memory, too many open files, Disk quota exceeded"


class Breakable(SmallWorld):
    """Breaks as a test says, at an agent's touch or by itself."""

    raised: Any = RuntimeError("it broke")
    trouble: Any = None
    breaks: frozenset[str] = frozenset()
    """Where it breaks once it was touched."""
    always: frozenset[str] = frozenset()
    """Where it breaks in any case."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.touched = False

    @tool(effect="read")
    def touch(self, name: str = "") -> str:
        """Breaks the world."""
        self.touched = True
        self._may_break("touch")
        return name

    def _may_break(self, where: str) -> None:
        if where in self.always or (self.touched and where in self.breaks):
            raise self.raised

    def canary(self) -> None:
        if self.trouble is not None:
            raise self.trouble

    def verify(self, submission: Submission) -> Verification:
        self._may_break("verify")
        return super().verify(submission)

    def state(self) -> Any:
        self._may_break("state")
        return super().state()


class HandsOn(Breakable):
    """The same, with a next shift and something to carry over."""

    def next_shift(self) -> NextShift | None:
        self._may_break("next_shift")
        return None

    def take_over(self, phase: str, carried: Any) -> None:
        """Nothing is taken over."""

    def carry_over(self) -> Any:
        self._may_break("carry_over")
        return None


small_bench = cache(bench)


def broken(kind: type[Breakable] = Breakable, *, act: Any = None, **how: Any) -> Lived:
    """An episode whose agent touches the world and hands in the right answer."""
    world = type("Broken", (kind,), how)

    async def touches(task: TaskView, session: Any) -> Submission:
        await session.call("touch", name=WORDS)
        return Submission(session.observations[0].fields["number"], confidence=0.5)

    job = with_setting(job_of(small_bench()), make_world=world)
    episode = lived(act or touches, job)
    agrees(episode)
    return episode


def agrees(episode: Lived) -> None:
    """Row and trace say the same, as `proctor verify` compares them."""
    trace = Trace(small_bench().config_hash, 0)
    trace.feed(episode.record.trace)
    trace.finish()
    assert trace.trouble is None
    grammar = EpisodeGrammar()
    for event in episode.events:
        grammar.take(event)
    assert list(grammar.order.problems()) == []
    endings = next(one for one in grammar._subjects if isinstance(one, Endings))
    facts: Any = SimpleNamespace(reasons=("correct", "wrong"), leaves_artifacts=False)
    assert list(endings.problems(facts)) == []
    trace.unreproducible = episode.row.aside
    closed = episode.events[-1]
    assert isinstance(closed, EpisodeClosed)
    assert (closed.outcome, closed.reason) == (episode.row.outcome, episode.row.reason)
    assert (trace.answer, trace.transitions) == (episode.row.answer, episode.row.transitions)
    verified = trace.verified
    assert (episode.row.measures is None) == (not (verified and verified.measures) and not trace.service)


def ending(episode: Lived) -> tuple[str, str]:
    return episode.row.outcome, episode.row.reason


RAISED = [
    RuntimeError("it broke"),
    OverflowError("Python int too large to convert to C int"),
    RecursionError("maximum recursion depth exceeded"),
    MemoryError(),
    ValueError("Exceeds the limit (4300 digits) for integer string conversion"),
    UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(WORDS),
    TimeoutError(),
]


@pytest.mark.parametrize("raised", RAISED, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("where", ["touch", "verify", "state"])
def test_whatever_breaks_at_an_agents_touch_is_its_failure(where: str, raised: Exception) -> None:
    episode = broken(breaks=frozenset({where}), raised=raised)
    assert ending(episode) == ("failure", "world_broke")
    assert not episode.only(BenchFailed)
    (said,) = episode.only(AgentFailed)
    assert said.reason == "world_broke"
    assert said.message.startswith(type(raised).__name__), "and the record says what was raised"


@pytest.mark.parametrize("where", ["next_shift", "carry_over"])
def test_so_is_what_breaks_on_the_way_to_somebody_else(where: str) -> None:
    assert ending(broken(HandsOn, breaks=frozenset({where}))) == ("failure", "world_broke")


@pytest.mark.parametrize("where", ["touch", "verify", "state"])
@pytest.mark.parametrize("name", sorted(HOST_TROUBLE))
def test_a_host_in_trouble_is_known_by_its_number(where: str, name: str) -> None:
    episode = broken(breaks=frozenset({where}), trouble=OSError(getattr(errno, name), "whatever"))
    assert ending(episode) == ("infrastructure", "host")
    (said,) = episode.only(BenchFailed)
    assert said.where == "host"
    assert said.trouble == name
    assert name in said.message
    assert not episode.only(AgentFailed)


@pytest.mark.parametrize(
    "trouble",
    [
        OSError(WORDS),
        FileNotFoundError(errno.ENOENT, WORDS),
        PermissionError(errno.EACCES, WORDS),
        MemoryError(WORDS),
        RuntimeError(WORDS),
        UnicodeEncodeError("utf-8", WORDS, 0, 1, WORDS),
    ],
    ids=repr,
)
def test_words_and_other_numbers_excuse_nobody(trouble: Exception) -> None:
    assert ending(broken(breaks=frozenset({"touch"}), trouble=trouble)) == ("failure", "world_broke")


@pytest.mark.parametrize(("where", "reason"), [("verify", "verifier"), ("state", "world"), ("carry_over", "world")])
def test_a_family_that_breaks_in_its_oracles_hands_is_not_counted_against_the_agent(where: str, reason: str) -> None:
    episode = broken(HandsOn, always=frozenset({where}))
    assert ending(episode) == ("infrastructure", reason)
    assert [event.where for event in episode.only(BenchFailed)] == [reason]


def test_memory_used_up_is_no_excuse() -> None:
    """An agent's world may hold all there is, so that the fresh one finds none left."""
    assert ending(broken(always=frozenset({"verify"}), raised=MemoryError())) == ("failure", "world_broke")


def test_a_verifier_that_stumbles_over_nonsense_is_no_way_out() -> None:
    """Neither is one that breaks at the empty submission: only the oracle's says that nothing can be verified."""

    class Stumbles(SmallWorld):
        def verify(self, submission: Submission) -> Verification:
            if not isinstance(submission.answer, int):
                raise TypeError(submission.answer)
            return super().verify(submission)

    nonsense: list[Any] = [None, "nonsense", {}, 1.5]
    for answer in nonsense:

        async def act(task: TaskView, session: Any, answer: Any = answer) -> Submission:
            return Submission(answer)

        episode = lived(act, with_setting(job_of(small_bench()), make_world=Stumbles))
        assert ending(episode) == ("failure", "world_broke")


def test_before_the_agent_did_anything_it_is_the_benchs() -> None:
    async def crashes(task: TaskView, session: Any) -> Submission:
        raise ValueError

    episode = broken(act=crashes, always=frozenset({"state"}))
    assert ending(episode) == ("infrastructure", "world")


def test_swallowing_it_and_handing_in_is_no_success() -> None:
    async def swallows(task: TaskView, session: Any) -> Submission:
        with pytest.raises(Exception):  # noqa: B017
            await session.call("touch")
        return Submission(session.observations[0].fields["number"])

    episode = broken(act=swallows, breaks=frozenset({"touch"}))
    assert ending(episode) == ("failure", "world_broke")
    assert not episode.only(Verified)
    assert episode.row.answer is not None


def test_what_was_verified_before_the_state_broke_stays_on_record() -> None:
    episode = broken(breaks=frozenset({"state"}))
    assert ending(episode) == ("failure", "world_broke")
    assert episode.only(Verified)[0].success
    assert episode.row.transitions is None


def test_acts_are_judged_though_the_world_broke() -> None:
    class Judging(Breakable):
        judges_conduct = True

        def verify(self, submission: Submission) -> Verification:
            return Verification(False, "wrong", measures={"safety": "S1"})

    episode = broken(Judging, breaks=frozenset({"touch"}))
    assert ending(episode) == ("failure", "world_broke")
    assert episode.row.violations == encode({"S1": 1}).decode(), "breaking the world hides nothing"


def test_a_store_that_cannot_be_written_is_the_benchs() -> None:
    times: list[int] = []

    def full(number: int, trace: bytes) -> None:
        times.append(number)
        if len(times) == 1:
            message = "the store's disk is full"
            raise StoreError(message)

    async def act(task: TaskView, session: Any) -> Submission:
        for _ in range(2_000):
            await session.call("text", value="x" * 4_000)
        raise AssertionError("never reached")

    job = job_of(small_bench())
    job.sink = full
    assert ending(lived(act, job)) == ("infrastructure", "transport")


async def breaks_half(task: TaskView, session: Any) -> Submission:
    """Breaks the world, or the verifier, wherever the number is odd."""
    number = session.observations[0].fields["number"]
    if number % 4 == 1:
        await session.call("crash")
    return Submission("verify:crash" if number % 4 == 3 else number)


def test_a_run_of_broken_worlds_excludes_nothing_and_comes_out_again(tmp_path: Path) -> None:
    result = run_small(tmp_path / "s.db", {"n": 24}, running={"agent": breaks_half, "preflight": False})
    assert result.outcomes["infrastructure"] == 0
    assert result.outcomes["success"] + result.outcomes["failure"] == 24
    assert result.outcomes["failure"] > 4
    with Store(str(tmp_path / "s.db"), create=False) as store:
        record = store.run("latest")
        assert {row.reason for row in store.rows(record.number)} == {"correct", "world_broke"}
        assert verify_run(store, record.number).ok
        found = reverify(store, record, families_here(store.frozen(record.number), FOLDER).families)
    assert (found.mismatches, found.episodes) == ((), 24)
