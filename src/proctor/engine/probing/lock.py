"""`probes.lock`: the probes of released families and of the bench, one file per package, inside the package.

Each entry holds the digest of the sources it was measured with. Equal sources: the locked probe holds and nothing is
measured. Other sources: the family is measured again, and must come to the same probe, since a released version does
not change. Only `proctor lock` writes the file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.plugins.sources import OWN, package_folder
from proctor.spec.probe import Probe

FILE = "probes.lock"
FORMAT = 1
"""Raised when probes are measured in another way: files of another format are made anew, and nothing is compared."""


class LockedFamily(Struct, frozen=True, kw_only=True):
    """The probe of one family as it was released."""

    sources: str
    instances: str
    tools: str
    verdicts: str
    unreached: tuple[str, ...] = ()
    """Declared reasons that no episode of the probe ends with."""

    @property
    def probe(self) -> Probe:
        """The three hashes."""
        return Probe(instances=self.instances, tools=self.tools, verdicts=self.verdicts)


class LockedBench(Struct, frozen=True):
    """Digests of the episodes that pin the bench."""

    version: str
    sources: str
    episodes: dict[str, str]


class Lock(Struct, frozen=True):
    """The whole file."""

    format: int = FORMAT
    bench: LockedBench | None = None
    """Only in Proctor's own."""
    families: dict[str, LockedFamily] = msgspec.field(default_factory=dict)
    """By `id@version`."""
    digest: str = ""
    """SHA-256 over the rest, as it was written: a slip of an editor's must not pass for a measurement."""

    @property
    def content(self) -> str:
        """The digest that belongs to what it holds."""
        return content_hash(structs.replace(self, digest=""))


@cache
def read_lock(package: str = OWN) -> Lock:
    """The lock of an installed package; an empty one where it has none, or one of another format."""
    folder = package_folder(package)
    path = None if folder is None else folder / FILE
    if path is None or not path.is_file():
        return Lock()
    try:
        lock = msgspec.json.decode(path.read_bytes(), type=Lock)
    except UNREADABLE as error:
        message = f"{path}: not a lock of probes ({error}); restore it, or remove it and run `proctor lock {package}`"
        raise InputError(message) from None
    if lock.format != FORMAT:
        return Lock()
    if lock.digest != lock.content:
        message = f"{path}: it was changed by something else than `proctor lock`; restore it, or lock again"
        raise InputError(message)
    return lock


def write_lock(package: str, lock: Lock) -> Path:
    """Write the lock of a package into its folder; the path."""
    folder = package_folder(package)
    if folder is None:
        message = f"'{package}' is not an installed package with a folder of its own; name one that registers families"
        raise InputError(message)
    signed = structs.replace(lock, digest=lock.content)
    with atomic_write(folder / FILE) as file:
        file.write(msgspec.json.format(msgspec.json.encode(signed, order="sorted"), indent=1) + b"\n")
    read_lock.cache_clear()
    return folder / FILE
