"""The card of one dimension: rate and interval first, then the level, why not the next one, and what would move it."""

from __future__ import annotations

from collections.abc import Set

from proctor.instruments.agency.dimension import OTHER, DimensionReading
from proctor.instruments.agency.level import LevelReading
from proctor.reports.data import FlagShown, Report
from proctor.reports.html.figures import steps, track
from proctor.reports.html.markup import Child, Markup, join, lines_of, tag
from proctor.reports.html.parts import facts, flag_list, table
from proctor.reports.numbers import NOT_MEASURED, interval, percent
from proctor.reports.sections.agency.cells import cell_details, cell_table
from proctor.reports.sections.agency.data import AgencyData
from proctor.reports.sections.agency.deciding import Deciding, stop_of
from proctor.reports.sections.agency.picture import detail_text, level_words, needs_words, states, track_of, value_text


def card(one: DimensionReading, data: AgencyData, report: Report, shown: Set[int], heading: str = "h3") -> Markup:
    """A dimension, or with a smaller heading a part of G."""
    name = f"dimension-{one.dimension}"
    head = tag(heading, tag("span", one.dimension, class_="letter"), " ", one.title, id=f"{name}-title")
    parts: list[Child] = [
        head,
        _lead(one, data.deciding.get(one.dimension)),
        tag("p", data.tuples[one.dimension], class_="tuple"),
        flag_list([FlagShown("", flag.name, flag.reason) for flag in one.flags]),
        _facts(one, report),
    ]
    if one.levels:
        parts += [cell_table(one, data.needs), _by_regime(one), cell_details(one, shown)]
    parts += [card(part, data, report, shown, "h4") for part in one.parts.values()] if one.n else []
    kind = "card" if one.n else "card bare"
    return tag(
        "article",
        lines_of(*parts),
        class_=kind if heading == "h3" else "part",
        id=name,
        aria_labelledby=f"{name}-title",
    )


def _lead(one: DimensionReading, decided: Deciding | None) -> Markup:
    if decided is None:
        first = join(tag("p", NOT_MEASURED if not one.n else f"{one.n:,} scored units", class_="big"))
    else:
        needs = f"needs {needs_words(decided)}{' points' if decided.kind != 'rate' else ''}"
        first = join(
            tag("p", value_text(decided), class_="big"),
            tag("p", f"{detail_text(decided)} · {needs}", class_="small"),
            track(track_of(decided)),
        )
    second = join(
        tag("p", level_words(one), class_="big"),
        steps(f"{one.title}: level", states(one), one.level),
    )
    return tag("div", tag("div", first, class_="lead-rate"), tag("div", second, class_="lead-level"), class_="lead")


def _facts(one: DimensionReading, report: Report) -> Markup:
    stop = stop_of(one)
    reasons = tag("ul", *(tag("li", reason) for reason in one.reasons), class_="reasons")
    other = OTHER.get(report.policy, "other")
    other_level = None if one.level is None else f"level {one.other_policy_level}"
    above = ", ".join(str(level) for level in one.uncredited)
    return facts(
        [
            ("Why", reasons) if one.level is None else (_why(one, stop), reasons),
            ("What would move it", one.moves),
            (f"Under the policy “{other}”", other_level),
            ("Met above a failed level", f"{above}: shown, not credited" if above else None),
            ("Operating characteristic", _characteristic(one, stop)),
            ("Units and families", f"{one.n:,} scored units; {', '.join(one.families)}" if one.n else None),
        ]
    )


def _why(one: DimensionReading, stop: LevelReading | None) -> str:
    if one.parts:
        return "Why this level"
    return f"Why {one.level}" if stop is None else f"Why {one.level} and not {(one.level or 0) + 1}"


def _characteristic(one: DimensionReading, stop: LevelReading | None) -> str | None:
    met = [level for level in one.levels if level.met]
    level = stop if stop is not None and stop.characteristic is not None else (met[-1] if met else None)
    if level is None or level.characteristic is None:
        return None
    risk = level.characteristic
    return (
        f"With {risk.n} units the rule of {level.cell} promotes an agent 5 points below the threshold in "
        f"{percent(risk.below)} of tests, one 10 points above it in {percent(risk.above)}."
    )


def _by_regime(one: DimensionReading) -> Markup | None:
    if any(rate.phase is not None for level in one.levels for rate in level.rates):
        # Phases of a lifetime are never pooled; the cells show each by itself.
        return None
    rows = [
        [regime, f"{rate.k}/{rate.n}", percent(rate.rate), interval(rate.low, rate.high)]
        for regime, rate in one.pooled_over_levels.items()
    ]
    caption = f"{one.dimension}: rates per regime, pooled over its cells"
    return table(caption, ["regime", "k/n", "rate", "interval"], rows, right=(1, 2, 3), kind="narrow") if rows else None
