"""Whether a baseline became what it is by known hands: signed acceptances, versions that rise, two keys to lower it.

Every acceptance, and every rise, is a signed ledger entry that names the baseline by digest, with its version and the
level it holds agents to. The entries travel with the file, so a fresh clone checks the same history as the project
that wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from proctor.core.errors import InputError
from proctor.instruments.quality.baseline import Baseline, RunSummary
from proctor.pipeline.acts import Act, SignedAct, acts_that_hold
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.keys import Keyring
from proctor.pipeline.ledger import Entry

LOWER = "lower-baseline"
"""The kind of act by which two people accept a baseline that holds agents to less."""
DECIDING = ("CAS", "DA")
RECORDED = ("acceptance", "rise")
SLACK = 1e-12
GIVEN_UP = "given_up"
"""The field of an acceptance with the scenarios that were right in the baseline before it and are wrong in it."""


def levels_of(baseline: Baseline) -> dict[str, float | None]:
    """What it holds agents to: mean composite and decision accuracy of the accepted runs, and of the anchor's."""
    return {
        f"{where}.{metric}": _mean(runs, metric)
        for where, runs in (("baseline", baseline.runs), ("anchor", baseline.anchor.runs))
        for metric in DECIDING
    }


def lowered(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Which levels lie lower than before, in words; one that is no longer measured lies lower as well."""
    return [
        f"{name} {_shown(before[name])} → {_shown(after.get(name))}"
        for name in sorted(before)
        if before[name] is not None and (after.get(name) is None or after[name] < before[name] - SLACK)
    ]


def lowering(suite: str, compared: str) -> Act:
    """The act that two keys have to sign before such a baseline is accepted."""
    return Act(kind=LOWER, suite=suite, subject=compared)


def record_of(file: BaselineFile, **more: Any) -> dict[str, Any]:
    """The body of the ledger entry by which a baseline comes into force."""
    return {
        "suite": file.suite,
        "baseline": file.digest,
        "version": file.version,
        "compared": file.compared,
        "levels": levels_of(file.baseline),
        "charter": file.charter,
        **more,
    }


def last_recorded(entries: Sequence[Entry], keyring: Keyring, suite: str) -> Entry | None:
    """The newest acceptance or rise of a suite that a known key signed."""
    found = [entry for entry in entries if _of(entry, suite) and _signed(entry, keyring)]
    return found[-1] if found else None


def require_lawful(file: BaselineFile, entries: Sequence[Entry], keyring: Keyring) -> None:
    """Refuse a baseline that was not accepted by known keys, in rising versions, and by two where it lies lower."""
    if file.signature is None or not keyring.knows(file.signature):
        message = f"{file.standing(keyring)}; a baseline counts once a key in {keyring.folder.name} signed it"
        raise InputError(message)
    history = [entry for entry in entries if _of(entry, file.suite)]
    acts = acts_that_hold(entries, keyring, kind=LOWER, suite=file.suite, at=datetime.min.replace(tzinfo=UTC))
    before: Entry | None = None
    for entry in history:
        _require_step(before, entry, acts, keyring)
        before = entry
    if before is None or (before.body["baseline"], before.body.get("version")) != (file.digest, file.version):
        message = f"the approvals that the baseline of suite '{file.suite}' carries end with another baseline than it"
        raise InputError(message)


def _require_step(before: Entry | None, entry: Entry, acts: Sequence[SignedAct], keyring: Keyring) -> None:
    what = f"the {entry.kind} of baseline version {entry.body.get('version')} of suite '{entry.body['suite']}'"
    if not _signed(entry, keyring):
        message = f"{what} is not signed by a key in {keyring.folder.name}; accept it again with --key NAME"
        raise InputError(message)
    if before is None:
        return
    if entry.body.get("version", 0) <= before.body.get("version", 0):
        message = f"{what} follows version {before.body.get('version')}; versions only rise"
        raise InputError(message)
    lower = lowered(before.body.get("levels", {}), entry.body.get("levels", {}))
    lower += [f"scenario {name} is given up" for name in entry.body.get(GIVEN_UP, ())]
    if lower and all(one.act.subject != entry.body.get("compared") for one in acts):
        message = f"{what} lies lower than the one before ({lower[0]}), and two people have to accept that"
        raise InputError(message)


def _of(entry: Entry, suite: str) -> bool:
    return entry.kind in RECORDED and entry.body.get("suite") == suite and "version" in entry.body


def _signed(entry: Entry, keyring: Keyring) -> bool:
    return entry.signature is not None and keyring.knows(entry.signature)


def _mean(runs: Sequence[RunSummary], metric: str) -> float | None:
    values = [value for run in runs if (value := run.metrics.get(metric)) is not None]
    return sum(values) / len(values) if values and len(values) == len(runs) else None


def _shown(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.4f}"
