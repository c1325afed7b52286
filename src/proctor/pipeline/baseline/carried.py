"""Baselines that lie in a project whether or not its ledger knows them: a ledger can be lost, or left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import zstandard

from proctor.core.errors import ProctorError
from proctor.pipeline.baseline.file import BaselineFile, read_baseline
from proctor.pipeline.governance import imported_entries
from proctor.pipeline.ledger import Entry

BASELINES = Path(".proctor") / "baselines"
_BEGINNINGS = (zstandard.FRAME_HEADER, b'{"digest":')
"""What a baseline file begins with, compressed or not."""


def carried_baselines(project: Path) -> Iterator[tuple[Path, BaselineFile]]:
    """Those in the project's own folder, whatever their names; what cannot be read as a baseline is none."""
    for path in (*sorted(project.iterdir()), *sorted((project / BASELINES).glob("*.json"))):
        file = _baseline_at(path)
        if file is not None:
            yield path, file


def carried_entries(project: Path, suite: str) -> list[Entry]:
    """The entries that those of other suites carry about themselves, each once."""
    found: dict[str, Entry] = {}
    for _, file in carried_baselines(project):
        if file.suite != suite:
            own = (entry for entry in imported_entries(file.lineage) if entry.body.get("suite") == file.suite)
            found |= {entry.hash: entry for entry in own}
    return list(found.values())


def _baseline_at(path: Path) -> BaselineFile | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            start = file.read(max(map(len, _BEGINNINGS)))
        return read_baseline(path) if start.startswith(_BEGINNINGS) else None
    except (OSError, ProctorError):
        return None
