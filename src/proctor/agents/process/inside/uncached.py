"""Imports of the agent's own modules from their sources alone: byte code beside them is nobody's word for them."""

from __future__ import annotations

import os
import sys
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class SourceLoader(SourceFileLoader):
    """Compiles the source each time."""

    def path_stats(self, path: Any) -> Any:
        """Nothing that byte code could be compared with, so that none is looked for."""
        message = "byte code of an agent's own modules is not used"
        raise OSError(message)


def import_from_sources(folders: list[str], packages: list[str]) -> None:
    """Have everything below these folders imported without `__pycache__`, but for what is installed below them."""
    finder = FileFinder.path_hook(
        (ExtensionFileLoader, EXTENSION_SUFFIXES),
        (SourceLoader, SOURCE_SUFFIXES),
        # Beside the sources, where a file of this kind is one that counts like any other.
        (SourcelessFileLoader, BYTECODE_SUFFIXES),
    )
    real = [os.path.realpath(folder) for folder in folders]
    installed = [os.path.realpath(folder) for folder in (*sys.path, *packages)]

    def own(path: str) -> Any:
        place = os.path.realpath(path)
        if _nearest(place, real) <= _nearest(place, installed):
            message = "not a folder of the agent's"
            raise ImportError(message)
        return finder(path)

    sys.path_hooks.insert(0, own)
    for folder in folders:
        sys.path_importer_cache.pop(folder, None)


def _nearest(place: str, folders: list[str]) -> int:
    """How long the name of the nearest of these folders around a place is; -1 where none is around it."""
    around = [len(folder) for folder in folders if place == folder or place.startswith(folder.rstrip("/") + "/")]
    return max(around, default=-1)
