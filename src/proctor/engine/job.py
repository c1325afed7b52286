"""One episode, built and not yet lived: what it is about, under which setting, with which limits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec

from proctor.agents.contract import Agent, AgentFailure
from proctor.core.canonical import chainable, encode
from proctor.core.secrecy import Veil
from proctor.core.seeds import Stream
from proctor.engine.account import Account
from proctor.engine.raised import Raised
from proctor.engine.sentence import describe
from proctor.plugins.places import place_of
from proctor.spec.actions import RESERVED_TOOLS
from proctor.spec.condition import Condition
from proctor.spec.task import Budget, Instance, ToolSpec
from proctor.worlds.adversity.layer import Stack
from proctor.worlds.tool import Tool
from proctor.worlds.world import Place, World


class ShownTools(msgspec.Struct, frozen=True):
    """The tools of one world class as agents see them, encoded once."""

    specs: tuple[ToolSpec, ...]
    data: bytes
    digest: str
    reserved: bool
    """Whether one of them has a reserved name."""

    @classmethod
    def of(cls, tools: dict[str, Tool]) -> ShownTools:
        specs = tuple(tool.spec for tool in tools.values())
        data = encode(chainable(msgspec.to_builtins(specs)))
        return cls(specs, data, sha256(data).hexdigest(), not RESERVED_TOOLS.isdisjoint(tools))


class Setting(msgspec.Struct, frozen=True):
    """What all episodes of one arm and step share: built once."""

    arm: int
    family: str
    regime: str
    phase: str
    reasons: frozenset[str]
    declared_fields: frozenset[str] | None
    leaves_artifacts: bool
    declared_actions: frozenset[str] | None
    """The tools in the system's declared action schema; None where it declares none."""
    make_world: Callable[[Instance, Place], World]
    shown: Callable[[dict[str, Tool]], ShownTools]
    condition: Condition
    stage_output: tuple[str, str] | None
    """(stage, SHA-256) of the frozen output this condition reads."""
    stack: Stack
    canary: str
    nonce_tag: bytes
    """What tells the nonces of this arm from those of others on the same instance."""
    start: datetime
    real_seconds: float | None
    """The safety net: real seconds after which an episode is cut off; None for an agent that never waits."""
    call_seconds: float | None
    call_tokens: int | None = None
    """Tokens that one call of a model may take."""
    oracle: Callable[[Instance], Agent] | None = None
    """The family's solver, for the bench's own rehearsal where something broke; None: there is none to ask."""
    on_real_time: bool = False
    """Whether the declared cap on milliseconds counts real time: the regime says `clock: real`."""
    veil: Veil | None = None
    """Hides declared secrets; None where there are none."""


class Donor(msgspec.Struct, frozen=True):
    """The instance whose state is read where a condition scrambles."""

    instance: Instance
    instance_id: str
    state: dict[str, Any]
    """What its fields hold: as it was made, or as an agent left them in an earlier stage."""


class Broken(msgspec.Struct, frozen=True):
    """What world or verifier raised, and where: `world_setup`, `world` or `verifier`."""

    error: Exception
    where: str


class Job(msgspec.Struct):
    """One episode, built."""

    setting: Setting
    position: int
    lifetime: int
    unit: int
    part: int
    replicate: int
    instance: Instance
    instance_id: str
    nonce: str
    limits: Budget
    genesis: bytes
    faults: Stream | None
    """Where draws of adversity come from; None when the regime has none."""
    donor: Donor | None = None
    prior: dict[str, int] | None = None
    """The frozen prior its condition shows or draws from."""
    replies: dict[str, Any] | None = None
    """What each condition of an earlier stage handed in for this instance."""
    account: Account | None = None
    """What the run has spent so far, where it has a limit on that."""
    relief: Callable[[], Agent] | None = None
    """Makes the agent that takes over where a world hands a task on; None: the same object does it."""
    memory: tuple[str, bool] | None = None
    """What was done to the agent's memory just before, and whether it was possible."""
    carried: Any = None
    """What the episode before left in the world; once lived, what this one leaves. Stays None where nothing is left."""
    attempts: int = 1
    sink: Callable[[int, bytes], None] | None = None
    rehearsal: bool = False
    """The bench's own oracle lives it, to see whether the family breaks by itself; no part of any record."""
    broke: Broken | None = None
    """What world or verifier raised first; filled in while it is lived."""
    raised: tuple[Raised, ...] = ()
    """What somebody's own code raised; filled in while it is lived, and no part of its record."""

    def note(self, error: BaseException) -> None:
        """Keep what an exception says and where it comes from, for the author of the code."""
        place = (error.place if isinstance(error, AgentFailure) else "") or place_of(error)
        if place:
            self.raised = (*self.raised, Raised(describe(error), place))


def commitment(instance: Instance) -> str:
    """SHA-256 over the whole instance, hidden part included."""
    return sha256(encode(instance)).hexdigest()
