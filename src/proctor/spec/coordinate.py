"""Coordinates: where in an organisation an agent stands, and which scenarios a scope takes in (harness paper §6).

`G1.U2.P3.Z1.A5` names galaxy, universe, planet, zone and agent; `*` stands for any. A scenario's coordinate has as many
parts as its level: an agent's all five, a zone's `G1.U2.P3.Z1.*`, a universe's `G1.U2.*.*.*`.
"""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct

from proctor.core.errors import InputError

LETTERS = "GUPZA"
_PART = re.compile(r"[1-9][0-9]{0,8}\Z")


class Level(StrEnum):
    """How much of the organisation a coordinate covers."""

    GALAXY = "galaxy"
    UNIVERSE = "universe"
    PLANET = "planet"
    ZONE = "zone"
    AGENT = "agent"


_LEVELS = (Level.GALAXY, Level.UNIVERSE, Level.PLANET, Level.ZONE, Level.AGENT)


class Coordinate(Struct, frozen=True):
    """Five numbers; None for `*`. What follows a `*` is `*` too."""

    parts: tuple[int | None, int | None, int | None, int | None, int | None]

    @classmethod
    def parse(cls, text: str) -> Coordinate:
        """Read `G1.U2.P3.Z1.A5` or `G1.U2.*.*.*`; a typo is one sentence."""
        pieces = text.split(".")
        if len(pieces) != len(LETTERS):
            message = f"coordinate '{text}': write all five levels, e.g. G1.U2.P3.Z1.A5 or G1.U2.*.*.*"
            raise InputError(message)
        parts: list[int | None] = []
        for letter, piece in zip(LETTERS, pieces, strict=True):
            if piece == "*":
                parts.append(None)
            elif piece[:1] == letter and _PART.match(piece[1:]):
                if parts and parts[-1] is None:
                    message = f"coordinate '{text}': nothing may follow a * except *, but '{piece}' does"
                    raise InputError(message)
                parts.append(int(piece[1:]))
            else:
                message = f"coordinate '{text}': '{piece}' should be {letter} and a number, or *"
                raise InputError(message)
        return cls((parts[0], parts[1], parts[2], parts[3], parts[4]))

    def __str__(self) -> str:
        shown = ("*" if n is None else f"{letter}{n}" for letter, n in zip(LETTERS, self.parts, strict=True))
        return ".".join(shown)

    @property
    def level(self) -> Level:
        """The lowest level it names; `*.*.*.*.*` covers a galaxy and more."""
        named = sum(part is not None for part in self.parts)
        return _LEVELS[max(1, named) - 1]

    def covers(self, other: Coordinate) -> bool:
        """Whether the other lies within this one."""
        return all(mine is None or mine == theirs for mine, theirs in zip(self.parts, other.parts, strict=True))
