"""A level and its criteria in words, the same on a page, a card and a terminal."""

from __future__ import annotations

from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.flags import is_invalid
from proctor.reports.numbers import NOT_MEASURED, bound, interval, percent, points, points_interval
from proctor.reports.sections.agency.criteria import Criterion, LevelShown

SIGNS = {"met": "✓", "not met": "×", "too little evidence": "?", "not measurable": "–", "not tested": ""}


def level_words(one: DimensionReading) -> str:
    """The level in words; what is not measured says so."""
    if one.level is None:
        return "no level: invalid" if any(map(is_invalid, one.flags)) else NOT_MEASURED
    return f"level {one.level}" if one.mean is None else f"level {one.level} (mean {one.mean:.1f})"


def value_text(one: Criterion) -> str:
    """The number itself."""
    if one.measure == "rate":
        return percent(one.estimate)
    if one.estimate is None:
        return NOT_MEASURED
    if one.measure == "gain":
        return f"{points(one.estimate)} gained"
    # A negative loss is a gain: nobody has to turn a double negative around.
    return f"{points(abs(one.estimate), sign=False)} {'lost' if one.estimate >= 0 else 'gained'}"


def spread_text(one: Criterion) -> str:
    """The interval; empty where the criterion has none of its own."""
    if one.low is None or one.high is None:
        return ""
    return interval(one.low, one.high) if one.measure == "rate" else points_interval(one.low, one.high)


def bound_text(one: Criterion) -> str:
    """What had to be reached: ≥ 70 %, ≥ 10 points, ≤ 25 points."""
    if one.measure == "rate":
        return f"≥\u00a0{bound(one.needs)}"
    return f"{'≥' if one.measure == 'gain' else '≤'}\u00a0{round(100 * one.needs)}\u00a0points"


def criterion_text(one: Criterion) -> str:
    """Everything about it in a line: value, interval, counts, where, bound."""
    spread = spread_text(one)
    value = f"{value_text(one)} ({spread})" if spread else value_text(one)
    return f"{value}, {one.k:,}/{one.n:,} {one.about}, needs {bound_text(one)}"


def status_text(level: LevelShown) -> str:
    """`× not met`, `? too little evidence`: how the level's own test came out."""
    sign = SIGNS.get(level.status, "")
    return f"{sign} {level.status}".strip()
