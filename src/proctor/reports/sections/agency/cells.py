"""The cells of a dimension: what each asks, how often it was met, with both intervals, and whether that is enough."""

from __future__ import annotations

from collections.abc import Mapping, Set

from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.level import LevelReading, RateUnder
from proctor.reports.html.markup import Child, Markup, join, tag
from proctor.reports.html.parts import Cell, fold, table
from proctor.reports.html.values import reasons_text
from proctor.reports.numbers import NOT_MEASURED, interval, percent, points, points_interval

SIGNS = {
    "met": "✓",
    "met, not credited": "(✓)",
    "not met": "×",
    "not tested": "–",
    "too little evidence": "?",
    "not measurable": "–",
}
HEADER = ["cell", "asks", "regime", "k/n", "rate", "interval", "clustered interval", "needs", "status"]


def cell_table(one: DimensionReading, needs: Mapping[str, str]) -> Markup:
    """A row for each cell and regime (or phase)."""
    rows: list[list[Child | Cell]] = []
    for level in one.levels:
        rates: list[RateUnder | None] = [*level.rates] or [None]
        span = len(rates)
        before = [Cell(level.cell, head=True, rows=span), Cell(level.asks, rows=span)]
        after = [Cell(needs.get(level.cell, "–"), rows=span), Cell(_status(level), rows=span)]
        for index, rate in enumerate(rates):
            rows.append([*before, *_rate(rate), *after] if index == 0 else [*_rate(rate)])
    return table(f"{one.dimension}: cells", HEADER, rows, right=(3, 4, 5, 6), kind="cells")


def _rate(rate: RateUnder | None) -> list[Cell]:
    if rate is None:
        return [Cell(NOT_MEASURED, columns=5)]
    where = Cell(regime_text(rate))
    if not rate.n:
        lost = ", ".join(f"{times} {cause}" for cause, times in rate.excluded.items())
        return [where, Cell(join(NOT_MEASURED, f": {lost} excluded" if lost else None), columns=4)]
    shown: list[Child] = [f"{rate.k}/{rate.n}", percent(rate.rate), interval(rate.low, rate.high), _clustered(rate)]
    return [where, *(Cell(child, right=True) for child in shown)]


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


def _status(level: LevelReading) -> Markup:
    kind = "ok" if level.status == "met" else "stop" if level.status == "not met" else "open"
    difference = level.difference
    change = None
    if difference is not None and difference.estimate is not None:
        name = "gain" if level.cell.startswith("L") else "loss"
        spread = points_interval(difference.low, difference.high)
        change = tag("span", f"{name} {points(difference.estimate)} ({spread})", class_="under")
    return join(
        tag("span", f"{SIGNS[level.status]} {level.status}", class_=f"status {kind}"),
        tag("span", "Provisional", class_="under") if level.provisional else None,
        change,
    )


def cell_details(one: DimensionReading, shown: Set[int]) -> Markup | None:
    """Families, reasons and failed episodes behind each cell."""
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
    header = ["cell", "regime", "families", "why units failed", "format errors", "excluded", "failed episodes"]
    inner = table(f"{one.dimension}: behind the cells", header, rows, right=(4,))
    return fold(f"{one.dimension}: families, reasons and episodes behind each cell", inner) if rows else None


def _links(positions: tuple[int, ...], shown: Set[int]) -> Child:
    if not positions:
        return "none"
    linked = [tag("a", str(p), href=f"#episode-{p}") if p in shown else str(p) for p in positions]
    return join(*linked, by=", ")
