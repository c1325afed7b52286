"""The vector as a picture: for each dimension the rate that decided it, against what was needed, and the level."""

from __future__ import annotations

from proctor.instruments.agency.dimension import DimensionReading
from proctor.reports.data import Report
from proctor.reports.html.figures import StepState, Track, steps, track
from proctor.reports.html.markup import Markup, join, tag
from proctor.reports.html.parts import pill
from proctor.reports.numbers import NOT_MEASURED, bound, interval, percent, points, points_interval
from proctor.reports.sections.agency.data import AgencyData
from proctor.reports.sections.agency.deciding import Deciding, stop_of

LEVELS = 5


def picture(data: AgencyData, report: Report) -> Markup:
    """A row for each dimension and each part of G."""
    rows = [
        _row(one, data.deciding.get(one.dimension), part=one is not dimension)
        for dimension in data.reading.vector.values()
        for one in (dimension, *(part for part in dimension.parts.values() if dimension.n))
    ]
    luck = data.reading.expected_false_promotions
    note = (
        None
        if luck is None
        else tag(
            "p",
            f"If every true rate lay 5 points below its threshold, {luck:.2f} levels of this vector would be promoted "
            f"by luck (policy {report.policy}).",
            class_="note",
        )
    )
    legend = tag(
        "p",
        "Left: the rate that decided the level (dot), its interval (bar), the interval clustered by template (thin "
        "bar) and what was needed (dashed line). Right: levels 1 to 5; filled: credited; ×: not met; ?: too close or "
        "too little evidence to say; striped: met above a failed level, not credited; dashed outline: not tested.",
        class_="legend",
    )
    both = f"The same system within the other boundary: {data.reading.beside}"
    exploratory = tag("p", data.reading.exploratory or both, class_="note")
    caption = tag("figcaption", legend, note, exploratory)
    return tag("figure", tag("ol", *rows, class_="vector"), caption, class_="picture")


def _row(one: DimensionReading, decided: Deciding | None, *, part: bool) -> Markup:
    who = tag(
        "a",
        tag("span", one.dimension, class_="letter"),
        tag("span", one.title, class_="name"),
        href=f"#dimension-{one.dimension if not part else 'G'}",
        class_="who",
    )
    flags = dict.fromkeys(flag.name for flag in one.flags)
    level = tag(
        "div",
        steps(f"{one.title}: level", states(one), one.level),
        tag("span", level_words(one), class_="level-words"),
        join(*(pill(name) for name in flags)),
        class_="level",
    )
    return tag(
        "li", who, tag("div", rate_figure(one, decided), class_="deciding"), level, class_="part" if part else None
    )


def level_words(one: DimensionReading) -> str:
    """The level in words; what is not measured says so."""
    if one.level is None:
        return NOT_MEASURED if not any(flag.name.startswith("Invalid") for flag in one.flags) else "no level: invalid"
    return f"level {one.level}" if one.mean is None else f"level {one.level} (mean {one.mean:.1f})"


def states(one: DimensionReading) -> list[StepState]:
    """How each of the five levels stands."""
    if not one.levels:
        return ["credited" if one.level is not None and n <= one.level else "not tested" for n in range(1, LEVELS + 1)]
    stop = stop_of(one)
    shown: list[StepState] = []
    for level in one.levels:
        if one.level is not None and level.level <= one.level:
            shown.append("credited")
        elif level.met:
            shown.append("met, not credited")
        elif level.status in ("not tested", "not measurable"):
            shown.append("not tested")
        elif level is stop and level.provisional:
            shown.append("provisional")
        else:
            shown.append("not met")
    return shown


def rate_figure(one: DimensionReading, decided: Deciding | None) -> Markup:
    """The deciding rate, drawn and in numbers."""
    if decided is None:
        why = one.reasons[-1] if one.reasons and not one.parts else ""
        text = "its parts stand below" if one.parts and one.n else why
        return tag(
            "p", tag("strong", NOT_MEASURED) if not one.n else None, " " if text else None, text, class_="numbers"
        )
    drawn = track(track_of(decided))
    return join(drawn, tag("p", tag("strong", value_text(decided)), " ", detail_text(decided), class_="numbers"))


def value_text(decided: Deciding) -> str:
    """The number itself."""
    if decided.kind == "rate":
        return percent(decided.estimate)
    return points(decided.estimate) if decided.kind == "gain" else f"{points(decided.estimate, sign=False)} lost"


def detail_text(decided: Deciding) -> str:
    """Interval, counts, cell and regime."""
    spread = (
        interval(decided.low, decided.high) if decided.kind == "rate" else points_interval(decided.low, decided.high)
    )
    return f"{spread} · {decided.k}/{decided.n} · {decided.cell} under {decided.regime}"


def needs_words(decided: Deciding) -> str:
    """What had to be reached."""
    if decided.kind == "rate":
        return f"≥\u00a0{bound(decided.needs)}"
    return f"≥ {round(100 * decided.needs)}" if decided.kind == "gain" else f"≤ {round(100 * decided.needs)}"


def track_of(decided: Deciding) -> Track:
    """The picture of a criterion: rates from 0 to 100 %, gains and losses from −100 to 100 points."""
    second = None
    if decided.clustered_low is not None and decided.clustered_high is not None:
        second = (decided.clustered_low, decided.clustered_high)
    return Track(
        title=f"{decided.cell}: {value_text(decided)}",
        description=f"{value_text(decided)}, interval {detail_text(decided)}; needs {needs_words(decided)}",
        value=decided.estimate,
        low=decided.low,
        high=decided.high,
        second=second,
        needs=decided.needs,
        needs_text=needs_words(decided),
        start=0.0 if decided.kind == "rate" else -1.0,
    )
