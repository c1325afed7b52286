"""Less context: of each long text and each long list, only a window is shown.

Applies to the first observation and to what reading tools answer. A text of at least `MIN_TEXT` characters and a list
of at least `MIN_ITEMS` items lose the declared share; shorter ones are left whole. The window is contiguous, and a
marker such as `[… 1,204 characters withheld]` stands wherever something is missing (in a list it is an item of its
own). Windows of texts end at white space where there is some near, so that half a number is never taken for a whole
one: a text may lose up to `SNAP` characters more at each end.

Where the window lies is drawn anew at every reading, and no part of the original is hard to come by, the ends included:
of n things of which k are kept, each is within the window with a probability of at least k / (n + k). What is needed
stays attainable by reading again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proctor.core.seeds import Stream
from proctor.evidence.events import Delivery
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.fields import json_pointer, withheld_marker
from proctor.worlds.adversity.layer import Layer, Passage

MIN_TEXT = 200
MIN_ITEMS = 6
SNAP = 40


class ContextCut(Layer):
    """Withholds `share` of each long text or list."""

    name = "context_cut"
    axis = "information"

    def __init__(self, share: float) -> None:
        self.share = share

    def after(self, passage: Passage, result: ToolResult) -> ToolResult:
        value = result.value
        if not result.ok or passage.tool.spec.effect != "read" or (type(value) is str and len(value) < MIN_TEXT):
            return result
        new = _Cutter(self.share, lambda: passage.stream(self.name), passage.receipts).run(value)
        return result if new is value else ToolResult(True, new)

    def show(self, fields: dict[str, Any], stream: Stream, receipts: list[Delivery]) -> dict[str, Any]:
        new: dict[str, Any] = _Cutter(self.share, lambda: stream.child(self.name), receipts).run(fields)
        return new


class _Cutter:
    """One reading. The stream is made when the first cut needs it: most values are short."""

    __slots__ = ("_make", "_receipts", "_share", "_stream", "_trail")

    def __init__(self, share: float, make: Callable[[], Stream], receipts: list[Delivery]) -> None:
        self._share = share
        self._make = make
        self._receipts = receipts
        self._stream: Stream | None = None
        self._trail: list[str | int] = []

    def run(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return value if len(value) < MIN_TEXT else self._text(value)
        if kind is dict:
            return self._inside(value, value.items())
        if kind is list or kind is tuple:
            shown = value if len(value) < MIN_ITEMS else self._items(value)
            return self._inside(shown, enumerate(shown))
        return value

    def _inside(self, value: Any, items: Any) -> Any:
        changed: Any = None
        for key, item in items:
            self._trail.append(key)
            new = self.run(item)
            self._trail.pop()
            if new is not item:
                if changed is None:
                    changed = dict(value) if type(value) is dict else list(value)
                changed[key] = new
        return value if changed is None else changed

    def _text(self, text: str) -> str:
        start, end = self._window(len(text))
        if start == 0 and end == len(text):
            return text
        start, end = _snapped(text, start, end)
        self._receipt(start, end, len(text), "character")
        if start == end:
            return withheld_marker(len(text), "character")
        head = withheld_marker(start, "character") + "\n" if start else ""
        tail = "\n" + withheld_marker(len(text) - end, "character") if end < len(text) else ""
        return f"{head}{text[start:end]}{tail}"

    def _items(self, items: list[Any] | tuple[Any, ...]) -> list[Any] | tuple[Any, ...]:
        total = len(items)
        start, end = self._window(total)
        if start == 0 and end == total:
            return items
        self._receipt(start, end, total, "item")
        if start == end:
            return [withheld_marker(total, "item")]
        head = [withheld_marker(start, "item")] if start else []
        tail = [withheld_marker(total - end, "item")] if end < total else []
        return [*head, *items[start:end], *tail]

    def _window(self, total: int) -> tuple[int, int]:
        keep = total - round(total * self._share)
        if keep == 0 and self._share < 1.0:
            keep = 1
        if keep in (0, total):
            return 0, keep
        if self._stream is None:
            self._stream = self._make()
        # Starting places reach beyond both ends and are pushed back in, or the ends would hardly ever be seen.
        start = self._stream.integer(1 - keep, total - 1)
        start = min(max(start, 0), total - keep)
        return start, start + keep

    def _receipt(self, start: int, end: int, total: int, unit: str) -> None:
        gone = total - (end - start)
        self._receipts.append(Delivery(ContextCut.name, f"{gone} of {total} {unit}s {json_pointer(self._trail)}"))


def _snapped(text: str, start: int, end: int) -> tuple[int, int]:
    """The window without the broken words at its ends."""
    low, high = start, end
    if start and not text[start - 1].isspace():
        low = next((i + 1 for i in range(start, min(start + SNAP, end - 1)) if text[i].isspace()), start)
    if end < len(text) and not text[end].isspace():
        high = next((i for i in range(end - 1, max(end - SNAP, low), -1) if text[i].isspace()), end)
    return low, high
