"""The families of somebody else's run, as far as they are here and may be loaded.

A stranger's declarations name families, and a name can be the path of a file. Loading such a file runs its code, so it
is loaded only from a folder that the user named for that, and never from outside of it. Installed families are loaded
by their name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from proctor.agents.contract import Agent
from proctor.core.errors import BenchError, ProctorError
from proctor.engine.family import Deliveries, Draw, Family
from proctor.engine.names import load_family
from proctor.spec.family import FamilySpec
from proctor.spec.frozen import FrozenFamily, FrozenRun
from proctor.spec.task import Instance
from proctor.worlds.world import Place, World


class AbsentFamily:
    """Stands for a family that is not here: declared, and nothing more."""

    def __init__(self, spec: FamilySpec, why: str) -> None:
        self.spec = spec
        self.why = why

    def instance(self, draw: Draw) -> Instance:
        raise BenchError(self.why)

    def world(self, instance: Instance, place: Place) -> World:
        raise BenchError(self.why)

    def oracle(self, instance: Instance) -> Agent:
        raise BenchError(self.why)

    def answer(self, instance: Instance) -> Any:
        raise BenchError(self.why)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        raise BenchError(self.why)


class FamiliesHere(Struct, frozen=True):
    """The families of a run, by reference."""

    families: dict[str, Family]
    """Those that are not here are `AbsentFamily`."""
    altered: dict[str, str]
    """`id@version` → what of its declaration is not as it is here, under the same name and version."""

    @property
    def absent(self) -> dict[str, str]:
        """`id@version` → why it is not here."""
        return {
            family.spec.full_name: family.why for family in self.families.values() if isinstance(family, AbsentFamily)
        }


def families_here(frozen: FrozenRun, folder: Path | None = None) -> FamiliesHere:
    """Load what may be loaded. Files only from `folder`: their code runs with the user's rights."""
    families: dict[str, Family] = {}
    altered: dict[str, str] = {}
    for one in frozen.families:
        found = _found(one, folder)
        if not isinstance(found, AbsentFamily) and found.spec != one.spec:
            if found.spec.full_name == one.spec.full_name:
                fields = [name for name in type(one.spec).model_fields if _differs(name, found.spec, one.spec)]
                altered[one.spec.full_name] = ", ".join(fields)
                found = AbsentFamily(one.spec, f"{one.spec.full_name} is declared otherwise than it is here")
            else:
                why = f"{one.spec.full_name} is not here, {found.spec.full_name} is"
                found = AbsentFamily(one.spec, why)
        families[one.reference] = found
    return FamiliesHere(families, altered)


def _differs(name: str, first: FamilySpec, second: FamilySpec) -> bool:
    return bool(getattr(first, name) != getattr(second, name))


def _found(one: FrozenFamily, folder: Path | None) -> Family:
    name = one.spec.full_name
    reference = one.reference
    path = reference.partition("#")[2].partition("#")[0] if "#" in reference else reference.partition(":")[0]
    if "#" in reference or path.endswith(".py"):
        if folder is None:
            return AbsentFamily(one.spec, f"{name} comes from a file, and no folder with it was given")
        if not (folder / path).resolve().is_relative_to(folder.resolve()):
            return AbsentFamily(one.spec, f"{name} comes from a file outside of the folder given")
    try:
        return load_family(reference if "@" in reference or path.endswith(".py") else _versioned(one), folder or Path())
    except ProctorError as error:
        return AbsentFamily(one.spec, f"{name} is not here ({' '.join(str(error).split())})")


def _versioned(one: FrozenFamily) -> str:
    """A bare name with the version the run had; anything else as it is."""
    return one.spec.full_name if one.reference == one.spec.id else one.reference
