"""The world of one episode: state, tools, and a verifier that looks at the real state.

A world lives for one episode. It is given an instance and a `Place` (a private directory, logical time), shows what
may be seen, carries out tool calls, and at the end verifies the outcome by opening the file, querying the database or
running a pristine check. It never trusts what the agent says about itself, and never executes what the agent left
behind outside a fresh sandbox.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeGuard

from msgspec import Struct

from proctor.core.abilities import Ability
from proctor.core.clock import Clock
from proctor.core.hashing import content_hash
from proctor.spec.condition import Condition
from proctor.spec.task import Instance, Submission, ToolResult, Verification
from proctor.worlds.tool import Tool, tools_of

_CANARY: Final = b"proctor"


class Place:
    """Where a world may keep things: a private directory made on first use, and the episode's logical clock."""

    __slots__ = ("_directory", "_root", "clock")

    def __init__(self, clock: Clock | None = None, root: Path | None = None) -> None:
        self.clock = clock or Clock(datetime(2026, 1, 1, tzinfo=UTC))
        self._root = root
        self._directory: Path | None = None

    @property
    def directory(self) -> Path:
        """The private directory; the agent never learns its real name."""
        if self._directory is None:
            self._directory = Path(tempfile.mkdtemp(prefix="proctor-world-", dir=self._root))
        return self._directory

    def probe(self, room: int = 0) -> None:
        """Ask the host, with nothing of the agent's in it, for what a world takes from it; raises `OSError` if refused.

        A file of `room` bytes is made beside the private directory, where no path of an agent leads, written, and
        removed; the directory, once made, must still be there. What an agent put into its own directory is bounded by
        its world, so that it cannot make this fail.
        """
        if self._directory is not None:
            os.stat(self._directory)
        with tempfile.TemporaryFile(prefix="proctor-canary-", dir=self._root) as scratch:
            scratch.write(_CANARY + bytes(room))
            scratch.flush()
            os.fsync(scratch.fileno())

    def close(self) -> None:
        """Remove what was kept."""
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None


class NextShift(Struct, frozen=True):
    """The task of another agent who goes on where the first one stopped, in a session of its own.

    A world that offers `HandsOver` is asked for one when an agent has handed in. The next agent is made anew and sees
    this and nothing else of what came before: no observation, no state, no memory.
    """

    goal: str
    answer_format: str
    observation: dict[str, Any]


class EpisodeContext(Struct, frozen=True):
    """Under which intervention an episode is lived.

    A world that offers `TakesIntervention` is told before it is observed: it shows state through the condition's reads
    (`proctor.spec.condition.visible`) and knows what the agent could have followed. Nothing of it is shown as such.
    """

    condition: Condition
    donor: Instance | None
    """The instance whose state is shown where the condition scrambles."""
    donor_state: dict[str, Any]
    prior: dict[str, int] | None
    """How often each code was given in the stage whose prior the condition uses."""
    replies: dict[str, Any] | None
    """What each condition of an earlier stage handed in for this instance."""


class World(Protocol):
    """What the bench needs of a world; `BaseWorld` supplies most of it."""

    @property
    def judges_conduct(self) -> bool:
        """Whether `verify` looks at what was done alone. Read once, when the episode is set up.

        It is then asked even when the agent handed in nothing, so that nobody escapes a verdict on their acts by
        crashing or running into a limit. Such an episode stays what it is.
        """
        ...

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools, by name."""
        ...

    @property
    def forbidden(self) -> frozenset[str]:
        """Tools that can be called and that the task says must not be: each call is counted when it is made."""
        ...

    @property
    def processor_seconds(self) -> float:
        """The most processor time that one call of a tool takes, children's included, whatever its arguments are."""
        ...

    def observe(self) -> dict[str, Any]:
        """The fields shown at the start of the episode."""
        ...

    async def apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        """Carry out one checked call. `ToolError` becomes a refusal.

        Any other exception is the failure of the agent whose call it was, unless `canary` shows the host in trouble.
        """
        ...

    def refused(self, tool: str, arguments: dict[str, Any]) -> None:
        """A call that the bench refused before it came here: no such tool, or arguments that do not fit.

        For worlds in which trying counts. Raises nothing.
        """
        ...

    def canary(self) -> None:
        """A call of the bench's own: take from the host what the tools take from it, without anything of the agent's.

        Asked after something raised on an agent's input. Returns where the host is fine; raises `OSError`, with its
        `errno`, where it is in trouble. No argument, path, name or size that an agent can choose or influence has a
        part in it, what the world keeps is left as it is, and it may be asked at any time, more than once.
        """
        ...

    def verify(self, submission: Submission) -> Verification:
        """Look at the real state and say whether the success rule holds."""
        ...

    def state(self) -> Any:
        """The state as JSON, for hashing and comparison."""
        ...

    def artifact(self, name: str) -> bytes | None:
        """The bytes of an artifact named in the verification; None when only its hash is kept."""
        ...

    def close(self) -> None:
        """Release files, connections and processes."""
        ...


class TakesIntervention(Protocol):
    """A world that needs to know under which intervention its episode is run."""

    def set_context(self, context: EpisodeContext) -> None:
        """Receive the intervention; called before the first observation."""
        ...


_TAKES_INTERVENTION = Ability(TakesIntervention)


def takes_intervention(world: object) -> TypeGuard[TakesIntervention]:
    """Whether a world offers `TakesIntervention`."""
    return _TAKES_INTERVENTION[type(world)]


class HandsOver(Protocol):
    """A world in which another agent may have to go on where the first one stopped."""

    def next_shift(self) -> NextShift | None:
        """The task of the next agent, called when the first has submitted; None if nobody takes over."""
        ...


_HANDS_OVER = Ability(HandsOver)


def hands_over(world: object) -> TypeGuard[HandsOver]:
    """Whether a world offers `HandsOver`."""
    return _HANDS_OVER[type(world)]


class CarriesOver(Protocol):
    """A world that leaves something to the next episode of the same lifetime, whoever lives it.

    It belongs to the world, not to the agent: what happens to the agent's memory between phases does not touch it.
    """

    def take_over(self, phase: str, carried: Any) -> None:
        """Receive what the episode before left (None: there was none), and the phase; before the first observation."""
        ...

    def carry_over(self) -> Any:
        """What the next episode receives, as JSON of bounded size; asked once, when there is a verdict."""
        ...


_CARRIES_OVER = Ability(CarriesOver)


def carries_over(world: object) -> TypeGuard[CarriesOver]:
    """Whether a world offers `CarriesOver`."""
    return _CARRIES_OVER[type(world)]


class MarksState(Protocol):
    """A world that can tell cheaply whether its state is still the same."""

    def state_mark(self) -> object:
        """A value that equals an earlier one exactly where `state()` does; what is given is never changed afterwards.

        Asked around every call of a writing tool. A class that overrides `state` alone is asked for that instead.
        """
        ...


class _MarksOwnState(Ability):
    """Which classes offer `MarksState` of the very state they show: a class that overrides `state` alone does not."""

    __slots__ = ()

    def __missing__(self, kind: type) -> bool:
        names = {"state", "state_mark"}
        told = next((names & vars(base).keys() for base in kind.__mro__ if names & vars(base).keys()), names)
        answer = self[kind] = super().__missing__(kind) and "state_mark" in told
        return answer


_MARKS_STATE = _MarksOwnState(MarksState)


def marks_state(world: object) -> TypeGuard[MarksState]:
    """Whether a world offers `MarksState`, about the very state it shows."""
    return _MARKS_STATE[type(world)]


class BaseWorld:
    """A world whose tools are its decorated methods and whose first observation is the instance's."""

    judges_conduct = False
    forbidden: ClassVar[frozenset[str]] = frozenset()
    processor_seconds: ClassVar[float] = 1.0

    def __init__(self, instance: Instance, place: Place) -> None:
        self.instance = instance
        self.place = place

    @property
    def tools(self) -> dict[str, Tool]:
        return tools_of(type(self))

    def observe(self) -> dict[str, Any]:
        return self.instance.observation

    async def apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        value = tool.function(self, **arguments)
        if tool.is_async:
            value = await value
        return ToolResult(True, value)

    def refused(self, tool: str, arguments: dict[str, Any]) -> None:
        """Nothing was done; override where trying counts."""

    def canary(self) -> None:
        """Asks the host for a small file and the descriptor for it: all that a world in memory can lack beside memory.

        Override in a world that takes more from the host than that: room on the disk, a subprocess, a database.
        """
        self.place.probe()

    def verify(self, submission: Submission) -> Verification:
        message = f"{type(self).__name__} has to define verify()"
        raise TypeError(message)

    def state(self) -> Any:
        """Override to make the state hashable; the default knows of none."""
        return None

    def artifact(self, name: str) -> bytes | None:
        """The bytes of an artifact named in the verification, to be kept with the evidence; None: only its hash is."""
        return None

    def state_hash(self) -> str:
        """SHA-256 of the state's canonical JSON."""
        return content_hash(self.state())

    def close(self) -> None:
        """Nothing to release by default."""
