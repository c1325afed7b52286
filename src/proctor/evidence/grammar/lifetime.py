"""What episodes of one lifetime hand on: a world is given what the episode before it left, and nothing else.

Where a lifetime was lived twice, two lives are on record: what the first measured, and from the second what the first
did not. Each is followed by itself. Of the second, which began anew, nothing is known where the episode before was
measured in the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from proctor.evidence.grammar.opening import Opening
from proctor.evidence.row import INFRASTRUCTURE, Row


class _Life:
    """One life of a lifetime, as far as it is on record."""

    __slots__ = ("_firm", "_known", "_left")

    def __init__(self) -> None:
        self._left: str | None = None
        self._firm = True
        """Whether the next one has to be given exactly that."""
        self._known = True

    def unseen(self) -> None:
        """An episode of this life is not on record."""
        self._known = False

    def add(self, row: Row, opening: Opening) -> Iterator[str]:
        """Take the next episode; what does not follow from the one before."""
        known, self._known = self._known, True
        if opening.lost:
            # All of it was put on record without the agent, each episode by itself.
            self._left, self._firm = opening.left or opening.given, False
            return
        # A world may leave nothing where it was given something, and no event says so.
        if known and opening.given != self._left and (self._firm or opening.given is not None):
            given, left = (None if one is None else one[:12] for one in (opening.given, self._left))
            yield f"its world was given {given!a}; the episode before it left {left!a}"
        if row.outcome == INFRASTRUCTURE:
            self._left = opening.given
        else:
            self._left = opening.left or opening.given
            self._firm = opening.left is not None or opening.given is None


class HandedOn:
    """Follows the lifetimes of a run in presentation order."""

    def __init__(self) -> None:
        self._lifetime = -1
        self._first = _Life()
        self._second = _Life()

    def add(self, row: Row, opening: Opening, *, began: bool, again: bool) -> Iterator[str]:
        """Take the next episode; `again`: its record is that of a second try."""
        if row.lifetime != self._lifetime:
            self._lifetime, self._first, self._second = row.lifetime, _Life(), _Life()
        if not again:
            self._second.unseen()
        if not began:
            return
        # What was not measured in the first life handed nothing on in it.
        yield from (self._second if again else self._first).add(row, opening)
