"""A desk that takes a list at once or item by item, and remembers in which way it was given it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.suites.agency.reflecting.switching import SwitchingWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

AT_ONCE, ONE_BY_ONE = "all-at-once", "one-by-one"
SWITCH = "handle_one"
REASONS = ("correct", "nothing_handled", "wrong_mark", "handled_exception", "left_undone")
Mark = Annotated[str, Meta(description="Today's mark, as the text says.")]


class DeskWorld(SwitchingWorld):
    """Which items were handled, with which mark, by which tool."""

    switch = SWITCH

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.handled: dict[str, str] = {}
        self.shut = False

    @tool(effect="write")
    def handle_all(self, mark: Mark) -> str:
        """Handle everything on the list in one go, in the same way. Nothing is left out.

        Refused once anything of the list has been handled. Cannot be undone.
        """
        self._open()
        if self.handled:
            message = "the list has been broken up: something on it is handled already"
            raise ToolError(message)
        self.way = AT_ONCE
        self.handled = dict.fromkeys(self.instance.hidden["items"], _plain(mark))
        return f"handled: {len(self.handled)}"

    @tool(effect="write")
    def handle_one(self, item: Annotated[str, Meta(description="The item's name, as on the list.")], mark: Mark) -> str:
        """Handle one item of the list by itself; the others stay as they are. Cannot be undone."""
        self._open()
        names = {_plain(name): name for name in self.instance.hidden["items"]}
        name = names.get(_plain(item))
        if name is None:
            message = f"'{item[:40]}' is not on the list"
            raise ToolError(message)
        if name in self.handled:
            message = "it is handled already"
            raise ToolError(message)
        limit = self.instance.hidden["limit"]
        if limit is not None and len(self.handled) >= limit:
            self.shut = True
            self._open()
        self.way = self.way or ONE_BY_ONE
        self.handled[name] = _plain(mark)
        return "handled"

    def _open(self) -> None:
        if self.shut:
            message = "shut for today: nothing more is taken, neither single items nor the whole list"
            raise ToolError(message)

    def state(self) -> Any:
        return {"handled": self.handled, "shut": self.shut}

    def reason(self) -> str:
        hidden = self.instance.hidden
        if not self.handled:
            return "nothing_handled"
        if hidden["left_out"] in self.handled:
            return "handled_exception"
        if set(self.handled.values()) != {_plain(hidden["mark"])}:
            return "wrong_mark"
        due = [item for item in hidden["items"] if item != hidden["left_out"]]
        return "correct" if set(self.handled) == set(due) else "left_undone"


def _plain(text: str) -> str:
    """As names and marks are compared: case and space around them say nothing."""
    return " ".join(text.casefold().split())
