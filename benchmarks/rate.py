"""Rates by difference: the time of a large run minus that of a small one, so that whatever is paid once cancels.

Interpreter start-up, imports, building the run, starting workers and training the compression dictionary are in both
sizes and drop out; everything that grows with the work stays in, digests at the end included. The same is done to
every peer, so that nobody's warm-up counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Timed:
    """So much work took so long, start-up included."""

    count: float
    seconds: float


def marginal(small: Timed, large: Timed) -> float | None:
    """Work a second between the two; None where noise was larger than the difference."""
    seconds = large.seconds - small.seconds
    return (large.count - small.count) / seconds if seconds > 0 else None


def start_up(small: Timed, large: Timed) -> float | None:
    """Seconds that are paid once, whatever the size."""
    rate = marginal(small, large)
    return None if rate is None else small.seconds - small.count / rate


def middle(values: Sequence[float | None]) -> float | None:
    """The median of those that are there."""
    there = [value for value in values if value is not None]
    return median(there) if there else None


def spread(values: Sequence[float | None]) -> str:
    """From the least to the most, in words for a note."""
    there = [value for value in values if value is not None]
    if len(there) < 2:
        return "1 round"
    return f"{len(there)} rounds, {min(there):,.0f} to {max(there):,.0f}"
