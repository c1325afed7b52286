"""The importer `quay-manifest`: a text file whose second line names the bundle to take in, beside it."""

from __future__ import annotations

from pathlib import Path

from proctor.engine.importing import bundle
from proctor.evidence.store.contract import EvidenceStore

FIRST_LINE = b"quay manifest\n"


class ManifestImporter:
    """Looks at the first line."""

    def recognises(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                return file.readline(len(FIRST_LINE)) == FIRST_LINE
        except OSError:
            return False

    def take(self, path: Path, store: EvidenceStore) -> str:
        named = path.read_text(encoding="utf-8").splitlines()[1]
        return bundle.take(path.parent / named, store)


importer = ManifestImporter()
