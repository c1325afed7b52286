"""How each of the five levels of a dimension stands: one state, one mark, one meaning."""

from __future__ import annotations

from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.level import LevelReading
from proctor.reports.data import RungState

LEVELS = 5

MEANING: dict[RungState, str] = {
    "credited": "credited",
    "met, not credited": "met, but not credited: a level below it is not met, or a bound holds",
    "not met": "not met",
    "undecided": "undecided: too close to the threshold, or too little evidence",
    "not measurable": "tested, but nothing can be said",
    "not tested": "not tested",
    "above the mean": "above the mean of G1, G2 and G3",
}
"""Every state, as the legend explains it."""


def rungs(one: DimensionReading) -> tuple[RungState, ...]:
    """The states of levels 1 to 5."""
    if one.levels:
        return tuple(_state(one, level) for level in one.levels)
    # G has no tests of its own: its level is the mean of its parts.
    rest: RungState = "above the mean" if one.n else "not tested"
    return tuple("credited" if n <= (one.level or 0) else rest for n in range(1, LEVELS + 1))


def _state(one: DimensionReading, level: LevelReading) -> RungState:
    if level.met:
        return "credited" if one.level is not None and level.level <= one.level else "met, not credited"
    if level.status == "not tested":
        return "not tested"
    if level.status == "not measurable":
        return "not measurable"
    return "undecided" if level.provisional or level.status == "too little evidence" else "not met"
