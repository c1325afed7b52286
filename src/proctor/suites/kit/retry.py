"""How oracles get through a flaky tool: by calling it again."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Session
from proctor.spec.task import ToolResult

MAX_ATTEMPTS = 12


async def call_with_retry(session: Session, tool: str, /, **arguments: Any) -> ToolResult:
    """Call a tool until it answers without an error, at most twelve times; the last result either way.

    For calls that may be repeated without harm: reads, and writes that are refused when done twice.
    """
    result = await session.call(tool, **arguments)
    for _ in range(MAX_ATTEMPTS - 1):
        if result.ok:
            break
        result = await session.call(tool, **arguments)
    return result
