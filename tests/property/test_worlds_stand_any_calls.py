"""Every world under its contract, whatever is called: a state machine whose failing sequences shrink to the few calls
that matter.

The calls are those of the check `any_calls`, drawn by Hypothesis instead of a stream, through a real session. Each is
made when it is drawn; at the end the same calls are made again in a fresh world. Never: an exception, a call above the
declared processor time in both worlds, a file outside the folder read or changed, two different records or states.
"""

from __future__ import annotations

import asyncio
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.adversarial.attackers.world_calls import families, subject_of
from tests.conformance.mutants import lived

from proctor.agents.contract import Session
from proctor.conformance.strained_world import StrainedWorld
from proctor.conformance.subject import Subject
from proctor.conformance.wild_caller import Made, WildCaller
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.engine.family import Family
from proctor.engine.trial import Trial, live
from proctor.plugins import registry
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.worlds.world import Place, World

SECRET = "proctor-lies-beside-the-world"
INSTANCES = 5
QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example)


class Drawn(Stream):
    """A stream that Hypothesis draws, and so can make simpler: everything it offers comes from these."""

    __slots__ = ("_data",)

    def __init__(self, data: st.DataObject) -> None:
        super().__init__(b"")
        self._data = data

    def below(self, n: int) -> int:
        return self._data.draw(st.integers(0, n - 1))

    def random(self) -> float:
        # Nothing unusual is the simplest: what is unusual has a small chance, and a small number.
        return 1 - (1 + self._data.draw(st.integers(0, 999))) / 1_000

    def bits64(self) -> int:
        return self._data.draw(st.integers(0, 2**64 - 1))


class Held:
    """An agent that waits while somebody else uses its session, then hands in. Whoever relieves it hands in at once."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.shown: asyncio.Future[tuple[TaskView, Session]] = loop.create_future()
        self.handed: asyncio.Future[Submission] = loop.create_future()

    async def run(self, task: TaskView, session: Session) -> Submission:
        if not self.shown.done():
            self.shown.set_result((task, session))
        return await self.handed


class Repeating:
    """Makes the same calls once more."""

    def __init__(self, made: list[Made], submission: Submission) -> None:
        self._made = list(made)
        self._submission = submission

    async def run(self, task: TaskView, session: Session) -> Submission:
        made, self._made = self._made, []
        try:
            for name, arguments in made:
                await session.call(name, **arguments)
        except LimitReached:
            pass  # The first time ended here too.
        return self._submission


class WorldMachine(RuleBasedStateMachine):
    """One episode in one world of a family."""

    def __init__(self, subject: Subject, steps: int) -> None:
        super().__init__()
        self.subject = subject
        self.steps = steps
        self.over = True
        self.made: list[Made] = []
        self.loop = asyncio.new_event_loop()
        self.folder = tempfile.TemporaryDirectory(prefix="proctor-machine-")
        self.root = Path(self.folder.name)
        self.secret = self.root / "beside" / "secret"
        self.secret.parent.mkdir()
        self.secret.write_text(SECRET)
        (self.root / "worlds").mkdir()
        self.places: list[Place] = []
        self.worlds: list[StrainedWorld] = []

    def make_world(self, instance: Instance, place: Place) -> World:
        self.places.append(Place(place.clock, self.root / "worlds"))
        self.worlds.append(StrainedWorld(self.subject.family.world(instance, self.places[-1]), SECRET))
        return self.worlds[-1]

    def job(self) -> Any:
        limits = Budget(actions=self.steps)
        return self.subject.job(self.index, limits=limits, make_world=self.make_world)

    @initialize(index=st.integers(0, INSTANCES - 1), data=st.data())
    def begin(self, index: int, data: st.DataObject) -> None:
        self.index = index
        self.agent = Held(self.loop)
        self.lived = self.loop.create_task(live(self.job(), self.agent))
        self.task, self.session = self.loop.run_until_complete(self.agent.shown)
        extra = (str(self.secret), "../../../beside/secret")
        self.caller = WildCaller(Drawn(data), 0, self.subject.solver_calls(index), extra)
        self.over = False

    @precondition(lambda self: not self.over)
    @rule(data=st.data())
    def call(self, data: st.DataObject) -> None:
        self.caller.draw_from(Drawn(data))
        self.caller.look(self.session)
        made = self.caller.call(self.task.tools, self.made)
        self.made.append(made)
        try:
            self.loop.run_until_complete(self.session.call(made[0], **made[1]))
        except LimitReached:
            self.over = True

    @precondition(lambda self: not self.over)
    @invariant()
    def stands(self) -> None:
        assert not self.worlds[0].broken
        assert self.secret.read_text() == SECRET

    def teardown(self) -> None:
        try:
            if self.worlds:
                self.end()
        finally:
            for place in self.places:
                place.close()
            self.loop.close()
            self.folder.cleanup()

    def end(self) -> None:
        submission = Submission("unknown")
        self.agent.handed.set_result(submission)
        first: Trial = self.loop.run_until_complete(self.lived)
        again = self.subject.live(self.job(), Repeating(self.made, submission))
        world, other = self.worlds
        assert not world.broken + other.broken
        assert not world.slow & other.slow, f"above {world.processor_seconds} s of processor, twice"
        assert first.record.trace == again.record.trace
        assert world.states[-1:] == other.states[-1:]
        for place in self.places:
            place.close()
        left = sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))
        assert left == ["beside", "beside/secret", "worlds"]
        assert self.secret.read_text() == SECRET


@cache
def _usable() -> dict[str, Family]:
    return dict(families())


def _stand(family: Family | None, examples: int, steps: int, phases: tuple[Phase, ...] = tuple(Phase)) -> None:
    if family is None:
        pytest.skip("it has no tools, reads a user's file, or needs what is not installed here")
    with subject_of(family, 16) as subject:
        run_state_machine_as_test(
            cast("type[RuleBasedStateMachine]", lambda: WorldMachine(subject, steps)),
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                phases=phases,
                derandomize=True,
                deadline=None,
                database=None,
                suppress_health_check=QUIET,
            ),
        )


@pytest.mark.parametrize("name", registry.names("families"))
def test_a_world_stands_any_calls(name: str) -> None:
    _stand(_usable().get(name), examples=3, steps=8)


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names("families"))
def test_a_world_stands_many_calls(name: str) -> None:
    _stand(_usable().get(name), examples=40, steps=40)


@pytest.mark.parametrize("mutant", [lived.large_numbers, lived.follows_paths, lived.leaves_files])
def test_what_breaks_a_world_is_found(mutant: Family) -> None:
    with pytest.raises(AssertionError):
        _stand(mutant, examples=200, steps=20, phases=(Phase.generate,))
