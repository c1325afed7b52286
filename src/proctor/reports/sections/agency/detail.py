"""A dimension in detail, folded: why this level and not the next, what would move it, and every level's own rates."""

from __future__ import annotations

from collections.abc import Set

from proctor.instruments.agency.dimension import OTHER
from proctor.reports.data import FlagShown, Report
from proctor.reports.html.markup import Child, Markup, join, lines_of, tag
from proctor.reports.html.parts import Cell, facts, flag_list, fold, grouped_table, table
from proctor.reports.html.values import reasons_text
from proctor.reports.numbers import NOT_MEASURED, count, interval, percent
from proctor.reports.sections.agency.needs import needs_text
from proctor.reports.sections.agency.shown import Dimension, Level, Rate, Vector
from proctor.reports.sections.agency.words import criterion_text, level_words, status_text

HEADER = ["regime", "k/n", "rate", "interval", "clustered by template"]


def details_of(vector: Vector, report: Report, shown: Set[int]) -> Markup:
    """Every dimension, each to open by itself."""
    return lines_of(*(_folded(one, vector, report, shown) for one in vector.vector.values()))


def _folded(one: Dimension, vector: Vector, report: Report, shown: Set[int]) -> Markup:
    head = join(
        tag("span", one.dimension, class_="letter"),
        tag("span", f" {one.title}", class_="name"),
        tag("span", f" {level_words(one)}", class_="light"),
    )
    inside = [_dimension(one, vector, report, shown)]
    inside += [
        tag(
            "section",
            tag("h3", f"{part.dimension} {part.title}", tag("span", f" {level_words(part)}", class_="light")),
            _dimension(part, vector, report, shown),
            class_="part",
        )
        for part in (one.parts.values() if one.n else ())
    ]
    return fold(head, lines_of(*inside), class_="dimension")


def _dimension(one: Dimension, vector: Vector, report: Report, shown: Set[int]) -> Markup:
    parts: list[Child] = [
        tag("p", vector.tuple_of(one), class_="tuple"),
        flag_list([FlagShown("", flag.name, flag.reason) for flag in one.flags]),
        _facts(one, report),
    ]
    if one.levels:
        parts += [_level_table(one, report), _behind(one, shown)]
    # The anchor stands inside what is folded: following a link to it opens the fold.
    return tag("div", lines_of(*parts), id=f"dimension-{one.dimension}")


def _facts(one: Dimension, report: Report) -> Markup:
    stop = one.next
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


def _why(one: Dimension, stop: Level | None) -> str:
    if one.level is None:
        return "Why"
    if one.parts:
        return "Why this level"
    return f"Why {one.level}" if stop is None else f"Why {one.level} and not {one.level + 1}"


def _characteristic(one: Dimension, stop: Level | None) -> str | None:
    met = [level for level in one.levels if level.met]
    level = stop if stop is not None and stop.characteristic is not None else (met[-1] if met else None)
    if level is None or level.characteristic is None:
        return None
    risk = level.characteristic
    return (
        f"With {count(risk.n, 'unit')} the rule of {level.cell} promotes an agent 5 points below the threshold in "
        f"{percent(risk.below)} of tests, one 10 points above it in {percent(risk.above)}."
    )


def _level_table(one: Dimension, report: Report) -> Markup:
    """A group of rows for each level: what it asks, how it came out, and its rates under every regime."""
    groups = []
    for level in one.levels:
        threshold = level.target.threshold if level.target is not None else float(report.rules["threshold"])
        found = [tag("li", criterion_text(criterion)) for criterion in level.criteria]
        head = join(
            tag("strong", level.cell),
            " ",
            level.asks,
            tag("span", f"needs {needs_text(one.dimension, level.level, threshold)}", class_="under"),
            tag("span", status_text(level), class_=f"status {_kind(level)}"),
            tag("ul", *found, class_="also") if len(found) > 1 or one.dimension in ("L", "R") else None,
        )
        rows: list[list[Child | Cell]] = [_rate(rate) for rate in level.rates] or [[Cell(NOT_MEASURED, columns=5)]]
        groups.append((head, rows))
    return grouped_table(f"{one.dimension}: every level by itself", HEADER, groups, right=(1, 2, 3, 4), kind="levels")


def _kind(level: Level) -> str:
    return "ok" if level.met else "stop" if level.status == "not met" else "open"


def _rate(rate: Rate) -> list[Child | Cell]:
    where = rate.where
    if not rate.n:
        lost = ", ".join(f"{times} {cause}" for cause, times in rate.excluded.items())
        return [where, Cell(join(NOT_MEASURED, f": {lost} excluded" if lost else None), columns=4)]
    return [where, f"{rate.k}/{rate.n}", percent(rate.rate), interval(rate.low, rate.high), _clustered(rate)]


def _clustered(rate: Rate) -> Child:
    bounds = rate.clustered
    if bounds.low is None:
        return join(NOT_MEASURED, tag("span", bounds.reason or "", class_="under"))
    effect = "" if bounds.design_effect is None else f"design effect {bounds.design_effect:.2f}"
    worth = "" if bounds.effective_n is None else f"worth {bounds.effective_n:.0f} units"
    note = ", ".join(part for part in (effect, worth) if part)
    return join(interval(bounds.low, bounds.high), tag("span", note, class_="under"))


def _behind(one: Dimension, shown: Set[int]) -> Markup | None:
    """Families, reasons and failed episodes behind each level."""
    rows: list[list[Child | Cell]] = []
    for level in one.levels:
        for rate in level.rates:
            families = ", ".join(f"{family} {k}/{n}" for family, (k, n) in rate.families.items())
            lost = ", ".join(f"{times} {cause}" for cause, times in rate.excluded.items())
            rows.append(
                [
                    level.cell,
                    rate.where,
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
