"""Where a scenario is, by its id: in the project's own suite, or in a built-in domain."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.engine.family import scenarios_of
from proctor.engine.names import DOCUMENTS, load_family, load_suite
from proctor.plugins import registry
from proctor.spec.project import PROJECT_FILE, read_project
from proctor.suites.quality.families import DOMAINS

_SHOWN = 3
"""Ids that a sentence has room for."""


class ScenarioPlace(Struct, frozen=True):
    """A scenario as an instance of its family."""

    family: str
    number: int


def find_scenario(name: str, folder: Path, *, within: str | None = None) -> ScenarioPlace | None:
    """The place of the scenario of this id; None where the name is that of a family. Refuses a name of nothing.

    Domains are generated when they are first asked for, which takes a moment: a family's name is not looked up there.
    """
    if within is not None:
        place = _search(name, [within], folder)
        if place is None:
            message = f"family '{within}' has no scenario '{name}'{_hint(name, _ids([within], folder))}"
            raise InputError(message)
        return place
    if name.endswith((".py", *DOCUMENTS)) or ":" in name or "#" in name:
        return None
    if name.partition("@")[0] in registry.names("families"):
        return None
    place = _search(name, [*_own(folder), *DOMAINS], folder)
    if place is None:
        raise InputError(_unknown(name, folder))
    return place


def _unknown(name: str, folder: Path) -> str:
    """What to say of a name that neither a family nor a scenario has: short, however many families there are."""
    own = _ids(_own(folder), folder)
    hint = _hint(name, own, others=[*_ids(DOMAINS, folder), *registry.names("families")])
    where = ""
    if read_project(folder) is None:
        where = f"; there is no {PROJECT_FILE} here, so name the family or file of a scenario with --family"
    return f"no family and no scenario is called '{name}'{where}; `proctor families` lists all families{hint}"


def _hint(name: str, ids: list[str], *, others: Iterable[str] = ()) -> str:
    """The names most like a mistyped one; where nothing is like it, some of these ids."""
    close = get_close_matches(name, dict.fromkeys([*ids, *others]), n=_SHOWN)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; there are scenarios such as {', '.join(sorted(ids)[:_SHOWN])}" if ids else ""


def _ids(families: Iterable[str], folder: Path) -> list[str]:
    sets = (scenarios_of(load_family(family, folder)) for family in families)
    return [scenario.id for declared in sets if declared is not None for scenario in declared.scenarios]


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
