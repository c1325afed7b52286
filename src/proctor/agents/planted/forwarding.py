"""A session that passes everything on: what planted agents put between a solver and the real one."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import ScaffoldSession, Session, State
from proctor.spec.condition import Sampling, Scaffold
from proctor.spec.exchange import Exchange
from proctor.spec.task import Budget, Observation, ToolResult


class ForwardingSession:
    """The same session; subclasses change what becomes of calls."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def observations(self) -> list[Observation]:
        return self._session.observations

    @property
    def budget(self) -> Budget:
        return self._session.budget

    @property
    def state(self) -> State:
        return self._session.state

    @property
    def sampling(self) -> Sampling:
        return self._session.sampling

    @property
    def scaffold(self) -> Scaffold | None:
        return self._session.scaffold if isinstance(self._session, ScaffoldSession) else None

    def record_exchange(self, exchange: Exchange) -> None:
        # Every session of the bench keeps a record; one that does not must not lose an exchange without a word.
        recording: Any = self._session
        recording.record_exchange(exchange)

    def say(self, text: str) -> None:
        self._session.say(text)

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        self._session.spend(tokens=tokens, cost=cost)

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        return await self._session.call(tool, **arguments)
