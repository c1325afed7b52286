"""Calls are repeated while they fail, and not for ever."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from proctor.agents.contract import Session
from proctor.spec.task import ToolResult
from proctor.suites.kit.retry import MAX_ATTEMPTS, call_with_retry


class Flaky:
    """A session whose tool fails so many times."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls: list[tuple[str, dict[str, Any]]] = []

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        self.calls.append((tool, arguments))
        failed = len(self.calls) <= self.failures
        return ToolResult(False, error="timed out") if failed else ToolResult(True, value="done")


@pytest.mark.parametrize(("failures", "calls", "ok"), [(0, 1, True), (3, 4, True), (99, MAX_ATTEMPTS, False)])
def test_a_call_is_repeated_until_it_is_carried_out(failures: int, calls: int, ok: bool) -> None:
    session = Flaky(failures)
    result = asyncio.run(call_with_retry(cast("Session", session), "read_bed", bed=2))
    assert (len(session.calls), result.ok) == (calls, ok)
    assert set(map(repr, session.calls)) == {repr(("read_bed", {"bed": 2}))}
