"""The oracle: solves each task with the family's own solver. It proves that a task can be done, nothing else.

It is one of the few agents that are given answers; every result of it is labelled so. Without a revealed solver it
refuses to run, since an oracle that guesses would look like a broken task.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.agents.plain import plain_kind
from proctor.core.errors import BenchError
from proctor.spec.task import Submission, TaskView


class Oracle:
    """Runs the solver that was revealed for this episode, and only for this one."""

    __slots__ = ("_solver",)

    def __init__(self) -> None:
        self._solver: Agent | None = None

    def reveal(self, solver: Agent) -> None:
        self._solver = solver

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._solver is None:
            message = "the oracle was not shown a solver for this episode; call reveal() before run()"
            raise BenchError(message)
        solver, self._solver = self._solver, None
        return await solver.run(task, session)


kind = plain_kind(
    "oracle",
    "Solves every task with the family's own solver: shows that tools and verifier work.",
    lambda context: Oracle(),
    label="oracle, not a result",
)
