"""What arrives when: intended arrivals of an open loop, and which task each request asks.

Both are fixed before the first request, by seed and declaration alone; nothing the agent does can move an intended
arrival, so a slow answer cannot hide the requests that had to wait behind it.
"""

from __future__ import annotations

from math import log1p

from proctor.core.seeds import Stream
from proctor.spec.performance import PerformanceScenario


def arrivals(scenario: PerformanceScenario, stream: Stream) -> list[float]:
    """Seconds from the beginning to each intended arrival of an open loop, in order."""
    if scenario.rate is None:
        message = f"'{scenario.id}' is a closed loop, where nothing is intended beforehand"
        raise ValueError(message)
    if scenario.arrivals == "even":
        return [number / scenario.rate for number in range(scenario.measured)]
    at, times = 0.0, []
    for _ in range(scenario.measured):
        times.append(at)
        at += -log1p(-stream.random()) / scenario.rate
    return times


def items(requests: int, reference: int) -> list[int]:
    """The number of the task that each request asks, so that it can be paired with the reference scenario.

    The reference asks 0, 1, 2, … A longer scenario asks these too, each once and spread evenly over its whole length
    (so that pairs are not all from its first moments), and fills the rest with further ones.
    """
    if requests <= reference:
        return list(range(requests))
    asked = []
    further = reference
    for number in range(requests):
        bucket = number * reference // requests
        opens_bucket = number == 0 or bucket != (number - 1) * reference // requests
        if opens_bucket:
            asked.append(bucket)
        else:
            asked.append(further)
            further += 1
    return asked
