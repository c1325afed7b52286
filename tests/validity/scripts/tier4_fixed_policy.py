"""One way of working for every task of Tier 4, whatever it says: all at once, directly, and always equally sure."""

from __future__ import annotations

import re

from proctor.agents.contract import Session
from proctor.spec.task import Submission, TaskView
from tests.validity.scripts.tier4_regex_parser import RegexParser, steady_lines

CONFIDENCE = 0.8


class FixedPolicy(RegexParser):
    """Reads like the parser, and does not let what it reads choose between ways of working."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        lines, tools = await steady_lines(session), {tool.name for tool in task.tools}
        if "handle_all" in tools:
            await self.handle(session, lines, single=False)
        elif "set_value" in tools:
            await self.set(task, session, lines, check=False)
        else:
            numbers = [number for line in lines for number in re.findall(r"(?<!\d)\d{4}(?!\d)", line)]
            return Submission(int(numbers[-1]) if numbers else 5_000, confidence=CONFIDENCE)
        return Submission("done")
