"""`chat:MODEL`: a chat model as a plain agent. It sees the goal, the observation and the answer format, once.

No scaffold, no modules, no state of its own: what a Condition does to it, it does through the observation. It calls no
tools.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from proctor.agents.contract import Session
from proctor.agents.structured.asking import SamplingSettings, Source, Turns
from proctor.agents.structured.rendering import observation_lines
from proctor.models.contract import Message
from proctor.spec.task import Submission, TaskView

ROOM: Final = 256


class BlackBox:
    """One question, one answer. Stateless."""

    __slots__ = ("_source", "_tokens")

    def __init__(self, source: Source, tokens: int | None = None) -> None:
        self._source = source
        self._tokens = tokens

    async def run(self, task: TaskView, session: Session) -> Submission:
        shown = session.observations[0].fields if session.observations else {}
        sampling = session.sampling
        tokens = sampling.tokens or self._tokens or ROOM + self._source.thoughts
        how = SamplingSettings(sampling.temperature, sampling.top_p, tokens, sampling.exact)
        return await answer_black_box(task, shown, Turns(self._source, task, session), how)

    async def release(self) -> None:
        """Let go of the model."""
        await self._source.release()


async def answer_black_box(task: TaskView, shown: dict[str, Any], turns: Turns, how: SamplingSettings) -> Submission:
    """Ask once and hand in what came back: a JSON value where the reply is one, else the text."""
    lines = [task.goal.strip(), "", *observation_lines(shown), "", f"Answer format: {task.answer_format.strip()}"]
    parsed = await turns.ask((Message("user", "\n".join(lines)),), how)
    if parsed.status == "not_object":
        return Submission(answer=msgspec.json.decode(parsed.answer.strip()))
    return Submission(answer=parsed.answer.strip() if isinstance(parsed.answer, str) else parsed.answer)
