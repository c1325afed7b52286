"""The offline control: actions drawn from a frozen prior, without looking at anything.

It matches how often each action is taken and knows nothing of the event: what it scores is what an action prior alone
is worth. A condition with `acts: prior` puts it in the agent's place.
"""

from __future__ import annotations

from collections.abc import Mapping

from proctor.agents.contract import Session
from proctor.core.errors import BenchError
from proctor.core.seeds import Stream
from proctor.spec.task import Submission, TaskView


class PriorAgent:
    """Draws one code per episode, as often as the counts say."""

    __slots__ = ("_counts", "_stream")

    def __init__(self, counts: Mapping[str, int], stream: Stream) -> None:
        self._counts = counts
        self._stream = stream

    async def run(self, task: TaskView, session: Session) -> Submission:
        if not self._counts:
            message = "the stage this prior comes from left no code for this family"
            raise BenchError(message)
        codes = list(self._counts)
        return Submission(answer={"final_action": self._stream.weighted(codes, [self._counts[code] for code in codes])})
