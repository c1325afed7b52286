"""The six-code benchmark on the page: contrasts over datasets, responses to each probe, and errors of mapping."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.instruments.binding.gate import FALSE_POSITIVE_LIMIT, UNMAPPED_LIMIT
from proctor.instruments.binding.reading import BindingReading
from proctor.reports.figures.forests import ForestLine, contrast_forest
from proctor.reports.figures.views import MappingErrors, Plain, Response, mapping_errors, probes_in_order, responses
from proctor.reports.html.figures import Track, track
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import fold, table
from proctor.reports.numbers import NOT_MEASURED, bound, percent
from proctor.reports.sections.binding.conditions import conditions_line
from proctor.reports.sections.binding.pictures import Tile, matrix, scale, score, strip

FOREST_LEGEND = (
    "Circles: single datasets. Diamond: their mean; dashed lines: its interval. Triangles: the smallest mean with one "
    "dataset left out, and the mean without the largest effect. Thin line: zero, which is not positive."
)
RESPONSE_LEGEND = (
    "Share of replies with the response that the probe calls for, over all replicates; the target was never shown. "
    "Baseline and irrelevant cue call for the response that the situation itself leans to."
)
DISTANT = "distant_reason"
DISTANT_LEGEND = " A distant reason stands here with no turns between; the binding curve has it at a distance."
WIDEST_ERROR = 0.3
"""Upper end of the scale of error rates; what lies above is drawn at the end."""


def benchmark(reading: BindingReading) -> Markup | None:
    """Everything of the benchmark but its first picture."""
    tables = reading.tables()
    parts = [_forest(reading, contrast_forest(tables)), _responses(reading, tables), _mapping(reading, tables)]
    shown = [part for part in parts if part is not None]
    return lines_of(*shown) if shown else None


def forest_table(caption: str, lines: Sequence[ForestLine], unit: str) -> Markup:
    """Contrasts as strips on one scale, with their numbers."""
    ends = scale(lines)
    noted = any(line.note for line in lines)
    header = ["contrast", "over units", "mean", "interval", f"{unit} above 0", "smallest", "sign test p"]
    header += ["decides"] if noted else []
    rows: list[list[Child]] = [
        [
            line.label,
            strip(line, ends) if line.mean is not None else NOT_MEASURED,
            score(line.mean),
            NOT_MEASURED if line.low is None else f"{score(line.low)} to {score(line.high)}",
            f"{line.positive}/{line.count}" + (f", {line.missing} missing" if line.missing else ""),
            score(line.minimum),
            _p(line.sign_p),
            *([line.note or "–"] if noted else []),
        ]
        for line in lines
    ]
    return table(caption, header, rows, right=(2, 3, 4, 5, 6), kind="forest")


def _p(value: float | None) -> str:
    if value is None:
        return NOT_MEASURED
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _forest(reading: BindingReading, lines: Sequence[ForestLine]) -> Markup | None:
    if all(line.mean is None for line in lines):
        return None
    return lines_of(
        tag("h3", "Contrasts over datasets"),
        forest_table("Declared contrasts", lines, "datasets"),
        tag("p", FOREST_LEGEND, class_="legend"),
        tag("p", reading.scope, class_="statement") if reading.scope else None,
        conditions_line(reading),
    )


def _responses(reading: BindingReading, tables: Plain) -> Markup | None:
    by_condition = responses(tables)
    if not by_condition:
        return None
    drawn = [(name, _response_matrix(name, cells)) for name, cells in by_condition.items()]
    first, *rest = drawn
    distant = any(DISTANT in row for cells in by_condition.values() for row in cells.values())
    return lines_of(
        tag("h3", "Responses to each probe"),
        first[1],
        *(fold(f"Responses under {name}", body) for name, body in rest),
        tag("p", RESPONSE_LEGEND + (DISTANT_LEGEND if distant else ""), class_="legend"),
        conditions_line(reading),
    )


def _response_matrix(condition: str, cells: dict[str, dict[str, Response]]) -> Markup:
    """One matrix for the datasets that were asked the same probes, so that no cell stands for what was never asked."""
    asked: dict[tuple[str, ...], list[str]] = {}
    for dataset, row in cells.items():
        asked.setdefault(tuple(probes_in_order(row)), []).append(dataset)
    return lines_of(
        *(
            matrix(
                f"Expected responses under {condition}, by dataset and probe",
                [probe.replace("_", " ") for probe in probes],
                [(name, [_tile(name, probe, cells[name].get(probe)) for probe in probes]) for name in datasets],
            )
            for probes, datasets in asked.items()
        )
    )


def _tile(dataset: str, probe: str, response: Response | None) -> Tile:
    about = f"{dataset}: {probe}"
    if response is None:
        return Tile(about, None)
    by_replicate = ", ".join(f"{value:.3f}" for value in response.replicates)
    return Tile(about, response.mean, f"{response.rows} rows; replicates {by_replicate}")


def _mapping(reading: BindingReading, tables: Plain) -> Markup | None:
    errors = mapping_errors(tables)
    if not errors:
        return None
    header = [
        "Condition",
        "unmapped replies",
        "rate",
        "rows",
        "false positives",
        "rate",
        "neutral rows",
        "worst dataset",
    ]
    legend = (
        f"Dot: the rate over all rows. Dashed line: the limit of the gate, {bound(UNMAPPED_LIMIT)} unmapped over all "
        f"Conditions and {bound(FALSE_POSITIVE_LIMIT)} false positives of the structured one. The scale ends at "
        f"{bound(WIDEST_ERROR)}."
    )
    return lines_of(
        tag("h3", "Errors of mapping and specificity"),
        table("Mapping errors", header, [_error_row(one) for one in errors], right=(2, 3, 5, 6), kind="rates"),
        tag("p", legend, class_="legend"),
        conditions_line(reading),
    )


def _error_row(one: MappingErrors) -> list[Child]:
    worst = max(one.false_positive_by_dataset.items(), key=lambda item: (item[1], item[0]), default=None)
    return [
        one.condition,
        _error(f"{one.condition}: unmapped", one.unmapped, UNMAPPED_LIMIT),
        percent(one.unmapped),
        f"{one.unmapped_rows:,}",
        _error(f"{one.condition}: false positives", one.false_positive, FALSE_POSITIVE_LIMIT),
        percent(one.false_positive),
        f"{one.neutral_rows:,}",
        NOT_MEASURED if worst is None else f"{worst[0]}: {percent(worst[1])} false positives",
    ]


def _error(title: str, value: float | None, limit: float) -> Child:
    if value is None:
        return NOT_MEASURED
    drawn = Track(title=title, description=percent(value), value=value, needs=limit, end=WIDEST_ERROR)
    return track(drawn, compact=True)
