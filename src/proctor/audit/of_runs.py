"""What can be checked of the runs in bundles: artifacts, criteria, series, readings, and what was published of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from proctor.audit.determination import Check
from proctor.audit.published import (
    SHOWN,
    Difference,
    Published,
    computed_document,
    differences,
    parse_published,
)
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError, ProctorError
from proctor.engine.frozen_families import FamiliesHere
from proctor.engine.names import load_suite
from proctor.evidence.attachments import REPORT
from proctor.evidence.challenges import as_published
from proctor.evidence.events import Verified
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import SUCCESS
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.abilities import ForProject
from proctor.instruments.base import Reading
from proctor.pipeline.reading import readings_of
from proctor.plugins import registry
from proctor.reports.build import build_report
from proctor.spec.frozen import FrozenRun
from proctor.spec.released import is_released, released_suites

_NAMED = 5
_NON_COMPLIANT = ("Invalid (Selective Disclosure)", "Invalid (Post-Hoc Criteria)")
"""Flags of a reading that no honest publication of it undoes. Those that a challenge puts on it are not among them: an
audit comes to an answer of its own."""


class Run(Struct, frozen=True):
    """One imported run."""

    file: str
    evidence: Evidence
    here: FamiliesHere


def artifacts_check(store: EvidenceStore, runs: Sequence[Run]) -> Check:
    """What verifiers opened is in the bundle, for every success that leaves something (§13.4.1, field 9)."""
    missing: list[str] = []
    present = 0
    for run in runs:
        leaves = {family.spec.full_name for family in run.evidence.frozen.families if family.spec.artifacts}
        record = store.run(run.evidence.run)
        arms = store.arms(record.number)
        for row in store.rows(record.number, stop=record.cut):
            if row.outcome != SUCCESS or (arms[row.arm].family not in leaves and row.artifact_ok is None):
                continue
            found = dict(_artifacts(store, record.number, row.position))
            present += len(found)
            where = f"{run.file}: episode {row.position} ({arms[row.arm].family})"
            if not found:
                missing.append(f"{where} succeeded and left no artifact")
            missing += [
                f"{where}: artifact '{name}' ({digest[:12]}…) is known by its hash alone"
                for name, digest in found.items()
                if store.content(digest) is None
            ]
    if missing:
        more = [f"and {len(missing) - _NAMED} more"] if len(missing) > _NAMED else []
        detail = f"{len(missing)} artifacts behind successes are not in the bundle"
        return Check("artifacts", "insufficient", detail, (*missing[:_NAMED], *more))
    return Check("artifacts", "ok", f"{present} artifacts behind successes, all there" if present else "none needed")


def _artifacts(store: EvidenceStore, number: int, position: int) -> Iterator[tuple[str, str]]:
    for event in store.events(number, position):
        if isinstance(event, Verified):
            yield from event.artifacts


def criteria_check(runs: Sequence[Run]) -> Check:
    """Families and suites are what bears their name here: no criterion was changed, no family was left out."""
    wrong: list[str] = []
    lacking: list[str] = []
    unknown: list[str] = []
    part = ""
    for run in runs:
        frozen = run.evidence.frozen
        if frozen.only:
            part += f"; {run.file} is restricted to {', '.join(frozen.only)}, and says nothing of the rest"
        if frozen.skipped:
            why = ", ".join(f"{name} ({reason})" for name, reason in sorted(frozen.skipped.items()))
            part += f"; {run.file} says nothing of {why}"
        if dropped := _dropped(frozen):
            wrong.append(
                f"{run.file}: {', '.join(dropped)} of {frozen.suite.full_name} left out, neither skipped for a reason "
                "nor by a restriction that is declared"
            )
        wrong += [
            f"{run.file}: {name} is declared with another {fields} than {name} has here"
            for name, fields in run.here.altered.items()
        ]
        unknown += [why for name, why in run.here.absent.items() if name not in run.here.altered]
        _compare_suite(run.file, run.evidence.frozen, wrong, lacking, unknown)
    if wrong:
        return Check("criteria", "wrong", "are not those that bear these names", tuple(wrong))
    if lacking:
        return Check("criteria", "insufficient", "cannot be told", tuple(lacking))
    if unknown:
        return Check("criteria", "not possible", f"not compared: {'; '.join(dict.fromkeys(unknown))}{part}")
    return Check("criteria", "ok", f"suite, families and criteria are those that bear these names here{part}")


def _compare_suite(file: str, frozen: FrozenRun, wrong: list[str], lacking: list[str], unknown: list[str]) -> None:
    suite = frozen.suite
    names = {name.partition("@")[0] for name in released_suites()}
    if suite.name not in names:
        unknown.append(f"suite {suite.full_name} is not one of Proctor's: whether a family was left out does not show")
    elif suite.full_name not in released_suites():
        lacking.append(
            f"{file}: suite {suite.full_name} is unknown to this version of Proctor; audit with one that has it"
        )
    elif not is_released(suite, frozen.look):
        left = _left_out(frozen)
        what = f": {', '.join(left)} left out" if left else ""
        wrong.append(f"{file}: its suite is called {suite.full_name} and is not that suite{what}")


def _dropped(frozen: FrozenRun) -> list[str]:
    """Families of the suite that the run should have and does not.

    One that a machine cannot evaluate is `skipped`; where the run is restricted, none of those it names can be.
    """
    here = {name for family in frozen.families for name in (family.reference, family.spec.id, family.spec.full_name)}
    if frozen.only:
        return sorted(name for name in frozen.only if name not in here)
    skipped = {name.partition("@")[0] for name in frozen.skipped}
    missing = {entry.family for entry in frozen.suite.entries} - here
    unexplained = {name for name in missing if name.partition("@")[0] not in skipped}
    # What a family in a file is called does not follow from its reference: each explains one name that is left over.
    spare = len(skipped - {name.partition("@")[0] for name in missing})
    in_files = sorted(name for name in unexplained if ":" in name)
    return sorted(unexplained - set(in_files[:spare]))


def _left_out(frozen: FrozenRun) -> list[str]:
    try:
        whole = load_suite(frozen.suite.full_name, Path())
    except ProctorError:
        return []
    here = {entry.family.partition("@")[0] for entry in frozen.suite.entries}
    return sorted({entry.family.partition("@")[0] for entry in whole.entries} - here)


def series_check(runs: Sequence[Run], published: str | None) -> Check:
    """Every run that was registered is here, as it was registered, against what was published then."""
    wrong: list[str] = []
    lacking: list[str] = []
    said: list[str] = []
    for run in runs:
        registration = run.evidence.registration
        if registration is None:
            if published is not None:
                wrong.append(f"{run.file}: was not started against a preregistration")
            continue
        if published is not None and not registration.digest.startswith(published):
            wrong.append(f"{run.file}: its preregistration is {registration.digest[:12]}…, not the one published")
        wrong += [f"{run.file}: {problem}" for problem in registration.problems]
        if registration.late:
            wrong.append(f"{run.file}: {registration.late}")
        wrong += [f"{run.file}: changed after preregistration: {one}" for one in registration.changes.sentences]
        if registration.document is None:
            continue
        planned = registration.document.runs
        for number in registration.absent:
            why = registration.stand_ins.get(number)
            wrong.append(
                f"run {number} of the {planned} that were registered " + (f"is not: {why}" if why else "was left out")
            )
        if registration.others:
            lacking.append(f"{run.file}: runs were started against other preregistrations of the same system too")
        said.append(f"run {registration.number} of {planned} of preregistration {registration.digest[:12]}…")
    if wrong:
        return Check("series", "wrong", "is not what was registered", tuple(dict.fromkeys(wrong)))
    if lacking:
        return Check("series", "insufficient", "is one of several", tuple(dict.fromkeys(lacking)))
    if not said:
        text = "not preregistered: runs that were left out, and criteria chosen afterwards, would not show"
        return Check("series", "not possible", text)
    text = "; ".join(dict.fromkeys(said))
    if published is None:
        text += "; compare the digest with what was published then (--preregistration)"
    return Check("series", "ok", text)


def reading_check(runs: Sequence[Run], readings: dict[str, dict[str, Reading]]) -> Check:
    """The evidence read again by the rules inside: what it says about itself."""
    wrong: list[str] = []
    flags: dict[str, None] = {}
    for run in runs:
        for name, reason in _flags(jsonable(readings[run.evidence.run])):
            if name.startswith(_NON_COMPLIANT):
                wrong.append(f"{run.file}: {name}: {reason}")
            elif name.startswith(("Invalid", "Contested")):
                flags[name] = None
    if wrong:
        return Check("reading", "wrong", "the evidence does not support a claim", tuple(dict.fromkeys(wrong)))
    measured = sorted({name for found in readings.values() for name, one in found.items() if one.measured})
    said = f"; it carries {', '.join(flags)}, and so must whatever is published of it" if flags else ""
    return Check(
        "reading", "ok", f"scored again by the rules inside: {', '.join(measured) or 'nothing measured'}{said}"
    )


def _flags(value: Any) -> Iterator[tuple[str, str]]:
    """(name, reason) of every flag in a reading."""
    if isinstance(value, dict):
        if isinstance(value.get("name"), str) and isinstance(value.get("reason"), str):
            yield value["name"], value["reason"]
        for inner in value.values():
            yield from _flags(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _flags(inner)


def read_all(runs: Sequence[Run], store: EvidenceStore, project: Path) -> dict[str, dict[str, Reading]]:
    """The readings of every run, by its name."""
    return {run.evidence.run: readings_of(run.evidence, store=store.location, project=project) for run in runs}


def published_check(
    store: EvidenceStore,
    runs: Sequence[Run],
    readings: dict[str, dict[str, Reading]],
    given: Sequence[Published],
    project: Path,
) -> Check:
    """What was published says what the evidence gives."""
    documents = [*given, *_attached(runs)]
    if not documents:
        text = "no report in the bundle and none given (--report FILE.json): what was claimed was not compared"
        return Check("published", "not asked", text)
    by_root = {run.evidence.root: run for run in runs}
    by_name = {run.evidence.run: run for run in runs}
    wrong: list[str] = []
    lacking: list[str] = []
    for one in documents:
        run = by_root.get(one.root) if one.root is not None else None
        if run is None:
            wrong.append(f"{one.name}: is about root {str(one.root)[:12]}, which none of these bundles has")
            continue
        beside = None if one.other is None else by_name.get(one.other) or _only_other(run, runs)
        if one.other is not None and beside is None:
            lacking.append(f"{one.name}: rests on a run within the other boundary too, whose bundle was not given")
            continue
        found = _compared(store, run, beside, readings, one, project)
        results = [difference for difference in found if difference.wrong]
        wrong += [f"{one.name}: {difference.sentence}" for difference in results[:SHOWN]]
        if len(results) > SHOWN:
            wrong.append(f"{one.name}: and {len(results) - SHOWN} more differences")
        prose = [difference for difference in found if not difference.wrong]
        if prose:
            more = f" (and {len(prose) - 1} more places)" if len(prose) > 1 else ""
            lacking.append(f"{one.name}: has other words than the evidence gives: {prose[0].sentence}{more}")
    names = ", ".join(one.name for one in documents)
    if wrong:
        return Check("published", "wrong", f"{names}: does not follow from the evidence", tuple(wrong))
    if lacking:
        return Check("published", "insufficient", f"{names}: could not be made again word for word", tuple(lacking))
    return Check("published", "ok", f"{names}: every level, rate, flag and label follows from the evidence")


def _only_other(run: Run, runs: Sequence[Run]) -> Run | None:
    others = [one for one in runs if one is not run]
    return others[0] if len(others) == 1 else None


def _attached(runs: Sequence[Run]) -> Iterator[Published]:
    for run in runs:
        for document in run.evidence.attachments:
            if document.kind == REPORT:
                found = parse_published(document.content, document.name)
                yield found or Published(document.name, "unreadable", {})


def _compared(
    store: EvidenceStore,
    run: Run,
    beside: Run | None,
    readings: dict[str, dict[str, Reading]],
    published: Published,
    project: Path,
) -> list[Difference]:
    evidence, found = run.evidence, readings[run.evidence.run]
    other = None
    kept = as_published(evidence.attachments, published.data)
    if kept != evidence.attachments:
        # What was published before an act of a challenge is held against the evidence, not against the act.
        evidence = structs.replace(evidence, attachments=kept)
        found = readings_of(evidence, store=store.location, project=project)
    if beside is not None:
        found = readings_of(evidence, store=store.location, project=project, other=beside.evidence)
        other = build_report(store, beside.evidence, readings[beside.evidence.run].values())
    report = build_report(store, evidence, found.values(), other=other)
    return differences(published, computed_document(published, store, report, found, evidence), _of_project())


def _of_project() -> frozenset[str]:
    names = set()
    for name in registry.names("instruments"):
        try:
            if isinstance(registry.load("instruments", name), ForProject):
                names.add(name)
        except InputError:
            continue
    return frozenset(names)
