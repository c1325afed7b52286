"""Looking up families and suites by name or path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.core.abilities import members
from proctor.core.errors import InputError, NeedsData
from proctor.engine.family import Family, opens_data, takes_data
from proctor.plugins import registry
from proctor.plugins.files import load_module
from proctor.plugins.own_sources import note_suite
from proctor.spec.documents import read_document
from proctor.spec.family import FamilySpec
from proctor.spec.name import FullName
from proctor.spec.released import require_own_name
from proctor.spec.suite import Suite

DOCUMENTS = (".yaml", ".yml", ".json")
SCENARIOS = "scenarios"
"""What opens a file of scenarios."""


def load_family(reference: str, folder: Path) -> Family:
    """The family behind `name`, `name@version`, `path/to/file.py[:attribute]` or `name#path/to/data[#part]`.

    The last form is for families whose instances come from a user's file: what is registered opens it (`OpensData`).
    A file of scenarios may stand alone: `cases.yaml` is `scenarios#cases.yaml`.
    """
    if "#" in reference:
        return _opened(reference, folder)
    if reference.endswith(DOCUMENTS):
        return _opened(f"{SCENARIOS}#{reference}", folder)
    path, _, attribute = reference.partition(":")
    if path.endswith(".py"):
        module = load_module(folder / path)
        defined: Any = getattr(module, attribute or "family", None)
        if defined is None:
            message = f"{path}: no family in this file; define `{attribute or 'family'} = MyFamily()` at the top level"
            raise InputError(message)
        return require_family(defined, reference)
    return _installed(reference)


def _installed(reference: str) -> Family:
    name = FullName.parse(reference)
    registered = registry.load("families", name.name)
    if opens_data(registered) and _missing(registered) == members(Family):
        message = f"family '{name.name}' reads its tasks from a file; write {name.name}#PATH"
        raise NeedsData(message)
    family = require_family(registered, reference)
    if family.spec.id != name.name:
        # Locks and suites go by the one, evidence by the other: they have to be the same.
        message = (
            f"family '{name.name}' is registered by a name that is not its id, '{family.spec.id}'; call the entry "
            f"point {family.spec.id}, or give its spec the id '{name.name}'"
        )
        raise InputError(message)
    if name.version and name.version != family.spec.version:
        message = f"family '{name.name}' is installed in version {family.spec.version}, not {name.version}"
        raise InputError(message)
    return family


def _opened(reference: str, folder: Path) -> Family:
    name, _, rest = reference.partition("#")
    path, _, part = rest.partition("#")
    source = registry.load("families", name)
    if not opens_data(source):
        message = f"family '{name}' generates its instances and takes no file; write it without #{rest}"
        raise InputError(message)
    return require_family(source.open_data(folder / path, part), reference)


def require_family(candidate: Any, reference: str) -> Family:
    """The object itself, or one sentence on what it lacks."""
    if isinstance(candidate, type):
        message = (
            f"'{reference}' is the class {candidate.__name__}; give an object of it: `family = {candidate.__name__}()`"
        )
        raise InputError(message)
    for member in _missing(candidate):
        message = f"'{reference}' is not a family: it has no '{member}'; see `proctor new family`"
        raise InputError(message)
    if not isinstance(candidate.spec, FamilySpec):
        message = f"'{reference}' is not a family: its 'spec' has to be a FamilySpec; see `proctor new family`"
        raise InputError(message)
    family: Family = candidate
    return family


def _missing(candidate: Any) -> tuple[str, ...]:
    """What an object lacks of a family. The object is asked, not its class: `spec` is often made in `__init__`."""
    return tuple(member for member in members(Family) if not hasattr(candidate, member))


def load_suite(reference: str, folder: Path) -> Suite:
    """The suite behind `name`, `name@version`, `suite.yaml`, `my_family.py@suite`, or `name#path/to/data`.

    The last form is for suites over a user's own records: what is registered makes it (`SuiteOnData`).
    """
    if "#" in reference:
        bare, _, path_text = reference.partition("#")
        if "#" in path_text:
            message = (
                f"{path_text}: a data path must not contain '#', which ends it in a family's name; rename or move it"
            )
            raise InputError(message)
        source = registry.load("suites", bare)
        if not takes_data(source):
            message = f"suite '{bare}' generates its tasks and takes no data; leave out --data, or #{path_text}"
            raise InputError(message)
        return source.on_data(folder / path_text)
    if reference.endswith(DOCUMENTS):
        document = read_document(folder / reference)
        if isinstance(document, dict) and "scenarios" in document and "entries" not in document:
            message = (
                f"{reference} contains scenarios and is not a suite; `proctor lint {reference}` checks it, and a "
                f"suite runs it that has it as an entry, e.g. `entries: [{{family: {reference}, n: 20}}]`"
            )
            raise InputError(message)
        return _beside(_of_users(Suite.parse(document, source=reference), reference), Path(reference).parent)
    path_text, _, attribute = reference.partition("@")
    if path_text.endswith(".py"):
        declared: Any = getattr(load_module(folder / path_text), attribute or "suite", None)
        if isinstance(declared, dict):
            declared = Suite.parse(declared, source=reference)
        if not isinstance(declared, Suite):
            message = f"{path_text}: no suite in this file; define `{attribute or 'suite'}` as a Suite or a mapping"
            raise InputError(message)
        suite = _beside(_of_users(declared, path_text), Path(path_text).parent)
        note_suite(suite.full_name, folder / path_text)
        return suite
    name = FullName.parse(reference)
    # A bare name is the newest version; an older one that is still there is registered with its version.
    registered = registry.load("suites", reference if reference in registry.names("suites") else name.name)
    suite = registered if isinstance(registered, Suite) else registered()
    if not isinstance(suite, Suite):
        message = f"suite '{name.name}' is registered but does not give a Suite"
        raise InputError(message)
    if name.version and name.version != suite.version:
        message = f"suite '{name.name}' is installed in version {suite.version}, not {name.version}"
        raise InputError(message)
    return suite


def _of_users(suite: Suite, source: str) -> Suite:
    """A suite from a user's file; refused where it passes itself off as one of Proctor's own."""
    try:
        require_own_name(suite)
    except InputError as error:
        message = f"{source}: {error}"
        raise InputError(message) from None
    return suite


def _beside(suite: Suite, home: Path) -> Suite:
    """The suite with its families' files looked for beside its own file, wherever the command is run."""
    entries = tuple(
        entry.model_copy(update={"family": str(home / entry.family)})
        if entry.family.partition(":")[0].endswith(".py")
        else entry.model_copy(update={"family": _data_beside(entry.family, home)})
        for entry in suite.entries
    )
    return suite.model_copy(update={"entries": entries})


def _data_beside(reference: str, home: Path) -> str:
    if "#" not in reference and reference.endswith(DOCUMENTS):
        reference = f"{SCENARIOS}#{reference}"
    name, opened, path = reference.partition("#")
    return f"{name}#{home / path}" if opened else reference
