"""The identity of what a run will execute: the probe of each family, and the version of the bench.

Asked when a run is frozen, for the families it uses. A family that behaves otherwise than its released version is
refused here, and never when it is loaded.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError, NeedsData
from proctor.core.folders import make_folder
from proctor.core.hashing import content_hash
from proctor.engine.family import Family
from proctor.engine.names import load_suite
from proctor.engine.probing import bench
from proctor.engine.probing.bench import BENCH_VERSION, measure_bench
from proctor.engine.probing.lock import FORMAT, LockedFamily, read_lock
from proctor.engine.probing.probe import Measured, measure
from proctor.plugins import registry
from proctor.plugins.sources import module_digest
from proctor.spec.probe import Probe
from proctor.spec.suite import Suite

MEASURING = "proctor.engine.probing"
"""Whose code measures: part of the key under which measurements are kept."""


class Origin(Struct, frozen=True):
    """Where a family comes from: a module of an installed package, or (`module` empty) a file or data of the user's."""

    module: str

    @property
    def package(self) -> str:
        """The top-level package; empty for a file or data of the user's."""
        return self.module.partition(".")[0]


def origin_of(reference: str) -> Origin:
    """The origin of the family that a suite names so."""
    if "#" in reference or reference.partition(":")[0].endswith(".py"):
        return Origin("")
    return Origin(registry.module_of("families", reference.partition("@")[0]))


def probe_of(reference: str, family: Family, suite: Suite) -> Probe:
    """The probe of a family in a suite, as a run is frozen with it."""
    return entry_of(reference, family, suite).probe


def entry_of(reference: str, family: Family, suite: Suite | None = None) -> LockedFamily:
    """What identifies a family: its lock where its sources are the locked ones, else measured.

    Refused when what was measured differs from the lock of the same version.
    """
    origin = origin_of(reference)
    if not origin.module:
        # A file may read anything beside it, so no digest of sources could say that it is the same as before.
        return _entry(measure(family, () if suite is None else (suite,), (reference,), at_random=False), sources="")
    locked = read_lock(origin.package).families.get(family.spec.full_name)
    sources = module_digest(origin.module)
    if locked is not None and sources and locked.sources == sources:
        return locked
    measured = cached_measurement(family, origin, sources)
    if locked is not None and measured.probe.differences(locked.probe):
        # Worlds of real processes have limits in real time, which a busy machine may reach: once more, then refuse.
        measured = measured_entry(family, origin, sources)
        _keep(_cached(family, sources), measured)
    if locked is not None and (changed := measured.probe.differences(locked.probe)):
        message = (
            f"family {family.spec.full_name}: its {' and '.join(changed)} differ from its release; raise its version "
            f"and run `proctor lock {origin.package}`, or, if nobody has this version yet, replace its entry with "
            f"`proctor lock {origin.package} --unreleased`"
        )
        raise InputError(message)
    return measured


def bench_sources() -> str:
    """The digest of the code behind sessions, limits and adversity."""
    return module_digest(bench.__name__)


def require_bench() -> str:
    """The bench's version. Refused when its episodes are not those of that version."""
    locked = read_lock().bench
    if locked is None or locked.version != BENCH_VERSION:
        message = f"bench {BENCH_VERSION}: no lock holds its episodes; run `proctor lock`"
        raise InputError(message)
    if locked.sources == bench_sources():
        return BENCH_VERSION
    measured = measure_bench()
    changed = sorted(name for name in {*measured, *locked.episodes} if measured.get(name) != locked.episodes.get(name))
    if changed:
        message = (
            f"bench {BENCH_VERSION}: its episodes under {', '.join(changed)} differ from its release; raise "
            "BENCH_VERSION, then `proctor lock`"
        )
        raise InputError(message)
    return BENCH_VERSION


def cached_measurement(family: Family, origin: Origin, sources: str) -> LockedFamily:
    """What these sources were measured to do before, or measured now and kept for the next time."""
    path = _cached(family, sources)
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=LockedFamily)
        if sources and kept.sources == sources:
            return kept
    except (OSError, *UNREADABLE):
        pass
    entry = measured_entry(family, origin, sources)
    _keep(path, entry)
    return entry


def _cached(family: Family, sources: str) -> Path:
    # What measures is part of the key: other code may measure otherwise, or live episodes otherwise.
    key = content_hash([FORMAT, family.spec.full_name, sources, module_digest(MEASURING)])
    return _cache_folder() / f"{key}.json"


def _keep(path: Path, entry: LockedFamily) -> None:
    if not entry.sources:
        return
    try:
        make_folder(path.parent)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(msgspec.json.encode(entry))
        unfinished.replace(path)
    except OSError:
        pass  # Nowhere to keep it: it is measured again the next time.


def measured_entry(family: Family, origin: Origin, sources: str) -> LockedFamily:
    """What a family of a package is measured to do, now; nothing that was kept is believed."""
    return _entry(measure(family, suites_of(origin.package)), sources=sources)


def _entry(measured: Measured, *, sources: str) -> LockedFamily:
    return LockedFamily(sources=sources, unreached=measured.unreached, **measured.probe.model_dump())


@cache
def suites_of(package: str) -> tuple[Suite, ...]:
    """The suites that a package registers; those over data of a user's are not among them."""
    suites: list[Suite] = []
    for name in registry.names("suites"):
        if registry.module_of("suites", name).partition(".")[0] == package:
            try:
                suites.append(load_suite(name, Path()))
            except NeedsData:
                continue
    return tuple(suites)


def _cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "proctor" / "probes"
