"""Tables and figures of a run as files, for `proctor report --tables` and `--figures`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from proctor.evidence.evidence import Evidence
    from proctor.instruments.base import Reading
    from proctor.instruments.binding.reading import BindingReading
    from proctor.instruments.binding.tables import Table
    from proctor.reports.figures.catalogue import FigureDrawn


class OutputFolders(Struct, frozen=True):
    """Where to write the files; None: not requested."""

    tables: Path | None
    figures: Path | None
    predicted: Path | None
    """A folder that `proctor predict -o` wrote, to include as well."""

    @property
    def requested(self) -> bool:
        """Whether anything is to be written."""
        return self.tables is not None or self.figures is not None

    def check(self) -> None:
        """Refuse before any work is done."""
        from proctor.core.errors import InputError

        if self.predicted is not None and not self.requested:
            message = "--predicted needs --figures FOLDER or --tables FOLDER as well"
            raise InputError(message)
        for folder in (self.tables, self.figures):
            if folder is not None and folder.exists() and not folder.is_dir():
                message = f"{folder}: is a file; give a folder"
                raise InputError(message)


def write_source_data(readings: Sequence[Reading], evidence: Evidence, label: str, folders: OutputFolders) -> list[str]:
    """Write what was requested, each with the label and the name of the run; return the lines to print."""
    from proctor.instruments.binding.records import records
    from proctor.reports.figures.catalogue import draw_all, write_figures
    from proctor.reports.figures.prediction_tables import read_predicted
    from proctor.reports.sections.binding.conditions import conditions_text
    from proctor.reports.source_data import Pictures, write_tables

    more = {} if folders.predicted is None else read_predicted(folders.predicted)
    reading = _reading(readings, more)
    lines: list[str] = []
    pictures = None
    if folders.figures is not None:
        tables = {name: table.columns for name, table in {**reading.data, **more}.items()}
        footer = (f"Note: {label}." if label else "", f"Run {evidence.run}. {conditions_text(reading)}")
        drawn = write_figures(folders.figures, draw_all(tables, footer))
        pictures = Pictures(folders.figures, tuple(drawn))
        there = sum(bool(one.files) for one in drawn)
        lines.append(f"{folders.figures}: {there} figures as SVG and PNG")
        lines += _not_drawn(drawn)
    if folders.tables is not None:
        every = {"records": records({evidence.frozen.agent: evidence})} if reading.measured else {}
        sources = write_tables(folders.tables, reading, {**more, **every}, pictures, label=label)
        written = sum(source.kind == "table" for source in sources)
        lines.append(
            f"{folders.tables}: {written} tables as CSV, registry, claim ledger, conditions and source-data.csv"
        )
    return lines


def _not_drawn(drawn: Sequence[FigureDrawn]) -> list[str]:
    """What is missing, one line for each thing that would make it."""
    by_reason: dict[str, list[str]] = {}
    for one in drawn:
        if not one.files:
            why = f"their tables come from {one.made_by}" if one.made_by else one.reason
            by_reason.setdefault(why, []).append(one.name)
    return [f"  not drawn: {', '.join(names)}: {why}" for why, names in by_reason.items()]


_OTHER_RUN = "; `proctor run binding --agent …` makes a run that has them"


def _reading(readings: Sequence[Reading], more: dict[str, Table]) -> BindingReading:
    from proctor.core.errors import InputError
    from proctor.instruments.binding.reading import BindingReading

    reading = next((one for one in readings if isinstance(one, BindingReading)), None)
    if reading is None or not (reading.measured or more):
        why = "the binding instrument is not installed" if reading is None else reading.reason
        other = "" if reading is not None and reading.records is not None else _OTHER_RUN
        message = f"there are no tables to write: {why}{other}"
        raise InputError(message)
    return reading
