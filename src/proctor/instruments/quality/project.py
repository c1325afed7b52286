"""The quality instrument as a project uses it: by its governed rules, and with what was measured under load."""

from __future__ import annotations

from pathlib import Path

from proctor.evidence.evidence import Evidence
from proctor.evidence.load_record import load_of
from proctor.instruments.abilities import Surroundings
from proctor.instruments.load_reading import read
from proctor.instruments.quality.load_figures import LoadFigures, figures_of
from proctor.instruments.quality.rules import QualityRules
from proctor.spec.documents import read_document

RULES_FILE = "proctor.rules.yaml"


def read_governed(project: Path) -> QualityRules:
    """The project's governed rules: `proctor.rules.yaml`, or the defaults."""
    path = project / RULES_FILE
    if not path.is_file():
        return QualityRules()
    return QualityRules.parse(read_document(path) or {}, source=RULES_FILE)


def rules_and_load(evidence: Evidence, surroundings: Surroundings) -> tuple[QualityRules, LoadFigures | None]:
    """The rules and load figures for reading a run. Without a scenario in it, neither can be in the way."""
    if surroundings.load is None and not any(row.measures for row in evidence.rows):
        return QualityRules(), None
    record = load_of(evidence.frozen, store=surroundings.store, given=surroundings.load)
    governed = read_governed(surroundings.project)
    return governed, None if record is None else figures_of(read(record), governed)
