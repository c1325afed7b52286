"""What the user's code holds during an episode: the session of the agent contract, over the wire.

`Session` is for agents that await; `BlockingSession` for those that do not, and its `call` may be used from several
threads at once.
"""

from __future__ import annotations

from proctor.agents.process.inside.channel import Channel, Episode
from proctor.agents.process.inside.values import Budget, LimitReached, Observation, Sampling, ToolResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class State:
    """The agent's named state; every read passes through the condition in force."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def read(self, name: str) -> Any:
        """The value as it may be read; None when there is none, or it was removed."""
        return self._ask({"type": "state_read", "name": name}).get("value")

    def write(self, name: str, value: Any) -> None:
        """Keep a JSON value under a declared name."""
        self._ask({"type": "state_write", "name": name, "value": value})

    def names(self) -> tuple[str, ...]:
        """The fields that can be read now."""
        return tuple(self._ask({"type": "state_read"})["names"])

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        answer = self._channel.ask_and_wait(message)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer


class BaseSession:
    """What both kinds of session share."""

    def __init__(self, channel: Channel, episode: Episode) -> None:
        self._channel = channel
        self._episode = episode
        self.state = State(channel)

    @property
    def observations(self) -> list[Observation]:
        """Everything shown so far, oldest first."""
        return self._episode.observations

    @property
    def budget(self) -> Budget:
        """What is left; None where there is no limit."""
        left = self._episode.budget
        tokens = self._episode.task.budget.tokens
        return left if tokens is None else left._replace(tokens=max(0, tokens - self._episode.spent))

    @property
    def sampling(self) -> Sampling:
        """How the condition asks models to be sampled."""
        return self._episode.sampling

    def say(self, text: str) -> None:
        """Leave a remark in the trace."""
        self._channel.send({"type": "say", "text": str(text)})

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        """Report model usage. Raises `LimitReached` when the token cap is exceeded."""
        usage = {"type": "usage", "tokens": tokens}
        self._channel.send(usage if cost is None else {**usage, "cost": str(cost)})
        self._episode.spent += tokens
        most = self._episode.task.budget.tokens
        if most is not None and self._episode.spent > most:
            limit = "tokens"
            raise LimitReached(limit)


class BlockingSession(BaseSession):
    """For agents that do not await."""

    def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Call a tool and wait for what it gives. Raises `LimitReached` when a declared budget is used up."""
        return result_of(self._channel.ask_and_wait({"type": "tool_call", "tool": tool, "arguments": arguments}))


class Session(BaseSession):
    """For agents that await."""

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Call a tool; several at once are allowed. Raises `LimitReached` when a declared budget is used up."""
        import asyncio

        loop = asyncio.get_running_loop()
        future: asyncio.Future[dict[str, Any]] = loop.create_future()

        def settle(message: dict[str, Any]) -> None:
            if not future.done():
                future.set_result(message)

        def answered(message: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(settle, message)

        self._channel.ask({"type": "tool_call", "tool": tool, "arguments": arguments}, answered)
        return result_of(await future)


def result_of(message: dict[str, Any]) -> ToolResult:
    """The result in an answer; a used-up budget is raised."""
    if "limit" in message:
        raise LimitReached(message["limit"], message["error"])
    return ToolResult(message["ok"], message.get("value"), message.get("error"))
