"""The code of a project's own, where it is governed: none is loaded that nobody approved.

Code that is loaded in order to be judged can put the approved files back before it is. So whatever runs an agent for a
decision, or makes one (`run`, `load`, `watch`, `gate`, `baseline`, `proctor.run`, the pytest plug-in), is told first
which code is approved, and compares every file of the project's with that before it loads it. Commands by which nothing
is decided (`lint`, `check`, `show`, `play`, `generate`) and `govern propose`, which is there to show a change, load it
as it is: somebody types them who wants to see what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proctor.core.errors import InputError
from proctor.plugins.closure import DIGITS
from proctor.plugins.own_sources import ApprovedSources, approve_only, approved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proctor.pipeline.charter import Charter
    from proctor.pipeline.keys import Keyring
    from proctor.pipeline.ledger import Entry

_LEDGER = Path(".proctor") / "ledger.jsonl"
_PORTABLE = "proctor.baseline"


@contextmanager
def only_approved_code(project: Path, *, unless: bool = False) -> Iterator[None]:
    """Load no code of the project's own meanwhile but what its ledger approves; `unless` somebody said otherwise."""
    before = approved()
    approve_only(None if unless else approved_code(project))
    try:
        yield
    finally:
        approve_only(before)


def approved_code(project: Path) -> ApprovedSources | None:
    """Every file that an approved charter of the project pins; None where nothing is governed.

    Where the charter of any suite is vouched for by a known key, that of another counts only if it is, too: an unsigned
    ledger is written by whoever likes to.
    """
    # Who governs nothing does not pay for the imports.
    if not (project / _LEDGER).is_file() and not (project / _PORTABLE).is_file():
        return None
    from proctor.pipeline.baseline.file import read_baseline
    from proctor.pipeline.charter import SOURCE
    from proctor.pipeline.governance import approved_charter, with_imported
    from proctor.pipeline.ledger import Ledger

    ledger = Ledger(project)
    entries = ledger.entries()
    known = with_imported(entries)
    suites = sorted({str(entry.body["suite"]) for entry in known if entry.kind == "genesis"})
    charters = {suite: found for suite in suites if (found := approved_charter(entries, ledger.keyring, suite))}
    vouched = _vouched_for(known, ledger.keyring)
    signed = {
        suite: found for suite, found in charters.items() if found[1].signed_by or found[0].hash in vouched
    } or charters
    first = ""
    if (project / _PORTABLE).is_file() and read_baseline(project / _PORTABLE).suite not in charters:
        first = f"take in what {_PORTABLE} carries with `proctor baseline import {_PORTABLE}`"
    if not charters and not first:
        return None
    pinned = {
        suite: {name.removeprefix(SOURCE): str(v) for name, v in charter.entries.items() if name.startswith(SOURCE)}
        for suite, (charter, _) in signed.items()
    }
    return ApprovedSources(str(project.resolve()), pinned, first)


def require_approved_run(execution: Any, run: str, project: Path, families: Iterable[str]) -> None:
    """Refuse a run that was made with other code than what is approved, whatever lies in the project by now."""
    sources = approved_code(project)
    # Where approvals are still to be taken in, nothing can be decided anyway, and that is said.
    if sources is None or not sources.suites:
        return
    own = _own_code_of(execution)
    paths = {Path(reference.partition("#")[0].partition(":")[0]) for reference in families}
    named = {Path(name).name for name, _ in own}
    silent = sorted(path.name for path in paths if path.suffix == ".py" and path.name not in named)
    wrong = [*sources.differing(own), *(f"source.{name} not stated" for name in silent)]
    if wrong:
        raise InputError(_otherwise(run, "approved", wrong))


def require_same_code(execution: Any, run: str, charter: Charter) -> None:
    """Refuse a run that was made with other code than a charter pins."""
    from proctor.pipeline.charter import SOURCE

    found = {(f"{SOURCE}{name}", digest[:DIGITS]) for name, digest in _own_code_of(execution)}
    wrong = sorted({name for name, digest in found if charter.entries.get(name) != digest})
    if wrong:
        raise InputError(_otherwise(run, "here", wrong))


def own_files_of(execution: Any) -> list[str]:
    """The names of the project's own files that took part in a run, as it states them."""
    return sorted({name for name, _ in _own_code_of(execution)})


def _own_code_of(execution: Any) -> list[tuple[str, str]]:
    """Name and digest of every file of the project's that took part, at each start and end of a run."""
    from proctor.evidence.code import SOURCES
    from proctor.evidence.provenance import SOURCES_AT_END

    stated = [start for key in (SOURCES, SOURCES_AT_END) for start in execution.get(key, ())]
    return [(name, digest) for start in stated for name, digest in start.items() if name.endswith(".py")]


def _otherwise(run: str, what: str, wrong: Sequence[str]) -> str:
    return (
        f"run {run} was made with code of this project's own that is not the one {what} ({'; '.join(wrong[:3])}); "
        "nothing is decided on it; run the suite again"
    )


def _vouched_for(entries: Sequence[Entry], keyring: Keyring) -> set[str]:
    """The charters under which a known key accepted a baseline."""
    return {
        str(entry.body.get("charter"))
        for entry in entries
        if entry.kind in ("acceptance", "rise") and entry.signature is not None and keyring.knows(entry.signature)
    }
