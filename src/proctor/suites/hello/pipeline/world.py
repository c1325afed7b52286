"""A source, a conversion and an archive, in memory, with hiccups of their own.

Which calls meet a hiccup is part of the instance: the first fetch or upload of some pages is answered with `busy`, and
the first upload of some is stored although its answer is lost.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

REASONS = ("correct", "nothing_stored", "missing_page", "wrong_items", "wrong_key", "stored_twice", "unwanted_page")
MAX_STORED = 200


class PipelineWorld(BaseWorld):
    """What the archive holds, by key, in the order of storing."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        self._pages: dict[int, dict[str, Any]] = {page["page"]: page for page in hidden["source"]}
        self._factor: int = hidden["factor"]
        self._offset: int = hidden["offset"]
        self._hiccups: set[tuple[str, int]] = {(kind, page) for kind, page in hidden["hiccups"]}
        self._stored: dict[str, dict[str, Any]] = {}

    @tool(effect="read")
    def fetch(self, page: int) -> dict[str, Any]:
        """Read one page of the source: its items, their checksum, and what else the page says."""
        if page not in self._pages:
            message = f"the source has no page {page}"
            raise ToolError(message)
        if self._happens("fetch", page):
            message = "the source is busy; nothing was read, try again"
            raise ToolError(message)
        return self._pages[page]

    @tool(effect="read")
    def transform(
        self, items: Annotated[list[int], Meta(max_length=50, description="The items of one page, in order.")]
    ) -> dict[str, Any]:
        """Convert items of the source into items of the archive, in the same order, with their checksum."""
        converted = converted_items(items, self._factor, self._offset)
        return {"items": converted, "checksum": sum(converted)}

    @tool(effect="write")
    def upload(
        self,
        key: Annotated[str, Meta(max_length=80, description="Names this upload; repeating a key stores nothing new.")],
        page: int,
        items: Annotated[list[int], Meta(max_length=50, description="The converted items, in order.")],
    ) -> dict[str, Any]:
        """Store the converted items of one page in the archive under a key."""
        if self._happens("upload", page):
            message = "the archive is busy; nothing was stored, try again"
            raise ToolError(message)
        if key in self._stored:
            return {"key": key, "stored": True, "repeated": True}
        if len(self._stored) >= MAX_STORED:
            message = "the archive is full"
            raise ToolError(message)
        self._stored[key] = {"page": page, "items": items}
        if self._happens("lost", page):
            message = "the connection was lost before the archive answered; the upload may or may not be stored"
            raise ToolError(message)
        return {"key": key, "stored": True, "repeated": False}

    @tool(effect="read")
    def archive(self) -> dict[str, Any]:
        """List the keys in the archive, in the order of storing."""
        return {"keys": list(self._stored)}

    def _happens(self, kind: str, page: int) -> bool:
        """Whether a hiccup waits here; each happens once."""
        if (kind, page) in self._hiccups:
            self._hiccups.remove((kind, page))
            return True
        return False

    def verify(self, submission: Submission) -> Verification:
        return Verification(*self._verdict())

    def _verdict(self) -> tuple[bool, str]:
        wanted = {item["page"]: item for item in self.instance.hidden["wanted"]}
        if not self._stored:
            return False, "nothing_stored"
        pages = [stored["page"] for stored in self._stored.values()]
        if any(page not in wanted for page in pages):
            return False, "unwanted_page"
        if len(set(pages)) < len(pages):
            return False, "stored_twice"
        if len(pages) < len(wanted):
            return False, "missing_page"
        if any(stored["items"] != wanted[stored["page"]]["items"] for stored in self._stored.values()):
            return False, "wrong_items"
        if any(key != wanted[stored["page"]]["key"] for key, stored in self._stored.items()):
            return False, "wrong_key"
        return True, "correct"

    def state(self) -> Any:
        return [[key, stored["page"], stored["items"]] for key, stored in self._stored.items()]


def converted_items(items: list[int], factor: int, offset: int) -> list[int]:
    """What `transform` makes of some items."""
    return [item * factor + offset for item in items]
