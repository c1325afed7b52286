"""One-shot: a finished run through the pipeline to a decision."""

from __future__ import annotations

from typing import Any

from proctor.agents.files import AGENT_FILES
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.evidence.store.contract import EvidenceStore
from proctor.pipeline.decision import GateDecision, decisions
from proctor.pipeline.examination import Examination, Setting
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.objections import to_identity, to_named_agent
from proctor.pipeline.open_s1 import open_s1
from proctor.pipeline.other_loads import to_other_loads
from proctor.pipeline.other_runs import to_other_runs
from proctor.pipeline.own_code import require_approved_run
from proctor.pipeline.reruns import run_to_gate
from proctor.pipeline.scenarios import refuse_changed_sources
from proctor.pipeline.stages import Pipeline, Watcher, require_kept_decisions
from proctor.spec.frozen import FrozenRun


def gate_run(setting: Setting, store: EvidenceStore, name: str, watch: Watcher | None = None) -> GateDecision:
    """The decision about a finished run. Asked again about the same run under the same baseline, the same decision."""
    record = run_to_gate(store, setting.project, name)
    if record.root is None:
        message = f"run {record.name} is not finished; continue it with `proctor run --resume {record.name}`"
        raise InputError(message)
    frozen = store.frozen(record.number)
    refuse_changed_sources(frozen, setting.project)
    families = {family.reference for family in frozen.families}
    require_approved_run(record.execution, record.name, setting.project, families)
    inputs = {"kind": "gate", "run": record.name, "root": record.root, **identity_of(setting)}
    found = [] if setting.rehearsal else to_named_agent(frozen, setting.project)
    found += to_identity(frozen, setting.project, record.execution.get(AGENT_FILES))
    # The words, and what they leave open: other files in the place of those that somebody answered for are another one.
    changed = [said for one in found for said in (one.reason, *one.binds)]
    if changed:
        # Another decision than the one about the agent as it was run.
        inputs["changed"] = changed
    ledger, scope = Ledger(setting.project), None if frozen.scope is None else frozen.scope.words
    load = None if setting.load is None else setting.load.hash
    still_open = open_s1(
        ledger.entries(), ledger.keyring, suite=frozen.suite.name, scope=scope, run=record.name, load=load
    )
    if still_open:
        # Once they are closed, the same run is decided anew.
        inputs["open_s1"] = [one.entry for one in still_open]
    entries = ledger.entries()
    ungated = [
        *to_other_runs(store, setting.project, frozen, record.name, entries),
        *to_other_loads(setting.load_folders, frozen, setting.load, entries),
    ]
    if ungated:
        inputs["ungated"] = [one.reason for one in ungated]
    pipeline = Pipeline(setting.project, f"gate-{record.name}-{content_hash(inputs)[:6]}")
    return run_pipeline(setting, store, pipeline, frozen, inputs, watch)


def run_pipeline(
    setting: Setting,
    store: EvidenceStore,
    pipeline: Pipeline,
    frozen: FrozenRun,
    inputs: dict[str, Any],
    watch: Watcher | None,
) -> GateDecision:
    """Run a pipeline to its decision, or read the decision it already has. A refusal leaves no files."""
    ledger = Ledger(setting.project)
    require_kept_decisions(setting.project, {entry.hash for entry in ledger.entries()})
    examination = Examination(setting, store, pipeline, frozen)
    if not pipeline.exists:
        examination.refuse_early(inputs)
    pipeline.open(inputs)
    pipeline.execute(examination.functions(), watch)
    written = pipeline.decision_entry()
    decision = next((d for d in decisions(ledger.entries(), ledger.keyring) if d.entry == written), None)
    if decision is None:
        message = f"the ledger has no decision of pipeline {pipeline.name}; its end was cut off"
        raise InputError(message)
    return decision


def identity_of(setting: Setting) -> dict[str, Any]:
    """The parts of a setting that a decision depends on, besides the run."""
    identity = {
        "baseline": None if setting.baseline is None else setting.baseline.compared,
        "rules": setting.governed.identity,
        "load": None if setting.load is None else setting.load.hash,
    }
    return identity | {name: True for name in ("lent", "rehearsal") if getattr(setting, name)}
