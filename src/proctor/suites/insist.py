"""How oracles get through a flaky tool: by asking again."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Session
from proctor.spec.task import ToolResult

MOST_ATTEMPTS = 12


async def insist(session: Session, tool: str, /, **arguments: Any) -> ToolResult:
    """Call a tool until it answers without an error, at most twelve times; the last result either way.

    For calls that may be repeated without harm: readings, and writings that are refused when done twice.
    """
    result = await session.call(tool, **arguments)
    for _ in range(MOST_ATTEMPTS - 1):
        if result.ok:
            break
        result = await session.call(tool, **arguments)
    return result
