"""What requests ask: the episodes of a suite, item by item, and the agents that are asked.

An item is one task. Items go through the suite's lifetimes in presentation order and then begin again as further
replicates: the same instance with another nonce, so that nothing can be replayed. Only lifetimes of one episode, under
a regime that limits nothing and without a condition, can be requests: degradation is the scenario's business.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from proctor.agents.contract import Agent, AgentFailure, given_answers, told_place
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.build import Bench
from proctor.engine.job import Job
from proctor.engine.lifetime import UnavailableAgent
from proctor.engine.plan import Lifetime
from proctor.spec.condition import NO_INTERVENTION
from proctor.spec.frozen import FrozenRun

_MOST = 20_000
"""Different tasks that are kept in mind; more would only cost memory."""


class Workload:
    """Hands out jobs and agents. Holds no request."""

    def __init__(self, frozen: FrozenRun, folder: Path) -> None:
        self.bench = Bench(frozen, folder)
        self.frozen = frozen
        self._lifetimes = self._usable()
        self._stream = Stream.keyed(frozen.suite.stream_name, frozen.seed, "load")

    def _usable(self) -> list[int]:
        plan, regimes = self.bench.plan, self.frozen.suite.all_regimes
        arms = {
            arm.index
            for arm in plan.arms
            if plan.length(arm.index) == 1
            and not regimes[self.bench.arm(arm.index).steps[0].regime or arm.regime].axes
            and arm.condition == NO_INTERVENTION.id
        }
        indexes: list[int] = []
        for index in range(plan.lifetimes if arms else 0):
            if plan.lifetime(index).arm in arms:
                indexes.append(index)
                if len(indexes) == _MOST:
                    break
        if not indexes:
            message = (
                f"suite '{self.frozen.suite.name}' has nothing to load an agent with: a request is a lifetime of one "
                "episode under a regime that limits nothing, without a condition"
            )
            raise InputError(message)
        return indexes

    @property
    def distinct(self) -> int:
        """Different tasks there are."""
        return len(self._lifetimes)

    def lifetime(self, item: int) -> Lifetime:
        """The lifetime that is this item."""
        again, index = divmod(item, len(self._lifetimes))
        lifetime = self.bench.plan.lifetime(self._lifetimes[index])
        return replace(lifetime, replicate=lifetime.replicate + again * 1_000_000) if again else lifetime

    def stream(self, scenario: str, *parts: str | int) -> Stream:
        """Draws of a scenario."""
        return self._stream.child(scenario, *parts)

    def job(self, item: int) -> Job:
        """The episode of an item, without a limit on time: time is taken, and given up on, elsewhere."""
        job = self.bench.job(self.lifetime(item), 0)
        job.limits = replace(job.limits, milliseconds=None)
        return job

    def serving(self, pooled: Agent, job: Job, item: int) -> Agent:
        """Who meets this item: the agent from the pool, shown what an agent that is given answers is to be given.

        A planted one is made anew for the item. Its draws belong to the lifetime it was made for: kept for many
        requests, it would lapse in all of them or in none, and have no planted rate under load.
        """
        lifetime = self.lifetime(item)
        agent = self.bench.open_agent(lifetime) if told_place(pooled) else pooled
        if told_place(agent):
            agent.set_placement(self.bench.placement(lifetime, 0))
        if given_answers(agent):
            agent.reveal(self.bench.solver(job))
        return agent

    def open_agent(self, number: int) -> Agent:
        """The agent of this number."""
        try:
            return self.bench.open_agent(self.lifetime(number))
        except AgentFailure as failure:
            return UnavailableAgent(failure)
