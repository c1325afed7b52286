"""A lock that answers every attempt, and counts them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.learning.code_lock.counting_puzzles import Order, Pegs, Switches, Word
from proctor.suites.agency.learning.code_lock.measuring_puzzles import Dials, Field, Gears, Wheel
from proctor.suites.agency.learning.code_lock.puzzle import Hint, Puzzle
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

PUZZLES: dict[str, Puzzle] = {
    "pegs": Pegs(),
    "dials": Dials(),
    "wheel": Wheel(),
    "field": Field(),
    "order": Order(),
    "gears": Gears(),
    "switches": Switches(),
    "word": Word(),
}
REASONS = ("correct", "no_attempt", "stopped_early", "wrong_entry")


class LockWorld(BaseWorld):
    """Open or shut; every attempt that could be read is on record."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._puzzle = PUZZLES[instance.template]
        self._public: dict[str, Any] = instance.hidden["public"]
        self._secret: list[Any] = instance.hidden["secret"]
        self._attempts: int = instance.hidden["attempts"]
        self.made: list[dict[str, Any]] = []
        self.open = False

    @tool(effect="write")
    def attempt(
        self, entry: Annotated[str, Meta(description="What you enter, in the form the task describes.")]
    ) -> dict[str, Any]:
        """Enter something. Says whether the lock opened, how many attempts are left and, if it is shut, the hint."""
        if self.open:
            message = "it is open already"
            raise ToolError(message)
        if len(self.made) >= self._attempts:
            message = "no attempt is left"
            raise ToolError(message)
        read = self._puzzle.read(entry[:200], self._public)
        if read is None:
            message = "this is no possible entry; write it as the task describes (no attempt was used)"
            raise ToolError(message)
        self.open = read == self._secret
        hint: Hint = {} if self.open else self._puzzle.hint(self._public, self._secret, read, len(self.made) + 1)
        self.made.append({"entry": self._puzzle.write(read), "opened": self.open, **hint})
        return {**self.made[-1], "attempts_left": self._attempts - len(self.made)}

    @tool(effect="read")
    def panel(self) -> dict[str, Any]:
        """Show whether the lock is open, all attempts so far with their hints, and how many are left."""
        return {"open": self.open, "made": self.made, "attempts_left": self._attempts - len(self.made)}

    def verify(self, submission: Submission) -> Verification:
        if self.open:
            return Verification(True, "correct")
        if not self.made:
            return Verification(False, "no_attempt")
        return Verification(False, "stopped_early" if len(self.made) < self._attempts else "wrong_entry")

    def state(self) -> Any:
        return {"open": self.open, "made": self.made}
