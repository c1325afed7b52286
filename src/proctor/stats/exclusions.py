"""What excluded units could have changed: the band of a rate, however they would have come out.

With e of them beside k of n the rate lies between k/(n + e), where all of them would have failed, and (k + e)/(n + e),
where all would have succeeded. It is no interval: it says nothing about chance, and holds for certain.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

ALWAYS_PROVISIONAL: Final = 5
"""Percent of units excluded above which what is said of the rest is Provisional, whatever they could change."""


class Band(Struct, frozen=True):
    """Between what a rate lies."""

    low: float
    high: float
    excluded: int

    @property
    def words(self) -> str:
        """E.g. `68 – 83 % with the 3 not measured`."""
        return f"{100 * self.low:.0f} – {100 * self.high:.0f} % with the {self.excluded:,} not measured"


def exclusion_band(successes: float, n: int, excluded: int) -> Band | None:
    """The band; None where nothing was excluded, or nothing measured."""
    if excluded <= 0 or n <= 0:
        return None
    total = n + excluded
    return Band(successes / total, (successes + excluded) / total, excluded)


def too_many_excluded(n: int, excluded: int) -> bool:
    """Whether so many are missing that the rest is Provisional."""
    return 100 * excluded > ALWAYS_PROVISIONAL * (n + excluded)
