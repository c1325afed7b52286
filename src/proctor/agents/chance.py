"""The random agent: a few random calls, then a random answer put together from what it saw.

Every draw comes from the lifetime's stream, so the same lifetime acts the same anywhere. Arguments fit the tools'
schemas and answers fit the wording of the answer format: what it passes can be passed by chance.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Session
from proctor.agents.drawing import draw_arguments
from proctor.agents.plain import plain_kind
from proctor.agents.seen import Scalar, shown, values, values_of_kind
from proctor.agents.shape import Shape, fill, read_shape
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.spec.task import Submission, TaskView

MAX_CALLS = 5


class Chance:
    """Acts at random for one lifetime. The n-th episode has draws of its own, whatever happened in the others."""

    __slots__ = ("_episode", "_stream")

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._episode = 0

    async def run(self, task: TaskView, session: Session) -> Submission:
        stream = self._stream.child("random", self._episode)
        self._episode += 1
        try:
            for _ in range(stream.integer(1, MAX_CALLS) if task.tools else 0):
                tool = stream.choice(task.tools)
                pool = self._pool(task, session)
                await session.call(tool.name, **draw_arguments(tool.parameters, stream, pool))
        except LimitReached:
            pass  # Out of budget: answer with what was seen.
        shape = read_shape(task.answer_format)
        return Submission(random_answer(shape, stream, shown(session) or [task.goal]), confidence=_rounded(stream))

    def _pool(self, task: TaskView, session: Session) -> list[Scalar]:
        seen = values(shown(session))
        return seen or values([task.goal])


def random_answer(shape: Shape, stream: Stream, pool: list[Scalar]) -> Any:
    """An answer of the given shape: stated options if there are any, else seen values of the fitting kind."""

    def one(name: str) -> Any:
        if shape.options:
            return stream.choice(shape.options)
        fitting = values_of_kind(pool, shape.kind_of(name)) or pool
        return stream.choice(fitting) if fitting else stream.integer(0, 100)

    if shape.kind == "list":
        return [one("") for _ in range(stream.integer(1, 4))]
    return fill(shape, one)


def _rounded(stream: Stream) -> float:
    return stream.integer(0, 100) / 100


kind = plain_kind(
    "random",
    "Makes a few random tool calls and answers at random from what it saw.",
    lambda context: Chance(context.stream),
    label="baseline",
)
