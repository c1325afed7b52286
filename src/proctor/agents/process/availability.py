"""Whether it still makes sense to start an agent: three times in a row without a start, and it is given up.

Counted per agent string and process; `check` starts the count anew, and so does an agent that was ready.
"""

from __future__ import annotations

from typing import Final

_MISSES: Final = 3


class Availability:
    """The count for one agent string."""

    __slots__ = ("_misses", "remembers", "was_ready", "why")

    def __init__(self) -> None:
        self._misses = 0
        self.was_ready = False
        """Whether it ever was up, in any lifetime."""
        self.why = ""
        """What it missed its last start by."""
        self.remembers: bool | None = None
        """Whether the agent says that it can save its memory itself; None as long as it was not heard."""

    @property
    def given_up(self) -> bool:
        """Whether to try no more."""
        return self._misses >= _MISSES

    def missed(self, why: str) -> None:
        """It was started and did not get ready."""
        self._misses += 1
        self.why = why

    def met(self, *, remembers: bool) -> None:
        """It was ready."""
        self._misses = 0
        self.was_ready = True
        self.remembers = remembers


_known: dict[str, Availability] = {}


def availability(agent: str, *, anew: bool = False) -> Availability:
    """The count for this agent string in this process."""
    if anew or agent not in _known:
        _known[agent] = Availability()
    return _known[agent]
