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


def _row(one: DimensionReading, found: Deciding | None, *, part: bool) -> Markup:
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
        "li", who, tag("div", rate_figure(one, found), class_="deciding"), level, class_="part" if part else None
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
    found: list[StepState] = []
    for level in one.levels:
        if one.level is not None and level.level <= one.level:
            found.append("credited")
        elif level.met:
            found.append("met, not credited")
        elif level.status in ("not tested", "not measurable"):
            found.append("not tested")
        elif level is stop and level.provisional:
            found.append("provisional")
        else:
            found.append("not met")
    return found


def rate_figure(one: DimensionReading, found: Deciding | None) -> Markup:
    """The deciding rate, drawn and in numbers."""
    if found is None:
        why = one.reasons[-1] if one.reasons and not one.parts else ""
        text = "its parts stand below" if one.parts and one.n else why
        return tag(
            "p", tag("strong", NOT_MEASURED) if not one.n else None, " " if text else None, text, class_="numbers"
        )
    drawn = track(track_of(found))
    return join(drawn, tag("p", tag("strong", value_text(found)), " ", detail_text(found), class_="numbers"))


def value_text(found: Deciding) -> str:
    """The number itself."""
    if found.kind == "rate":
        return percent(found.estimate)
    return points(found.estimate) if found.kind == "gain" else f"{points(found.estimate, sign=False)} lost"


def detail_text(found: Deciding) -> str:
    """Interval, counts, cell and regime."""
    spread = interval(found.low, found.high) if found.kind == "rate" else points_interval(found.low, found.high)
    return f"{spread} · {found.k}/{found.n} · {found.cell} under {found.regime}"


def needs_words(found: Deciding) -> str:
    """What had to be reached."""
    if found.kind == "rate":
        return f"≥\u00a0{bound(found.needs)}"
    return f"≥ {round(100 * found.needs)}" if found.kind == "gain" else f"≤ {round(100 * found.needs)}"


def track_of(found: Deciding) -> Track:
    """The picture of a criterion: rates from 0 to 100 %, gains and losses from −100 to 100 points."""
    second = None
    if found.clustered_low is not None and found.clustered_high is not None:
        second = (found.clustered_low, found.clustered_high)
    return Track(
        title=f"{found.cell}: {value_text(found)}",
        description=f"{value_text(found)}, interval {detail_text(found)}; needs {needs_words(found)}",
        value=found.estimate,
        low=found.low,
        high=found.high,
        second=second,
        needs=found.needs,
        needs_text=needs_words(found),
        start=0.0 if found.kind == "rate" else -1.0,
    )
