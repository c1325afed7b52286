"""The agent contract: the agent owns its loop.

    class MyAgent:
        async def run(self, task, session):
            result = await session.call("search", query=task.goal)
            return Submission(answer=result.value)

An agent that would rather be asked step by step implements `act(observation) -> action` and is served by
`proctor.agents.stepwise`. Memory across the episodes of a lifetime is the agent object itself.

What an agent can do besides is an ability, a small Protocol of its own: `Closes`, `Releases`, `Remembers` (which makes
learning measurable), and for agents that are labelled as such `GivenAnswers` and `ToldPlace`. Abilities are methods of
the class, looked up once per class; the function named after each says whether an object offers it.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn, Protocol, TypeGuard, runtime_checkable

from msgspec import Struct, field

from proctor.core.abilities import Ability
from proctor.core.errors import BenchError
from proctor.models.charging import Usage
from proctor.models.prices import Price
from proctor.spec.condition import Sampling, Scaffold
from proctor.spec.exchange import Exchange
from proctor.spec.regime import Regime
from proctor.spec.task import Budget, Observation, Submission, TaskView, ToolResult


class State(Protocol):
    """The agent's named state. Every read passes through the condition in force."""

    def read(self, name: str) -> Any:
        """The value as the condition lets it be read; None when there is none, or it was removed."""
        ...

    def write(self, name: str, value: Any) -> None:
        """Store a JSON value under a declared name (`reason`, `memory`, `self`, `veto`, `plan`, `x-…`)."""
        ...

    def names(self) -> tuple[str, ...]:
        """The fields that can be read now."""
        ...


class Session(Protocol):
    """What an agent holds during an episode."""

    @property
    def observations(self) -> list[Observation]:
        """Everything shown so far, oldest first."""
        ...

    @property
    def budget(self) -> Budget:
        """What is left; None where there is no limit. What it says is what ends the episode.

        Time is logical, whoever the agent is: tools take it, thinking does not (see `Budget`).
        """
        ...

    @property
    def state(self) -> State:
        """The agent's named state."""
        ...

    @property
    def sampling(self) -> Sampling:
        """How the condition asks models to be sampled."""
        ...

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Call a tool; several at once are allowed. Raises `LimitReached` when a declared budget is used up."""
        ...

    def say(self, text: str) -> None:
        """Leave a remark in the trace. Never scored."""
        ...

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        """Report model usage. Raises `LimitReached` when the token cap is exceeded."""
        ...


class SetAside(Protocol):
    """What one call of a model may use. It has to be settled or released."""

    @property
    def completion_tokens(self) -> int:
        """How many tokens the reply may have: what was asked for, or less where a limit leaves less."""
        ...

    def settle(self, usage: Usage | None, *, free: bool = False) -> None:
        """Report what the provider counted; None: it counted nothing. `free`: it costs nothing, since nobody was asked.
        Raises `LimitReached` where that is too much."""
        ...

    def release(self) -> None:
        """Nothing was used."""
        ...


class Agent(Protocol):
    """The live thing that acts for a system, for one lifetime."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        """Live one episode."""
        ...


@runtime_checkable
class ScaffoldSession(Session, Protocol):
    """The session of a scaffold over a chat model: also how the condition sets it, and where exchanges are recorded."""

    @property
    def scaffold(self) -> Scaffold | None:
        """How the condition sets the scaffold; None: as it was made."""
        ...

    def record_exchange(self, exchange: Exchange) -> None:
        """Record an exchange with a model."""
        ...

    @property
    def limits_models(self) -> bool:
        """Whether any limit could end the episode, or the run, at a call of a model."""
        ...

    def reserve(self, *, prompt_tokens: int, completion_tokens: int, price: Price | None = None) -> SetAside:
        """Set aside what a call of a model may use at most, before it is made.

        Raises `LimitReached` where the episode has too little left for it, and where the run has, what ends the run.
        """
        ...

    def stop(self, limit: str) -> NoReturn:
        """End the episode at a limit that the agent's own string declares: raises `LimitReached`."""
        ...

    def call_unreadable(self, tool: str, arguments: str, why: str) -> ToolResult:
        """Answer a call whose arguments are no JSON object: counted and recorded like any other."""
        ...


class Memory(Protocol):
    """What can be saved, put back and wiped."""

    def snapshot(self) -> bytes:
        """Everything remembered, as bytes."""
        ...

    def restore(self, memory: bytes) -> None:
        """Remember exactly this."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...


class Remembers(Memory, Protocol):
    """An agent whose memory the bench can save, put back and wipe."""

    def remembers(self) -> bool:
        """Whether it can do so now: False where that depends on somebody else, such as a process, who cannot.

        Asked only when memory is to be moved, so it may take its time.
        """
        ...


def memory_of(agent: object) -> Memory | None:
    """The memory of an agent that offers one and says it can be moved now. To be asked only when it is."""
    return agent if _remembers(agent) and agent.remembers() else None


_REMEMBERS = Ability(Remembers)


def _remembers(agent: object) -> TypeGuard[Remembers]:
    return _REMEMBERS[type(agent)]


class GivenAnswers(Protocol):
    """An agent that is shown the instance before each episode: oracles and planted agents only, labelled as such."""

    def reveal(self, solver: Agent) -> None:
        """Receive the family's own solver for the next instance."""
        ...


_GIVEN_ANSWERS = Ability(GivenAnswers)


def given_answers(agent: object) -> TypeGuard[GivenAnswers]:
    """Whether an agent offers `GivenAnswers`."""
    return _GIVEN_ANSWERS[type(agent)]


class Placement(Struct, frozen=True):
    """Where in the examination an episode stands. No agent that is examined ever sees it."""

    cell: str | None
    regime: Regime
    phase: str
    step: int
    family: str = ""
    knobs: dict[str, int | str] = field(default_factory=dict)
    """Those in force, defaults included."""
    baseline: str | None = None


class ToldPlace(Protocol):
    """An agent with planted abilities, which must know what is being asked: labelled as such."""

    def set_placement(self, placement: Placement) -> None:
        """Receive the placement of the next episode."""
        ...


_TOLD_PLACE = Ability(ToldPlace)


def told_place(agent: object) -> TypeGuard[ToldPlace]:
    """Whether an agent offers `ToldPlace`."""
    return _TOLD_PLACE[type(agent)]


class Learns(Protocol):
    """A solver of a learning family: what it knows, it learned in this lifetime."""

    def recall(self, memory: dict[str, Any]) -> None:
        """Receive the JSON dictionary that lasts for the lifetime; what training shows is kept there."""
        ...


_LEARNS = Ability(Learns)


def learns(solver: object) -> TypeGuard[Learns]:
    """Whether a solver offers `Learns`."""
    return _LEARNS[type(solver)]


class Closes(Protocol):
    """An agent that holds a process or a connection, and lets go of it when its lifetime is over."""

    async def close(self) -> None:
        """Let go of it."""
        ...


_CLOSES = Ability(Closes)


def closes(agent: object) -> TypeGuard[Closes]:
    """Whether an agent offers `Closes`."""
    return _CLOSES[type(agent)]


class Releases(Protocol):
    """An agent that serves every lifetime of a worker (`AgentKind.reusable`) and is told when there are no more."""

    async def release(self) -> None:
        """Let go of connections and memory."""
        ...


_RELEASES = Ability(Releases)


def releases(agent: object) -> TypeGuard[Releases]:
    """Whether an agent offers `Releases`."""
    return _RELEASES[type(agent)]


class AgentFailure(Exception):
    """Raised by a transport when the agent on the other side died, broke the protocol or did not answer.

    `reason` is one of `agent_crashed`, `agent_protocol`, `agent_unavailable`, `request_refused`, `memory_failed`; the
    episode is a failure of the agent.
    """

    def __init__(self, reason: str, message: str, place: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.place = place
        """Where in the agent's own code, e.g. `at matcher.py:31 in run`: for its author, and no part of evidence."""


class NoBaseline(BenchError):
    """An agent cannot live as the baseline it was asked for. Nothing was measured, and nothing counts."""


SERVICE_REASONS: Final = {
    "model_unavailable": "the model did not answer",
    "model_refused": "the model's provider refused to answer",
    "server_unavailable": "the agent's server did not answer",
    "agent_not_started": "the agent did not start",
}
"""The closed set of reasons of a `ServiceFailure`, and what each says."""


class ServiceFailure(BenchError):
    """What the agent needs did not answer: a model, a server, its own start. Nothing was measured.

    The episode is `infrastructure` with this reason: excluded, counted, and above the declared cap the run is invalid.
    What an agent can bring about by itself is no service failure, or its failures would turn into exclusions.
    """

    def __init__(self, reason: str, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        if reason not in SERVICE_REASONS:
            message = f"'{reason}' is no reason of a service failure; there are {', '.join(SERVICE_REASONS)}"
            raise ValueError(message)
        self.reason = reason
        self.final = final
        """Going on is pointless (a refused key, an unknown model, a wrong interpreter): the run stops here."""
