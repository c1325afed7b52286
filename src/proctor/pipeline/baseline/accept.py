"""Accepting finished runs as the baseline of their suite. What is refused is refused before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from proctor.core.clock import format_timestamp
from proctor.core.errors import InputError
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.quality.baseline import accept
from proctor.instruments.quality.instrument import QualityInstrument
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.baseline.accepted import baseline_lock, find_baseline, install_baseline, require_baseline_imported
from proctor.pipeline.baseline.file import BaselineFile, sign
from proctor.pipeline.execution import require_unchanged
from proctor.pipeline.governance import lineage, require_approved, standing_of
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.rescoring import questions_of
from proctor.pipeline.scenarios import charter_of_run, oracle_of_run
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
) -> BaselineFile:
    """Make these finished runs the baseline of their suite; the anchor of the last one stays unless told otherwise."""
    ledger, instrument = Ledger(project), QualityInstrument(governed)
    require_kept_decisions(project, {entry.hash for entry in ledger.entries()})
    judged, summaries, agents, scopes = [], [], set(), set()
    questions: dict[str, str] = {}
    for name in names:
        evidence = evidence_of(store, name)
        require_unchanged(store, evidence.run)
        oracle = oracle_of_run(evidence, project)
        charter = charter_of_run(evidence.frozen, governed, oracle)
        if standing_of(ledger, charter, partial=oracle.partial) is None:
            require_baseline_imported(project, charter.suite)
        judged.append((charter, oracle.partial))
        summaries.append(instrument.examine(evidence, evidence.frozen.rules).summary)
        agents.add((evidence.frozen.agent, evidence.frozen.agent_source, evidence.frozen.system.model_dump_json()))
        scopes.add(None if evidence.frozen.scope is None else evidence.frozen.scope.words)
        questions = questions_of(list(oracle.scenarios.values()))
    suites = {charter.suite for charter, _ in judged}
    if len(suites) != 1 or len(agents) != 1:
        message = (
            "a baseline is made of runs of one suite and one state of one agent; these are of several suites or "
            "agents, or the agent's files changed between them"
        )
        raise InputError(message)
    if len(scopes) != 1:
        message = "all runs of a baseline must have the same scope; these have several"
        raise InputError(message)
    suite, scope = suites.pop(), scopes.pop()
    with baseline_lock(project):
        before = find_baseline(project, suite)
        _require_same_scope(before, scope)
        anchor = None if new_anchor or before is None else before.baseline.anchor
        at = format_timestamp(datetime.now(UTC).replace(microsecond=0))
        baseline = accept(summaries, at=at, release=release, governed=governed, anchor=anchor)
        if scope is not None:
            baseline = msgspec.structs.replace(baseline, facts={**baseline.facts, "scope": scope})
        authority = [require_approved(ledger, charter, partial=some, signer=signer) for charter, some in judged]
        file = BaselineFile(
            suite=suite,
            charter=authority[-1].charter,
            questions=questions,
            baseline=baseline,
            lineage=tuple(lineage(ledger.entries(), suite)),
        )
        file = sign(file, signer)
        body = {
            "suite": suite,
            "baseline": file.digest,
            "charter": file.charter,
            "release": release,
            "runs": [{"run": one.run, "root": one.root} for one in summaries],
        }
        install_baseline(file, project, lambda: ledger.append("acceptance", body, signer=signer))
    return file


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
