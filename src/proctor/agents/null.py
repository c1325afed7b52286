"""The null agent: hands in nothing, at once. Whatever it passes, anything passes."""

from __future__ import annotations

from proctor.agents.contract import Session
from proctor.agents.plain import plain_kind
from proctor.spec.task import Submission, TaskView

_NOTHING = Submission()


class Null:
    """Calls no tool and gives no answer."""

    __slots__ = ()

    async def run(self, task: TaskView, session: Session) -> Submission:
        return _NOTHING


kind = plain_kind(
    "null",
    "Does nothing and submits nothing: the floor of every family.",
    lambda context: Null(),
    label="baseline",
    reusable=True,
)
