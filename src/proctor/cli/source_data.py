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


class Places(Struct, frozen=True):
    """Where to write what; None: not asked for."""

    tables: Path | None
    figures: Path | None
    predicted: Path | None
    """A folder that `proctor predict -o` wrote, to be shown as well."""

    @property
    def asked(self) -> bool:
        """Whether anything is to be written."""
        return self.tables is not None or self.figures is not None

    def check(self) -> None:
        """Refuse before any work is done."""
        from proctor.core.errors import InputError

        if self.predicted is not None and not self.asked:
            message = "--predicted needs --figures FOLDER or --tables FOLDER as well"
            raise InputError(message)
        for place in (self.tables, self.figures):
            if place is not None and place.exists() and not place.is_dir():
                message = f"{place}: is a file; give a folder"
                raise InputError(message)


def write_source_data(readings: Sequence[Reading], evidence: Evidence, label: str, places: Places) -> list[str]:
    """Write what was asked for, each with the label and the name of the run; gives the lines to print."""
    from proctor.instruments.binding.records import records
    from proctor.reports.figures.catalogue import draw_all, write_figures
    from proctor.reports.figures.predicted import read_predicted
    from proctor.reports.sections.binding.under import under_text
    from proctor.reports.source_data import Pictures, write_tables

    more = {} if places.predicted is None else read_predicted(places.predicted)
    reading = _reading(readings, more)
    said: list[str] = []
    pictures = None
    if places.figures is not None:
        tables = {name: table.columns for name, table in {**reading.data, **more}.items()}
        footer = (f"Note: {label}." if label else "", f"Run {evidence.run}. {under_text(reading)}")
        drawn = write_figures(places.figures, draw_all(tables, footer))
        pictures = Pictures(places.figures, tuple(drawn))
        there = sum(bool(one.files) for one in drawn)
        said.append(f"{places.figures}: {there} figures as SVG and PNG")
        said += _not_drawn(drawn)
    if places.tables is not None:
        every = {"records": records({evidence.frozen.agent: evidence})} if reading.measured else {}
        lines = write_tables(places.tables, reading, {**more, **every}, pictures, label=label)
        written = sum(line.kind == "table" for line in lines)
        said.append(f"{places.tables}: {written} tables as CSV, registry, claim ledger, conditions and source-data.csv")
    return said


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

    found = next((one for one in readings if isinstance(one, BindingReading)), None)
    if found is None or not (found.measured or more):
        why = "the binding instrument is not installed" if found is None else found.reason
        other = "" if found is not None and found.records is not None else _OTHER_RUN
        message = f"there are no tables to write: {why}{other}"
        raise InputError(message)
    return found
