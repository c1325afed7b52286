"""What somebody's own code raised in an episode, and where: for its author, on stderr and in checks; recorded nowhere.

A trace has what was raised. The place is no part of it: the same mistake has to leave the same root everywhere.
"""

from __future__ import annotations

import sys

from msgspec import Struct

MOST = 5
"""Places that a worker says; whoever needs more runs `proctor check`."""


class Raised(Struct, frozen=True):
    """An exception of an agent's, a world's or a family's own code."""

    said: str
    """As the trace has it."""
    place: str
    """E.g. `at matcher.py:31 in run`."""

    def __str__(self) -> str:
        return f"{self.said} {self.place}"


class Told:
    """What was said of a run or a load so far: each place once, with the episode or request in which it was met."""

    def __init__(self) -> None:
        self._places: set[str] = set()

    def tell(self, position: int, raised: Raised, *, what: str = "episode") -> None:
        """Say it on stderr, unless it was said; `what` has this position."""
        if raised.place and raised.place not in self._places and len(self._places) < MOST:
            self._places.add(raised.place)
            # An agent chose these words, and they must not drive the terminal.
            shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(raised))
            print(f"proctor: {what} {position}: {shown}", file=sys.stderr, flush=True)
