"""The accepted baseline of a suite: kept in the project, recorded in its ledger, importable in another clone.

`.proctor/baselines/SUITE.json` must have the digest in the newest ledger entry about it: a file that was edited,
replaced by an older one, or copied next to another ledger is refused. A new baseline is written to a temporary file,
recorded, then renamed; if the process is killed in between, the next reader renames it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from proctor.core.errors import InputError, IntegrityError
from proctor.core.folders import make_folder
from proctor.pipeline.baseline.carried import BASELINES, carried_baselines, carried_entries
from proctor.pipeline.baseline.file import BaselineFile, read_baseline, require_current, sign, write_baseline
from proctor.pipeline.baseline.founding import require_founded
from proctor.pipeline.baseline.lawful import last_recorded, require_lawful
from proctor.pipeline.charter import Charter
from proctor.pipeline.governance import (
    Step,
    charters,
    goes_on,
    imported_entries,
    lineage,
    steps_of,
    with_imported,
)
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Entry, Ledger

PORTABLE_FILE = "proctor.baseline"
"""The file kept in a repository: the name used in the help of `baseline export`, imported by the CI workflow."""
_RECORDED = ("acceptance", "import", "rise")


def baseline_path(project: Path, suite: str) -> Path:
    """The path of the accepted baseline of a suite."""
    return project / BASELINES / f"{suite}.json"


def suites_with_baseline(entries: Sequence[Entry]) -> list[str]:
    """The suites for which a baseline was ever accepted."""
    return sorted({entry.body["suite"] for entry in entries if entry.kind in _RECORDED})


def own_baseline(project: Path, suite: str | None) -> BaselineFile:
    """The baseline of a suite, or the only one of a project; raises `InputError` if there is none, or no single one."""
    known = suites_with_baseline(Ledger(project).entries())
    if suite is None and len(known) > 1:
        message = f"this project has baselines of {', '.join(known)}; say which with --suite"
        raise InputError(message)
    name = suite or "".join(known)
    baseline = find_baseline(project, name) if name in known else None
    if baseline is None:
        whose = f" of suite '{name}'" if name else ""
        message = f"there is no baseline{whose} in this project; accept one with `proctor baseline accept RUN …`"
        raise InputError(message)
    return baseline


def find_baseline(project: Path, suite: str, *, current: bool = True) -> BaselineFile | None:
    """The accepted baseline of a suite, as the ledger has it; None when there is none.

    Refused where it did not come about by known hands; with `current` off, one that is only to be replaced is given.
    """
    path = baseline_path(project, suite)
    ledger = Ledger(project)
    entries = ledger.entries()
    recorded = _recorded(entries, suite)
    _finish(path, recorded)
    if not path.is_file():
        return None
    baseline = read_baseline(path)
    if baseline.suite != suite:
        message = f"it is the baseline of suite '{baseline.suite}'"
        raise IntegrityError(message, where=str(path))
    if baseline.digest != recorded:
        message = (
            "it is not the baseline that was accepted last, as far as the ledger of this project knows; restore both "
            "from one copy, or take the baseline in again with `proctor baseline import FILE`"
        )
        raise IntegrityError(message, where=str(path))
    if current:
        history = with_imported(entries)
        require_lawful(require_current(baseline), history, ledger.keyring)
        require_founded(history, ledger.keyring, suite)
    return baseline


def install_signed(
    file: BaselineFile,
    project: Path,
    ledger: Ledger,
    kind: Literal["acceptance", "rise"],
    body: dict[str, Any],
    signer: Signer,
) -> BaselineFile:
    """Make this the baseline of its suite, recorded and signed together with the approvals it rests on."""
    signed = _with_approvals(file, ledger, signer)
    install_baseline(signed, project, lambda: ledger.append(kind, body, signer=signer))
    # Its own acceptance belongs to what it carries. Killed before this, it is in force here and says so in an export.
    signed = _with_approvals(file, ledger, signer)
    write_baseline(signed, baseline_path(project, file.suite))
    return signed


def _with_approvals(file: BaselineFile, ledger: Ledger, signer: Signer) -> BaselineFile:
    return sign(msgspec.structs.replace(file, lineage=tuple(lineage(ledger.entries(), file.suite))), signer)


def install_baseline(file: BaselineFile, project: Path, record: Callable[[], Entry]) -> None:
    """Make this the baseline of its suite; `record` writes the ledger entry that names its digest."""
    path = baseline_path(project, file.suite)
    make_folder(_aside(path).parent)
    write_baseline(file, _aside(path))
    try:
        record()
    except BaseException:
        _aside(path).unlink(missing_ok=True)
        raise
    _aside(path).replace(path)


@contextmanager
def baseline_lock(project: Path) -> Iterator[None]:
    """Hold the lock that serialises changes of baselines."""
    make_folder(project / BASELINES)
    handle = os.open(project / BASELINES / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def import_baseline(file: BaselineFile, project: Path, *, signer: Signer | None) -> bool:
    """Import a baseline from another clone, and record it with the approvals its rules depend on.

    Gives whether the rules it carries are those in force afterwards.

    The rules it carries come into force as far as they were approved for those in force here; rules approved later
    than its own stay. Refused if nobody known here signed it, if the approvals it carries do not lead to it, if this
    project has approved other rules, or accepted a later version, and if it is the first of its suite beside others and
    one key alone accepted it.
    """
    ledger = Ledger(project)
    entries, suite = ledger.entries(), file.suite
    require_lawful(require_current(file), imported_entries(file.lineage), ledger.keyring)
    about = [entry for entry in imported_entries(file.lineage) if entry.body.get("suite") == suite]
    require_founded([*with_imported(entries), *carried_entries(project, suite), *about], ledger.keyring, suite)
    carried = steps_of(imported_entries(file.lineage), ledger.keyring, suite)
    if file.charter not in {step.charter.hash for step in carried}:
        message = (
            f"the rules of this baseline do not follow from the approvals it carries; "
            f"are all its signers' keys in {ledger.keyring.folder.name}?"
        )
        raise InputError(message)
    own = steps_of(entries, ledger.keyring, suite)
    if not goes_on(own, carried):
        _require_older(file, own, carried)
    last = last_recorded(with_imported(entries), ledger.keyring, suite)
    here = (0, "") if last is None else (last.body["version"], last.body["baseline"])
    if here[0] >= file.version and here != (file.version, file.digest):
        message = (
            f"this is version {file.version} of the baseline of suite '{file.suite}', and version {here[0]} was "
            "accepted here; versions only rise"
        )
        raise InputError(message)
    body = {"suite": file.suite, "baseline": file.digest, "charter": file.charter, "lineage": list(file.lineage)}
    with baseline_lock(project):
        install_baseline(file, project, lambda: ledger.append("import", body, signer=signer))
    return steps_of(ledger.entries(), ledger.keyring, suite)[-1].charter == carried[-1].charter


def require_matching_rules(file: BaselineFile, charter: Charter, ledger: Ledger) -> None:
    """Refuse to compare a run under this charter with the baseline of another suite, or of rules unknown here."""
    if file.suite != charter.suite:
        message = f"the baseline is of suite '{file.suite}' and the run of '{charter.suite}'"
        raise InputError(message)
    known = charters(ledger.entries(), ledger.keyring, charter.suite)
    _require_own_rules(file, {charter.hash, *(own.hash for own, _ in known)})


def _require_older(file: BaselineFile, own: Sequence[Step], carried: Sequence[Step]) -> None:
    """Refuse approvals that part from those of this project; where they only end earlier, the later ones stay."""
    known = {step.charter.hash for step in own}
    _require_own_rules(file, known)
    if carried[-1].charter.hash not in known:
        message = (
            f"the approvals that this baseline carries do not go on from the rules in force here for suite "
            f"'{file.suite}'; propose its change here as well, and let somebody else approve it"
        )
        raise InputError(message)


def _require_own_rules(file: BaselineFile, own: set[str]) -> None:
    """Refuse a baseline that was accepted under rules or an oracle that were never in force here."""
    if file.charter not in own:
        message = f"this project never approved the rules for suite '{file.suite}' that the baseline was accepted under"
        raise InputError(message)


def with_lineage(file: BaselineFile, ledger: Ledger, signer: Signer | None = None) -> BaselineFile:
    """The file with every approval and answer this project has, ready for export; signed anew if any came since."""
    carried = tuple(lineage(ledger.entries(), file.suite))
    if carried == file.lineage:
        return file
    if signer is None:
        message = "approvals or answers were added since the baseline was signed; give --key NAME to sign it with them"
        raise InputError(message)
    return sign(msgspec.structs.replace(file, lineage=carried), signer)


def require_baseline_imported(project: Path, suite: str) -> None:
    """Refuse the first rules of a suite where the project carries a baseline that names earlier ones.

    Without this, anyone who loses the ledger, or skips the import of the baseline, would start again under unapproved
    rules, and only a line in the report would show it.
    """
    for path, file in carried_baselines(project):
        # One that this project accepted itself is missed in the ledger by `find_baseline`.
        if file.suite == suite and path.parent == project:
            message = (
                f"the ledger has no rules of suite '{suite}', and {path.name} carries the approved ones; "
                f"take them in with `proctor baseline import {path.name}`"
            )
            raise InputError(message)


def _recorded(entries: Sequence[Entry], suite: str) -> str | None:
    """Digest of the baseline of a suite by the newest entry about it."""
    recorded = [entry for entry in entries if entry.kind in _RECORDED and entry.body["suite"] == suite]
    return recorded[-1].body["baseline"] if recorded else None


def _aside(path: Path) -> Path:
    return path.parent / "next" / path.name


def _finish(path: Path, recorded: str | None) -> None:
    """Finish the rename of a baseline whose writer was killed after recording it."""
    aside = _aside(path)
    if aside.is_file() and read_baseline(aside).digest == recorded:
        aside.replace(path)
