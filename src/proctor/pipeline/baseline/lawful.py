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
from proctor.instruments.quality.metric import COMPOSITE
from proctor.instruments.quality.regression import least_values
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.acts import Act, SignedAct, acts_that_hold
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.baseline.surroundings import FACT, accepted_surroundings, wider
from proctor.pipeline.keys import Keyring
from proctor.pipeline.ledger import Entry

LOWER = "lower-baseline"
"""The kind of act by which two people accept a baseline that holds agents to less."""
DECIDING = (COMPOSITE, "DA")
RECORDED = ("acceptance", "rise")
SLACK = 1e-12
BOUND = ".bound"
"""Ends the name of the level below which a run counts as declined."""
GIVEN_UP = "given_up"
"""The field of an acceptance with the scenarios that were right in the baseline before it and are wrong in it."""


def levels_of(
    baseline: Baseline, governed: QualityRules, *, before: Mapping[str, Any] | None = None
) -> dict[str, float | None]:
    """What it holds agents to: mean composite and decision accuracy of the accepted runs, and of the anchor's, and the
    bounds below which a run counts as declined.

    `before` are recorded levels of a baseline with the same anchor. What is said of the anchor there stands: rules may
    have changed since.
    """
    levels: dict[str, float | None] = {}
    for where, runs in (("baseline", baseline.runs), ("anchor", baseline.anchor.runs)):
        bounds = least_values(runs, governed, DECIDING)
        for metric in DECIDING:
            levels[f"{where}.{metric}"] = _mean(runs, metric)
            levels[f"{where}.{metric}{BOUND}"] = bounds[metric]
    kept = {name: value for name, value in (before or {}).items() if name in levels and name.startswith("anchor.")}
    return {**levels, **kept}


def lowered(before: Mapping[str, Any], after: Mapping[str, Any], *, bounds: bool = True) -> list[str]:
    """Which levels lie lower than before, in words; one that is no longer measured lies lower as well.

    Levels that were recorded before bounds were have none, and are not compared in them.
    """
    lower = {
        name
        for name, value in before.items()
        if value is not None and (after.get(name) is None or after[name] < value - SLACK)
    }
    # Where the mean lies lower, its bound is not said as well.
    said = [
        name for name in sorted(lower) if not name.endswith(BOUND) or (bounds and name.removesuffix(BOUND) not in lower)
    ]
    return [_lower(name, _shown(before[name]), _shown(after.get(name))) for name in said]


def risen(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether the mean composite of the accepted runs is higher: better runs that the gate took in may differ by more,
    and then the bound need not rise.
    """
    was, now = (levels.get(f"baseline.{COMPOSITE}") for levels in (before, after))
    return was is not None and now is not None and now > was + SLACK


def _lower(name: str, before: str, after: str) -> str:
    if name.endswith(BOUND):
        return f"{name.removesuffix(BOUND)} counts as declined below {after} and no longer below {before}"
    return f"{name} {before} → {after}"


def lowering(suite: str, compared: str) -> Act:
    """The act that two keys have to sign before such a baseline is accepted."""
    return Act(kind=LOWER, suite=suite, subject=compared)


def record_of(
    file: BaselineFile, governed: QualityRules, *, before: Mapping[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """The body of the ledger entry by which a baseline comes into force; `before` as in `levels_of`."""
    reach = accepted_surroundings(file)
    return {
        "suite": file.suite,
        "baseline": file.digest,
        "version": file.version,
        "compared": file.compared,
        "levels": levels_of(file.baseline, governed, before=before),
        "charter": file.charter,
        **({} if reach is None else {FACT: reach}),
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
    if FACT in before.body and before.body[FACT] != accepted_surroundings(file):
        message = f"what agents may reach under the baseline of suite '{file.suite}' is not what its acceptance says"
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
    held, holds = (one.body.get("levels", {}) for one in (before, entry))
    lower = lowered(held, holds, bounds=entry.kind != "rise" or not risen(held, holds))
    lower += [f"scenario {name} is given up" for name in entry.body.get(GIVEN_UP, ())]
    lower += _wider(before, entry)
    if lower and all(one.act.subject != entry.body.get("compared") for one in acts):
        message = f"{what} lies lower than the one before ({lower[0]}), and two people have to accept that"
        raise InputError(message)


def _wider(before: Entry, entry: Entry) -> list[str]:
    if FACT in before.body and FACT not in entry.body:
        return ["what the agent can reach is not recorded any more"]
    return [f"the agent can reach more: {words}" for words in wider(before.body.get(FACT), entry.body.get(FACT, {}))]


def _of(entry: Entry, suite: str) -> bool:
    return entry.kind in RECORDED and entry.body.get("suite") == suite and "version" in entry.body


def _signed(entry: Entry, keyring: Keyring) -> bool:
    return entry.signature is not None and keyring.knows(entry.signature)


def _mean(runs: Sequence[RunSummary], metric: str) -> float | None:
    values = [value for run in runs if (value := run.metrics.get(metric)) is not None]
    return sum(values) / len(values) if values and len(values) == len(runs) else None


def _shown(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.4f}"
