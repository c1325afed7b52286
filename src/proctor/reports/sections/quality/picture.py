"""The metrics as a picture: value, interval, and the target each is measured against."""

from __future__ import annotations

from proctor.instruments.quality.instrument import NAMES, QualityReading
from proctor.instruments.quality.metrics import Measured
from proctor.reports.html.figures import Track, track
from proctor.reports.html.markup import Markup, join, tag
from proctor.reports.numbers import NOT_MEASURED, bound, interval, percent

LEGEND = (
    "Dot: the value. Bar: its interval, templates resampled. Dashed line: the target; below its floor a metric blocks. "
    "Reaching a target is not yet a decision: that also asks for no harm, no decline and an accepted baseline."
)


def picture(reading: QualityReading) -> Markup:
    """A row for each metric."""
    rows = [_row(name, one, reading) for name, one in reading.metrics.items()]
    caption = tag("figcaption", tag("p", LEGEND, class_="legend"))
    return tag("figure", tag("ol", *rows, class_="vector"), caption, class_="picture")


def _row(name: str, one: Measured, reading: QualityReading) -> Markup:
    target, floor = reading.targets.get(name), reading.floors.get(name)
    who = tag(
        "div",
        tag("span", name, class_="letter"),
        tag("span", NAMES.get(name, name), class_="name"),
        class_="who",
        id=f"m-{name}",
    )
    return tag(
        "li",
        who,
        tag("div", _drawn(name, one, target), class_="deciding"),
        tag("div", tag("span", _standing(one, target, floor), class_="level-words"), class_="level"),
    )


def _drawn(name: str, one: Measured, target: float | None) -> Markup:
    if one.value is None:
        return tag("p", tag("strong", NOT_MEASURED), " ", one.reason or "", class_="numbers")
    spread = interval(one.low, one.high) if one.low is not None else f"no interval: {one.reason}"
    words = f"{spread} · n = {one.n:,}" + (f" · {one.note}" if one.note else "")
    drawn = track(
        Track(
            title=f"{NAMES.get(name, name)}: {percent(one.value)}",
            description=f"{percent(one.value)}, {words}",
            value=one.value,
            low=one.low,
            high=one.high,
            needs=target,
            needs_text="" if target is None else f"≥\u00a0{bound(target)}",
        )
    )
    return join(drawn, tag("p", tag("strong", percent(one.value)), " ", words, class_="numbers"))


def _standing(one: Measured, target: float | None, floor: float | None) -> str:
    if target is None or floor is None:
        return "shown, not decided on"
    if one.value is None:
        return f"needs {bound(target)}"
    if one.value < floor - 1e-12:
        return f"× under its floor of {bound(floor)}"
    return "✓ at target" if one.value >= target - 1e-12 else f"under its target of {bound(target)}"
