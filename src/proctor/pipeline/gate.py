"""One-shot: a finished run through the pipeline to a decision, and baselines accepted from finished runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.clock import format_timestamp
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, sha256_hex
from proctor.evidence.evidence import evidence_of
from proctor.evidence.load import LoadRecord, load_records, read_load
from proctor.evidence.store.store import Store
from proctor.instruments.quality.baseline import accept
from proctor.instruments.quality.instrument import QualityInstrument
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.baselines import BASELINE, BaselineFile, find_baseline, sign, write_baseline
from proctor.pipeline.decision import GateDecision, decisions
from proctor.pipeline.examination import Examination, Setting
from proctor.pipeline.governance import lineage, require_approved
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.rescoring import questions_of
from proctor.pipeline.scenarios import charter_of_run, oracle_of_run
from proctor.pipeline.stages import Pipeline, Watcher
from proctor.spec.frozen import FrozenRun


def gate_run(setting: Setting, store: Store, name: str, watch: Watcher | None = None) -> GateDecision:
    """The decision about a finished run. Asked again about the same run under the same baseline, the same decision."""
    record = store.run(name)
    if record.root is None:
        message = f"run {record.name} is not finished; continue it with `proctor run --resume {record.name}`"
        raise InputError(message)
    frozen = store.frozen(record.number)
    inputs = {"kind": "gate", "run": record.name, "root": record.root, **identity_of(setting)}
    pipeline = Pipeline(setting.project, f"gate-{record.name}-{content_hash(inputs)[:6]}")
    return decided(setting, store, pipeline, frozen, inputs, watch)


def decided(
    setting: Setting, store: Store, pipeline: Pipeline, frozen: FrozenRun, inputs: dict[str, Any], watch: Watcher | None
) -> GateDecision:
    """Carry a pipeline through to its decision, or read the decision it has."""
    pipeline.open(inputs)
    pipeline.execute(Examination(setting, store, pipeline, frozen).functions(), watch)
    ledger = Ledger(setting.project)
    found = next((d for d in decisions(ledger.entries(), ledger.keyring) if d.pipeline == pipeline.name), None)
    if found is None:
        message = f"the ledger has no decision of pipeline {pipeline.name}; its end was cut off"
        raise InputError(message)
    return found


def identity_of(setting: Setting) -> dict[str, Any]:
    """What of a setting a decision depends on, beside the run."""
    return {
        "baseline": None if setting.baseline is None else setting.baseline.compared,
        "rules": setting.governed.identity,
        "load": None if setting.load is None else sha256_hex(msgspec.json.encode(setting.load)),
    }


def newest_load(store: str, frozen: FrozenRun) -> LoadRecord | None:
    """The newest complete load record of this suite and this state of the agent; None when there is none."""
    for path in load_records(store):
        record = read_load(path)
        same = (record.suite, record.agent, record.agent_source) == (
            frozen.suite.full_name,
            frozen.agent,
            frozen.agent_source,
        )
        if same and record.complete:
            return record
    return None


def accept_runs(
    project: Path,
    store: Store,
    names: Sequence[str],
    governed: QualityRules,
    *,
    release: str,
    new_anchor: bool,
    signer: Signer | None,
) -> BaselineFile:
    """Make these finished runs the baseline of their suite; the anchor of the last one stays unless told otherwise."""
    ledger = Ledger(project)
    instrument = QualityInstrument(governed)
    summaries, suites = [], set()
    questions: dict[str, str] = {}
    charter = ""
    for name in names:
        evidence = evidence_of(store, name)
        oracle = oracle_of_run(evidence, project)
        found = charter_of_run(evidence.frozen, governed, oracle)
        charter = require_approved(ledger, found, partial=oracle.partial, signer=signer).charter
        summaries.append(instrument.examine(evidence, evidence.frozen.rules).summary)
        suites.add(evidence.frozen.suite.name)
        questions = questions_of(list(oracle.scenarios.values()))
    agents = {(one.agent, one.system) for one in summaries}
    if len(suites) != 1 or len(agents) != 1:
        message = "a baseline is made of runs of one suite and one agent; these are of several"
        raise InputError(message)
    suite = suites.pop()
    before = find_baseline(project, suite)
    anchor = None if before is None or new_anchor else before.baseline.anchor
    at = format_timestamp(datetime.now(UTC).replace(microsecond=0))
    baseline = accept(summaries, at=at, release=release, governed=governed, anchor=anchor)
    file = BaselineFile(
        suite=suite,
        charter=charter,
        questions=questions,
        baseline=baseline,
        lineage=tuple(lineage(ledger.entries(), suite)),
    )
    file = sign(file, signer)
    body = {
        "suite": suite,
        "baseline": file.digest,
        "charter": charter,
        "release": release,
        "runs": [{"run": one.run, "root": one.root} for one in summaries],
    }
    ledger.append("acceptance", body, signer=signer)
    write_baseline(file, project / BASELINE)
    return file
