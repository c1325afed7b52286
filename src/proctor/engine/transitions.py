"""Whether a world's state is another one after a call of a writing tool.

The state is looked at before the first writing call and after each one; reading calls leave it as it is. It is compared
as bytes, or by the world's own marks where it offers them (`MarksState`): no hash is taken, since an episode may have
thousands of calls.
"""

from __future__ import annotations

from typing import Any

from proctor.core.canonical import chainable, encode
from proctor.worlds.world import World, marks_state

_UNENCODABLE = (TypeError, ValueError, OverflowError)
"""Text with a lone surrogate, or a value that has to be lowered first."""


class StateWatch:
    """Looks at one world, from now on."""

    __slots__ = ("_marks", "_seen", "_world", "transitions")

    def __init__(self, world: World) -> None:
        self._world: Any = world
        self._marks = marks_state(world)
        self._seen = self._look()
        self.transitions = 0
        """How often it was another one."""

    def changed(self) -> bool:
        """Whether the state is another one than at the last look."""
        if self._seen is None:
            return False
        now = self._look()
        if now == self._seen:
            return False
        self._seen = now
        self.transitions += 1
        return True

    def _look(self) -> object:
        """The state as something that is equal where its hash is; None where the world shows none."""
        if self._marks:
            mark: object = self._world.state_mark()
            return mark
        state = self._world.state()
        if state is None:
            return None
        try:
            return encode(state)
        except _UNENCODABLE:
            return encode(chainable(state))
