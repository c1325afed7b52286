"""Which families of a suite a run executes. What `--only` leaves out is neither built nor frozen."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from proctor.core.errors import InputError, NotEvaluable
from proctor.engine.family import Family
from proctor.engine.names import load_family
from proctor.plugins import registry
from proctor.spec.suite import Suite
from proctor.worlds.requirements import require


class ChosenFamilies(Struct, frozen=True):
    """The families of a suite, by how it names them."""

    runs: dict[str, Family]
    skipped: dict[str, str]
    """By `id@version`: those that cannot be evaluated on this machine, and why."""
    left_out: dict[str, str]
    """By reference: the `id@version` of families in files that `--only` leaves out."""


def choose_families(suite: Suite, folder: Path, only: tuple[str, ...]) -> ChosenFamilies:
    """The families that run: those of the suite, or the ones that `only` names by id, full name or reference.

    Refused: a name in `only` that the suite does not have, and a run of which nothing can be evaluated here.
    """
    wanted = set(only)
    runs: dict[str, Family] = {}
    skipped: dict[str, str] = {}
    left_out: dict[str, str] = {}
    known: set[str] = set()
    for reference in sorted({entry.family for entry in suite.entries}):
        name = reference.partition("@")[0]
        known |= {reference, name}
        registered = bool(registry.module_of("families", name))
        if wanted and registered and not any(asked.partition("@")[0] == name for asked in wanted):
            continue
        family = load_family(reference, folder)
        spec = family.spec
        known |= {spec.id, spec.full_name}
        if wanted and not wanted & {reference, spec.id, spec.full_name}:
            left_out |= {} if registered else {reference: spec.full_name}
            continue
        try:
            require(spec.requires)
        except NotEvaluable as error:
            skipped[spec.full_name] = str(error)
            continue
        runs[reference] = family
    for asked in only:
        if asked not in known:
            there = ", ".join(sorted(name for name in known if "@" not in name))
            message = f"--only {asked}: the suite has no such family; it has {there}"
            raise InputError(message)
    for full_name, why in skipped.items() if wanted or not runs else ():
        message = f"family {full_name}: not evaluable here: {why}"
        raise InputError(message)
    return ChosenFamilies(runs, skipped, left_out)
