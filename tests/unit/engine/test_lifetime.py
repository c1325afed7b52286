"""Lifetimes: one agent object, in order; memory saved, put back, wiped; whole or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.engine.small import Lived, bench, read

from proctor.agents.contract import AgentFailure
from proctor.core.errors import BenchError
from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.evidence.events import AgentFailed, MemoryMoved
from proctor.spec.task import Submission, TaskView

PROGRAM = [
    {"phase": "pre", "episodes": 2, "before": "snapshot"},
    {"phase": "train", "episodes": 2},
    {"phase": "post", "episodes": 1},
    {"phase": "control", "episodes": 1, "before": "restore"},
    {"phase": "blank", "episodes": 2, "before": "clear"},
]


class Plain:
    """Counts the episodes it has lived."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.lived = 0
        self.closed = 0

    async def run(self, task: TaskView, session: Any) -> Submission:
        self.lived += 1
        return Submission([self.lived])


class Remembering(Plain):
    def remembers(self) -> bool:
        return True

    def snapshot(self) -> bytes:
        return str(self.lived).encode()

    def restore(self, memory: bytes) -> None:
        self.lived = int(memory)

    def clear(self) -> None:
        self.lived = 0


class Asked(Remembering):
    """Defines everything and says at run time that it cannot; counts how often it was asked."""

    asked = 0

    def remembers(self) -> bool:
        type(self).asked += 1
        return False


class Forgetful(Plain):
    """Fails at everything to do with its memory."""

    def remembers(self) -> bool:
        return True

    def snapshot(self) -> bytes:
        raise OSError("disk full")

    def restore(self, memory: bytes) -> None:
        raise OSError("disk full")

    def clear(self) -> None:
        raise OSError("disk full")

    async def close(self) -> None:
        raise OSError("already gone")


class Closing(Plain):
    count = 0

    async def close(self) -> None:
        type(self).count += 1


def lifetime_of(
    make: Callable[[], Any], program: list[dict[str, Any]] | None = None, entry: dict[str, Any] | None = None
) -> tuple[list[Lived], Bench]:
    built = bench({"n": 3, "program": program or PROGRAM, **(entry or {})}, agent="null")
    built.open_agent = lambda lifetime: make()  # type: ignore[method-assign]
    return [read(record, built.config_hash) for record in asyncio.run(live(built, built.plan.lifetime(1)))], built


def answers(episodes: list[Lived]) -> list[Any]:
    import json

    return [json.loads(episode.row.answer or "null") for episode in episodes]


def moves(episodes: list[Lived]) -> list[tuple[int, str, bool]]:
    return [(n, event.action, event.possible) for n, e in enumerate(episodes) for event in e.only(MemoryMoved)]


def test_one_agent_object_lives_its_episodes_in_order() -> None:
    Remembering.made = 0
    episodes, built = lifetime_of(Remembering)
    assert Remembering.made == 1
    phases = ["pre", "pre", "train", "train", "post", "control", "blank", "blank"]
    assert [episode.row.phase for episode in episodes] == phases
    first = built.plan.lifetime(1).position
    assert [episode.row.position for episode in episodes] == list(range(first, first + 8))
    assert {episode.row.lifetime for episode in episodes} == {first}
    assert len({episode.row.unit for episode in episodes}) == 1


def test_memory_is_saved_put_back_and_wiped() -> None:
    episodes, _ = lifetime_of(Remembering)
    assert [answer[0] for answer in answers(episodes)] == [1, 2, 3, 4, 5, 1, 1, 2]
    assert moves(episodes) == [(0, "snapshot", True), (5, "restore", True), (6, "clear", True)]


def test_a_control_looks_to_the_agent_like_every_other_phase() -> None:
    class Noting(Remembering):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[list[str]] = []
            self.noted: list[str] = []

        def snapshot(self) -> bytes:
            self.noted.append("snapshot")
            return super().snapshot()

        def restore(self, memory: bytes) -> None:
            self.noted.append("restore")
            super().restore(memory)

        async def run(self, task: TaskView, session: Any) -> Submission:
            self.seen.append(self.noted)
            self.noted = []
            return await super().run(task, session)

    made: list[Noting] = []

    def make() -> Noting:
        made.append(Noting())
        return made[-1]

    lifetime_of(make, program=PROGRAM[:4])
    moved = ["snapshot", "restore"]
    # Saved, kept, kept, reset: what becomes of its memory is all that differs.
    assert made[0].seen == [moved, [], moved, [], moved, moved]


def test_an_agent_without_a_memory_of_its_own_is_made_anew_to_forget() -> None:
    Plain.made = 0
    episodes, _ = lifetime_of(Plain)
    assert Plain.made == 3
    assert [answer[0] for answer in answers(episodes)] == [1, 2, 3, 4, 5, 1, 1, 2]
    assert moves(episodes) == [(0, "snapshot", True), (5, "restore", True), (6, "clear", True)]


def test_an_agent_that_says_it_cannot_remember_is_made_anew_too() -> None:
    Asked.made = Asked.asked = 0
    episodes, _ = lifetime_of(Asked)
    assert Asked.made == 3
    assert [answer[0] for answer in answers(episodes)] == [1, 2, 3, 4, 5, 1, 1, 2]
    assert Asked.asked == 5, "once for each phase that begins"
    lifetime_of(Asked, [{"episodes": 3}])
    assert Asked.asked == 5, "and never where it stays"


def test_a_memory_in_mid_life_can_only_be_put_back_by_an_agent_that_saves_it() -> None:
    program: list[dict[str, Any]] = [
        {"episodes": 1},
        {"episodes": 1, "before": "snapshot"},
        {"episodes": 2, "before": "restore"},
        {},
    ]
    episodes, _ = lifetime_of(Plain, program)
    assert [(e.row.outcome, e.row.reason) for e in episodes][1:] == [
        ("failure", "wrong"),
        ("infrastructure", "memory"),
        ("infrastructure", "memory"),
        ("infrastructure", "memory"),
    ], "and so is all that follows"


def test_an_agent_that_fails_at_its_memory_fails_and_does_not_stop_the_run() -> None:
    """Were it excluded, raising an error would be the way out of every lifetime that goes badly."""
    episodes, _ = lifetime_of(Forgetful)
    assert len(episodes) == 8
    assert [(e.row.outcome, e.row.reason) for e in episodes[6:]] == [("failure", "memory_failed")] * 2


def test_an_agent_that_can_no_longer_remember_where_it_could_fails() -> None:
    class Changing(Remembering):
        asked = 0

        def remembers(self) -> bool:
            self.asked += 1
            return self.asked < 2

    program: list[dict[str, Any]] = [{}, {"before": "snapshot"}, {"before": "restore"}, {}]
    episodes, _ = lifetime_of(Changing, program)
    assert [(e.row.outcome, e.row.reason) for e in episodes[2:]] == [("failure", "memory_failed")] * 2
    assert moves(episodes) == [(1, "snapshot", True), (2, "restore", False)]


def test_a_bench_that_cannot_move_a_memory_blames_nobody() -> None:
    class NoSandbox(Remembering):
        def restore(self, memory: bytes) -> None:
            raise BenchError("the sandbox could not be started")

    episodes, _ = lifetime_of(NoSandbox, [{}, {"before": "snapshot"}, {"before": "restore"}])
    assert episodes[2].row.outcome == "infrastructure"


def test_restoring_what_was_never_saved_is_not_possible() -> None:
    episodes, _ = lifetime_of(Remembering, [{"episodes": 1}, {"episodes": 1, "before": "restore"}])
    assert [(e.row.outcome, e.row.reason) for e in episodes][1:] == [("infrastructure", "memory")]


def test_an_agent_is_closed_once_per_life() -> None:
    Closing.count = 0
    lifetime_of(Closing)
    assert Closing.count == 3, "when it was made anew, twice, and at the end"
    Closing.count = 0
    lifetime_of(Closing, [{"episodes": 1}])
    assert Closing.count == 1


def test_an_agent_that_cannot_be_started_fails_every_episode() -> None:
    def make() -> Any:
        raise AgentFailure("agent_unavailable", "not ready within 5 s")

    episodes, _ = lifetime_of(make)
    assert {(e.row.outcome, e.row.reason) for e in episodes} == {("failure", "agent_unavailable")}
    assert episodes[0].only(AgentFailed)[0].message == "AgentFailure: not ready within 5 s"


def test_an_instance_that_cannot_be_made_is_infrastructure_and_the_rest_is_lived() -> None:
    program: list[dict[str, Any]] = [{}, {"knobs": {"script": "no_instance"}}, {}]
    episodes, _ = lifetime_of(Remembering, program)
    assert [(e.row.outcome, e.row.reason) for e in episodes] == [
        ("failure", "wrong"),
        ("infrastructure", "instance"),
        ("failure", "wrong"),
    ]
    assert episodes[1].row.phase == "test"
    assert episodes[1].row.position == episodes[0].row.position + 1


def test_a_memory_action_is_carried_out_though_the_instance_fails() -> None:
    program = [
        {"phase": "train", "episodes": 2},
        {"phase": "blank", "episodes": 1, "before": "clear", "knobs": {"script": "no_instance"}},
        {"phase": "post", "episodes": 1},
    ]
    episodes, _ = lifetime_of(Remembering, program)
    assert answers(episodes)[3][0] == 1, "what should have been forgotten was forgotten"


def test_every_episode_of_a_lifetime_has_an_instance_of_its_own() -> None:
    episodes, built = lifetime_of(Remembering)
    assert len({episode.row.instance for episode in episodes}) == 8
    life = built.plan.lifetime(1)
    shared = {built.job(life, step).instance.hidden["index"] for step in range(8)}
    assert shared == {life.instance}


@pytest.mark.parametrize("part", [0, 1])
def test_the_halves_of_a_pair_share_unit_and_instance(part: int) -> None:
    built = bench({"n": 5, "parts": 2}, agent="null")
    found: dict[int, list[Any]] = {}
    for index in range(built.plan.lifetimes):
        life = built.plan.lifetime(index)
        found.setdefault(life.unit, []).append((life.part, life.instance, built.job(life, 0).instance_id))
    assert len(found) == 5
    for halves in found.values():
        assert sorted(half[part] for half in halves) == ([0, 1] if part == 0 else [halves[0][1]] * 2)
        assert len({half[2] for half in halves}) == 1
