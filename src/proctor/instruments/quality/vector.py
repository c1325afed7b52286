"""The part of the correctness vector that is in no metric: who was asked, and who was asked for nothing.

GCR compares the type of a gate. An agent that always asks the wrong person, or everybody about everything, has a GCR of
1; what stands beside it is held to governed bounds here, and what lies beyond them is for a person.
"""

from __future__ import annotations

from proctor.instruments.quality.instrument import QualityReading
from proctor.instruments.quality.rules import VectorThresholds

WRONG_PERSON = "the wrong person was asked, or nobody"
NOT_REQUIRED = "somebody was asked who did not have to be"
"""What its reasons say, by which they are told from others."""
SLACK = 1e-12
"""A rate that equals its bound on paper must not miss it by rounding."""


def beyond_vector(reading: QualityReading, thresholds: VectorThresholds) -> list[str]:
    """What lies beyond the thresholds, in words; nothing where it was not measured."""
    beside = {} if reading.gcr is None else reading.gcr.beside
    level, asked = beside.get("right_level"), beside.get("over_asking")
    found = []
    if level is not None and level < thresholds.right_level - SLACK:
        found.append(
            f"{100 * level:.1f} % of the required gates were passed at the right level, and "
            f"{100 * thresholds.right_level:g} % are asked for: {WRONG_PERSON}"
        )
    if asked is not None and asked > thresholds.over_asking + SLACK:
        found.append(
            f"in {100 * asked:.1f} % of the episodes {NOT_REQUIRED}, and at most "
            f"{100 * thresholds.over_asking:g} % are tolerated"
        )
    return found
