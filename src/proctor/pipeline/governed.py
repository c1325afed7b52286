"""The governed rules of a project: thresholds, weights and tolerances that take an approval to change."""

from __future__ import annotations

from pathlib import Path

from proctor.instruments.quality.rules import QualityRules
from proctor.spec.load import read_document

RULES_FILE = "proctor.rules.yaml"


def read_governed(project: Path) -> QualityRules:
    """The project's governed rules: `proctor.rules.yaml`, or the defaults."""
    path = project / RULES_FILE
    if not path.is_file():
        return QualityRules()
    return QualityRules.parse(read_document(path) or {}, source=RULES_FILE)
