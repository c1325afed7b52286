"""Rates by difference: the time of a large run minus that of a small one, so that whatever is paid once cancels.

Interpreter start-up, imports, building the run, starting workers and training the compression dictionary are in both
sizes and drop out; everything that grows with the work stays in, digests at the end included. The same is done to
every peer, so that nobody's warm-up counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median


@dataclass(frozen=True)
class Two:
    """Two sizes of the same work."""

    small: int
    large: int


@dataclass(frozen=True)
class Timed:
    """So much work took so long, start-up included."""

    count: int
    seconds: float
    cpu: float
    """Processor seconds of all processes that took part; far steadier than the clock on a busy machine."""


@dataclass(frozen=True)
class Pair:
    """The same work in two sizes, one right after the other."""

    small: Timed
    large: Timed

    @classmethod
    def of(cls, run: Callable[[int], Timed], sizes: Two) -> Pair:
        """Run the small one, then the large one."""
        return cls(run(sizes.small), run(sizes.large))

    @property
    def rate(self) -> float | None:
        """Work a second between the two; None where noise was larger than the difference."""
        seconds = self.large.seconds - self.small.seconds
        return (self.large.count - self.small.count) / seconds if seconds > 0 else None

    @property
    def cpu_each(self) -> float:
        """Processor seconds for one unit of work."""
        return (self.large.cpu - self.small.cpu) / (self.large.count - self.small.count)

    @property
    def paid_once(self) -> float | None:
        """Seconds that do not depend on the size."""
        return None if self.rate is None else self.small.seconds - self.small.count / self.rate

    @property
    def how(self) -> str:
        """In words, for a note."""
        return f"difference between {self.small.count:,} and {self.large.count:,}"


def cpu_of_children() -> float:
    """Processor seconds of every child that has ended so far, and of theirs."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def middle(values: Sequence[float | None]) -> float | None:
    """The median of those that are there."""
    there = [value for value in values if value is not None]
    return median(there) if there else None


def spread(values: Sequence[float | None]) -> str:
    """How many rounds, and from the least to the most, in words for a note."""
    there = [value for value in values if value is not None]
    lost = len(values) - len(there)
    noise = f", {lost} lost in noise" if lost else ""
    if len(there) < 2:
        return f"{len(values)} round{'s' if len(values) > 1 else ''}{noise}"
    return f"median of {len(there)} rounds, {_short(min(there))} to {_short(max(there))}{noise}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
