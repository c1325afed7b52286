"""What a suite is judged by: the scenarios of its families."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from proctor.core.errors import InputError
from proctor.engine.family import scenarios_of
from proctor.engine.names import load_family, load_suite
from proctor.evidence.evidence import Evidence
from proctor.instruments.quality.project import read_governed
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.charter import Charter, charter_of, oracle_of
from proctor.pipeline.governance import approved_charter, refusal
from proctor.pipeline.ledger import Ledger
from proctor.spec.frozen import FrozenRun
from proctor.spec.scenario import Scenario

HASH_DIGITS = 16


class Oracle(msgspec.Struct, frozen=True):
    """The scenarios of a suite, as far as this machine has them."""

    scenarios: dict[str, Scenario]
    hashes: dict[str, str]
    """Scenario id → beginning of its content hash."""
    partial: bool
    """Only some of the suite's scenarios are known here: of a run whose families are elsewhere, or not evaluable."""


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
    except InputError:
        return None
    if not scenarios:
        return None
    hashes = {name: scenario.content_hash[:HASH_DIGITS] for name, scenario in scenarios.items()}
    # A run of some families or of a scope is still judged by the suite's whole oracle, and all of it is here.
    return Oracle(scenarios, hashes, partial=bool(frozen.skipped))


def oracle_of_run(evidence: Evidence, folder: Path) -> Oracle:
    """The oracle a run was judged by. Its rows have the last word; what the families hold must agree with them."""
    met = oracle_of(evidence)
    if not met:
        message = f"run {evidence.run} has no episode of a scenario; the gate is for suites of scenarios like `quality`"
        raise InputError(message)
    declared = oracle_of_frozen(evidence.frozen, folder)
    if declared is None:
        return Oracle({}, met, partial=True)
    for name, digest in met.items():
        if declared.hashes.get(name) != digest:
            message = f"scenario '{name}' is not what it was in run {evidence.run}; run the suite again"
            raise InputError(message)
    return declared


def extent_of(frozen: FrozenRun, oracle: Oracle) -> str:
    """How much of the suite a run takes in, in words: what every number of it holds for."""
    suite, families = frozen.suite.full_name, f", only {', '.join(frozen.only)}" if frozen.only else ""
    if frozen.scope is not None:
        return f"scope {frozen.scope.sentence} of {suite}{families}"
    return f"{len(oracle.hashes)} scenarios of {suite}{families}"


def charter_of_run(frozen: FrozenRun, governed: QualityRules, oracle: Oracle) -> Charter:
    """The charter a run stands under."""
    return charter_of(frozen.suite.name, frozen.rules, governed, oracle.hashes)


def charter_of_suite(reference: str, project: Path) -> Charter:
    """The charter of a suite as it is in this folder now."""
    suite = load_suite(reference, project)
    scenarios = oracle_of_suite(sorted({entry.family for entry in suite.entries}), project)
    if not scenarios:
        message = f"suite '{suite.name}' has no scenarios; governed rules are for suites like `quality`"
        raise InputError(message)
    hashes = {name: scenario.content_hash[:HASH_DIGITS] for name, scenario in scenarios.items()}
    return charter_of(suite.name, suite.rules, read_governed(project), hashes)


def refuse_unapproved(frozen: FrozenRun, project: Path) -> None:
    """Refuse a run whose rules or scenarios are not as approved; suites nobody has governed yet may run."""
    ledger = Ledger(project)
    if not ledger.path.is_file():
        return
    current = approved_charter(ledger.entries(), ledger.keyring, frozen.suite.name)
    oracle = None if current is None else oracle_of_frozen(frozen, project)
    if current is None or oracle is None:
        return
    charter = charter_of_run(frozen, read_governed(project), oracle)
    changes = current[0].changes_to(charter, partial=oracle.partial)
    if changes:
        raise InputError(refusal(frozen.suite.name, changes))
