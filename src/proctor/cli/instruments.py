"""Instruments as commands use them: by the project's governed rules, and with what was measured under load.

So `score`, `report` and the end of a run show the numbers that `gate` decides on.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proctor.evidence.evidence import Evidence
    from proctor.instruments.base import Instrument
    from proctor.instruments.quality.instrument import QualityInstrument


def instrument_for(name: str, evidence: Evidence, *, store: str, load: Path | None = None) -> Instrument:
    """The instrument of this name for reading a run; `load` is a record that was named, not the newest one."""
    from proctor.plugins import registry

    if name == "quality":
        return quality_for(evidence, store=store, load=load)
    found: Instrument = registry.load("instruments", name)
    return found


def quality_for(evidence: Evidence, *, store: str, load: Path | None = None) -> QualityInstrument:
    """The quality instrument for reading a run."""
    from proctor.evidence.load import load_of
    from proctor.instruments.load import read
    from proctor.instruments.quality.instrument import QualityInstrument
    from proctor.instruments.quality.load import figures_of
    from proctor.pipeline.scenarios import read_governed

    if load is None and not any(row.measures for row in evidence.rows):
        # No scenario, nothing to read: the state of rules and of load records cannot be in the way.
        return QualityInstrument()
    record = load_of(evidence.frozen, store=store, given=load)
    return QualityInstrument(read_governed(Path()), None if record is None else figures_of(read(record)))
