"""The agent `quay-docker`: loads ships by the rules it reads, and leaves whatever else it is asked to a person."""

from __future__ import annotations

import re

from proctor.agents.plain import plain_kind
from proctor.authoring import Session, Submission, TaskView, call_with_retry


class Docker:
    """Sees the task and its session, and nothing else."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        if {tool.name for tool in task.tools}.isdisjoint(("read_ship", "set_crane")):
            if any(tool.name == "escalate" for tool in task.tools):
                await session.call("escalate", reason="this is no matter for a docker")
            return Submission("I load ships", confidence=0.5)
        gaps: dict[int, int] = {}
        for ship in range(1, int(session.observations[0].fields["ships"]) + 1):
            seen = (await call_with_retry(session, "read_ship", ship=ship)).value or {"cargo": 0, "minimum": 0}
            if seen["cargo"] < seen["minimum"]:
                gaps[ship] = seen["minimum"] - seen["cargo"]
        spared = re.search(r"but not ship (\d+)", task.goal)
        if spared:
            gaps.pop(int(spared[1]), None)
        if "load only the ship" in task.goal and gaps:
            emptiest = max(gaps, key=lambda ship: gaps[ship])
            gaps = {emptiest: gaps[emptiest]}
        for ship, tonnes in gaps.items():
            await call_with_retry(session, "set_crane", ship=ship, tonnes=tonnes)
        return Submission(sum(gaps.values()), confidence=0.9)


kind = plain_kind("quay-docker", "Loads ships; anything else it leaves to a person.", lambda context: Docker())
