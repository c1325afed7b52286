"""Episodes: each of the outcomes, with its reason, and whose fault it was."""

from __future__ import annotations

import asyncio
import time
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from tests.unit.engine.small import Lived, bench, job_of, lived, with_setting
from tests.unit.engine.small_family import ARTIFACT

from proctor.agents.contract import AgentFailure, ServiceFailure
from proctor.core.canonical import unchain
from proctor.core.errors import LimitReached
from proctor.engine.job import Job, commitment
from proctor.engine.verdict import ANSWER_COLUMN
from proctor.evidence.events import AgentFailed, BenchFailed, EpisodeClosed, EpisodeOpened, Submitted, Verified
from proctor.evidence.row import OUTCOMES
from proctor.evidence.services import service_failure
from proctor.spec.task import Budget, Claim, Submission, TaskView


def handed_in(submission: Any, job: Job | None = None) -> Lived:
    async def act(task: TaskView, session: Any) -> Any:
        return submission

    return lived(act, job)


def failing(error: BaseException, job: Job | None = None) -> Lived:
    async def act(task: TaskView, session: Any) -> Any:
        raise error

    return lived(act, job)


def ending(episode: Lived) -> tuple[str, str]:
    assert episode.row.outcome in OUTCOMES
    closed = episode.events[-1]
    assert isinstance(closed, EpisodeClosed)
    assert (closed.outcome, closed.reason) == (episode.row.outcome, episode.row.reason), "row and chain agree"
    assert episode.kinds().count("EpisodeClosed") == 1
    return episode.row.outcome, episode.row.reason


# What the agent hands in.


def test_success_and_failure() -> None:
    number = job_of(bench()).instance.hidden["answer"]
    assert ending(handed_in(Submission(number))) == ("success", "correct")
    assert ending(handed_in(Submission(number + 1))) == ("failure", "wrong")
    assert ending(handed_in(Submission())) == ("failure", "wrong")


def test_a_format_error_is_counted_apart() -> None:
    episode = handed_in(Submission("verify:format"))
    assert ending(episode) == ("failure", "wrong")
    assert episode.row.format_error
    assert not handed_in(Submission(1)).row.format_error


@pytest.mark.parametrize("given", [None, 7, "answer", {"answer": 1}, Submission])
def test_what_is_no_submission_is_the_agents_failure(given: Any) -> None:
    episode = handed_in(given)
    assert ending(episode) == ("failure", "agent_protocol")
    assert episode.only(AgentFailed)[0].message.endswith("not a Submission")
    assert episode.row.answer is None


def endless() -> list[Any]:
    loop: list[Any] = []
    loop.append(loop)
    return loop


@pytest.mark.parametrize(
    "answer", [object(), {"a": {1j}}, endless(), 10**5000], ids=["object", "set", "endless", "huge"]
)
def test_an_answer_that_is_no_json_is_the_agents_failure(answer: Any) -> None:
    episode = handed_in(Submission(answer))
    assert ending(episode) == ("failure", "agent_protocol")
    assert not episode.only(Submitted)


@pytest.mark.parametrize("answer", [1.5, "\ud800", {"é": 2**70}, [[]], None, True])
def test_any_json_may_be_an_answer(answer: Any) -> None:
    episode = handed_in(Submission(answer))
    assert ending(episode) == ("failure", "wrong")
    recorded = unchain(episode.only(Submitted)[0].answer)
    assert recorded == ("\ufffd" if answer == "\ud800" else answer)


def test_a_short_answer_stands_in_the_row_and_a_long_one_is_named() -> None:
    assert handed_in(Submission({"b": 1, "a": "é"})).row.answer == '{"a":"é","b":1}'
    exact = "x" * (ANSWER_COLUMN - 2)
    assert handed_in(Submission(exact)).row.answer == f'"{exact}"'
    long = handed_in(Submission(exact + "x")).row.answer
    assert long == "sha256:" + sha256(f'"{exact}x"'.encode()).hexdigest()


@pytest.mark.parametrize(("confidence", "recorded"), [(0, "0.0"), (1, "1.0"), (0.25, "0.25"), (None, None)])
def test_confidence_is_recorded_as_text(confidence: float | None, recorded: str | None) -> None:
    episode = handed_in(Submission(1, confidence=confidence))
    assert episode.only(Submitted)[0].confidence == recorded
    assert episode.row.violations is None


@pytest.mark.parametrize("confidence", [1.01, -0.01, float("nan"), float("inf"), "sure", [1], 10**400])
def test_confidence_outside_its_scale_is_dropped_and_counted(confidence: Any) -> None:
    episode = handed_in(Submission(1, confidence=confidence))
    assert ending(episode) == ("failure", "wrong"), "the answer is still judged"
    assert episode.only(Submitted)[0].confidence is None
    assert episode.row.violations == '{"confidence_range":1}'


def test_claims_are_recorded() -> None:
    claims = (Claim("write", "a.txt", "done"), Claim("x\ud800"))
    recorded = handed_in(Submission(1, claims=claims)).only(Submitted)[0].claims
    assert recorded[0] == {"action": "write", "target": "a.txt", "result": "done"}
    assert recorded[1]["action"] == "x\ufffd"
    strange: Any = 5
    assert ending(handed_in(Submission(1, claims=strange))) == ("failure", "agent_protocol")


# An agent that fails.


def test_a_crash_is_the_agents_failure_without_what_changes_between_runs() -> None:
    episode = failing(ValueError(f"bad {object()!r}\nsecond line"))
    assert ending(episode) == ("failure", "agent_crashed")
    assert episode.only(AgentFailed)[0].message == "ValueError: bad <object object at 0x…>"
    assert failing(ValueError(f"bad {object()!r}")).row.head == episode.row.head


@pytest.mark.parametrize("name", ["abcdefgh", "a0xbeef_o", "0xdead", "_0x_", "x0x00x1"])
def test_no_random_folder_name_gets_into_the_chain(name: str) -> None:
    """Names that look like an address too: once in some fifty runs a temporary folder has one."""
    episode = failing(OSError(f"at 0x7f00 in /tmp/proctor-world-{name}/notes.txt"))
    assert episode.only(AgentFailed)[0].message == "OSError: at 0x… in /tmp/proctor-world-…/notes.txt"


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("even this")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (Unspeakable(), "Unspeakable"),
        (KeyError("\ud800"), "KeyError: '\\ud800'"),
        (ValueError("\ud800"), "ValueError: \ufffd"),
        (RecursionError(), "RecursionError"),
        (TimeoutError("my own server"), "TimeoutError: my own server"),
        (LimitReached("tokens"), "LimitReached: the declared limit on tokens is reached"),
        (MemoryError("x" * 900), "MemoryError: " + "x" * 300),
    ],
)
def test_whatever_it_raises(error: Exception, message: str) -> None:
    """A limit nobody set and a timeout of the agent's own are crashes: `limit` means that the bench stopped it."""
    episode = failing(error)
    assert ending(episode) == ("failure", "agent_crashed")
    assert episode.only(AgentFailed)[0].message == message


@pytest.mark.parametrize("reason", ["agent_crashed", "agent_protocol", "agent_unavailable"])
def test_a_transports_reason_is_kept(reason: str) -> None:
    assert ending(failing(AgentFailure(reason, "it went away"))) == ("failure", reason)


def test_cancellation_gets_out_and_the_world_is_closed() -> None:
    with pytest.raises(asyncio.CancelledError):
        failing(asyncio.CancelledError())


# Real time.


def test_real_time_ends_an_episode() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        await asyncio.sleep(30)
        return Submission(1)

    job = with_setting(job_of(bench()), real_seconds=0.02)
    assert ending(lived(act, job)) == ("limit", "wall_clock")


def test_a_declared_cap_counts_real_time_only_where_the_regime_says_so() -> None:
    shown: list[int | None] = []

    async def act(task: TaskView, session: Any) -> Submission:
        await asyncio.sleep(0.06)
        shown.append(session.budget.milliseconds)
        await asyncio.sleep(0.06)
        return Submission(1)

    logical = with_setting(job_of(bench()), real_seconds=60.0)
    logical.limits = Budget(milliseconds=100)
    assert lived(act, logical).row.answer == "1"
    assert shown == [100], "no tool took any time"
    real = with_setting(job_of(bench()), real_seconds=60.0, on_real_time=True)
    real.limits = Budget(milliseconds=100)
    assert ending(lived(act, real)) == ("limit", "wall_clock")
    assert shown[1] is not None and shown[1] <= 40, "what it is shown is what ends it"


def test_a_time_out_that_the_bench_made_is_the_bench_s() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        # Somebody else's work in the same loop: the agent cannot get its turn.
        asyncio.get_running_loop().call_later(0.01, time.sleep, 0.5)
        await asyncio.sleep(0.4)
        await asyncio.sleep(30)
        return Submission(1)

    episode = lived(act, with_setting(job_of(bench()), real_seconds=0.45))
    assert ending(episode) == ("infrastructure", "bench_late")
    assert "too busy" in episode.only(BenchFailed)[0].message


def test_time_in_which_the_loop_was_late_is_given_back() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        asyncio.get_running_loop().call_later(0.01, time.sleep, 0.5)
        await asyncio.sleep(0.3)
        await asyncio.sleep(0.1)
        return Submission(1)

    episode = lived(act, with_setting(job_of(bench()), real_seconds=0.45))
    assert episode.row.answer == "1"


@pytest.mark.parametrize("final", [True, False])
def test_a_service_that_failed_says_so_in_the_row(final: bool) -> None:
    failure = ServiceFailure("server_unavailable", "the server of the agent is gone\nand more", final=final)
    episode = failing(failure)
    assert ending(episode) == ("infrastructure", "server_unavailable")
    said = "the server of the agent is gone"
    assert episode.only(BenchFailed) == [BenchFailed("service", said, final)]
    assert service_failure(episode.row) == {"service": said, **({"final": 1} if final else {})}
    assert "final" not in msgspec.json.encode(BenchFailed("service", said)).decode(), "older traces read the same"


def test_a_service_failure_has_a_known_reason() -> None:
    with pytest.raises(ValueError, match="no reason of a service failure"):
        ServiceFailure("tired", "it is tired")


def test_an_agents_own_timeout_on_real_time_is_its_crash() -> None:
    job = with_setting(job_of(bench()), real_seconds=60.0)
    assert ending(failing(TimeoutError(), job)) == ("failure", "agent_crashed")


# World and verifier.


@pytest.mark.parametrize("answer", ["verify:crash", "verify:undeclared", "verify:nothing", "verify:other_artifact"])
def test_a_verifier_that_breaks_at_what_is_handed_in_is_the_agents_failure(answer: str) -> None:
    episode = handed_in(Submission(answer))
    assert ending(episode) == ("failure", "world_broke")
    assert not episode.only(Verified)
    assert "0x7" not in episode.only(AgentFailed)[0].message
    assert episode.row.answer == f'"{answer}"', "what was handed in is kept"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("no_world", "world_setup"),
        ("no_observation", "world_setup"),
        ("bad_goal", "world_setup"),
        ("no_state", "world"),
    ],
)
def test_a_world_that_breaks_is_infrastructure(script: str, reason: str) -> None:
    job = job_of(bench({"knobs": {"script": script}}) if script != "no_world" else bench())
    if script == "no_world":
        job.instance.hidden["script"] = script
    episode = handed_in(Submission(1), job)
    assert ending(episode) == ("infrastructure", reason)
    assert len(episode.only(BenchFailed)) == 1
    assert "proctor-world-" not in episode.only(BenchFailed)[0].message.replace("proctor-world-…", "")


def test_a_world_that_cannot_tidy_up_does_not_undo_the_verdict() -> None:
    job = job_of(bench({"knobs": {"script": "no_close"}}))
    assert ending(handed_in(Submission(job.instance.hidden["answer"]), job)) == ("success", "correct")


def test_an_artifact_is_kept_with_the_evidence() -> None:
    job = with_setting(job_of(bench()), leaves_artifacts=True)
    episode = handed_in(Submission("verify:artifact"), job)
    assert ending(episode) == ("success", "correct")
    assert episode.record.contents[sha256(ARTIFACT).hexdigest()] == ARTIFACT
    assert episode.row.artifact_ok is True


def test_an_artifact_may_be_kept_by_hash_alone() -> None:
    assert ending(handed_in(Submission("verify:hash_only"))) == ("success", "correct")


def test_a_success_without_its_artifact_is_a_failure() -> None:
    job = with_setting(job_of(bench()), leaves_artifacts=True)
    episode = handed_in(Submission(job.instance.hidden["answer"]), job)
    assert ending(episode) == ("failure", "missing_artifact")
    assert episode.row.artifact_ok is False
    assert episode.only(Verified)[0].success is False
    assert handed_in(Submission(1)).row.artifact_ok is None, "a family that leaves none has none to miss"


# What was fixed beforehand.


def test_the_first_event_fixes_everything() -> None:
    job = job_of(bench())
    episode = handed_in(Submission(1), job)
    opened = episode.events[0]
    assert isinstance(opened, EpisodeOpened)
    assert opened.commitment == commitment(job.instance)
    assert opened.family == "small@1.0"
    assert opened.task.id == job.nonce[:16]
    assert sha256(episode.record.contents[opened.tools]).hexdigest() == opened.tools


def test_nothing_hidden_is_shown() -> None:
    job = job_of(bench())
    seen: list[TaskView] = []

    async def act(task: TaskView, session: Any) -> Submission:
        seen.append(task)
        return Submission(1)

    lived(act, job)
    shown = repr(seen[0])
    assert "small" not in shown.replace(seen[0].canary, ""), "no family name"
    assert job.instance_id not in shown
    assert job.instance.hidden["script"] not in shown.replace("solve", "")


def test_undeclared_fields_of_an_observation_are_counted() -> None:
    job = job_of(bench())
    job.instance.observation["surprise"] = 1
    assert handed_in(Submission(1), job).row.undeclared == 1
    assert handed_in(Submission(1), with_setting(job, declared_fields=None)).row.undeclared == 0


def test_the_final_state_is_hashed() -> None:
    async def add(task: TaskView, session: Any) -> Submission:
        await session.call("add", by=5)
        return Submission(1)

    left, right = lived(add).only(EpisodeClosed)[0].state, handed_in(Submission(1)).only(EpisodeClosed)[0].state
    assert left != right
    assert None not in (left, right)
