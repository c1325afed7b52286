"""A regular-expression parser with the obvious rules, for the tasks of Tier 4.

It reads the text until its lines are steady and decides by keywords: an item that is stopped is left out unless
something with its name sounds like lifting that, a value is checked where it looks old and there seems to be time, and
a number is trusted where nothing beside it sounds doubtful.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from proctor.agents.contract import Session
from proctor.spec.task import Submission, TaskView

READINGS = 8
LISTED = r"on the list:? (\w+ \w+)|entry:? (\w+ \w+)|(\w+ \w+) is on today"
MARK = r"(?:mark|mark from today on) is ([a-z]{2}-\d{3})"
STOP = r"must not|leave|stays|stop|hands off|hold|disputed|everything but|kept back|withdrawn"
LIFTED = r"no longer|over|settled|out of date|void|taken back"
DENIED = r"wrongly|denies|not think|rumour|nobody can claim"
DOUBT = r"at least|more than|many|days after"
TIME = r"\d\d:\d\d"
OLD, SHORT = 60, 60  # minutes


async def steady_lines(session: Session) -> list[str]:
    """Each line as it was read most often."""
    results = [await session.call("reread") for _ in range(READINGS)]
    readings = [session.observations[0].fields["text"], *(str(result.value) for result in results if result.ok)]
    rows = zip(*(reading.split("\n") for reading in readings), strict=False)
    return [re.sub(r"^\d{4} desk \d ", "", Counter(row).most_common(1)[0][0]) for row in rows]


async def persistently(session: Session, tool: str, **arguments: Any) -> Any:
    """Call again what was not carried out."""
    for _ in range(6):
        result = await session.call(tool, **arguments)
        if result.ok:
            return result.value
    return None


def first(pattern: str, lines: list[str], flags: int = re.IGNORECASE) -> str:
    """What the pattern finds first."""
    found = [match for line in lines if (match := re.search(pattern, line, flags))]
    return found[0].group(found[0].lastindex or 0) if found else ""


def minutes(time: str) -> int:
    """A time of day in minutes."""
    return 60 * int(time[:2]) + int(time[3:]) if time else 0


class RegexParser:
    """Tells tasks apart by their tools."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        lines, tools = await steady_lines(session), {tool.name for tool in task.tools}
        if "handle_all" in tools:
            await self.handle(session, lines, single="handle_one" in tools)
        elif "set_value" in tools:
            await self.set(task, session, lines, check="check" in tools)
        else:
            return self.look_up(task, lines)
        return Submission("done")

    async def handle(self, session: Session, lines: list[str], *, single: bool) -> None:
        items = ["".join(found) for line in lines for found in re.findall(LISTED, line, re.I)]
        mark = first(MARK, lines)
        for item in items if single else ():
            own = " / ".join(line for line in lines if item.lower() in line.lower())
            if re.search(STOP, own, re.I) and (not re.search(LIFTED, own, re.I) or re.search(DENIED, own, re.I)):
                for other in items:
                    if other != item:
                        await persistently(session, "handle_one", item=other, mark=mark)
                return
        await persistently(session, "handle_all", mark=mark)

    async def set(self, task: TaskView, session: Session, lines: list[str], *, check: bool) -> None:
        unit = first(r"[Ss]et (\w+ [A-Z]\w+)|(\w+ [A-Z]\w+) has|see to (\w+ [A-Z]\w+)", [task.goal], 0)
        own = [line for line in lines if unit.lower() in line.lower()]
        now = minutes(first(TIME, [line for line in lines if re.search(r"\bnow\b|clock says", line, re.I)]))
        recorded = [line for line in own if re.search(TIME, line) and re.search(r"(?<!\d)\d{4}(?!\d)", line)]
        taken = minutes(first(TIME, recorded))
        due = minutes(first(TIME, [line for line in own if re.search("by|limit|after", line, re.I)]))
        value = int(first(r"(?<!\d)\d{4}(?!\d)", recorded) or 0)
        if check and now - taken > OLD and due - now > SHORT:
            value = (await persistently(session, "check", name=unit) or {"value": 0})["value"]
        await persistently(session, "set_value", name=unit, value=value)

    def look_up(self, task: TaskView, lines: list[str]) -> Submission:
        thing, day = (first(pattern, [task.goal], 0) for pattern in (r"[a-z]+ [A-Z]\w+", r"\d+ [A-Z]\w+"))
        own = [line for line in lines if thing.lower() in line.lower() and day.lower() in line.lower()]
        told = [line for line in own if re.search("recount|once more", line, re.I)] or own
        numbers = re.findall(r"\b\d{4}\b", " ".join(told))
        excess = int(first(r"(\d{1,2}) [\w ]+? (?:too high|are to be|twice)", own) or 0)
        sure = bool(numbers) and not re.search(DOUBT, " ".join(own), re.I)
        return Submission(int(numbers[-1]) - excess if numbers else 5_000, confidence=0.9 if sure else 0.1)
