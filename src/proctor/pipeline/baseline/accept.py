"""Accepting finished runs as the baseline of their suite. What is refused is refused before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.clock import format_timestamp
from proctor.core.errors import InputError
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.quality.baseline import Baseline, RunSummary, accept
from proctor.instruments.quality.decision import asks_for_levels
from proctor.instruments.quality.instrument import QualityInstrument
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.runs import shared
from proctor.instruments.quality.turned import MOST_NAMED, given_up
from proctor.pipeline.acts import sign_act
from proctor.pipeline.baseline.accepted import (
    baseline_lock,
    find_baseline,
    install_signed,
    require_baseline_imported,
)
from proctor.pipeline.baseline.carried import BASELINES, carried_entries
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.baseline.founding import beside, founding, sentence
from proctor.pipeline.baseline.lawful import GIVEN_UP, last_recorded, levels_of, lowered, lowering, record_of
from proctor.pipeline.baseline.seeds import commitment
from proctor.pipeline.baseline.surroundings import FACT, accepted_surroundings, surroundings_of, wider
from proctor.pipeline.execution import require_unchanged
from proctor.pipeline.governance import approved_charter, require_approved, standing_of, with_imported
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.own_code import only_approved_code, own_files_of, require_same_code
from proctor.pipeline.rescoring import questions_of
from proctor.pipeline.scenarios import charter_of_run, oracle_of_run, refuse_changed_sources
from proctor.pipeline.stages import require_kept_decisions


def accept_runs(
    project: Path,
    store: EvidenceStore,
    names: Sequence[str],
    governed: QualityRules,
    *,
    release: str,
    new_anchor: bool,
    signer: Signer | None,
    gate_seed: str | None = None,
) -> BaselineFile:
    """Make these finished runs the baseline of their suite; the anchor of the last one stays unless told otherwise.

    Accepting needs a signature. Where the new one holds agents to less than the last, where its agent could reach more,
    and where it is the first of a suite beside others, it needs two: the first records the wish, and the same command
    with another key carries it out. `gate_seed` commits, by SHA-256, to the hidden seed that every gated run of this
    version of the suite has to be made on.
    """
    if signer is None:
        message = (
            "accepting a baseline needs a signature; give your key with --key NAME, or create one with "
            "`proctor govern key NAME`"
        )
        raise InputError(message)
    ledger, instrument = Ledger(project), QualityInstrument(governed)
    require_kept_decisions(project, {entry.hash for entry in ledger.entries()})
    judged, summaries, agents, scopes, profiles = [], [], set(), set(), set()
    full_name = ""
    questions: dict[str, str] = {}
    # The same in all of them: they are of one state of one agent.
    surroundings: dict[str, Any] = {}
    for name in names:
        evidence = evidence_of(store, name)
        require_unchanged(store, evidence.run)
        refuse_changed_sources(evidence.frozen, project)
        execution = store.run(evidence.run).execution
        first = approved_charter(ledger.entries(), ledger.keyring, evidence.frozen.suite.name) is None
        # The code of a suite that nobody governs yet is approved by this very signature.
        with only_approved_code(project, unless=first):
            oracle = oracle_of_run(evidence, project)
            charter = charter_of_run(evidence.frozen, governed, oracle, project, ran=own_files_of(execution))
        if oracle.scenarios:
            # Else nothing of its code is here to be approved, and the charter has none.
            require_same_code(execution, evidence.run, charter)
        if standing_of(ledger, charter, partial=oracle.partial) is None:
            require_baseline_imported(project, charter.suite)
        judged.append((charter, oracle.partial))
        full_name = evidence.frozen.suite.full_name
        summaries.append(instrument.examine(evidence, evidence.frozen.rules).summary)
        surroundings = surroundings_of(evidence.frozen)
        agents.add((evidence.frozen.agent, evidence.frozen.agent_source, evidence.frozen.system.model_dump_json()))
        scopes.add(None if evidence.frozen.scope is None else evidence.frozen.scope.words)
        profiles.add(evidence.frozen.rules.profile)
        questions = questions_of(list(oracle.scenarios.values()))
    suites = {charter.suite for charter, _ in judged}
    if len(suites) != 1 or len(agents) != 1:
        odd = _odd_one(store, [one.run for one in summaries])
        message = f"a baseline is made of runs of one suite and one state of one agent; {odd}"
        raise InputError(message)
    if len(scopes) != 1:
        message = "all runs of a baseline must have the same scope; these have several"
        raise InputError(message)
    suite, scope = suites.pop(), scopes.pop()
    with baseline_lock(project):
        before = find_baseline(project, suite, current=False)
        _require_same_scope(before, scope)
        anchor = None if new_anchor or before is None else before.baseline.anchor
        at = format_timestamp(datetime.now(UTC).replace(microsecond=0))
        baseline = accept(summaries, at=at, release=release, governed=governed, anchor=anchor)
        if scope is not None:
            baseline = msgspec.structs.replace(baseline, facts={**baseline.facts, "scope": scope})
        committed = commitment(before, full_name, gate_seed)
        facts = {**baseline.facts, **committed, FACT: surroundings}
        baseline = msgspec.structs.replace(baseline, facts=facts)
        last = last_recorded(with_imported(ledger.entries()), ledger.keyring, suite)
        if before is None and last is not None:
            # Without it nobody could say what the new one gives up.
            message = (
                f"the baseline of suite '{suite}' that was accepted last is missing in {BASELINES}; put it back, or "
                "take it in again with `proctor baseline import FILE`"
            )
            raise InputError(message)
        standing = standing_of(ledger, judged[-1][0], partial=judged[-1][1])
        file = BaselineFile(
            suite=suite,
            charter=judged[-1][0].hash if standing is None else standing.charter,
            questions=questions,
            baseline=baseline,
            version=1 if last is None else last.body["version"] + 1,
            lineage=(),
        )
        # Before its rules are frozen: one key alone governs nothing beside another suite.
        _require_two_to_found(ledger, file, project, signer)
        for charter, some in judged:
            require_approved(ledger, charter, partial=some, signer=signer)
        levels = None if before is None else levels_of(before.baseline, governed)
        if last is not None:
            levels = last.body["levels"]
        asked = any(asks_for_levels(governed, profile) for profile in profiles)
        lost = () if before is None else _given_up(before.baseline, summaries, new_anchor=new_anchor, levels=asked)
        body = record_of(
            file,
            governed,
            before=None if anchor is None else levels,
            release=release,
            runs=[{"run": one.run, "root": one.root} for one in summaries],
        )
        lower = [] if levels is None else lowered(levels, body["levels"])
        more = [] if before is None else wider(accepted_surroundings(before), surroundings)
        if more:
            lower.append(f"the agent could reach more than in the last baseline: {', '.join(more)}")
        _require_two_to_lower(ledger, file, lower, lost, signer)
        if lost:
            body[GIVEN_UP] = list(lost)
        return install_signed(file, project, ledger, "acceptance", body, signer)


def _odd_one(store: EvidenceStore, names: Sequence[str]) -> str:
    """Which run is not like the first of these, and what of it differs."""
    first, *others = [store.run(name) for name in names]
    one = store.frozen(first.number)
    for record in others:
        other = store.frozen(record.number)
        for same, what in (
            (one.suite.name == other.suite.name, f"of suite {other.suite.name}"),
            (one.agent == other.agent, f"of agent '{other.agent}'"),
            (one.agent_source == other.agent_source, "of the same agent with other files"),
            (one.system == other.system, "of the same agent, declared otherwise in proctor.yaml"),
        ):
            if not same:
                return f"{record.name} is {what}, unlike {first.name}"
    return f"not all are like {first.name}"


def _given_up(before: Baseline, accepted: Sequence[RunSummary], *, new_anchor: bool, levels: bool) -> tuple[str, ...]:
    """Scenarios about which these runs would say nothing more.

    One that the anchor holds as it is now can turn from that as long as it stays; every other is held to as little as
    one that is to turn from the accepted runs alone.
    """
    lost = set(given_up(before.runs, accepted, levels=levels))
    strictly = set(given_up(before.runs, accepted, few=True, levels=levels))
    if new_anchor:
        anchored = given_up(before.anchor.runs, accepted, last=before.runs, few=True, levels=levels)
        return tuple(sorted(strictly.union(anchored)))
    held = set.intersection(*(set(shared(run, before.anchor.runs).scenarios) for run in accepted))
    return tuple(sorted(lost | (strictly - held)))


def _require_two_to_found(ledger: Ledger, file: BaselineFile, project: Path, signer: Signer) -> None:
    """Refuse the first baseline of a suite beside others on one signature; the wish is recorded."""
    history = [*with_imported(ledger.entries()), *carried_entries(project, file.suite)]
    others = beside(history, ledger.keyring, file.suite)
    if not others:
        return
    act = founding(file.suite, file.compared, file.charter, others)
    because = f"accept release {file.baseline.anchor.release} as the first baseline of this suite"
    if not sign_act(ledger, act, because=because, signer=signer).holds:
        message = (
            f"{sentence(file.suite, others)}; the wish of {signer.name} is recorded, and somebody else carries it out "
            "with the same command and their own --key"
        )
        raise InputError(message)


def _require_two_to_lower(
    ledger: Ledger, file: BaselineFile, lower: list[str], lost: Sequence[str], signer: Signer
) -> None:
    """Refuse to lower the baseline on one signature; the wish is recorded, so that somebody else can join it.

    `lower` says what it holds agents to less in. `lost` are scenarios that are right in the last baseline and not in
    this one: equal means do not make up for them.
    """
    lower = list(lower)
    if lost:
        more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
        lower.append(f"right before and wrong in these runs: {', '.join(lost[:MOST_NAMED])}{more}")
    if not lower:
        return
    because = f"accept release {file.baseline.anchor.release}, which holds to less: {'; '.join(lower)}"
    if not sign_act(ledger, lowering(file.suite, file.compared), because=because, signer=signer).holds:
        message = (
            f"these runs would lower the baseline ({'; '.join(lower)}), which two people have to accept; the wish of "
            f"{signer.name} is recorded, and somebody else carries it out with the same command and their own --key"
        )
        raise InputError(message)


def _require_same_scope(before: BaselineFile | None, scope: str | None) -> None:
    """Refuse to let the baseline of a part take the place of the whole suite's, or of another part's."""
    kept = None if before is None else before.baseline.facts.get("scope")
    if before is None or kept == scope:
        return
    of_what = [f"scope {one}" if one else "the whole suite" for one in (kept, scope)]
    message = (
        f"the accepted baseline of suite '{before.suite}' is of {of_what[0]} and these runs are of {of_what[1]}; "
        "accept them in a project folder of their own"
    )
    raise InputError(message)
