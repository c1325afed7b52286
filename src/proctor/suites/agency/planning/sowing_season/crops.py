"""Crops and a frost: what each crop pays at once, what it pays at harvest, and which of them are worth sowing.

Always: as many crops as there are beds are worth clearly more than all others. Some crops bring a high price but ripen
too late; how many do is left to chance. Advances say nothing of what a crop is worth.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream

LEAST_WEEKS = 3
"""So many weeks at least lie between sowing and harvest."""


class Crop(Struct, frozen=True):
    """One crop."""

    name: str
    advance: int
    weeks: int
    price: int


class Season(Struct, frozen=True):
    """What can be sown, and until when it has to be harvested."""

    crops: list[Crop]
    frost: int
    beds: int

    def ripens(self, crop: Crop) -> bool:
        """Whether it can be harvested before the frost if it is sown in week 1."""
        return 1 + crop.weeks < self.frost

    def worth(self, crop: Crop) -> int:
        """What it brings in all."""
        return crop.advance + (crop.price if self.ripens(crop) else 0)

    def best(self) -> list[Crop]:
        """What to sow."""
        return sorted(self.crops, key=self.worth, reverse=True)[: self.beds]

    def most(self) -> int:
        """What the best plan brings."""
        return sum(map(self.worth, self.best()))


def season(stream: Stream, names: list[str], beds: int) -> Season:
    """A season with these crops."""
    frost = stream.integer(6, 8)
    others = len(names) - beds
    late = stream.integer(0, min(2, others))
    kinds = [*("good" for _ in range(beds)), *("late" for _ in range(late)), *("poor" for _ in range(others - late))]
    stream.shuffle(kinds)
    advances = stream.sample(range(2, 13), len(names))
    crops = [_crop(stream, *drawn, frost) for drawn in zip(names, advances, kinds, strict=True)]
    return Season(crops, frost, beds)


def _crop(stream: Stream, name: str, advance: int, kind: str, frost: int) -> Crop:
    in_time = stream.integer(LEAST_WEEKS, frost - 2)
    if kind == "late":
        return Crop(name, advance, stream.integer(frost - 1, frost + 1), stream.integer(34, 60))
    return Crop(name, advance, in_time, stream.integer(34, 52) if kind == "good" else stream.integer(4, 18))
