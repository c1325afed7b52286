"""The values that scores and contrasts of binding can take, and their intervals as they are shown.

A t interval knows nothing of these limits: over a few units it can reach beyond what any unit could score. Readings
and tables keep the bounds as computed. What is shown is their intersection with the attainable range: the true mean
lies in it for certain, so the shorter interval covers it exactly as often.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from proctor.instruments.base import Value

SHARE = (0.0, 1.0)
DIFFERENCE = (-1.0, 1.0)
"""One share, or one coupling, minus another."""
SCORE = (-2.0, 1.0)
"""How often the decisive state was followed, less how often its twin was, less how often a cue moved the action. Scores
of 1.0 have no twin and stay above -1."""
GAINS = (-2.0, 2.0)
"""One difference minus another: accuracy less that on the twin, with the state and without it."""
CONTRAST = (-3.0, 3.0)
"""One score minus another."""
_SCORES = ("binding composite", "reason binding", "memory binding", "veto binding", "self-continuity binding")


def range_of_contrast(contrast: str) -> tuple[float, float]:
    """What a contrast of this name can be."""
    if contrast.startswith("coupling over "):
        return DIFFERENCE
    return GAINS if contrast.startswith("structured over ") else CONTRAST


def range_of_value(name: str) -> tuple[float, float]:
    """What a value of a binding reading can be."""
    if name == "sufficiency accuracy":
        return SHARE
    return SCORE if name.startswith(_SCORES) else range_of_contrast(name.removeprefix("contrast: "))


def within(bound: float, limits: tuple[float, float]) -> float:
    """A bound of an interval as it is shown."""
    return min(max(bound, limits[0]), limits[1])


def shown_values(values: Iterable[Value]) -> list[Value]:
    """The values of a reading with their intervals as they are shown."""
    return [_shown(value) for value in values]


def _shown(value: Value) -> Value:
    estimate = value.estimate
    if estimate.low is None or estimate.high is None:
        return value
    limits = range_of_value(value.name)
    bounded = replace(estimate, low=within(estimate.low, limits), high=within(estimate.high, limits))
    return replace(value, estimate=bounded)
