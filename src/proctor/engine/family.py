"""The family contract: a generator of task instances of one kind, with a world for each and an oracle that solves it.

A family proves itself before use (`proctor check`): its oracle passes under every regime, null, random and shortcut
agents do not, nothing hidden reaches the agent, the same stream gives the same bytes, every declared fault can be
reached, right answers in many formats pass and near misses fail.

What a family can do besides is an ability, looked up once per class (`proctor.core.abilities`): `HasScenarios`,
`HasEvents`, `Finite`. What is registered in place of a family or suite and makes one from a user's data offers
`OpensData` or `SuiteOnData`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeGuard

from msgspec import Struct, field

from proctor.agents.contract import Agent, Session
from proctor.core.abilities import Ability
from proctor.core.seeds import Stream
from proctor.spec.family import FamilySpec
from proctor.spec.regime import Regime
from proctor.spec.scenario import ScenarioSet
from proctor.spec.suite import Suite
from proctor.spec.task import Effect, Instance, Submission, TaskView
from proctor.worlds.world import Place, World


class Draw(Struct, frozen=True):
    """What an instance is made from. Two equal draws give the same instance, byte for byte."""

    stream: Stream
    """Belongs to this instance alone."""
    source: Stream
    """Belongs to the family in this suite and seed; `shared` comes from it."""
    index: int = 0
    """Number of the instance; `--scale` only appends."""
    phase: str = "test"
    part: int = 0
    """Which half of a pair this is."""
    step: int = 0
    """Place within the lifetime."""
    knobs: Mapping[str, Any] = field(default_factory=dict)
    """Declared difficulty, defaults filled in."""

    @property
    def shared(self) -> Stream:
        """The same for every instance of one lifetime: what a learning family hides once and teaches throughout."""
        return self.source.child("shared", self.index)

    @classmethod
    def of(cls, *key: str | int, **knobs: Any) -> Draw:
        """A draw for trying a family out by hand."""
        stream = Stream.keyed(*key)
        return cls(stream, stream, knobs=knobs)


class Spent(Struct):
    """What the policy behind `attainable` spends in one episode, counted as it goes."""

    reading: int = 0
    """Logical milliseconds that a reading call takes where the policy does not say."""
    writing: int = 0
    between: int = 0
    """The least that lies between the beginnings of two calls."""
    calls: int = 0
    queries: int = 0
    failed: int = 0
    milliseconds: int = 0
    last: int = 0
    """Milliseconds of the last call."""

    def add(self, effect: Effect, milliseconds: int | None) -> None:
        """Count one call."""
        usual = self.reading if effect == "read" else self.writing
        self.last = max(self.between, usual if milliseconds is None else milliseconds)
        self.calls += 1
        self.queries += effect == "read"
        self.milliseconds += self.last

    def fail(self, milliseconds: int | None) -> None:
        """The last call was not carried out, and took so long instead of its own time where a number is given."""
        self.failed += 1
        if milliseconds is not None and self.calls:
            took = max(self.between, milliseconds)
            self.milliseconds += took - self.last
            self.last = took

    def begins(self, times: int) -> int:
        """When the last call begins if every call is made so many times."""
        return max(0, times * self.milliseconds - self.last)


class Deliveries(Struct, frozen=True):
    """One draw of what a regime does to an episode, for working out what an optimal policy can still reach."""

    regime: Regime
    stream: Stream
    spent: Spent | None = None
    """What the policy spends; None where nobody asks."""

    def spend(self, effect: Effect = "read", *, milliseconds: int | None = None) -> None:
        """Say that the policy makes one call it cannot do without, which is what caps of a regime are held against.

        `milliseconds`: what the call takes in logical time; None means the quickest tool of this effect. Say nothing of
        calls that are made only because some are left. `kit.ceiling.Policy` does all this.
        """
        if self.spent is not None:
            self.spent.add(effect, milliseconds)

    def altered(self) -> bool:
        """Whether one reading of one field comes back altered."""
        noise = self.regime.stability.noise
        share = noise.share if noise else 0.0
        return self.stream.chance(share) or self.stream.chance(self.regime.stability.perturbation)

    def fails(self, *, effect: Effect = "read") -> bool:
        """Whether one call is not carried out, or is answered with an error."""
        stability = self.regime.stability
        partial = stability.partial_errors if effect == "write" else 0.0
        timed_out = self.stream.chance(stability.timeouts)
        failed = timed_out or any(self.stream.chance(share) for share in (stability.failures, partial))
        if failed and self.spent is not None:
            self.spent.fail(stability.timeout_milliseconds if timed_out else None)
        return failed

    def actions(self, instance: Instance) -> int | None:
        """How many calls the regime leaves."""
        cap = self.regime.action.cap
        limit = instance.strict_actions if cap == "strict" else cap
        known = [value for value in (limit, instance.budget.actions) if value is not None]
        return min(known) if known else None


class Family(Protocol):
    """What the engine needs of a family."""

    spec: FamilySpec

    def instance(self, draw: Draw) -> Instance:
        """One task, from the draw alone."""
        ...

    def world(self, instance: Instance, place: Place) -> World:
        """The environment in which it is lived and verified."""
        ...

    def oracle(self, instance: Instance) -> Agent:
        """A solver that is given the hidden answer, and still goes through the tools."""
        ...

    def answer(self, instance: Instance) -> Any:
        """The right answer in the stated format; None where only the state of the world is judged."""
        ...

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Whether an optimal policy succeeds on this instance, given one draw of the faults of a regime.

        The mean over many draws is the cell's attainable ceiling. It is never the oracle's rate, since an oracle
        ignores noise. A family that says what its policy spends (`deliveries.spend`, or `kit.ceiling.Policy`) can be
        used under regimes whose intensity rests on caps.
        """
        ...


class HasScenarios(Protocol):
    """A family of decision scenarios, which have coordinates: instance i is scenario i."""

    @property
    def scenarios(self) -> ScenarioSet:
        """The scenarios, in order."""
        ...


def scenarios_of(family: object) -> ScenarioSet | None:
    """The scenarios of a family; None for a family of another kind, whatever it may call `scenarios` itself."""
    declared = family.scenarios if _has_scenarios(family) else None
    return declared if isinstance(declared, ScenarioSet) else None


_HAS_SCENARIOS = Ability(HasScenarios)


def _has_scenarios(family: object) -> TypeGuard[HasScenarios]:
    return _HAS_SCENARIOS[type(family)]


class HasEvents(Protocol):
    """A family that asks about each event in several instances, the rows of the event, which follow one another."""

    def event_rows(self, knobs: Mapping[str, Any]) -> int:
        """How many rows an event has."""
        ...

    def donors(self, own: Sequence[Instance], other: Sequence[Instance]) -> tuple[int, ...] | None:
        """For each row of an event, the row of another one whose state is read instead, where a condition scrambles.

        Each row of the other event once, and none that calls for what is right in the row that reads it. None where
        that event will not do, which may depend on nothing that an agent is not shown.
        """
        ...


_HAS_EVENTS = Ability(HasEvents)


def has_events(family: object) -> TypeGuard[HasEvents]:
    """Whether a family's instances are rows of events."""
    return _HAS_EVENTS[type(family)]


class Finite(Protocol):
    """A family that has so many instances and no more, as one that reads them from a file."""

    @property
    def supply(self) -> int:
        """How many instances differ; asked for more, it would give the same ones again."""
        ...


def supply_of(family: object) -> int | None:
    """How many different instances a family has; None where it makes as many as are asked for."""
    return family.supply if _is_finite(family) else None


_FINITE = Ability(Finite)


def _is_finite(family: object) -> TypeGuard[Finite]:
    return _FINITE[type(family)]


class OpensData(Protocol):
    """What is registered where a family's instances come from a user's file: `name#path/to/data[#part]`."""

    def open_data(self, path: Path, part: str) -> Family:
        """The family on these data; its declaration holds the SHA-256 of what was read."""
        ...


_OPENS_DATA = Ability(OpensData)


def opens_data(source: object) -> TypeGuard[OpensData]:
    """Whether what is registered offers `OpensData`."""
    return _OPENS_DATA[type(source)]


class SuiteOnData(Protocol):
    """What is registered where a suite can be had on a user's own records: `name#path/to/data`."""

    def on_data(self, path: Path) -> Suite:
        """The suite on these data."""
        ...


_SUITE_ON_DATA = Ability(SuiteOnData)


def takes_data(source: object) -> TypeGuard[SuiteOnData]:
    """Whether what is registered offers `SuiteOnData`."""
    return _SUITE_ON_DATA[type(source)]


Solve = Callable[[Instance, TaskView, Session], Coroutine[Any, Any, Submission]]


class SolvedBy:
    """An oracle made from a plain coroutine function `solve(instance, task, session) -> Submission`."""

    __slots__ = ("_instance", "_solve")

    def __init__(self, solve: Solve, instance: Instance) -> None:
        self._solve = solve
        self._instance = instance

    async def run(self, task: TaskView, session: Session) -> Submission:
        submission: Submission = await self._solve(self._instance, task, session)
        return submission
