"""Instruments as a project uses them: by its governed rules, and with what was measured under load.

So `score`, `report`, the end of a run and `proctor.score` show the numbers that `gate` decides on.
"""

from __future__ import annotations

from pathlib import Path

from proctor.evidence.evidence import Evidence
from proctor.evidence.load import load_of
from proctor.instruments.base import Instrument
from proctor.instruments.load import read
from proctor.instruments.quality.instrument import QualityInstrument
from proctor.instruments.quality.load import figures_of
from proctor.pipeline.governed import read_governed
from proctor.plugins import registry


def instrument_for(
    name: str, evidence: Evidence, *, store: str, load: Path | None = None, project: Path | None = None
) -> Instrument:
    """The instrument of this name for reading a run; `load` is a record that was named, not the newest one."""
    if name == "quality":
        return quality_for(evidence, store=store, load=load, project=project)
    found: Instrument = registry.load("instruments", name)
    return found


def quality_for(
    evidence: Evidence, *, store: str, load: Path | None = None, project: Path | None = None
) -> QualityInstrument:
    """The quality instrument for reading a run of the project in this folder (default: the current one)."""
    if load is None and not any(row.measures for row in evidence.rows):
        # No scenario, nothing to read: the state of rules and of load records cannot be in the way.
        return QualityInstrument()
    record = load_of(evidence.frozen, store=store, given=load)
    governed = read_governed(project or Path())
    return QualityInstrument(governed, None if record is None else figures_of(read(record), governed))
