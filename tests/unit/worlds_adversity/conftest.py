"""What the tests of adversity share: a tiny world's tools, passages made by hand, and an independent comparison."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import UTC, datetime
from math import sqrt
from typing import Any

import pytest

from proctor.core.clock import Clock
from proctor.core.seeds import Stream
from proctor.evidence.events import Delivery
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.layer import Adversity, Layer, Passage
from proctor.worlds.tool import Tool, tool, tools_of


class _Tools:
    """Only looked at, never run."""

    @tool(effect="read")
    def read(self, path: str) -> str:
        """Read."""
        return path

    @tool(effect="read")
    def count(self) -> int:
        """Count."""
        return 0

    @tool(effect="write", milliseconds=250)
    def write(self, path: str, text: str) -> str:
        """Write."""
        return path + text


class Kit:
    """Passages and comparisons."""

    tools: dict[str, Tool] = tools_of(_Tools)

    def adversity(self, *key: str | int, pace: int = 500) -> Adversity:
        """An episode's adversity, keyed by these words."""
        return Adversity(Stream.keyed("test", *key), Clock(datetime(2026, 1, 1, tzinfo=UTC)), pace)

    def passage(self, adversity: Adversity | None = None, tool: str = "read", nth: int = 0) -> Passage:
        """One call."""
        return Passage(adversity or self.adversity(), self.tools[tool], {}, nth)

    def after(
        self, layer: Layer, value: Any, *, tool: str = "read", nth: int = 0, adversity: Adversity | None = None
    ) -> tuple[Any, list[Delivery]]:
        """What the layer makes of an ok result with this value, and its receipts; the value must stay as it was."""
        before = copy.deepcopy(value)
        passage = self.passage(adversity, tool, nth)
        result = layer.after(passage, ToolResult(True, value))
        assert value == before
        assert result.ok
        return result.value, passage.receipts

    def draw_fault(self, layer: Layer, calls: int, *key: str | int, tool: str = "read") -> list[bool]:
        """Which of so many calls the layer delivers something to."""
        adversity = self.adversity(*key)
        found = []
        for nth in range(calls):
            passage = self.passage(adversity, tool, nth)
            if layer.before(passage) is None:
                layer.after(passage, ToolResult(True, {"text": "some words", "n": 12}))
            found.append(bool(passage.receipts))
        return found

    def assert_share(self, hits: int, total: int, p: float) -> None:
        """Within four standard deviations of the binomial."""
        assert abs(hits - total * p) <= 4 * sqrt(total * p * (1 - p)), f"{hits} of {total} is not {p:.0%}"

    def changed(self, before: Any, after: Any) -> list[str]:
        """The paths at which two values of the same shape differ, found without the code under test."""
        return list(_changed(before, after, ""))

    def leaves(self, value: Any) -> int:
        """The number of fields, counted without the code under test."""
        if isinstance(value, dict):
            return sum(self.leaves(item) for item in value.values())
        if isinstance(value, list):
            return sum(self.leaves(item) for item in value)
        if isinstance(value, str):
            return sum(1 for line in value.split("\n") if line.strip())
        return 0 if value is None else 1


def _changed(before: Any, after: Any, path: str) -> Iterator[str]:
    assert type(before) is type(after), f"{path}: {before!r} became {after!r}"
    if isinstance(before, dict):
        assert list(before) == list(after)
        for key in before:
            token = key.replace("~", "~0").replace("/", "~1")
            yield from _changed(before[key], after[key], f"{path}/{token}")
    elif isinstance(before, list):
        assert len(before) == len(after)
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _changed(old, new, f"{path}/{i}")
    elif isinstance(before, str) and "\n" in before:
        old_lines, new_lines = before.split("\n"), after.split("\n")
        assert len(old_lines) == len(new_lines)
        for number, (old, new) in enumerate(zip(old_lines, new_lines, strict=True), 1):
            if old != new:
                yield f"{path or '/'}#{number}"
    elif before != after:
        yield path or "/"


@pytest.fixture(scope="session")
def kit() -> Kit:
    return Kit()
