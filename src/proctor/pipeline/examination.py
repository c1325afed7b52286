"""The seven stages of a quality examination, from scenarios to the gate's decision.

Each stage reads what the stages before it wrote, and the store; what it works out is a function of those, so that a
stage repeated after a kill writes the same. Only `agent-execution` and the confirming rerun let an agent act, and both
find the run they began.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from proctor.agents.lookup import label_of
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.load_record import LoadRecord, require_same_agent
from proctor.evidence.result import RunResult
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.load_reading import read as read_load_record
from proctor.instruments.quality.baseline import Baseline
from proctor.instruments.quality.decision import Decision, decide
from proctor.instruments.quality.instrument import Examined, QualityInstrument
from proctor.instruments.quality.load_figures import figures_of
from proctor.instruments.quality.rules import QualityRules
from proctor.models.cache import CACHED_LABEL
from proctor.pipeline.baseline.accepted import require_baseline_imported, require_matching_rules
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.baseline.raise_baseline import raise_baseline
from proctor.pipeline.comparison import compared_scenarios
from proctor.pipeline.decision import record_decision
from proctor.pipeline.execution import (
    CONFIRMING,
    MakeExecutor,
    MakeProgress,
    fresh_seed,
    refreeze,
    require_unchanged,
    run_config,
    run_to_completion,
)
from proctor.pipeline.governance import require_approved, standing_of
from proctor.pipeline.keys import Signer
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.rescoring import under_oracle
from proctor.pipeline.scenarios import Oracle, charter_of_run, extent_of, oracle_of_frozen, oracle_of_run
from proctor.pipeline.stages import Outputs, Pipeline, StageFunction, StageName
from proctor.reports.gate_report import gate_report, write_gate_report
from proctor.reports.gate_results import (
    AgentExecution,
    DecisionBody,
    GateDecided,
    MetricCalculation,
    OracleComparison,
    OwnRun,
    RegressionDetection,
    ReportGeneration,
    ScenarioGeneration,
    StageResults,
)
from proctor.spec.frozen import FrozenRun


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """Where an examination takes place and under what."""

    project: Path
    governed: QualityRules
    baseline: BaselineFile | None
    lent: bool = False
    """The baseline was only lent: it is compared with and never raised."""
    load: LoadRecord | None = None
    """What `proctor load` left of the same agent."""
    signer: Signer | None = None
    executor: MakeExecutor
    progress: MakeProgress


class Examination:
    """One pipeline's stages over one store."""

    def __init__(self, setting: Setting, store: EvidenceStore, pipeline: Pipeline, frozen: FrozenRun) -> None:
        self.setting = setting
        self.store = store
        self.pipeline = pipeline
        self.frozen = frozen
        self.ledger = Ledger(setting.project)
        load = setting.load
        if load is not None:
            require_same_agent(load, frozen)
        figures = None if load is None else figures_of(read_load_record(load), setting.governed)
        self.instrument = QualityInstrument(setting.governed, figures)
        self._known: dict[str, tuple[Evidence, Examined]] = {}
        self._judged_by: Oracle | None = None

    def functions(self) -> dict[StageName, StageFunction]:
        """The stages by name."""
        return {
            "scenario-generation": _decoding(self.scenario_generation),
            "agent-execution": _decoding(self.agent_execution),
            "oracle-comparison": _decoding(self.oracle_comparison),
            "metric-calculation": _decoding(self.metric_calculation),
            "regression-detection": _decoding(self.regression_detection),
            "report-generation": _decoding(self.report_generation),
            "gate-decision": _decoding(self.gate_decision),
        }

    def refuse_early(self, inputs: Mapping[str, Any]) -> None:
        """Whatever the first stage would refuse, before anything is written."""
        if CACHED_LABEL in label_of(self.frozen.agent):
            message = "a gate decides on replies that were given for it; take `cache=…` out of the agent string"
            raise InputError(message)
        oracle = self._oracle(StageResults({"opened": inputs}))
        charter = charter_of_run(self.frozen, self.setting.governed, oracle)
        if standing_of(self.ledger, charter, partial=oracle.partial) is None:
            require_baseline_imported(self.setting.project, charter.suite)
        if self.setting.baseline is not None:
            require_matching_rules(self.setting.baseline, charter, self.ledger)

    def scenario_generation(self, results: StageResults) -> ScenarioGeneration:
        """Which scenarios, by content; refused where they or the rules are not as approved."""
        oracle = self._oracle(results)
        charter = charter_of_run(self.frozen, self.setting.governed, oracle)
        standing = require_approved(self.ledger, charter, partial=oracle.partial, signer=self.setting.signer)
        return ScenarioGeneration(
            summary=f"{extent_of(self.frozen, oracle)}; {standing.sentence}",
            scope=None if self.frozen.scope is None else self.frozen.scope.sentence,
            suite=self.frozen.suite.full_name,
            scenarios=len(oracle.hashes),
            partial=oracle.partial or bool(self.frozen.only) or self.frozen.scope is not None,
            charter=standing.charter,
            standing=standing.sentence,
            unsigned=not standing.signed_by,
            oracle=charter.oracle_hash,
            rules=charter.rules_hash,
            config_hash=self.frozen.config_hash,
        )

    def agent_execution(self, results: StageResults) -> AgentExecution | OwnRun:
        """Have the agent meet them: the run that was named, or one of this pipeline's own."""
        named = results.opened.run
        if named is not None:
            record = self.store.run(named)
            require_unchanged(self.store, record.name)
            return AgentExecution(
                summary=f"run {record.name} already exists",
                run=record.name,
                root=record.root,
                own=False,
                config=run_config(self.frozen, record),
            )
        result = self._completed(refreeze(self.frozen, self.setting.project), "run")
        return OwnRun(
            summary=f"run {result.run}: {result.status}, {result.episodes} episodes",
            config=run_config(self.frozen, self.store.run(result.run)),
            **msgspec.structs.asdict(result),
        )

    def oracle_comparison(self, results: StageResults) -> OracleComparison:
        """The correctness vector of every scenario."""
        evidence = evidence_of(self.store, results.agent_execution.run)
        vectors = compared_scenarios(evidence)
        right = sum(vector.correct == vector.episodes for vector in vectors.values())
        return OracleComparison(
            summary=f"{right} of {len(vectors)} scenarios decided correctly every time", scenarios={**vectors}
        )

    def metric_calculation(self, results: StageResults) -> MetricCalculation:
        """Every metric and their composite."""
        examined = self._examined(results.agent_execution.run)
        reading = examined.reading
        shown = [f"{n} {'not measured' if m.value is None else f'{m.value:.3f}'}" for n, m in reading.metrics.items()]
        return MetricCalculation(summary=", ".join(shown) or f"not measured: {reading.reason}", reading=reading)

    def regression_detection(self, results: StageResults) -> RegressionDetection:
        """Against the accepted runs; a decline or a rise is tried once more on fresh replicate streams."""
        examined = self._examined(results.agent_execution.run)
        baseline = self._baseline(results)
        governed, profile = self.setting.governed, self.frozen.rules.profile
        decision = decide(examined, baseline, None, governed, profile=profile)
        confirming: str | None = None
        unable: str | None = None
        asked = decision.rerun
        if asked is not None:
            try:
                seed = fresh_seed(self.frozen.seed, f"{asked} {results.agent_execution.root}")
                again = refreeze(self.frozen, self.setting.project, seed=seed)
            except InputError as error:
                unable = f"the confirming rerun could not be made: {error}"
            else:
                confirming = self._completed(again, CONFIRMING).run
                decision = decide(examined, baseline, self._examined(confirming), governed, profile=profile)
        return RegressionDetection(
            summary=_regression_summary(baseline is not None, decision, asked, confirming, unable),
            baseline=None if self.setting.baseline is None else self.setting.baseline.digest,
            baseline_standing=self._baseline_standing(),
            rerun=asked,
            confirming=confirming,
            unable=unable,
            decision=decision,
        )

    def report_generation(self, results: StageResults) -> ReportGeneration:
        """The four sections, as data and as a page to read."""
        label = self._label(results.agent_execution.run)
        return write_gate_report(gate_report(self.pipeline.name, self.frozen, label, results), self.pipeline.folder)

    def gate_decision(self, results: StageResults) -> GateDecided:
        """Turn the recommendation into the decision: in the ledger, once."""
        regression, run = results.regression_detection, results.agent_execution.run
        decision, unable = regression.decision, regression.unable
        body = DecisionBody(
            run=run,
            root=results.agent_execution.root,
            suite=self.frozen.suite.name,
            scope=None if self.frozen.scope is None else self.frozen.scope.words,
            agent=self.frozen.agent,
            label=self._label(run),
            result=decision.result,
            reasons=(*decision.reasons, *((unable,) if unable else ())),
            charter=results.scenario_generation.charter,
            standing=results.scenario_generation.standing,
            baseline=regression.baseline,
            load_record=results.metric_calculation.reading.load_record,
            triggers=results.opened.triggers,
            report=results.report_generation.sha256,
        )
        entry = record_decision(self.ledger, self.pipeline.name, jsonable(body))
        step = None
        if self.setting.baseline is not None and not self.setting.lent:
            step = raise_baseline(
                self.setting.project,
                self.setting.baseline,
                self._examined(run).summary,
                None if regression.confirming is None else self._examined(regression.confirming).summary,
                self.setting.governed,
                at=entry.at,
                signer=self.setting.signer,
            )
        return GateDecided(
            summary=decision.result,
            entry=entry.hash,
            pipeline=self.pipeline.name,
            baseline_step=step,
            **msgspec.structs.asdict(body),
        )

    def _label(self, run: str) -> str:
        return label_of(self.frozen.agent, self.store.run(run).recorded_label)

    def _completed(self, frozen: FrozenRun, note: str) -> RunResult:
        setting = self.setting
        return run_to_completion(
            self.store,
            frozen,
            self.pipeline,
            note,
            folder=setting.project,
            executor=setting.executor(),
            progress=setting.progress(),
        )

    def _oracle(self, results: StageResults) -> Oracle:
        if self._judged_by is None:
            named, project = results.opened.run, self.setting.project
            oracle = (
                oracle_of_frozen(self.frozen, project)
                if named is None
                else oracle_of_run(evidence_of(self.store, named), project)
            )
            if oracle is None:
                message = f"suite '{self.frozen.suite.name}' has no scenarios; the gate is for suites like `quality`"
                raise InputError(message)
            self._judged_by = oracle
        return self._judged_by

    def _baseline(self, results: StageResults) -> Baseline | None:
        """The accepted runs, judged by the oracle of today."""
        file = self.setting.baseline
        if file is None:
            return None
        scenarios = self._oracle(results).scenarios
        return under_oracle(file, scenarios) if scenarios else file.baseline

    def _baseline_standing(self) -> str | None:
        file = self.setting.baseline
        if file is None:
            return None
        lent = "; it was given for this gate and is not the accepted one" if self.setting.lent else ""
        return file.standing(self.ledger.keyring) + lent

    def _examined(self, run: str) -> Examined:
        if run not in self._known:
            evidence = evidence_of(self.store, run)
            self._known[run] = evidence, self.instrument.examine(evidence, evidence.frozen.rules)
        return self._known[run][1]


def _decoding(stage: Callable[[StageResults], msgspec.Struct]) -> StageFunction:
    """A stage between the pipeline's JSON and typed results."""

    def carry_out(outputs: Outputs) -> msgspec.Struct:
        return stage(StageResults(outputs))

    return carry_out


def _regression_summary(
    baseline: bool, decision: Decision, asked: str | None, confirming: str | None, unable: str | None
) -> str:
    if not baseline:
        return "no accepted baseline"
    if not decision.regressions:
        return "not compared: the run's metrics are not measured"
    impossible = [f"{one.against}: {one.reason}" for one in decision.regressions if one.reason is not None]
    if impossible and asked is None:
        return f"not compared with the {'; '.join(impossible)}"
    if asked is None:
        return "no significant difference that a rerun would have to confirm"
    if confirming is None:
        return unable or "no rerun"
    return f"a {asked.partition('-')[2]} was tried again in run {confirming}"
