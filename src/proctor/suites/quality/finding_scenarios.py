"""Where a scenario is, by its id: in the project's own suite, or in a built-in domain."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.engine.family import scenarios_of
from proctor.engine.names import load_family, load_suite
from proctor.plugins import registry
from proctor.spec.project import read_project
from proctor.suites.quality.families import DOMAINS


class ScenarioPlace(Struct, frozen=True):
    """A scenario as an instance of its family."""

    family: str
    number: int


def find_scenario(name: str, folder: Path, *, within: str | None = None) -> ScenarioPlace | None:
    """The place of the scenario of this id; None where the name is that of a family, or of nothing.

    Domains are generated when they are first asked for, which takes a moment: a family's name is not looked up there.
    """
    if within is not None:
        place = _search(name, [within], folder)
        if place is None:
            message = f"family '{within}' has no scenario '{name}'"
            raise InputError(message)
        return place
    if name.endswith(".py") or ":" in name or name.partition("@")[0] in registry.names("families"):
        return None
    return _search(name, [*_own(folder), *DOMAINS], folder)


def _own(folder: Path) -> Iterable[str]:
    """The families of the project's suite."""
    project = read_project(folder)
    if project is None:
        return ()
    return dict.fromkeys(entry.family for entry in load_suite(project.suite, folder).entries)


def _search(name: str, families: Iterable[str], folder: Path) -> ScenarioPlace | None:
    for family in families:
        declared = scenarios_of(load_family(family, folder))
        for number, scenario in enumerate(() if declared is None else declared.scenarios):
            if scenario.id == name:
                return ScenarioPlace(family, number)
    return None
