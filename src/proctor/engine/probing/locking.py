"""Making a package's `probes.lock`: every family it registers is measured; released versions are left as they are.

With Proctor's own families its suites are locked, too: by their content, in `spec/suites.lock`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

from proctor.core.errors import InputError, NeedsData, NotEvaluable
from proctor.engine.names import load_family
from proctor.engine.probing.bench import BENCH_VERSION, measure_bench
from proctor.engine.probing.identity import Origin, bench_sources, measured_entry, suites_of
from proctor.engine.probing.lock import Lock, LockedBench, LockedFamily, read_lock
from proctor.plugins import registry
from proctor.plugins.sources import OWN, module_digest
from proctor.spec.released import ReleasedSuite, digests_of, released_suites
from proctor.worlds.requirements import require


class LockUpdate(Struct, frozen=True):
    """A new lock, and what differs from the one before."""

    lock: Lock
    added: tuple[str, ...]
    """Families, and the bench, that were not locked before."""
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    """Of released versions: sentences on what behaves differently. They keep their old entries."""
    not_measured: tuple[str, ...]
    """Families whose verdicts need something this machine lacks, and why: they keep their old entries."""
    suites: dict[str, ReleasedSuite] = field(default_factory=dict)
    """Proctor's own suites, by `name@version`, earlier versions included; nothing for other packages."""


def relock(
    package: str = OWN, *, unreleased: bool = False, watch: Callable[[str], None] = lambda _name: None
) -> LockUpdate:
    """Measure every family that a package registers.

    A version whose behaviour changed keeps its entry and is named, unless nothing was released yet (`unreleased`).
    """
    before = read_lock(package)
    families: dict[str, LockedFamily] = {}
    changed: list[str] = []
    not_measured: list[str] = []
    for name in registry.names("families"):
        module = registry.module_of("families", name)
        if module.partition(".")[0] != package:
            continue
        try:
            family = load_family(name, Path())
        except NeedsData:
            continue  # Its tasks come from a user's data, by which it is identified.
        full_name = family.spec.full_name
        watch(full_name)
        locked = before.families.get(full_name)
        try:
            require(family.spec.requires)
        except NotEvaluable as error:
            not_measured.append(f"{full_name}: not measured: {error}")
            if locked is not None:
                families[full_name] = locked
            continue
        entry = measured_entry(family, Origin(module), module_digest(module))
        differences = [] if locked is None else entry.probe.differences(locked.probe)
        if locked is not None and differences and not unreleased:
            changed.append(f"family {full_name}: its {' and '.join(differences)} differ from its release")
            entry = locked
        families[full_name] = entry
    if not families:
        message = f"package '{package}' registers no family; name one that does, e.g. {OWN}"
        raise InputError(message)
    bench, said = _bench(before, unreleased=unreleased) if package == OWN else (None, [])
    suites, also_said = _suites(unreleased=unreleased) if package == OWN else ({}, [])
    return LockUpdate(
        lock=Lock(bench=bench, families=families),
        added=tuple(sorted(families.keys() - before.families.keys())),
        removed=tuple(sorted(before.families.keys() - families.keys())),
        changed=(*changed, *said, *also_said),
        not_measured=tuple(not_measured),
        suites=suites,
    )


def _bench(before: Lock, *, unreleased: bool) -> tuple[LockedBench, list[str]]:
    measured = LockedBench(BENCH_VERSION, bench_sources(), measure_bench())
    locked = before.bench
    if unreleased or locked is None or locked.version != BENCH_VERSION or locked.episodes == measured.episodes:
        return measured, []
    names = sorted(name for name, head in measured.episodes.items() if locked.episodes.get(name) != head)
    return locked, [f"bench {BENCH_VERSION}: its episodes under {', '.join(names)} differ from its release"]


def _suites(*, unreleased: bool) -> tuple[dict[str, ReleasedSuite], list[str]]:
    """Earlier versions stay on record, so that what was read with them still counts as read with Proctor's own."""
    before, now = released_suites(), digests_of(suites_of(OWN))
    changed = [] if unreleased else [name for name in now if name in before and now[name] != before[name]]
    kept = {name: before[name] for name in changed}
    return {**before, **now, **kept}, [f"suite {name}: its content differs from its release" for name in changed]
