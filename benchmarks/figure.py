"""A figure: one measured number, the limit it is held against, and how it was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["less", "more"]


@dataclass(frozen=True)
class Figure:
    """What was measured; `value` is None where it could not be, and the note says why."""

    subject: str
    name: str
    value: float | None
    unit: str
    limit: float | None = None
    better: Better = "less"
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the limit is kept; None where there is no limit or no value."""
        if self.value is None or self.limit is None:
            return None
        return self.value <= self.limit if self.better == "less" else self.value >= self.limit

    @property
    def margin(self) -> float | None:
        """How many times better than the limit: 1 is just met, below 1 falls short."""
        if self.value is None or self.limit is None or self.value <= 0:
            return None
        return self.limit / self.value if self.better == "less" else self.value / self.limit


def missing(
    subject: str, name: str, unit: str, why: str, *, limit: float | None = None, better: Better = "less"
) -> Figure:
    """A figure that could not be taken."""
    return Figure(subject, name, None, unit, limit, better, f"not measured: {why}")
