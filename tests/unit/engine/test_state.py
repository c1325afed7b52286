"""The agent's named state under every kind of read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.engine.small import Lived, bench, job_of, lived

from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.evidence.events import StageRead, StateRead, StateWritten, decode_event
from proctor.spec.condition import UNUSABLE
from proctor.spec.task import Submission, TaskView


def under(reads: dict[str, Any], act: Any, *, n: int = 4, index: int = 0, scale: int = 1) -> Lived:
    built = bench(
        {"conditions": ["lesion"], "n": n},
        conditions=[{"id": "lesion", "reads": reads}],
        freezing={"scale": scale},
    )
    return lived(act, job_of(built, index))


def reading(*names: str) -> Any:
    async def act(task: TaskView, session: Any) -> Submission:
        return Submission([session.state.read(name) for name in names])

    return act


def number(episode: Lived) -> int:
    return int(episode.events[0].task.goal.split()[1][:-1])  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["reason", "memory", "x-own"])
def test_removed(name: str) -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        assert session.state.read(name) is None
        assert name not in session.state.names()
        session.state.write(name, "again")
        assert session.state.read(name) is None, "what is written cannot be read either"
        return Submission(1)

    episode = under({name: "remove"}, act)
    assert episode.row.reason == "wrong"
    assert [event.do for event in episode.only(StateRead)] == ["remove", "remove"]
    assert episode.only(StateWritten) == [StateWritten(name, "again")]


def test_kept_and_untouched_fields() -> None:
    episode = under({"reason": "keep"}, reading("reason", "memory", "veto"))
    n = number(episode)
    assert episode.only(StateRead) == [
        StateRead("reason", "keep", f"reason {n}"),
        StateRead("memory", "keep", [n]),
        StateRead("veto", "keep", None),
    ]


def test_declared_unusable_leaves_the_value_in_sight() -> None:
    episode = under({"reason": "declare_unusable"}, reading("reason"))
    assert episode.only(StateRead)[0].value == {**UNUSABLE, "value": f"reason {number(episode)}"}


def test_replaced() -> None:
    value = {"é": [1.5, None]}
    episode = under({"memory": {"do": "replace", "value": value}}, reading("memory"))
    assert episode.only(StateRead)[0].do == "replace"
    assert episode.row.answer == '[{"$pairs":[["é",[{"$num":"1.5"},null]]]}]'


def test_what_the_agent_writes_it_reads() -> None:
    async def act(task: TaskView, session: Any) -> Submission:
        session.state.write("plan", ["a", 1.5])
        assert session.state.read("plan") == ["a", 1.5]
        assert session.state.names() == ("memory", "plan", "reason", "x-own")
        return Submission(1)

    assert under({}, act).row.reason == "wrong"


@pytest.mark.parametrize("name", ["memry", "Memory", "decisive", "rest", "", "y-own"])
def test_a_field_nobody_knows_cannot_be_written(name: str) -> None:
    """Kept under a misspelt name it would escape every condition, and binding would look like decoration."""

    async def act(task: TaskView, session: Any) -> Submission:
        with pytest.raises(ValueError, match=r"is not a state field; there are reason, memory, .*and your own as x-"):
            session.state.write(name, "kept")
        return Submission(1)

    episode = under({}, act)
    assert episode.row.reason == "wrong"
    assert episode.only(StateWritten) == []


def donors(n: int, scale: int = 1) -> dict[int, int]:
    """Which number each instance reads when its memory is scrambled: instance number → donor's number."""
    built = bench(
        {"conditions": ["none", "lesion"], "n": n},
        conditions=[{"id": "lesion", "reads": {"memory": "scramble"}}],
        freezing={"scale": scale},
    )
    found: dict[int, int] = {}
    for index in range(built.plan.lifetimes):
        if built.plan.arms[built.plan.lifetime(index).arm].condition == "lesion":
            job = job_of(built, index)
            assert job.donor is not None
            found[job.instance.hidden["answer"]] = job.donor.state["memory"][0]
    return found


def test_scrambled_reads_another_instances_value() -> None:
    episode = under({"memory": "scramble"}, reading("memory", "reason"))
    scrambled, kept = episode.only(StateRead)
    assert scrambled.do == "scramble"
    assert scrambled.value != [number(episode)]
    assert kept.value == f"reason {number(episode)}"


@pytest.mark.parametrize("n", [1, 2, 3, 12])
def test_a_donor_is_never_oneself(n: int) -> None:
    found = donors(n)
    assert len(found) == n
    assert all(own != other for own, other in found.items())
    if n > 1:
        assert set(found.values()) <= set(found), "donors come from the same sample"


@pytest.mark.parametrize("n", [1, 5])
def test_a_larger_scale_keeps_every_donor(n: int) -> None:
    once, thrice = donors(n), donors(n, scale=3)
    assert len(thrice) == 3 * n
    assert all(thrice[own] == other for own, other in once.items())


def test_a_frozen_stage_is_read_as_an_event() -> None:
    built: Bench = bench(
        {"stage": "first"},
        {"stage": "second", "conditions": ["c"]},
        stages=[{"id": "first", "freeze": "answers"}, {"id": "second"}],
        conditions=[{"id": "c", "after": "first"}],
        stage_outputs={"first": ("ab" * 32, {})},
    )
    for index, expected in ((0, []), (4, [StageRead("first", "ab" * 32)])):
        records = asyncio.run(live(built, built.plan.lifetime(index)))
        events = [decode_event(line) for line in records[0].trace.split(b"\n")]
        assert [event for event in events if isinstance(event, StageRead)] == expected
