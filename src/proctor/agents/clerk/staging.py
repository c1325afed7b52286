"""Staging: takes two sources through clean-up, join and aggregation to a result file, step by step.

A call that was not carried out is simply repeated. Where a call may have done half of its work, that half is thrown
away first: a table is removed and read in again, a file is written again as a whole.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.dossier import Dossier, read_dossier
from proctor.spec.task import Claim, ToolResult

MAX_TRIES = 8
TOOLS = ("ingest", "normalise", "drop_rows", "fill_missing", "keep_latest", "join", "multiply", "aggregate", "export")

_SOURCES = re.compile(r"Sources: `(?P<rows>\w+)` \(columns (?P<columns>[\w, ]+);[^)]*\) and `(?P<register>\w+)`")
_KEY = re.compile(r"Join the two on `(?P<key>\w+)`.*?multiply the measure by `(?P<factor>\w+)`")
_LATEST = re.compile(r"keep the row with the highest (?P<latest>\w+)")
_UNDONE = re.compile(r"not carried out|not accepted|connection refused|could not connect|timed out", re.IGNORECASE)
_HALF_DONE = re.compile(r"may be (?:staged|incomplete)|some of them", re.IGNORECASE)


class Order(Struct, frozen=True):
    """What is made of the two sources."""

    rows: str
    register: str
    key: str
    factor: str
    latest: str
    measure: str
    state: str
    missing: str
    group: str
    how: str
    column: str
    file: str

    @classmethod
    def read(cls, goal: str, dossier: Dossier) -> Order | None:
        """What goal and dossier order; None where something is missing."""
        sources, key, latest = _SOURCES.search(goal), _KEY.search(goal), _LATEST.search(goal)
        facts = {label: value for part in dossier.values() for label, value in part.items()}
        labels = (
            *("measure", "state to be left out", "rule for a missing measure", "column to group by"),
            *("way of aggregating", "name of the aggregate column", "file name"),
        )
        if not (sources and key and latest) or not facts.keys() >= set(labels):
            return None
        return cls(
            sources["rows"],
            sources["register"],
            key["key"],
            key["factor"],
            latest["latest"],
            *(facts[label] for label in labels),
        )

    def steps(self) -> list[tuple[str, dict[str, Any]]]:
        """The calls, in order; the result of joining and of aggregating are tables of their own."""
        rows, joined, result = {"table": self.rows}, f"{self.rows}_joined", f"{self.rows}_result"
        number = re.search(r"\d+", self.missing)
        return [
            ("ingest", {"source": self.rows}),
            ("ingest", {"source": self.register}),
            ("normalise", rows | {"column": self.key}),
            ("drop_rows", rows | {"column": "state", "value": self.state}),
            ("fill_missing", rows | {"column": self.measure, "value": int(number.group())})
            if number
            else ("drop_rows", rows | {"column": self.measure, "value": ""}),
            ("keep_latest", {"table": self.register, "key": self.key, "by": self.latest}),
            ("join", {"left": self.rows, "right": self.register, "column": self.key, "target": joined}),
            ("multiply", {"table": joined, "column": self.measure, "by": self.factor, "target": "product"}),
            (
                "aggregate",
                {"table": joined, "group_by": self.group, "column": "product", "how": self.how}
                | {"column_name": self.column, "target": result},
            ),
            ("export", {"table": result, "file_name": self.file}),
        ]


def _order(desk: Desk) -> Order | None:
    found = (Order.read(desk.task.goal, read_dossier(text)) for text in desk.texts())
    return next((order for order in found if order), None)


def fits(desk: Desk) -> bool:
    """The tools of such a work-off are there, and goal and dossier say what is wanted."""
    return set(TOOLS) <= {tool.name for tool in desk.task.tools} and _order(desk) is not None


async def work(desk: Desk) -> Finding | None:
    """Step by step; the first that cannot be done ends it."""
    order = _order(desk)
    if order is None:
        return None
    for tool, arguments in order.steps():
        result = await _carefully(desk, tool, arguments)
        if not result.ok:
            return Finding("done", 0.05)
    return Finding("done", 0.85)


async def _carefully(desk: Desk, tool: str, arguments: dict[str, Any]) -> ToolResult:
    """Call a tool until it has done its work once and no more than once."""
    for _ in range(MAX_TRIES):
        result = await desk.session.call(tool, **arguments)
        desk.claims.append(Claim("tool", desk.session.observations[-1].call, "ok" if result.ok else "failed"))
        error = result.error or ""
        if result.ok or not (_UNDONE.search(error) or _HALF_DONE.search(error)):
            return result
        if _HALF_DONE.search(error) and tool == "ingest":
            await _carefully(desk, "remove", {"table": arguments["source"]})
    return result
