"""The code that makes and judges scenarios, pinned: which files a suite and its families are, by content.

A family in a file of the project is Python that runs in the bench's own process. Whoever can change it can change what
is judged right, so it is governed like the oracle: each of its files is an entry `source.PATH` of the charter, and a
changed one is refused before it is loaded. Files are found by reading, never by running them (`plugins/closure.py`).
Installed packages other than Proctor are pinned as a whole. Data that a family reads is pinned by what becomes of it:
the scenarios.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from proctor.core.hashing import file_hash
from proctor.plugins import registry
from proctor.plugins.closure import DIGITS, name_in, source_closure
from proctor.plugins.sources import OWN, module_digest


def pinned_sources(references: Iterable[str], folder: Path, also: Iterable[str] = ()) -> dict[str, str]:
    """Name of each source file or package behind these families → beginning of its digest; nothing is imported.

    `also` are files of the folder that took part besides, as the one that declares the suite; those still there count.
    """
    pinned: dict[str, str] = {}
    for reference in sorted(set(references)):
        path = reference.partition("#")[0].partition(":")[0]
        if path.endswith(".py"):
            for file in source_closure(folder / path):
                pinned[name_in(file, folder)] = file_hash(file)[:DIGITS]
        else:
            module = registry.module_of("families", path.partition("@")[0])
            package = module.partition(".")[0]
            if package and package != OWN:
                pinned[package] = module_digest(module)[:DIGITS]
    for name in also:
        if name not in pinned and (folder / name).is_file():
            pinned[name] = file_hash(folder / name)[:DIGITS]
    return pinned
