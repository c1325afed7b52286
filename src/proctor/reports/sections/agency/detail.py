"""A dimension in detail, folded: why this level and not the next, what would move it, and every level's own rates."""

from __future__ import annotations

from collections.abc import Set

from proctor.instruments.agency.dimension import OTHER, DimensionReading
from proctor.instruments.agency.level import LevelReading, RateUnder
from proctor.reports.data import FlagShown, Report
from proctor.reports.html.markup import Child, Markup, join, lines_of, tag
from proctor.reports.html.parts import Cell, facts, flag_list, fold, grouped_table, table
from proctor.reports.html.values import reasons_text
from proctor.reports.numbers import NOT_MEASURED, count, interval, percent, points, points_interval
from proctor.reports.sections.agency.criteria import LevelShown
from proctor.reports.sections.agency.data import AgencyData
from proctor.reports.sections.agency.words import level_words, status_text

HEADER = ["regime", "k/n", "rate", "interval", "clustered by template"]


def details_of(data: AgencyData, report: Report, shown: Set[int]) -> Markup:
    """Every dimension, each to open by itself."""
    return lines_of(*(_folded(one, data, report, shown) for one in data.reading.vector.values()))


def _folded(one: DimensionReading, data: AgencyData, report: Report, shown: Set[int]) -> Markup:
    head = join(
        tag("span", one.dimension, class_="letter"),
        tag("span", f" {one.title}", class_="name"),
        tag("span", f" {level_words(one)}", class_="light"),
    )
    inside = [_dimension(one, data, report, shown)]
    inside += [
        tag(
            "section",
            tag("h3", f"{part.dimension} {part.title}", tag("span", f" {level_words(part)}", class_="light")),
            _dimension(part, data, report, shown),
            class_="part",
        )
        for part in (one.parts.values() if one.n else ())
    ]
    return fold(head, lines_of(*inside), class_="dimension")


def _dimension(one: DimensionReading, data: AgencyData, report: Report, shown: Set[int]) -> Markup:
    parts: list[Child] = [
        tag("p", data.shown[one.dimension].reporting_tuple, class_="tuple"),
        flag_list([FlagShown("", flag.name, flag.reason) for flag in one.flags]),
        _facts(one, report),
    ]
    if one.levels:
        parts += [_level_table(one, data.shown[one.dimension].levels), _behind(one, shown)]
    # The anchor stands inside what is folded: following a link to it opens the fold.
    return tag("div", lines_of(*parts), id=f"dimension-{one.dimension}")


def _facts(one: DimensionReading, report: Report) -> Markup:
    stop = next((level for level in one.levels if level.level == (one.level or 0) + 1), None)
    reasons = tag("ul", *(tag("li", reason) for reason in one.reasons), class_="reasons")
    other_level = None if one.level is None else f"level {one.other_policy_level}"
    above = ", ".join(str(level) for level in one.uncredited)
    return facts(
        [
            (_why(one, stop), reasons),
            ("What would move it", one.moves),
            (f"Under the policy “{OTHER.get(report.policy, 'other')}”", other_level),
            ("Met above a failed level", f"{above}: shown, not credited" if above else None),
            ("Operating characteristic", _characteristic(one, stop)),
            ("Scored units", f"{one.n:,} over all levels and regimes" if one.n else None),
            ("Families", ", ".join(one.families) or None),
        ]
    )


def _why(one: DimensionReading, stop: LevelReading | None) -> str:
    if one.level is None:
        return "Why"
    if one.parts:
        return "Why this level"
    return f"Why {one.level}" if stop is None else f"Why {one.level} and not {one.level + 1}"


def _characteristic(one: DimensionReading, stop: LevelReading | None) -> str | None:
    met = [level for level in one.levels if level.met]
    level = stop if stop is not None and stop.characteristic is not None else (met[-1] if met else None)
    if level is None or level.characteristic is None:
        return None
    risk = level.characteristic
    return (
        f"With {count(risk.n, 'unit')} the rule of {level.cell} promotes an agent 5 points below the threshold in "
        f"{percent(risk.below)} of tests, one 10 points above it in {percent(risk.above)}."
    )


def _level_table(one: DimensionReading, shown: tuple[LevelShown, ...]) -> Markup:
    """A group of rows for each level: what it asks, and its rates under every regime it was tested under."""
    groups = []
    for level, asked in zip(one.levels, shown, strict=True):
        head = join(
            tag("strong", level.cell),
            " ",
            level.asks,
            tag("span", f"needs {asked.needs}", class_="under"),
            tag("span", _came_out(level, asked), class_=f"status {_kind(level)}"),
        )
        rows: list[list[Child | Cell]] = [_rate(rate) for rate in level.rates] or [[Cell(NOT_MEASURED, columns=5)]]
        groups.append((head, rows))
    return grouped_table(f"{one.dimension}: every level by itself", HEADER, groups, right=(1, 2, 3, 4), kind="levels")


def _kind(level: LevelReading) -> str:
    return "ok" if level.met else "stop" if level.status == "not met" else "open"


def _came_out(level: LevelReading, asked: LevelShown) -> str:
    """How its test came out, with the change it was judged by."""
    difference = level.difference
    change = ""
    if difference is not None and difference.estimate is not None:
        name = "gain" if level.cell.startswith("L") else "loss"
        spread = points_interval(difference.low, difference.high)
        where = f" to {level.rates[-1].regime}" if name == "loss" else ""
        change = f": {name}{where} {points(difference.estimate)} ({spread})"
    return status_text(asked) + (", Provisional" if level.provisional else "") + change


def _rate(rate: RateUnder) -> list[Child | Cell]:
    where = regime_text(rate)
    if not rate.n:
        lost = ", ".join(f"{times} {cause}" for cause, times in rate.excluded.items())
        return [where, Cell(join(NOT_MEASURED, f": {lost} excluded" if lost else None), columns=4)]
    return [where, f"{rate.k}/{rate.n}", percent(rate.rate), interval(rate.low, rate.high), _clustered(rate)]


def regime_text(rate: RateUnder) -> str:
    """The regime, and in a lifetime the phase."""
    return rate.regime if rate.phase in (None, "test") else f"{rate.phase}, {rate.regime}"


def _clustered(rate: RateUnder) -> Child:
    bounds = rate.clustered
    if bounds.low is None:
        return join(NOT_MEASURED, tag("span", bounds.reason or "", class_="under"))
    effect = "" if bounds.design_effect is None else f"design effect {bounds.design_effect:.2f}"
    worth = "" if bounds.effective_n is None else f"worth {bounds.effective_n:.0f} units"
    note = ", ".join(part for part in (effect, worth) if part)
    return join(interval(bounds.low, bounds.high), tag("span", note, class_="under"))


def _behind(one: DimensionReading, shown: Set[int]) -> Markup | None:
    """Families, reasons and failed episodes behind each level."""
    rows: list[list[Child | Cell]] = []
    for level in one.levels:
        for rate in level.rates:
            families = ", ".join(f"{family} {k}/{n}" for family, (k, n) in rate.families.items())
            lost = ", ".join(f"{times} {cause}" for cause, times in rate.excluded.items())
            rows.append(
                [
                    level.cell,
                    regime_text(rate),
                    families or NOT_MEASURED,
                    reasons_text(rate.reasons) or "none failed",
                    str(rate.format_errors),
                    lost or "none",
                    _links(rate.failed, shown),
                ]
            )
    header = ["level", "regime", "families", "why units failed", "format errors", "excluded", "failed episodes"]
    inner = table(f"{one.dimension}: behind the rates", header, rows, right=(4,), kind="behind")
    return fold(f"{one.dimension}: families, reasons and episodes behind each rate", inner) if rows else None


def _links(positions: tuple[int, ...], shown: Set[int]) -> Child:
    if not positions:
        return "none"
    linked = [tag("a", str(p), href=f"#episode-{p}") if p in shown else str(p) for p in positions]
    return join(*linked, by=", ")
