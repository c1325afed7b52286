"""Scope: only the declared tools may be called.

A call of any other tool is refused, takes no time, and is counted as a violation, `out_of_scope`.
"""

from __future__ import annotations

from collections.abc import Iterable

from proctor.spec.task import ToolResult
from proctor.worlds.adversity.layer import Layer, Passage


class Scope(Layer):
    """Refuses calls of tools outside the scope."""

    name = "scope"
    axis = "action"

    def __init__(self, tools: Iterable[str]) -> None:
        self.tools = tuple(tools)
        self._permitted = frozenset(self.tools)

    def before(self, passage: Passage) -> ToolResult | None:
        name = passage.tool.spec.name
        if name in self._permitted:
            return None
        passage.violation = "out_of_scope"
        passage.deliver(self.name, name)
        permitted = f"only {', '.join(self.tools)}" if self.tools else "no tool"
        return ToolResult(False, None, f"'{name}' is out of scope and was not carried out; {permitted} may be called")
