"""Controls beyond the benchmark, each shown where the run has it: cells, sufficiency, coupling, entropy and more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proctor.instruments.binding.coupling import EQUIVALENCE
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.tables import Table
from proctor.reports.figures.forests import coupling_forest, effects
from proctor.reports.figures.views import Plain, Row, in_order, numeric, rows_of, word
from proctor.reports.html.figures import Track, track
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import fold, table
from proctor.reports.numbers import NOT_MEASURED, count, number
from proctor.reports.sections.binding.benchmark import forest_table
from proctor.reports.sections.binding.budgets import budget
from proctor.reports.sections.binding.conditions import conditions_line
from proctor.reports.sections.binding.pictures import score

ONE_MODEL = (
    "One model was run, so that no bound is over models; `proctor score RUN --with OTHER` reads several together."
)
Part = Callable[[Plain], Markup | None]
MAX_ROWS = 400
"""Rows of a table on the page; the CSV files have all."""


def controls(reading: BindingReading) -> Markup | None:
    """Every part the run has, each with its conditions."""
    tables = reading.tables()
    parts: Sequence[tuple[str, Part]] = (
        ("State-boundary controls", _cells),
        ("Sufficiency of the decisive field", _sufficiency),
        ("Coupling of reported fields and action", _coupling),
        ("Forced budget", budget),
        ("Entropy", _entropy),
        ("Binding curve", _curve),
        ("Robustness arms", _robustness),
    )
    bodies = [(title, body) for title, part in parts if (body := part(tables)) is not None]
    shown = [lines_of(tag("h3", title), body, conditions_line(reading)) for title, body in bodies]
    return lines_of(*shown) if shown else None


def _cells(tables: Plain) -> Markup | None:
    lines = effects(tables).get("state-boundary controls (cells)", [])
    if not lines:
        return None
    bounds = rows_of(tables, "cluster_bounds")
    header = ["control", "resampled", "clusters", "mean", "interval", "smallest mean, one left out"]
    rows: list[list[Child]] = [
        [
            word(row, "control"),
            word(row, "cluster"),
            word(row, "clusters"),
            score(numeric(row, "mean_delta")),
            _interval(row),
            score(numeric(row, "leave_one_out_minimum_mean")),
        ]
        for row in bounds
    ]
    lowest: list[list[Child]] = [
        [word(row, "control"), score(numeric(row, "lowest_bound")), word(row, "lowest_bound_of") or "–"]
        for row in rows_of(tables, "cell_summary")
    ]
    return lines_of(
        forest_table("Structured over each control, interval over families", lines, "cells"),
        table("The lowest bound, which is the one to quote", ["control", "bound", "clusters of"], lowest, right=(1,)),
        fold("Bounds by kind of cluster", table("Cluster bounds", header, rows, right=(2, 3, 4, 5))),
        tag("p", ONE_MODEL, class_="legend") if _single(bounds, "model") else None,
    )


def _single(bounds: Sequence[Row], kind: str) -> bool:
    return any(word(row, "cluster") == kind and numeric(row, "clusters") == 1 for row in bounds)


def _sufficiency(tables: Plain) -> Markup | None:
    rows = rows_of(tables, "sufficiency")
    if not rows:
        return None
    header = ["Condition", "model", "accuracy and interval", "accuracy", "k/n", "interval", "with the guard", "changed"]
    body: list[list[Child]] = [
        [
            word(row, "condition"),
            word(row, "model"),
            _rate(row, "accuracy"),
            score(numeric(row, "accuracy")),
            f"{word(row, 'correct')}/{word(row, 'rows')}",
            _interval(row),
            score(numeric(row, "guarded_accuracy")),
            score(numeric(row, "guard_change_rate")),
        ]
        for row in rows
    ]
    summary = [
        "model",
        "recovery",
        "best control",
        "scrambled field followed",
        "with the guard",
        "without its deferrals",
    ]
    recoveries: list[list[Child]] = [
        [
            word(row, "model"),
            "undefined" if numeric(row, "recovery") is None else score(numeric(row, "recovery")),
            word(row, "best_control") or NOT_MEASURED,
            score(numeric(row, "following_raw")),
            score(numeric(row, "following_guarded")),
            score(numeric(row, "following_guarded_without_deferrals")),
        ]
        for row in rows_of(tables, "sufficiency_summary")
    ]
    return lines_of(
        table("Accuracy by Condition", header, body, right=(3, 4, 5, 6, 7), kind="rates"),
        table("Recovery, and following of another event's field", summary, recoveries, right=(1, 3, 4, 5)),
    )


def _coupling(tables: Plain) -> Markup | None:
    lines = coupling_forest(tables)
    bounds = rows_of(tables, "coupling_bounds")
    content, own = rows_of(tables, "content_only"), rows_of(tables, "own_words")
    if not lines and not content and not own:
        return None
    header = ["resampled", "mean difference", "interval", "clusters"]
    rows: list[list[Child]] = [
        [word(row, "resampled"), score(numeric(row, "mean")), _interval(row), word(row, "clusters")] for row in bounds
    ]
    asked: list[list[Child]] = [
        [
            word(row, "field"),
            word(row, "condition") or "–",
            score(numeric(row, "followed")),
            _interval(row),
            word(row, "interval_over"),
            word(row, "rows"),
        ]
        for row in content
    ]
    said: list[list[Child]] = [
        [
            word(row, "field"),
            score(numeric(row, "effect")),
            _interval(row),
            word(row, "interval_over"),
            word(row, "pairs"),
            word(row, "exchanged"),
            word(row, "spelled"),
        ]
        for row in own
    ]
    note = f"Within ±{EQUIVALENCE:g} the structured and the compressed form count as near-equivalent."
    return lines_of(
        forest_table("Structured coupling over each comparator", lines, "datasets") if lines else None,
        tag("p", note, class_="legend") if lines else None,
        table("Bounds over all controls", header, rows, right=(1, 2, 3)) if rows else None,
        table(
            "Asked again with its own words in a field's place, and with two phrases of them exchanged",
            ["field", "effect", "interval", "over", "pairs", "exchanged", "named an action"],
            said,
            right=(1, 2, 4, 5, 6),
        )
        if said
        else table(
            "Asked again with one field exchanged",
            ["field", "Condition", "followed", "interval", "over", "rows"],
            asked,
            right=(2, 3, 5),
        )
        if asked
        else tag("p", f"Following of an exchanged field: {NOT_MEASURED} in this run.", class_="small"),
    )


def _entropy(tables: Plain) -> Markup | None:
    gaps = {word(row, "condition"): row for row in rows_of(tables, "entropy_gaps")}
    if not gaps:
        return None
    layers = ("raw_gap", "rule_gap", "semantic_gap", "family_gap", "strict_score", "max_strict_gap")
    header = ["Condition", "raw", "rule", "semantic", "family", "mean gap", "largest gap", "datasets"]
    rows: list[list[Child]] = [
        [name, *(number(numeric(gaps[name], layer)) for layer in layers), word(gaps[name], "datasets")]
        for name in in_order(gaps)
    ]
    body = table("Gaps to the structured Condition, in bits", header, rows, right=tuple(range(1, 8)))
    return fold(f"Entropy gaps of {count(len(rows), 'Condition')}", body) if len(rows) > 12 else body


def _curve(tables: Plain) -> Markup | None:
    points = rows_of(tables, "curve")
    if not points:
        return None
    header = [
        "Condition",
        "probe",
        "followed and interval",
        "followed",
        "strength",
        "distance in turns",
        "rows",
        "events",
    ]
    rows: list[list[Child]] = [
        [
            word(row, "condition"),
            word(row, "probe").replace("_", " "),
            _rate(row, "followed"),
            score(numeric(row, "followed")),
            number(numeric(row, "strength")) if numeric(row, "strength") is not None else "–",
            number(numeric(row, "distance")) if numeric(row, "distance") is not None else "–",
            word(row, "rows"),
            word(row, "events"),
        ]
        for row in points
    ]
    slopes = ["Condition", "probe", "along", "change per step", "interval", "events"]
    fitted: list[list[Child]] = [
        [
            word(row, "condition"),
            word(row, "probe").replace("_", " "),
            word(row, "axis"),
            score(numeric(row, "slope")),
            _interval(row),
            word(row, "events"),
        ]
        for row in rows_of(tables, "curve_slopes")
    ]
    return lines_of(
        table("Following along strength and distance", header, rows, right=(3, 4, 5, 6, 7), kind="rates"),
        table("Change per step, within events", slopes, fitted, right=(3, 4, 5)) if fitted else None,
    )


def _robustness(tables: Plain) -> Markup | None:
    rows = rows_of(tables, "robustness")
    if not rows:
        return None
    header = [
        "arm",
        "Condition",
        "rows",
        "accuracy",
        "original",
        "difference",
        "boundary rows",
        "cells held",
        "outcome",
    ]
    body: list[list[Child]] = [
        [
            word(row, "arm"),
            word(row, "condition"),
            word(row, "rows"),
            *(score(numeric(row, name)) for name in ("accuracy", "original_accuracy", "difference")),
            word(row, "boundary_rows"),
            f"{word(row, 'cells_held')}/{word(row, 'cells')}",
            word(row, "status") or "shown, not decided on",
        ]
        for row in rows
    ]
    return table("Arms against the original events", header, body, right=(2, 3, 4, 5, 6, 7))


def _interval(row: Row) -> str:
    low, high = numeric(row, "low"), numeric(row, "high")
    return NOT_MEASURED if low is None or high is None else f"{score(low)} to {score(high)}"


def _rate(row: Row, name: str) -> Child:
    value = numeric(row, name)
    if value is None:
        return NOT_MEASURED
    drawn = Track(
        title=f"{word(row, 'condition')}: {score(value)}",
        description=f"{score(value)}, interval {_interval(row)}",
        value=value,
        low=numeric(row, "low"),
        high=numeric(row, "high"),
    )
    return track(drawn, compact=True)


def every_table(reading: BindingReading) -> Markup:
    """All tables of the reading to fold out, as they go into the CSV files."""
    folded = [fold(f"{one.title} ({count(one.rows, 'row')})", _table(name, one)) for name, one in reading.data.items()]
    return lines_of(tag("h3", "Every table"), *folded)


def _table(name: str, one: Table) -> Markup:
    rows = rows_of({name: one.columns}, name)
    body: list[list[Child]] = [[_text(value) for value in row.values()] for row in rows[:MAX_ROWS]]
    left = len(rows) - MAX_ROWS
    more = tag("p", f"{left:,} further rows are in {name}.csv (`proctor report RUN --tables FOLDER`).", class_="small")
    numbers = [
        index for index, column in enumerate(one.columns.values()) if not any(isinstance(v, str) for v in column)
    ]
    return lines_of(table(one.title, list(one.columns), body, right=numbers), more if left > 0 else None)


def _text(value: str | int | float | None) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else number(float(value))
