"""A file of scenarios as a family, without a line of code: `scenarios#cases.yaml`, or just `cases.yaml` in a suite."""

from __future__ import annotations

from pathlib import Path

from proctor.core.errors import InputError
from proctor.spec.documents import read_document
from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.family import ScenarioFamily


class ScenarioFile:
    """What opens a file of scenarios."""

    def open_data(self, path: Path, part: str) -> ScenarioFamily:
        """The family of a file; it has no parts."""
        if part:
            message = f"{path.name} is one set of scenarios and has no part '{part}'; leave #{part} out"
            raise InputError(message)
        return ScenarioFamily(ScenarioSet.parse(read_document(path), source=path.name))


source = ScenarioFile()
