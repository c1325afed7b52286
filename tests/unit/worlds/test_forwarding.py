"""A world that passes everything on is, for the bench, the world inside."""

from __future__ import annotations

import asyncio
from typing import Any

from proctor.core.abilities import members
from proctor.spec.condition import NO_INTERVENTION
from proctor.spec.task import Instance, Submission, ToolResult, Verification
from proctor.worlds.forwarding import ForwardingWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import (
    BaseWorld,
    CarriesOver,
    EpisodeContext,
    HandsOver,
    NextShift,
    Place,
    TakesIntervention,
    World,
)

INSTANCE = Instance("one", "Do it.", "a word", {"seen": 1}, {})
SHIFT = NextShift("Go on.", "a word", {})


class Plain(BaseWorld):
    """A world without abilities."""

    closed = False

    @tool(effect="read")
    def look(self) -> int:
        """Look."""
        return 7

    def verify(self, submission: Submission) -> Verification:
        return Verification(submission.answer == 7, "correct" if submission.answer == 7 else "wrong")

    def state(self) -> Any:
        return {"closed": self.closed}

    def artifact(self, name: str) -> bytes | None:
        return name.encode()

    def close(self) -> None:
        self.closed = True


class Able(Plain):
    judges_conduct = True
    context: EpisodeContext | None = None

    def set_context(self, context: EpisodeContext) -> None:
        self.context = context

    def next_shift(self) -> NextShift | None:
        return SHIFT


def test_it_has_every_member_of_the_contract_and_of_every_ability() -> None:
    for contract in (World, TakesIntervention, HandsOver, CarriesOver):
        for name in members(contract):
            assert name in vars(ForwardingWorld), f"{name} would be lost on the way"


def test_the_contract_is_passed_on() -> None:
    inside = Plain(INSTANCE, Place())
    world: World = ForwardingWorld(inside)
    assert world.observe() == {"seen": 1}
    assert asyncio.run(world.apply(world.tools["look"], {})) == ToolResult(True, 7)
    assert world.verify(Submission(7)).success
    assert (world.state(), world.artifact("a")) == ({"closed": False}, b"a")
    world.close()
    assert inside.closed


def test_abilities_are_passed_on_where_the_world_has_them() -> None:
    context = EpisodeContext(NO_INTERVENTION, None, {}, None, None)
    inside = Able(INSTANCE, Place())
    able = ForwardingWorld(inside)
    able.set_context(context)
    assert inside.context is context
    assert able.next_shift() is SHIFT
    assert able.judges_conduct
    plain = ForwardingWorld(Plain(INSTANCE, Place()))
    plain.set_context(context)
    assert plain.next_shift() is None
    assert not plain.judges_conduct
