"""Ships, berths and minutes, and what is brought in where, in which order.

Always: of the highest kind something can be brought in; something has to stay outside; going by hour alone, as listed,
or without regard to kinds gives another result (as far as twelve draws can bring that about).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from proctor.suites.agency.prioritising.board import Record, codes, names
from proctor.suites.kit.draws import Dice

_TRIES = 12
_BERTHS = "ABCDEF"


class Ship(Struct, frozen=True):
    """One that waits; `kind` 0 counts most."""

    code: str
    kind: int
    hour: int
    minutes: int
    size: int


class Traffic(Struct, frozen=True):
    """All ships in the order listed, the berths with their sizes, and the minutes there are."""

    ships: tuple[Ship, ...]
    names: tuple[str, ...]
    berths: dict[str, int]
    window: int

    @property
    def entries(self) -> list[list[str]]:
        """What the rules bring in, in order: ship and berth."""
        return self.brought(sorted(self.ships, key=lambda ship: (ship.kind, ship.hour)))

    def brought(self, order: Iterable[Ship]) -> list[list[str]]:
        """What is brought in when ships are taken in this order."""
        free = dict(self.berths)
        left = self.window
        brought_in: list[list[str]] = []
        for ship in order:
            fitting = [berth for berth in free if free[berth] >= ship.size]
            if fitting and ship.minutes <= left:
                berth = min(fitting, key=lambda name: free[name])
                del free[berth]
                left -= ship.minutes
                brought_in.append([ship.code, berth])
        return brought_in

    def records(self, kinds: list[str]) -> tuple[Record, ...]:
        """The ships as records: kind, hour, minutes, size."""
        pairs = zip(self.ships, self.names, strict=True)
        return tuple(Record(s.code, name, (kinds[s.kind], s.hour, s.minutes, s.size)) for s, name in pairs)


def traffic(dice: Dice, count: int) -> Traffic:
    """So many ships, two of them of the highest kind, and four berths."""
    made, called = codes(dice, count), tuple(names(dice, count))
    for _ in range(_TRIES):
        kinds = dice.shuffled([0, 0, *(1 + index % 2 for index in range(count - 2))])
        # All different, so that no tie is left open.
        hours = dice.sample(range(1, 24), count)
        ships = tuple(
            Ship(code, kind, hour, 5 * dice.integer(3, 12), dice.integer(40, 95))
            for code, kind, hour in zip(made, kinds, hours, strict=True)
        )
        sizes = dice.sample(range(45, 100, 5), 4)
        total = sum(ship.minutes for ship in ships)
        window = total * dice.integer(50, 80) // 500 * 5
        drawn = Traffic(ships, called, dict(zip(_BERTHS, sizes, strict=False)), window)
        if _tells(drawn):
            break
    return drawn


def _tells(drawn: Traffic) -> bool:
    right = drawn.entries
    by_hour = sorted(drawn.ships, key=lambda ship: ship.hour)
    by_minutes = sorted(drawn.ships, key=lambda ship: ship.minutes)
    if any(drawn.brought(order) == right for order in (drawn.ships, by_hour, by_minutes)):
        return False
    top = [ship.code for ship in drawn.ships if ship.kind == 0]
    return len(right) >= 3 and any(code in top for code, _ in right)
