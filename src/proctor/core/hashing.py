"""SHA-256 everywhere, lower-case hex on paper, raw bytes inside."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from proctor.core.canonical import canonical
from proctor.core.reading import open_file


def sha256(data: bytes) -> bytes:
    """The 32 raw bytes."""
    return hashlib.sha256(data).digest()


def sha256_hex(data: bytes) -> str:
    """The 64 hex characters."""
    return hashlib.sha256(data).hexdigest()


def content_hash(value: Any) -> str:
    """The identity of a JSON-like value: SHA-256 over its RFC 8785 bytes."""
    return sha256_hex(canonical(value))


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, read in pieces."""
    with open_file(path) as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def tree_hash(root: Path, *, suffixes: frozenset[str] | None = None, without: frozenset[str] = frozenset()) -> str:
    """SHA-256 over the relative names and contents of the files below `root`, in name order.

    Byte-code caches and dot files are left out. `suffixes` (e.g. `{".py", ".yaml"}`) restricts which files count;
    files named in `without` do not.
    """
    if root.is_file():
        return content_hash([[root.name, file_hash(root)]])
    entries = [
        [path.relative_to(root).as_posix(), file_hash(path)]
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in without and _counts(path.relative_to(root), suffixes)
    ]
    return content_hash(entries)


def _counts(relative: Path, suffixes: frozenset[str] | None) -> bool:
    hidden = any(part == "__pycache__" or part.startswith(".") for part in relative.parts)
    return not hidden and (suffixes is None or relative.suffix in suffixes)
