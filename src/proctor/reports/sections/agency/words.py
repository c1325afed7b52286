"""A level and its criteria in words, the same on a page, a card and a terminal."""

from __future__ import annotations

from proctor.instruments.agency.criterion import Criterion
from proctor.reports.data import RungState
from proctor.reports.numbers import NOT_MEASURED, bound, interval, percent, points, points_interval
from proctor.reports.sections.agency.shown import Dimension, Level

SIGNS = {"met": "✓", "met, not credited": "✓", "not met": "×", "too little evidence": "?", "not measurable": "–"}
MEANING: dict[RungState, str] = {
    "credited": "credited",
    "met, not credited": "met, but not credited: a level below it is not met, or a bound holds",
    "not met": "not met",
    "undecided": "undecided: too close to the threshold, or too little evidence",
    "not measurable": "tested, but nothing can be said",
    "not tested": "not tested",
    "above the mean": "above the mean of G1, G2 and G3",
}
"""Every mark, as the legend explains it."""


def level_words(one: Dimension) -> str:
    """The level in words; what is not measured says so."""
    if one.level is None:
        return "no level: invalid" if one.invalid else NOT_MEASURED
    return f"level {one.level}" if one.mean is None else f"level {one.level} (mean {one.mean:.1f})"


def value_text(one: Criterion) -> str:
    """The number itself."""
    if one.value is None:
        return NOT_MEASURED
    if one.kind in ("rate", "share"):
        return percent(one.value)
    if one.kind == "families":
        return f"{one.value:.0f} {'family' if one.value == 1 else 'families'}"
    # A negative loss is a gain: nobody has to turn a double negative around.
    gained = (one.value < 0) == (one.kind == "loss")
    return f"{points(abs(one.value), sign=False)} {'gained' if gained else 'lost'}"


def spread_text(one: Criterion) -> str:
    """The interval; empty where the criterion has none of its own."""
    if one.low is None or one.high is None:
        return ""
    return points_interval(one.low, one.high) if one.kind in ("gain", "loss") else interval(one.low, one.high)


def counts_text(one: Criterion) -> str:
    """k/n, or n where there is nothing to divide."""
    if one.n is None:
        return ""
    return f"n = {one.n:,}" if one.k is None else f"{one.k:,}/{one.n:,}"


def bound_text(one: Criterion) -> str:
    """What had to be reached: ≥ 70 %, ≥ 10 points, ≤ 25 points."""
    if one.kind in ("rate", "share"):
        return f"≥\u00a0{bound(one.needs)}"
    if one.kind == "families":
        return f"≥\u00a0{one.needs:.0f}"
    if one.kind == "gain" and not one.needs:
        return "an interval above 0"
    return f"{'≥' if one.kind == 'gain' else '≤'}\u00a0{bound(one.needs).removesuffix('%').strip()}\u00a0points"


def criterion_text(one: Criterion) -> str:
    """Everything about it in a line: value, interval, counts, what it is, bound."""
    spread, counts = spread_text(one), counts_text(one)
    value = f"{value_text(one)} ({spread})" if spread else value_text(one)
    return ", ".join(part for part in (f"{one.what}: {value}", counts, f"needs {bound_text(one)}") if part)


def status_text(level: Level) -> str:
    """`× not met`, `? too little evidence`: how the level's own test came out."""
    text = f"{SIGNS.get(level.status, '')} {level.status}".strip()
    return f"{text}, Provisional" if level.provisional else text


def next_status(level: Level) -> str:
    """The same for a level above the one that is credited: met there means met and not credited."""
    return f"{SIGNS['met']} met, not credited" if level.met else status_text(level)
