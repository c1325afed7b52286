"""The vector as a picture: for each dimension the level credited and the next one, each with its rate, and the ladder.

Rates stand before levels. The two rates are named and never mixed: beside a credited level stands the rate it was
credited for, beside the next one the rate that stopped it.
"""

from __future__ import annotations

from proctor.instruments.agency.criterion import Criterion
from proctor.reports.data import Report
from proctor.reports.html.figures import Track, ladder, rung, track
from proctor.reports.html.markup import Child, Markup, join, tag
from proctor.reports.html.parts import pill
from proctor.reports.numbers import NOT_MEASURED
from proctor.reports.sections.agency.shown import Dimension, Level, Vector
from proctor.reports.sections.agency.words import (
    MEANING,
    bound_text,
    counts_text,
    criterion_text,
    level_words,
    next_status,
    spread_text,
    status_text,
    value_text,
)


def picture(vector: Vector, report: Report) -> Markup:
    """A row for each dimension and each part of G, and what the marks mean."""
    rows = [
        _row(one, part=one is not whole)
        for whole in vector.vector.values()
        for one in (whole, *(part for part in whole.parts.values() if whole.n))
    ]
    heads = [tag("span", name) for name in ("Dimension", "Credited", "Next level", "Levels 1 to 5")]
    return tag(
        "figure",
        tag("p", *heads, class_="heads", aria_hidden="true"),
        tag("ol", *rows, class_="vector"),
        tag("figcaption", _legend(vector), _luck(vector, report)),
        class_="picture",
    )


def _luck(vector: Vector, report: Report) -> Markup | None:
    luck = vector.expected_false_promotions
    if luck is None:
        return None
    text = (
        f"If every true rate lay 5 points below its threshold, {luck:.2f} levels of this vector would be promoted by "
        f"luck (policy {report.policy})."
    )
    return tag("p", text, class_="note")


def _legend(vector: Vector) -> Markup:
    """Only the marks that occur, each with its one meaning."""
    found = {state for one in vector.all().values() for state in one.rungs}
    marks = [tag("li", rung(state), " ", MEANING[state]) for state in MEANING if state in found]
    rates = tag(
        "li",
        "Rates: the dot is the rate, the bar its interval, the thin bar the interval clustered by template, the dashed "
        "line what the level needs.",
        class_="wide",
    )
    return tag("ul", *marks, rates, class_="legend")


def _row(one: Dimension, *, part: bool) -> Markup:
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
        ladder(f"{one.title}: levels", one.rungs, one.level),
        tag("span", level_words(one), class_="level-words"),
        join(*(pill(name) for name in flags)),
        class_="level",
    )
    return tag("li", who, *_rates(one), level, class_="part" if part else None)


def _rates(one: Dimension) -> list[Markup]:
    if not one.levels:
        return [tag("div", _nothing(one), class_="rate whole")]
    return [
        tag("div", level_figure(one.credited, "credited", one), class_="rate"),
        tag("div", level_figure(one.next, "next", one), class_="rate"),
    ]


def _nothing(one: Dimension) -> Markup:
    """A dimension without levels of its own: G, whose parts stand below, or one that was not tested."""
    if one.parts and one.n:
        levels = ", ".join(f"{name} {_number(part.level)}" for name, part in one.parts.items())
        return tag("p", f"The mean of {levels}.", class_="numbers")
    why = one.reasons[-1] if one.reasons else ""
    return tag("p", tag("strong", NOT_MEASURED), " " if why else None, why, class_="numbers")


def _number(level: int | None) -> str:
    return f"{NOT_MEASURED} (0)" if level is None else str(level)


def level_figure(level: Level | None, role: str, one: Dimension) -> Markup:
    """A level with the number that decided it: drawn, in figures, and what else it asked."""
    if level is None:
        text = "none: the highest level is credited" if role == "next" else "none: no level is credited"
        return tag("p", tag("span", role, class_="role"), " ", text, class_="what empty")
    asked = [tag("span", role, class_="role"), " ", tag("strong", level.cell), " ", level.asks]
    head = tag("p", *asked, class_="what")
    status = tag("span", next_status(level), class_=f"status {_kind(level)}") if role == "next" else None
    shown = level.deciding
    if shown is None:
        return join(head, tag("p", status or status_text(level), class_="numbers"))
    others = [tag("li", criterion_text(other)) for other in level.criteria if other is not shown]
    return join(
        head,
        track(track_of(level, shown)),
        tag("p", *_figures(shown), status, class_="numbers"),
        tag("ul", *others, class_="also") if others else None,
    )


def _figures(one: Criterion) -> list[Child]:
    spread = spread_text(one)
    detail = ", ".join(part for part in (counts_text(one), one.what, f"needs {bound_text(one)}") if part)
    return [
        tag("strong", value_text(one)),
        f" {spread}" if spread else None,
        tag("span", detail, class_="under"),
    ]


def _kind(level: Level) -> str:
    return "ok" if level.met else "stop" if level.status == "not met" else "open"


def track_of(level: Level, one: Criterion) -> Track:
    """The picture of a criterion: shares from 0 to 100 %, gains and losses from −100 to 100 points."""
    second = None
    target = level.target
    if one.kind == "rate" and target is not None and (one.k, one.n) == (target.k, target.n):
        low, high = target.clustered.low, target.clustered.high
        second = (low, high) if low is not None and high is not None else None
    return Track(
        title=f"{level.cell}: {value_text(one)}",
        description=criterion_text(one),
        value=one.value,
        low=one.low,
        high=one.high,
        second=second,
        needs=one.needs,
        start=-1.0 if one.kind in ("gain", "loss") else 0.0,
        end=max(one.needs, one.value or 0.0, 1.0) if one.kind == "families" else 1.0,
    )
