"""What a suite is judged by: the scenarios of its families."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.engine.family import scenarios_of
from proctor.engine.names import load_family, load_suite
from proctor.evidence.evidence import Evidence
from proctor.instruments.quality.project import read_governed
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.charter import SOURCE, Charter, charter_of, oracle_of
from proctor.pipeline.governance import approved_charter, refusal
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.pinned import pinned_sources
from proctor.plugins.own_sources import files_behind
from proctor.spec.frozen import FrozenRun
from proctor.spec.scenario import Scenario
from proctor.spec.suite import Entry, Suite

HASH_DIGITS = 16


class Oracle(msgspec.Struct, frozen=True):
    """The scenarios of a suite, as far as this machine has them."""

    scenarios: dict[str, Scenario]
    hashes: dict[str, str]
    """Scenario id → beginning of its content hash."""
    partial: bool
    """Only some of the suite's scenarios are known here: of a run whose families are elsewhere, or not evaluable."""
    taken: frozenset[str] = frozenset()
    """The scenarios that the run takes, by its sample sizes."""
    governed: frozenset[str] = frozenset()
    """The scenarios that a decision about it is about: all of the suite, or of the scope."""


def oracle_of_suite(references: Iterable[str], folder: Path) -> dict[str, Scenario]:
    """The scenarios of these families, by id; families that have none are left out."""
    scenarios: dict[str, Scenario] = {}
    for reference in references:
        declared = scenarios_of(load_family(reference, folder))
        if declared is None:
            continue
        for scenario in declared.scenarios:
            known = scenarios.setdefault(scenario.id, scenario)
            if known.content_hash != scenario.content_hash:
                message = f"scenario '{scenario.id}' is in two families with different contents; give one another id"
                raise InputError(message)
    return scenarios


def oracle_of_frozen(frozen: FrozenRun, folder: Path) -> Oracle | None:
    """The oracle of a run from its families; None where they are not here, or not as they were."""
    declared = {family.reference: family.spec for family in frozen.families}
    references = sorted({entry.family for entry in frozen.suite.entries})
    try:
        if any(load_family(reference, folder).spec != spec for reference, spec in declared.items()):
            return None
        # What `--only` left out belongs to the suite's oracle, too.
        scenarios = oracle_of_suite(references, folder)
        taken, governed = _sample(frozen, folder)
    except InputError:
        return None
    if not scenarios:
        return None
    hashes = {name: scenario.content_hash[:HASH_DIGITS] for name, scenario in scenarios.items()}
    # A run of some families or of a scope is still judged by the suite's whole oracle, and all of it is here.
    return Oracle(scenarios, hashes, partial=bool(frozen.skipped), taken=taken, governed=governed)


def _sample(frozen: FrozenRun, folder: Path) -> tuple[frozenset[str], frozenset[str]]:
    """The scenarios that a run takes, and those it would have to: instance i of a family is scenario i of its set."""
    taken: set[str] = set()
    governed: set[str] = set()
    run = {family.reference for family in frozen.families}
    for entry in frozen.suite.entries:
        family = load_family(entry.family, folder)
        declared = scenarios_of(family)
        if declared is None:
            continue
        ids = [scenario.id for scenario in declared.scenarios]
        kept: Sequence[int] = range(len(ids))
        if frozen.scope is not None and (of_family := frozen.scope.families.get(family.spec.full_name)) is not None:
            kept = of_family.numbers
        governed.update(ids[number] for number in kept)
        if entry.family in run:
            numbers = {number % len(ids) for number in range(entry.first, entry.first + entry.n * frozen.scale)}
            taken.update(ids[number] for number in numbers.intersection(kept))
    return frozenset(taken), frozenset(governed)


def whole_sample(suite: Suite, folder: Path) -> Suite:
    """The suite with sample sizes that take every scenario at least once, however small its file has them."""
    entries = list(suite.entries)
    first: dict[str, int] = {}
    covered: dict[str, set[int]] = {}
    for index, entry in enumerate(entries):
        declared = scenarios_of(load_family(entry.family, folder))
        if declared is None:
            continue
        size = len(declared.scenarios)
        first.setdefault(entry.family, index)
        numbers = covered.setdefault(entry.family, set())
        numbers.update(number % size for number in range(entry.first, entry.first + min(entry.n, size)))
        if len(numbers) < size and entry.family not in {later.family for later in entries[index + 1 :]}:
            chosen = entries[first[entry.family]]
            entries[first[entry.family]] = chosen.model_copy(update={"first": 0, "n": max(chosen.n, size)})
    return suite.model_copy(update={"entries": tuple(entries)})


def governed_sample(suite: Suite, project: Path) -> Suite:
    """The suite as it is to be run here: where its rules are governed, no approved scenario is left out."""
    ledger = Ledger(project)
    if not ledger.path.is_file() or approved_charter(ledger.entries(), ledger.keyring, suite.name) is None:
        return suite
    return whole_sample(suite, project)


def oracle_of_run(evidence: Evidence, folder: Path) -> Oracle:
    """The oracle a run was judged by. Its rows have the last word; what the families hold must agree with them."""
    met = oracle_of(evidence)
    if not met:
        message = f"run {evidence.run} has no episode of a scenario; the gate is for suites of scenarios like `quality`"
        raise InputError(message)
    declared = oracle_of_frozen(evidence.frozen, folder)
    if declared is None:
        return Oracle({}, met, partial=True, taken=frozenset(met), governed=frozenset(met))
    for name, digest in met.items():
        if declared.hashes.get(name) != digest:
            message = f"scenario '{name}' is not what it was in run {evidence.run}; run the suite again"
            raise InputError(message)
    return declared


def extent_of(frozen: FrozenRun, oracle: Oracle) -> str:
    """How much of the suite a run takes in, in words: what every number of it holds for."""
    suite, families = frozen.suite.full_name, f", only {', '.join(frozen.only)}" if frozen.only else ""
    run, governed = len(oracle.taken & oracle.governed), len(oracle.governed)
    if frozen.scope is None:
        return f"{run:,} of {governed:,} governed scenarios of {suite}{families}"
    missing = "" if run == governed else f", {governed - run:,} of them not run"
    return f"scope {frozen.scope.sentence} of {suite}{families}{missing}"


def charter_of_run(
    frozen: FrozenRun, governed: QualityRules, oracle: Oracle, folder: Path, *, ran: Iterable[str] | None = None
) -> Charter:
    """The charter a run stands under; how it is run and the code of its families as this folder has them.

    `ran`: the project's own files that took part; None: those that did in this process.
    """
    if ran is None:
        ran = files_behind((entry.family for entry in frozen.suite.entries), frozen.suite.full_name, folder)
    run, sources = ({}, {}) if not oracle.scenarios else _way_of_running(frozen.suite, folder, ran)
    return charter_of(frozen.suite.name, frozen.rules, governed, oracle.hashes, run=run, sources=sources)


def charter_of_suite(reference: str, project: Path) -> Charter:
    """The charter of a suite as it is in this folder now."""
    suite = load_suite(reference, project)
    scenarios = oracle_of_suite(sorted({entry.family for entry in suite.entries}), project)
    if not scenarios:
        message = f"suite '{suite.name}' has no scenarios; governed rules are for suites like `quality`"
        raise InputError(message)
    hashes = {name: scenario.content_hash[:HASH_DIGITS] for name, scenario in scenarios.items()}
    ran = files_behind((entry.family for entry in suite.entries), suite.full_name, project)
    run, sources = _way_of_running(suite, project, ran)
    return charter_of(suite.name, suite.rules, read_governed(project), hashes, run=run, sources=sources)


def _way_of_running(suite: Suite, folder: Path, ran: Iterable[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """How the scenarios of a suite are run, each at least once, and which code of the project's own makes them."""
    entries: dict[str, Any] = {}
    usual = jsonable(Entry(family="any", n=1))
    for entry in whole_sample(suite, folder).entries:
        family = load_family(entry.family, folder)
        if scenarios_of(family) is None:
            continue
        again = sum(name.partition("#")[0] == family.spec.id for name in entries)
        name = family.spec.id if not again else f"{family.spec.id}#{again + 1}"
        entries[name] = {
            field: value
            for field, value in jsonable(entry).items()
            if field in ("n", "replicates") or (field != "family" and value != usual.get(field))
        }
    return {"clock": suite.epoch, **entries}, pinned_sources((entry.family for entry in suite.entries), folder, ran)


def refuse_changed_sources(frozen: FrozenRun, project: Path) -> None:
    """Refuse families whose code is not as approved, before any of it is loaded: what it could do, it could hide."""
    ledger = Ledger(project)
    approved = approved_charter(ledger.entries(), ledger.keyring, frozen.suite.name)
    if approved is None:
        return
    now = pinned_sources((entry.family for entry in frozen.suite.entries), project)
    before = Charter(frozen.suite.name, {n: v for n, v in approved[0].entries.items() if n.startswith(SOURCE)})
    changes = before.changes_to(Charter(frozen.suite.name, {f"{SOURCE}{name}": digest for name, digest in now.items()}))
    # Code that is not here at all is not loaded either; the decision says that it could not be checked.
    if any(change.how != "removed" for change in changes):
        raise InputError(refusal(frozen.suite.name, changes))


def refuse_unapproved(frozen: FrozenRun, project: Path) -> None:
    """Refuse a run whose rules or scenarios are not as approved; suites nobody has governed yet may run."""
    ledger = Ledger(project)
    if not ledger.path.is_file():
        return
    current = approved_charter(ledger.entries(), ledger.keyring, frozen.suite.name)
    oracle = None if current is None else oracle_of_frozen(frozen, project)
    if current is None or oracle is None:
        return
    charter = charter_of_run(frozen, read_governed(project), oracle, project)
    changes = current[0].changes_to(charter, partial=oracle.partial)
    if changes:
        raise InputError(refusal(frozen.suite.name, changes))
