"""The clerk as a Python agent."""

from __future__ import annotations

from typing import Any

from proctor import Claim, LimitReached, Session, Submission, TaskView
from proctor.agents.clerk import Clerk
from tests.e2e.doors.agents.stepping import SteppedEpisode

_FIELDS = ("id", "goal", "answer_format", "nonce", "canary")
_TOOL = ("name", "description", "parameters", "effect")
_BUDGET = ("actions", "queries", "tokens", "milliseconds", "retries")


class ClerkAgent:
    def __init__(self) -> None:
        self.clerk = Clerk()

    async def run(self, task: TaskView, session: Session) -> Submission:
        view: dict[str, Any] = {name: getattr(task, name) for name in _FIELDS}
        view["tools"] = [{name: getattr(tool, name) for name in _TOOL} for tool in task.tools]
        view |= {"budget": _budget(task.budget), "phase": getattr(task, "phase", "")}
        shown = [{"seq": seen.seq, "fields": seen.fields} for seen in session.observations]
        episode = SteppedEpisode(self.clerk, view, shown)
        *said, last = episode.step()
        while last["type"] != "submit":
            for remark in said:
                session.say(remark["text"])
            *said, last = episode.step(await _call(session, last))
        for remark in said:
            session.say(remark["text"])
        claims = tuple(Claim(**claim) for claim in last["claims"])
        return Submission(last["answer"], last["confidence"], claims)


async def _call(session: Session, message: dict[str, Any]) -> dict[str, Any]:
    try:
        result = await session.call(message["tool"], **message["arguments"])
    except LimitReached as limit:
        return {"limit": limit.limit}
    made = session.observations[-1]
    given = {"value": result.value} if result.ok else {"error": result.error}
    return {"ok": result.ok, **given, "seq": made.seq, "call": made.call, "budget": _budget(session.budget)}


def _budget(budget: Any) -> dict[str, int]:
    return {name: getattr(budget, name) for name in _BUDGET if getattr(budget, name) is not None}


make = ClerkAgent
