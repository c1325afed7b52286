"""The oracle: solves each task with the family's own solver. It proves that a task can be done, nothing else.

It is one of the few agents that are given answers; every result of it is labelled so. Without a revealed solver it
refuses to run, since an oracle that guesses would look like a broken task.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from proctor.agents.contract import Agent, Session, learns
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.plain import BUILT_IN, MODIFIABLE
from proctor.core.canonical import decode, encode
from proctor.core.errors import BenchError, InputError
from proctor.spec.task import Submission, TaskView


class Oracle:
    """Runs the solver that was revealed for this episode, and only for this one.

    In learning families a solver is given a dictionary that lasts for the lifetime (`recall`) and knows only what
    training put there; so the oracle forgets when its memory is cleared.
    """

    __slots__ = ("_memory", "_solver")

    def __init__(self) -> None:
        self._solver: Agent | None = None
        self._memory: dict[str, Any] = {}

    def remembers(self) -> bool:
        return True

    def snapshot(self) -> bytes:
        return encode(self._memory)

    def restore(self, memory: bytes) -> None:
        self._memory = decode(memory)

    def clear(self) -> None:
        self._memory = {}

    def reveal(self, solver: Agent) -> None:
        self._solver = solver

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._solver is None:
            message = "the oracle was not shown a solver for this episode; call reveal() before run()"
            raise BenchError(message)
        solver, self._solver = self._solver, None
        if learns(solver):
            solver.recall(self._memory)
        return await solver.run(task, session)


def _open(text: AgentString, context: AgentContext) -> Agent:
    from proctor.agents.planted.tiers import TIERS, TierOracle

    if text.options or (text.detail and text.detail not in TIERS):
        message = f"agent '{text.text}': write oracle, or oracle:{', oracle:'.join(TIERS)}"
        raise InputError(message)
    return TierOracle(TIERS[text.detail]) if text.detail else Oracle()


def _check(text: AgentString, context: AgentContext) -> None:
    _open(text, context)


_plain: Final = AgentKind(
    name="oracle",
    description="Solves every task with the family's own solver: shows that tools and verifier work.",
    open=_open,
    trusted=True,
    waits=False,
    label="oracle, not a result",
    check=_check,
    boundary=BUILT_IN,
)
_up_to_a_tier: Final = msgspec.structs.replace(
    _plain,
    label="oracle up to a tier, not a result",
    boundary=MODIFIABLE,
    baselines=frozenset({"model-free"}),
)
kind = msgspec.structs.replace(_plain, specialise=lambda text: _up_to_a_tier if text.detail else _plain)
