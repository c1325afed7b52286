"""Values of a reading as tables: the estimate in its own unit, the interval, where it was measured, what is missing.

Where several quantities were measured on the same things, things are rows and quantities columns; otherwise each value
has a row of its own. Long tables are folded. What was not measured is said in words, with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from proctor.instruments.base import Value
from proctor.reports.html.markup import Child, Markup, join, lines_of, tag
from proctor.reports.html.parts import fold, table
from proctor.reports.numbers import NOT_MEASURED, count, interval, number, number_interval, percent

SHOWN_REASONS = 4
MAX_COLUMNS = 8
MAX_OPEN = 15
"""Rows of a table that is not folded."""
DEFAULTS = {("condition", "none"), ("phase", "test")}


class Cells(Struct, frozen=True):
    """What stands in the columns of estimate and interval."""

    estimate: str
    interval: str


def estimate_cells(value: Value) -> Cells:
    """Rates as k/n and percent, everything else as plain numbers; missing in words."""
    estimate = value.estimate
    if estimate.estimate is None:
        return Cells(NOT_MEASURED, NOT_MEASURED)
    if value.successes is not None:
        band = "" if value.band is None else f"; {value.band.words}"
        shown = f"{percent(estimate.estimate)} ({value.successes:,}/{estimate.n:,}{band})"
        return Cells(shown, interval(estimate.low, estimate.high))
    return Cells(number(estimate.estimate), number_interval(estimate.low, estimate.high))


def where_text(where: Mapping[str, str]) -> str:
    """`extract@1.0 · baseline`: what is usual goes without saying."""
    return " · ".join(value for pair in where.items() if pair not in DEFAULTS for value in pair[1:])


def reasons_text(reasons: Mapping[str, int]) -> str:
    """The most frequent reasons with their counts."""
    shown = [f"{name} × {times:,}" for name, times in list(reasons.items())[:SHOWN_REASONS]]
    more = len(reasons) - SHOWN_REASONS
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def values_table(title: str, values: Sequence[Value]) -> Markup | None:
    """All values, in the form that suits them."""
    names = list(dict.fromkeys(value.name for value in values))
    locations = list(dict.fromkeys(where_text(value.where) for value in values))
    if not values:
        return None
    crossed = 1 < len(names) <= MAX_COLUMNS and len(locations) > 1 and 2 * len(values) > len(names) * len(locations)
    body = _crossed(title, names, values) if crossed else _listed(title, values)
    rows = len(locations) if crossed else len(values)
    if rows <= MAX_OPEN:
        return body
    shape = f"{count(rows, 'row')} × {count(len(names), 'quantity', 'quantities')}" if crossed else count(rows, "value")
    return fold(f"{title}: {shape}", body)


def _crossed(title: str, names: Sequence[str], values: Sequence[Value]) -> Markup:
    by_place: dict[tuple[str, int], dict[str, Value]] = {}
    times: Counter[tuple[str, str]] = Counter()
    for value in values:
        where = where_text(value.where) or "the run"
        # Two arms may go by the same words: each has a row.
        by_place.setdefault((where, times[where, value.name]), {})[value.name] = value
        times[where, value.name] += 1
    shown = [name for name in names if any(value.name == name and value.estimate.scored for value in values)]
    rows = [[where, *(_cell(by_name.get(name)) for name in shown)] for (where, _), by_name in by_place.items()]
    notes = [tag("li", tag("strong", name), f": {note}") for name, note in _notes(names, shown, values)]
    return lines_of(
        table(title, ["measured on", *shown], rows, right=tuple(range(1, len(shown) + 1))),
        tag("ul", *notes, class_="small") if notes else None,
    )


def _cell(value: Value | None) -> Child:
    if value is None or value.estimate.estimate is None:
        return join(NOT_MEASURED, tag("span", value.estimate.reason or "", class_="under") if value else None)
    cells = estimate_cells(value)
    lost = f", {value.estimate.missing:,} missing" if value.estimate.missing else ""
    return join(cells.estimate, tag("span", f"{cells.interval}, n = {value.estimate.n:,}{lost}", class_="under"))


def _notes(names: Sequence[str], shown: Sequence[str], values: Sequence[Value]) -> Iterable[tuple[str, str]]:
    """What holds for a whole column: how it was computed, its flags, and why there is none."""
    for name in names:
        own = [value for value in values if value.name == name]
        if name not in shown:
            reasons = dict.fromkeys(value.estimate.reason or "no reason given" for value in own)
            yield name, f"{NOT_MEASURED}: {'; '.join(reasons)}"
            continue
        how = dict.fromkeys(f"{value.estimate.method}, {100 * value.estimate.confidence:g} % interval" for value in own)
        flags = dict.fromkeys(f"{flag.name}: {flag.reason}" for value in own for flag in value.flags)
        yield name, "; ".join((*how, *flags))


def _listed(title: str, values: Sequence[Value]) -> Markup:
    rows: list[list[Child]] = []
    before = None
    for value in values:
        where = where_text(value.where) or "the run"
        cells = estimate_cells(value)
        notes = [value.estimate.reason or "", *(f"{flag.name}: {flag.reason}" for flag in value.flags)]
        notes.append(reasons_text(value.reasons))
        rows.append(
            [
                value.name,
                where if where != before else "″",
                cells.estimate,
                cells.interval,
                f"{value.estimate.n:,}",
                f"{value.estimate.missing:,}" if value.estimate.missing else "none",
                value.estimate.method,
                "; ".join(note for note in notes if note) or "–",
            ]
        )
        before = where
    header = ["quantity", "measured on", "estimate", "interval", "n", "missing", "method", "flags and notes"]
    return table(title, header, rows, right=(2, 3, 4, 5))
