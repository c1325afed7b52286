"""An agent under examination: opened for one lifetime after another as the bench does it, and watched."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proctor.agents.contract import Agent, Session, closes, given_answers
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.planted.forwarding import ForwardingSession
from proctor.conformance.secrets import texts
from proctor.conformance.subject import BASELINE, draw_of, source_of
from proctor.core.errors import LimitReached
from proctor.engine.family import Family
from proctor.engine.trial import Trial, job_for, live
from proctor.evidence.events import AgentFailed, Called, Said, Submitted
from proctor.spec.regime import Regime
from proctor.spec.rules import EPISODE_SECONDS
from proctor.spec.system import System
from proctor.spec.task import Budget, Submission, TaskView, ToolResult


class WatchedSession(ForwardingSession):
    """A session that counts what is asked of it after a limit was reached."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.limited = False
        self.after_limit = 0

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        if self.limited:
            self.after_limit += 1
        try:
            return await self._session.call(tool, **arguments)
        except LimitReached:
            self.limited = True
            raise


class Examinee:
    """An agent kind, opened for one lifetime after the other as the bench would."""

    def __init__(self, text: AgentString, kind: AgentKind, family: Family, seed: int, system: System, folder: Path):
        self._text = text
        self.kind = kind
        self.family = family
        self._source = source_of(family, seed)
        self._system = system
        self._folder = folder
        self._reused: Agent | None = None
        self.opened: type | None = None
        """The class of the agents that were opened."""

    def lifetime(
        self, number: int, tasks: Sequence[int], regime: Regime = BASELINE, limits: Budget | None = None
    ) -> list[ExaminedEpisode]:
        """One lifetime: these tasks in order, lived by one agent object."""
        return asyncio.run(self._lifetime(number, tasks, regime, limits))

    async def _lifetime(
        self, number: int, tasks: Sequence[int], regime: Regime, limits: Budget | None
    ) -> list[ExaminedEpisode]:
        agent = self._open(number)
        episodes: list[ExaminedEpisode] = []
        try:
            for task in tasks:
                instance = self.family.instance(draw_of(self.family, self._source, task))
                if given_answers(agent):
                    agent.reveal(self.family.oracle(instance))
                seconds = EPISODE_SECONDS if self.kind.waits or not self.kind.trusted else None
                job = job_for(
                    self.family, instance, self._source.child(task), regime, limits=limits, real_seconds=seconds
                )
                watched = WatchedAgent(agent)
                episodes.append(ExaminedEpisode(await live(job, watched), watched.limited, watched.after_limit))
        finally:
            if not self.kind.reusable and closes(agent):
                await agent.close()
        return episodes

    def _open(self, number: int) -> Agent:
        if self._reused is not None:
            return self._reused
        agent = self.kind.open(
            self._text, AgentContext(self._system, self._source.child("agent"), (number,), self._folder)
        )
        self.opened = type(agent)
        if self.kind.reusable:
            self._reused = agent
        return agent


class ExaminedEpisode:
    """One episode of an agent under examination."""

    def __init__(self, trial: Trial, limited: bool, after_limit: int) -> None:
        self.trial = trial
        self.limited = limited
        """Whether it was told that a budget is exhausted."""
        self.after_limit = after_limit
        """Calls it made afterwards."""

    @property
    def failure(self) -> AgentFailed | None:
        """The event of the agent's own failure, if it failed."""
        return next((event for event in self.trial.events if isinstance(event, AgentFailed)), None)

    @property
    def said(self) -> str:
        """What its failure says, with the place in its own code where that is known; empty where it did not fail."""
        return "" if self.failure is None else self.trial.placed(self.failure.message)

    def expressed(self) -> list[str]:
        """Every text the agent produced: arguments, remarks, answer, claims."""
        given: list[str] = []
        for event in self.trial.events:
            if isinstance(event, Called):
                given.extend(texts(event.arguments))
            elif isinstance(event, Said):
                given.append(event.text)
            elif isinstance(event, Submitted):
                given.extend(texts([event.answer, list(event.claims)]))
        return given

    def shown(self) -> str:
        """Everything it was shown, as one text."""
        task = self.trial.task
        parts = [] if task is None else [task.goal, task.answer_format, task.id, task.nonce]
        return "\n".join([*parts, *texts([observation.fields for observation in self.trial.seen])])


class WatchedAgent:
    """An agent that is given a watched session in place of its own."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.limited = False
        self.after_limit = 0

    async def run(self, task: TaskView, session: Session) -> Submission:
        watched = WatchedSession(session)
        try:
            return await self._agent.run(task, watched)
        finally:
            self.limited, self.after_limit = watched.limited, watched.after_limit
