"""Perturbation: in a share of results, of reading and writing tools alike, one value is changed.

The field (see `fields`) is drawn evenly and gets another value of its type. A result without any field, such as a bare
null, cannot be perturbed; nothing is delivered then.
"""

from __future__ import annotations

from typing import Any

from proctor.spec.task import ToolResult
from proctor.worlds.adversity.alter import replacement
from proctor.worlds.adversity.fields import change_one, count_fields
from proctor.worlds.adversity.layer import Layer, Passage, threshold


class Perturbation(Layer):
    """Changes one value in a share `p` of results."""

    name = "perturbation"
    axis = "stability"

    def __init__(self, p: float) -> None:
        self.p = p
        self._below = threshold(p)

    def after(self, passage: Passage, result: ToolResult) -> ToolResult:
        if not result.ok or result.value is None:
            return result
        stream = passage.draw_fault("perturbation", self._below)
        if stream is None:
            return result
        count = count_fields(result.value)
        if count == 0:
            return result

        def change(field: Any, path: str) -> Any:
            passage.deliver(self.name, path)
            return replacement(field, stream)

        return ToolResult(True, change_one(result.value, stream.below(count), change))
