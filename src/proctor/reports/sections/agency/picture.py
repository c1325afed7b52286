"""The vector as a picture: for each dimension the level credited and the next one, each with its rate, and the ladder.

Rates stand before levels. The two rates are named and never mixed: beside a credited level stands the rate it was
credited for, beside the next one the rate that stopped it.
"""

from __future__ import annotations

from proctor.instruments.agency.dimension import DimensionReading
from proctor.reports.data import Report
from proctor.reports.html.figures import Track, ladder, rung, track
from proctor.reports.html.markup import Child, Markup, join, tag
from proctor.reports.html.parts import pill
from proctor.reports.numbers import NOT_MEASURED
from proctor.reports.sections.agency.criteria import Criterion, LevelShown
from proctor.reports.sections.agency.data import AgencyData, DimensionShown
from proctor.reports.sections.agency.rungs import MEANING
from proctor.reports.sections.agency.words import (
    bound_text,
    criterion_text,
    level_words,
    spread_text,
    status_text,
    value_text,
)


def picture(data: AgencyData, report: Report) -> Markup:
    """A row for each dimension and each part of G, and what the marks mean."""
    rows = [
        _row(one, data.shown[one.dimension], part=one is not dimension)
        for dimension in data.reading.vector.values()
        for one in (dimension, *(part for part in dimension.parts.values() if dimension.n))
    ]
    heads = [tag("span", name) for name in ("Dimension", "Credited", "Next level", "Levels 1 to 5")]
    return tag(
        "figure",
        tag("p", *heads, class_="heads", aria_hidden="true"),
        tag("ol", *rows, class_="vector"),
        tag("figcaption", _legend(data), _luck(data, report)),
        class_="picture",
    )


def _luck(data: AgencyData, report: Report) -> Markup | None:
    luck = data.reading.expected_false_promotions
    if luck is None:
        return None
    text = (
        f"If every true rate lay 5 points below its threshold, {luck:.2f} levels of this vector would be promoted by "
        f"luck (policy {report.policy})."
    )
    return tag("p", text, class_="note")


def _legend(data: AgencyData) -> Markup:
    """Only the marks that occur, each with its one meaning."""
    found = {state for shown in data.shown.values() for state in shown.rungs}
    marks = [tag("li", rung(state), " ", MEANING[state]) for state in MEANING if state in found]
    rates = tag(
        "li",
        "Rates: the dot is the rate, the bar its interval, the thin bar the interval clustered by template, the dashed "
        "line what the level needs.",
        class_="wide",
    )
    return tag("ul", *marks, rates, class_="legend")


def _row(one: DimensionReading, shown: DimensionShown, *, part: bool) -> Markup:
    who = tag(
        "a",
        tag("span", one.dimension, class_="letter"),
        tag("span", one.title, class_="name"),
        href=f"#dimension-{one.dimension}",
        class_="who",
    )
    flags = dict.fromkeys(flag.name for flag in one.flags)
    level = tag(
        "div",
        ladder(f"{one.title}: levels", shown.rungs, one.level),
        tag("span", level_words(one), class_="level-words"),
        join(*(pill(name) for name in flags)),
        class_="level",
    )
    return tag("li", who, *_rates(one, shown), level, class_="part" if part else None)


def _rates(one: DimensionReading, shown: DimensionShown) -> list[Markup]:
    decided = shown.deciding
    if decided.credited is None and decided.next is None:
        return [tag("div", _nothing(one), class_="rate whole")]
    return [
        tag("div", level_figure(decided.credited, "credited", one), class_="rate"),
        tag("div", level_figure(decided.next, "next", one), class_="rate"),
    ]


def _nothing(one: DimensionReading) -> Markup:
    """A dimension without levels of its own: G, whose parts stand below, or one that was not tested."""
    if one.parts and one.n:
        levels = ", ".join(f"{name} {_number(part.level)}" for name, part in one.parts.items())
        return tag("p", f"The mean of {levels}.", class_="numbers")
    why = one.reasons[-1] if one.reasons else ""
    return tag("p", tag("strong", NOT_MEASURED), " " if why else None, why, class_="numbers")


def _number(level: int | None) -> str:
    return f"{NOT_MEASURED} (0)" if level is None else str(level)


def level_figure(level: LevelShown | None, role: str, one: DimensionReading) -> Markup:
    """A level with the number that decided it: drawn, in figures, and what else it asked."""
    if level is None:
        text = "none: the highest level is credited" if role == "next" else "none: no level is credited"
        if one.level is None and role == "credited":
            text = "none: there is no level"
        return tag("p", tag("span", role, class_="role"), " ", text, class_="what empty")
    head = tag(
        "p",
        tag("span", role, class_="role"),
        " ",
        tag("strong", level.cell),
        " ",
        level.asks,
        class_="what",
    )
    if not level.criteria:
        return join(head, tag("p", _status(level, role), class_="numbers"))
    shown = _main(level, role)
    others = [tag("li", criterion_text(other)) for other in level.criteria if other is not shown]
    return join(
        head,
        track(track_of(level.cell, shown)),
        tag("p", *_figures(shown), *_verdict(level, role), class_="numbers"),
        tag("ul", *others, class_="also") if others else None,
    )


def _main(level: LevelShown, role: str) -> Criterion:
    """The criterion to draw: for the next level the first that is not reached."""
    if role == "next":
        return next((one for one in level.criteria if one.met is False), level.criteria[0])
    return level.criteria[0]


def _figures(one: Criterion) -> list[Child]:
    spread = spread_text(one)
    return [
        tag("strong", value_text(one)),
        f" {spread}" if spread else None,
        tag("span", f"{one.k:,}/{one.n:,} {one.about}, needs {bound_text(one)}", class_="under"),
    ]


def _verdict(level: LevelShown, role: str) -> list[Child]:
    return [_status(level, role)] if role == "next" else []


def _status(level: LevelShown, role: str) -> Markup:
    kind = "ok" if level.status == "met" else "stop" if level.status == "not met" else "open"
    text = status_text(level)
    if role == "next" and level.status == "met":
        text = "✓ met, not credited"
    return tag("span", text + (", Provisional" if level.provisional else ""), class_=f"status {kind}")


def track_of(cell: str, one: Criterion) -> Track:
    """The picture of a criterion: rates from 0 to 100 %, gains and losses from −100 to 100 points."""
    second = None
    if one.clustered_low is not None and one.clustered_high is not None:
        second = (one.clustered_low, one.clustered_high)
    return Track(
        title=f"{cell}: {value_text(one)}",
        description=criterion_text(one),
        value=one.estimate,
        low=one.low,
        high=one.high,
        second=second,
        needs=one.needs,
        start=0.0 if one.measure == "rate" else -1.0,
    )
