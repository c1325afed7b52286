"""Pairwise covering arrays: few combinations in which every two values of two parameters still meet.

Greedy and one row at a time, after AETG (Cohen, Dalal, Fredman, Patton 1997): several candidate rows are grown, each
parameter taking the value that meets the most partners it has not met yet, and the best candidate is kept. A function
of the sizes and the seed alone; values are numbered from 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from proctor.core.errors import InputError
from proctor.core.seeds import Mulberry32

CANDIDATES = 20
"""Rows grown for each row kept: more make the array a little smaller and the work in proportion longer."""

Row = tuple[int, ...]


class _Unmet:
    """Which pairs have not met yet: for each value of each parameter, its missing partners by parameter."""

    def __init__(self, sizes: Sequence[int]) -> None:
        everyone = range(len(sizes))
        self._partners = [
            [[set(range(sizes[other])) if other != own else set() for other in everyone] for _ in range(size)]
            for own, size in enumerate(sizes)
        ]
        self.left = sum(a * b for i, a in enumerate(sizes) for b in sizes[i + 1 :])

    def neediest(self) -> tuple[int, int]:
        """The value with the most missing partners, as (parameter, value); the first of several."""
        return max(
            ((own, value) for own, values in enumerate(self._partners) for value in range(len(values))),
            key=lambda place: sum(map(len, self._partners[place[0]][place[1]])),
        )

    def gain(self, own: int, value: int, chosen: dict[int, int]) -> int:
        """How many new pairs this value makes with what is chosen already."""
        missing = self._partners[own][value]
        return sum(partner in missing[other] for other, partner in chosen.items())

    def meet(self, row: Row) -> None:
        """Cross out every pair of the row."""
        for own, value in enumerate(row):
            for other, partner in enumerate(row):
                if own < other and partner in self._partners[own][value][other]:
                    self._partners[own][value][other].discard(partner)
                    self._partners[other][partner][own].discard(value)
                    self.left -= 1


def covering_array(sizes: Sequence[int], *, seed: int = 0) -> tuple[Row, ...]:
    """Rows in which, for any two parameters, every pair of their values appears at least once.

    `sizes` says how many values each parameter has. With one parameter every value appears once, with none there is
    one empty row. No row appears twice.
    """
    if any(size < 1 for size in sizes):
        message = "a parameter without values has no combinations; give each at least one value"
        raise InputError(message)
    if len(sizes) < 2:
        return tuple((value,) for value in range(sizes[0])) if sizes else ((),)
    rng = Mulberry32(seed)
    unmet = _Unmet(sizes)
    rows: list[Row] = []
    while unmet.left:
        start = unmet.neediest()
        grown = [_candidate(unmet, sizes, start, rng) for _ in range(CANDIDATES)]
        _, best = max(grown, key=lambda pair: pair[0])
        unmet.meet(best)
        rows.append(best)
    return tuple(rows)


def _candidate(unmet: _Unmet, sizes: Sequence[int], start: tuple[int, int], rng: Mulberry32) -> tuple[int, Row]:
    """A row that holds `start`, the other parameters filled greedily in random order; and how many new pairs it has.

    It always has one at least: some parameter still misses the starting value, and takes a value that meets it.
    """
    own, value = start
    order = [other for other in range(len(sizes)) if other != own]
    rng.shuffle(order)
    chosen = {own: value}
    total = 0
    for other in order:
        gains = [unmet.gain(other, candidate, chosen) for candidate in range(sizes[other])]
        most = max(gains)
        best = [candidate for candidate, gain in enumerate(gains) if gain == most]
        chosen[other] = best[int(rng.random() * len(best))]
        total += most
    return total, tuple(chosen[parameter] for parameter in range(len(sizes)))
