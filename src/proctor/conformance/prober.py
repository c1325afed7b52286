"""The prober: tries every tool with arguments that fit, that were seen, that make no sense, and that the solver used.

It looks for what an ordinary agent rarely meets: refusals, their wording, and tools that break. It submits nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from proctor.agents.contract import Session
from proctor.agents.drawing import draw_arguments, plainest_arguments
from proctor.agents.seen import Scalar, shown, values
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.spec.task import Submission, TaskView, ToolSpec

JUNK: tuple[Scalar, ...] = (
    "no-such-thing",
    "",
    " ",
    "0",
    "../up",
    "a\x00b",
    "ünïcode ✓",
    "%s {0} $HOME",
    -1,
    0,
    999_999,
)
"""Arguments of the right type that mean nothing."""
_FITTING = 3
_SENSELESS = 4
_SOLVER_CALLS = 12
_ROUNDS = 2
"""The tools are gone through twice: what was done in the first round changes what is refused in the second."""

Made = tuple[str, dict[str, Any]]


class Prober:
    """Explores the tools of one episode until it has tried everything or a limit ends it."""

    def __init__(self, stream: Stream, solver_calls: Sequence[Made] = ()) -> None:
        self._stream = stream
        self._solver_calls = solver_calls[:_SOLVER_CALLS]

    async def run(self, task: TaskView, session: Session) -> Submission:
        names = {tool.name for tool in task.tools}
        try:
            for round_number in range(_ROUNDS):
                for name, arguments in self._calls(task, session, round_number):
                    await session.call(name, **arguments)
                for name, arguments in self._solver_calls:
                    if name in names:
                        await session.call(name, **arguments)
                        for twisted in self._twisted(arguments):
                            await session.call(name, **twisted)
        except LimitReached:
            pass  # Seen enough.
        return Submission()

    def _calls(self, task: TaskView, session: Session, round_number: int) -> Iterator[Made]:
        for tool in task.tools:
            stream = self._stream.child(tool.name, round_number)
            pool = values(shown(session)) or values([task.goal])
            yield tool.name, plainest_arguments(tool.parameters, str(pool[0]) if pool else "")
            if tool.parameters.get("properties"):
                yield from _drawn(tool, stream, pool, _FITTING)
                yield from _drawn(tool, stream, JUNK, _SENSELESS)

    def _twisted(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The solver's arguments with one of them replaced."""
        for name, value in arguments.items():
            if isinstance(value, str):
                yield {**arguments, name: self._stream.choice(("no-such-thing", f"{value}x", ""))}
            elif isinstance(value, int) and not isinstance(value, bool):
                yield {**arguments, name: value + self._stream.choice((1, -1, 997))}


def _drawn(tool: ToolSpec, stream: Stream, pool: Sequence[Scalar], count: int) -> Iterator[Made]:
    for _ in range(count):
        yield tool.name, draw_arguments(tool.parameters, stream, pool)
