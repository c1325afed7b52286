"""All tables of a binding reading as files, and the map from figures and tables to files and their SHA-256.

Beside the tables: `variant-registry.csv`, `claim-ledger.csv`, `conditions.csv` (what every number holds under), and
`source-data.csv`, which lists everything written and ties it to the root of the evidence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from proctor.core.atomic_write import atomic_write
from proctor.core.hashing import sha256_hex
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.tables import Columns, Table
from proctor.instruments.binding.variants import REGISTRY, registered
from proctor.reports.figures.catalogue import FIGURES, FigureDrawn, make_folder
from proctor.reports.figures.views import rows_of, word
from proctor.reports.html.parts import flat
from proctor.reports.tables import csv_of

MAP = "source-data.csv"
REGISTRY_FILE, LEDGER_FILE, CONDITIONS_FILE = "variant-registry.csv", "claim-ledger.csv", "conditions.csv"


class Source(Struct, frozen=True):
    """A line of the map."""

    item: str
    kind: str
    """run, table, registry, ledger, conditions or figure."""
    title: str
    role: str
    """`data`, `source data` of a figure, `picture`, `not drawn`."""
    file: str
    """Relative to the map; empty where there is none."""
    rows: int | None
    sha256: str
    note: str = ""


class Pictures(Struct, frozen=True):
    """Figures that were written, and where."""

    folder: Path
    drawn: tuple[FigureDrawn, ...]


def write_tables(
    folder: Path,
    reading: BindingReading,
    more: Mapping[str, Table] | None = None,
    pictures: Pictures | None = None,
    *,
    label: str = "",
) -> list[Source]:
    """Write everything; gives the lines of the map. A label is what must be said wherever the result appears."""
    make_folder(folder)
    tables = {**reading.data, **(more or {})}
    files = {f"{name}.csv": csv_of(table.columns) for name, table in tables.items()}
    files[REGISTRY_FILE] = csv_of(registry_columns(reading))
    files[LEDGER_FILE] = csv_of(ledger_columns(reading))
    files[CONDITIONS_FILE] = csv_of(conditions_columns(reading, label))
    lines = list(_lines(reading, tables, files))
    lines += _figures(tables, files) if pictures is None else _pictures(folder, files, pictures)
    files[MAP] = csv_of(_map(lines))
    for name, data in files.items():
        with atomic_write(folder / name) as file:
            file.write(data)
    return lines


def registry_columns(reading: BindingReading) -> Columns:
    """Every known variant under all its names, with the Conditions of the run that are of it."""
    ran = [word(row, "condition") for row in rows_of(reading.tables(), "variants")]
    line = {name: registered(name) for name in ran}
    own = {one.id: [name for name in ran if line[name] == one] for one in REGISTRY}
    unknown = [name for name in ran if line[name] is None]
    known: Columns = {
        "variant": [*(one.id for one in REGISTRY), *unknown],
        "paper_identifier": [*(one.paper or None for one in REGISTRY), *(None for _ in unknown)],
        "aliases": [*("; ".join(one.aliases) or None for one in REGISTRY), *(None for _ in unknown)],
        "definition": [*(one.definition for one in REGISTRY), *("declared by the suite" for _ in unknown)],
        "role": [*(one.role for one in REGISTRY), *(None for _ in unknown)],
        "conditions_of_this_run": [*(" ".join(own[one.id]) or None for one in REGISTRY), *unknown],
    }
    return known


def ledger_columns(reading: BindingReading) -> Columns:
    """The claim ledger."""
    return {
        "evidence": [one.block for one in reading.claims],
        "result": [one.result for one in reading.claims],
        "supported_claim": [one.supported or None for one in reading.claims],
        "contrary_result": [one.contrary or None for one in reading.claims],
        "excluded_inference": [one.excluded for one in reading.claims],
        "scope": [reading.scope or None for _ in reading.claims],
    }


def conditions_columns(reading: BindingReading, label: str = "") -> Columns:
    """What every number of the tables holds under."""
    facts = [("label", label)] if label else []
    facts += [("instrument", f"{reading.instrument} {reading.version}"), *flat(reading.conditions)]
    return {"name": [name for name, _ in facts], "value": [value for _, value in facts]}


def _lines(reading: BindingReading, tables: Mapping[str, Table], files: Mapping[str, bytes]) -> Iterable[Source]:
    stated = reading.conditions
    for item in ("root", "config_hash"):
        digest = stated.get(item)
        title = {"root": "Root of the evidence", "config_hash": "Hash of the configuration"}[item]
        yield Source(item, "run", title, "data", "", None, str(digest or ""), "" if digest else "the run is unfinished")
    for name, table in tables.items():
        yield Source(name, "table", table.title, "data", f"{name}.csv", table.rows, _of(files, f"{name}.csv"))
    for kind, file, title in (
        ("registry", REGISTRY_FILE, "Variant registry with aliases"),
        ("ledger", LEDGER_FILE, "Claim ledger"),
        ("conditions", CONDITIONS_FILE, "Conditions of every number"),
    ):
        rows = files[file].count(b"\n") - 1 if kind != "ledger" else len(reading.claims)
        yield Source(file.removesuffix(".csv"), kind, title, "data", file, rows, _of(files, file))


def _figures(tables: Mapping[str, Table], files: Mapping[str, bytes]) -> Iterable[Source]:
    """Where no figure was drawn: which tables each would be drawn from."""
    plain = {name: table.columns for name, table in tables.items()}
    for kind in FIGURES:
        if not kind.lacks(plain):
            yield from _sources(kind.name, kind.title, kind.tables(plain), files)


def _pictures(folder: Path, files: Mapping[str, bytes], pictures: Pictures) -> Iterable[Source]:
    for one in pictures.drawn:
        if not one.files:
            yield Source(one.name, "figure", one.title, "not drawn", "", None, "", one.reason)
            continue
        yield from _sources(one.name, one.title, one.tables, files)
        for ending, data in one.files.items():
            path = os.path.relpath(pictures.folder / f"{one.name}.{ending}", folder)
            yield Source(one.name, "figure", one.title, "picture", Path(path).as_posix(), None, sha256_hex(data))


def _sources(name: str, title: str, tables: Sequence[str], files: Mapping[str, bytes]) -> Iterable[Source]:
    for table in tables:
        yield Source(name, "figure", title, "source data", f"{table}.csv", None, _of(files, f"{table}.csv"))


def _of(files: Mapping[str, bytes], name: str) -> str:
    return sha256_hex(files[name])


def _map(lines: Sequence[Source]) -> Columns:
    return {
        "item": [one.item for one in lines],
        "kind": [one.kind for one in lines],
        "title": [one.title for one in lines],
        "role": [one.role for one in lines],
        "file": [one.file or None for one in lines],
        "rows": [one.rows for one in lines],
        "sha256": [one.sha256 or None for one in lines],
        "note": [one.note or None for one in lines],
    }
