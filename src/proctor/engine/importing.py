"""Taking recorded evidence into a store: what the group `proctor.importers` registers is an `Importer`.

An importer says of a file whether it is of its kind, by looking at the file, and takes it in. The first that recognises
a file gets it, Proctor's own before others; a file that none recognises goes to the importer of bundles, which says
what is wrong with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from proctor.engine.checking import ORDER, TASKS
from proctor.evidence.bundle import import_bundle
from proctor.evidence.store.contract import EvidenceStore
from proctor.plugins import registry

BUNDLE = "bundle"
_ZIP = b"PK\x03\x04"


class Importer(Protocol):
    """Reads one kind of file."""

    def recognises(self, path: Path) -> bool:
        """Whether the file is of this kind. It may be missing, damaged or anything else: then no, never an error."""
        ...

    def take(self, path: Path, store: EvidenceStore) -> str:
        """Write the file's run to the store, whole or not at all, and give the run's name.

        Raises `InputError` or `IntegrityError`, one sentence, for what cannot be taken in.
        """
        ...


class BundleImporter:
    """`.proctor` files, verified before anything is written."""

    def recognises(self, path: Path) -> bool:
        """A ZIP file: that is what a bundle is, whatever it is called."""
        try:
            if not path.is_file():
                return False
            with path.open("rb") as file:
                return path.suffix == ".proctor" and file.read(len(_ZIP)) == _ZIP
        except OSError:
            return False

    def take(self, path: Path, store: EvidenceStore) -> str:
        """Import the bundle; one that does not verify is refused."""
        return import_bundle(path, store, plan=ORDER, tasks=TASKS, apart=True)


bundle = BundleImporter()


def importer_of(path: Path) -> Importer:
    """The importer for a file."""
    for name in sorted(registry.names("importers"), key=lambda name: name != BUNDLE):
        importer: Importer = registry.load("importers", name)
        if importer.recognises(path):
            return importer
    return bundle
