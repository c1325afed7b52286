"""The first picture: which scores each Condition has, and whether a lesion lowers what it should and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.sufficiency import CONDITIONS
from proctor.instruments.binding.variants import STRUCTURED, TERMS, named
from proctor.reports.figures.views import (
    LESIONED,
    PROFILE,
    Plain,
    ProfileRow,
    in_order,
    numeric,
    profile,
    rows_of,
    word,
)
from proctor.reports.html.markup import Markup, join, tag
from proctor.reports.sections.binding.conditions import conditions_line
from proctor.reports.sections.binding.pictures import Tile, matrix

COLUMNS = ("B_RSI reason", "B_MCI memory", "B_VEI veto", "B_SCI self", "composite", "false positives")
LEGEND = (
    "Each score: how often the action followed the decisive state, minus how often it did so on the twin (from 2.0 "
    "on), minus how often an irrelevant cue moved it; means over datasets. False positives: how often the cue moved it "
    "(fewer is better). Ring: the score this lesion should lower. Solid ring: it was lowered (where that is a declared "
    "contrast: by its test). Broken ring: not shown to be. Amber: below zero."
)


def pictures(reading: BindingReading) -> Markup | None:
    """Whichever of the matrices the run has."""
    tables = reading.tables()
    matrices = [
        one for one in (_profile(tables), _cells(tables), _sufficiency(tables), _coupling(tables)) if one is not None
    ]
    if not matrices:
        return None
    captioned = [
        tag(
            "figure",
            drawn,
            tag("figcaption", tag("p", legend, class_="legend"), conditions_line(reading)),
            class_="picture",
        )
        for drawn, legend in matrices
    ]
    return join(*captioned)


def _profile(tables: Plain) -> tuple[Markup, str] | None:
    rows = profile(tables)
    if not rows:
        return None
    grid = len(rows_of(tables, "entropy_grid"))
    left = f" {grid} settings of the calibration grid stand in their own table." if grid else ""
    drawn = matrix("Scores by Condition, with lesions", COLUMNS, [(label(row), _tiles(row)) for row in rows])
    return drawn, LEGEND + left


def label(row: ProfileRow) -> Markup:
    """A Condition with what the paper calls it."""
    return named_row(row.condition, row.paper)


def named_row(condition: str, paper: str) -> Markup:
    """A name with an alias below it."""
    return join(condition, tag("span", paper, class_="under") if paper and paper != condition else None)


def _tiles(row: ProfileRow) -> Sequence[Tile]:
    scores = [
        Tile(f"{row.condition}: {metric}", row.means[metric], _spread(row, metric), row.rings.get(metric))
        for metric in PROFILE
    ]
    return [*scores, Tile(f"{row.condition}: false positives", row.false_positive, f"{row.datasets} datasets")]


def _spread(row: ProfileRow, metric: str) -> str:
    spread = row.spreads[metric]
    return f"{row.datasets} datasets" + ("" if spread is None else f", SD {spread:.3f}")


def _cells(tables: Plain) -> tuple[Markup, str] | None:
    """The structured Condition and its controls over scaffolds."""
    rows = rows_of(tables, "cells")
    if not rows:
        return None
    scaffolds = sorted({word(row, "scaffold") for row in rows})
    controls = in_order({word(row, "control") for row in rows})
    columns = [*scaffolds, ""]

    def tile(name: str, side: str, scaffold: str) -> Tile:
        mine = [row for row in rows if scaffold in ("", word(row, "scaffold")) and name in ("", word(row, "control"))]
        pairs = {(word(row, "model"), word(row, "scaffold"), word(row, "family")): row for row in mine}
        known = [value for row in pairs.values() if (value := numeric(row, side)) is not None]
        deltas = [value for row in pairs.values() if (value := numeric(row, "delta")) is not None]
        fell = sum(deltas) > 0 if named(name).variant in LESIONED else None
        about = f"{name or STRUCTURED}: {scaffold or 'all scaffolds'}"
        return Tile(about, fmean(known) if known else None, f"{len(known)} cells", fell)

    lines = [(STRUCTURED, [tile("", "structured", scaffold) for scaffold in columns])]
    lines += [(name, [tile(name, "compared", scaffold) for scaffold in columns]) for name in controls]
    drawn = matrix("Accuracy by Condition and scaffold", [*scaffolds, "all"], lines)
    legend = (
        "Means over families of the share of replies with the hidden target. Ring: what a lesion should lower, solid "
        "where it lies below the structured Condition on the same events, broken where it does not."
    )
    return drawn, legend


def _sufficiency(tables: Plain) -> tuple[Markup, str] | None:
    rows = rows_of(tables, "sufficiency")
    if not rows:
        return None
    models = sorted({word(row, "model") for row in rows})
    values = {(word(row, "model"), word(row, "condition")): row for row in rows}
    drawn = matrix(
        "Accuracy by Condition of the sufficiency experiment",
        CONDITIONS,
        [
            (
                model,
                [
                    Tile(
                        f"{model}: {name}", numeric(values.get((model, name), {}), "accuracy"), _of(values, model, name)
                    )
                    for name in CONDITIONS
                ],
            )
            for model in models
        ],
    )
    legend = (
        "Share of replies with the current event's target. Full, only-decisive and irrelevant-cue show the field that "
        "names it; surface-only and prior-only show no such field, scrambled-field that of another event."
    )
    return drawn, legend


def _of(values: dict[tuple[str, str], dict[str, str | int | float | None]], model: str, name: str) -> str:
    row = values.get((model, name), {})
    return f"{word(row, 'correct')} of {word(row, 'rows')}" if row else ""


def _coupling(tables: Plain) -> tuple[Markup, str] | None:
    by_condition = {word(row, "condition"): row for row in rows_of(tables, "coupling_by_condition")}
    if not by_condition or "coupling_contrasts" not in tables:
        return None
    columns = [*TERMS, "irrelevant_suppression", "afci", "afci_with_suppression"]
    drawn = matrix(
        "Coupling of reported fields and action",
        [name.replace("_", " ") for name in columns],
        [
            (
                named_row(name, word(by_condition[name], "paper")),
                [Tile(f"{name}: {column}", numeric(by_condition[name], column)) for column in columns],
            )
            for name in in_order(by_condition)
        ],
    )
    legend = "Alignment of each reported field with the action, weighed by how the field came about; afci: their mean."
    return drawn, legend
