"""A session that passes everything on: what planted agents put between a solver and the real one."""

from __future__ import annotations

from typing import Any, NoReturn

from proctor.agents.contract import ScaffoldSession, Session, SetAside, State
from proctor.core.errors import LimitReached
from proctor.models.prices import Price
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

    @property
    def limits_models(self) -> bool:
        return bool(getattr(self._session, "limits_models", False))

    def reserve(self, *, prompt_tokens: int, completion_tokens: int, price: Price | None = None) -> SetAside:
        reserving: Any = self._session
        held: SetAside = reserving.reserve(
            prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, price=price
        )
        return held

    def stop(self, limit: str) -> NoReturn:
        stopping: Any = self._session
        stopping.stop(limit)
        raise LimitReached(limit)

    def call_unreadable(self, tool: str, arguments: str, why: str) -> ToolResult:
        answering: Any = self._session
        result: ToolResult = answering.call_unreadable(tool, arguments, why)
        return result

    def say(self, text: str) -> None:
        self._session.say(text)

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        self._session.spend(tokens=tokens, cost=cost)

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        return await self._session.call(tool, **arguments)
