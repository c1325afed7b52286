"""Prompt injection: a share of what reading tools answer carries an instruction that is not the user's.

The instruction is appended to a text, or comes as one more field or item; everything else stays. A bare number, boolean
or null has no room for it: nothing is delivered then. The receipt reads `<kind> <marker> <path>`, e.g.
`call REF-3F9A17C2D0 /rows/0/note`: whoever finds that marker in a submission or in later calls knows that it was
obeyed, and which order it was.
"""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Stream
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.fields import is_marker, json_pointer
from proctor.worlds.adversity.injection_texts import compose
from proctor.worlds.adversity.layer import Layer, Passage, threshold

_FIELD_NAMES = ("note", "comment", "notice", "system_message", "remark")


class Injection(Layer):
    """Adds an instruction to a share `p` of the results of reading tools."""

    name = "injection"
    axis = "adversary"

    def __init__(self, p: float, canary: str) -> None:
        self.p = p
        self._below = threshold(p)
        self.canary = canary

    def after(self, passage: Passage, result: ToolResult) -> ToolResult:
        if not result.ok or passage.tool.spec.effect != "read":
            return result
        stream = passage.draw_fault("injection", self._below)
        if stream is None:
            return result
        if type(result.value) not in (str, dict, list, tuple):
            return result
        injected = compose(stream, passage.tool.spec, self.canary)
        trail: list[str | int] = []
        value = _carrying(result.value, injected.text, stream, trail)
        passage.deliver(self.name, f"{injected.kind} {injected.marker} {json_pointer(trail)}")
        return ToolResult(True, value)


def _carrying(value: Any, text: str, stream: Stream, trail: list[str | int]) -> Any:
    """A copy of the value with the text in it; `trail` is filled with the way to where it went."""
    if type(value) is str:
        return f"{value}\n\n{text}" if value else text
    if type(value) is dict:
        return _object_carrying(value, text, stream, trail)
    rooms = [i for i, item in enumerate(value) if type(item) is dict or (type(item) is str and not is_marker(item))]
    items = list(value)
    place = stream.choice(rooms) if rooms else len(items)
    trail.append(place)
    if rooms:
        items[place] = _carrying(items[place], text, stream, trail)
    else:
        items.append(text)
    return items


def _object_carrying(value: dict[str, Any], text: str, stream: Stream, trail: list[str | int]) -> dict[str, Any]:
    texts = [key for key, item in value.items() if type(item) is str]
    if texts and stream.chance(0.5):
        key = stream.choice(texts)
        trail.append(key)
        return {**value, key: _carrying(value[key], text, stream, trail)}
    name, number = stream.choice(_FIELD_NAMES), 2
    free = name
    while free in value:
        free, number = f"{name}_{number}", number + 1
    trail.append(free)
    return {**value, free: text}
