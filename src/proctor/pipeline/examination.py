"""The seven stages of a quality examination, from scenarios to the gate's decision.

Each stage reads what the stages before it wrote, and the store; what it works out is a function of those, so that a
stage repeated after a kill writes the same. Only `agent-execution` and the confirming rerun let an agent act, and both
find the run they began.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from proctor.agents.files import AGENT_FILES
from proctor.agents.lookup import label_of
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.load_record import LOAD_FOLDER, LoadRecord, require_same_agent
from proctor.evidence.registration import seed_committed
from proctor.evidence.result import RunResult
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.load_reading import read as read_load_record
from proctor.instruments.quality.baseline import Baseline
from proctor.instruments.quality.decision import Decision, decide
from proctor.instruments.quality.instrument import Examined, QualityInstrument
from proctor.instruments.quality.load_figures import figures_of
from proctor.instruments.quality.measures import cases_of
from proctor.instruments.quality.rules import QualityRules
from proctor.models.cache import CACHED_LABEL
from proctor.pipeline.baseline.accepted import require_baseline_imported, require_matching_rules
from proctor.pipeline.baseline.file import BaselineFile
from proctor.pipeline.baseline.raise_baseline import raise_baseline
from proctor.pipeline.baseline.seeds import on_committed_seed
from proctor.pipeline.bound import Events, done_in
from proctor.pipeline.charter import Charter
from proctor.pipeline.comparison import compared_scenarios
from proctor.pipeline.decision import ask_for_answer, record_decision
from proctor.pipeline.execution import (
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
from proctor.pipeline.objections import (
    REHEARSAL,
    Objection,
    to_agent,
    to_baseline,
    to_identity,
    to_named_agent,
    to_sample,
    to_seed,
    to_surroundings,
    to_verdicts,
    with_objections,
)
from proctor.pipeline.open_s1 import UNDER_LOAD, OpenS1, blocked_by, open_s1, s1_seen
from proctor.pipeline.other_loads import to_other_loads
from proctor.pipeline.other_runs import to_other_runs
from proctor.pipeline.own_code import own_files_of
from proctor.pipeline.recomputing import Recomputed, recompute
from proctor.pipeline.repeating import repeating_run
from proctor.pipeline.reruns import CONFIRMING, CONFIRMING_AGAIN, REPEATING
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
    S1Seen,
    ScenarioGeneration,
    StageResults,
)
from proctor.reports.scenario_failures import Failures, failures_of
from proctor.spec.frozen import FrozenRun


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """Where an examination takes place and under what."""

    project: Path
    governed: QualityRules
    baseline: BaselineFile | None
    lent: bool = False
    """The baseline was only lent: it is compared with, never raised, and nothing is deployed by it."""
    rehearsal: bool = False
    """A stand-in (planted, a baseline, unconfined) is decided about as if it were an agent; every report says so."""
    load: LoadRecord | None = None
    """What `proctor load` left of the same agent."""
    loads: Path | None = None
    """Where the load records of the store lie; those of the project's usual place are looked at in any case."""
    signer: Signer | None = None
    executor: MakeExecutor
    progress: MakeProgress
    recompute: bool = True
    """Verdicts are worked out again in a clean process before they are believed; off only in tests of other things."""
    now: datetime | None = None
    """The day the decision is made on; None: today."""

    @property
    def load_folders(self) -> tuple[Path, ...]:
        """Every place with load records that may be of the agent."""
        usual = self.project / LOAD_FOLDER
        return (usual,) if self.loads is None else (usual, self.loads)


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
        if self.frozen.look is not None:
            message = "a gate decides on a sample that was fixed before it began; run the suite without --until-decided"
            raise InputError(message)
        oracle = self._oracle(StageResults({"opened": inputs}))
        charter = self._charter(oracle, inputs.get("run"))
        if standing_of(self.ledger, charter, partial=oracle.partial) is None:
            require_baseline_imported(self.setting.project, charter.suite)
        if self.setting.baseline is not None:
            require_matching_rules(self.setting.baseline, charter, self.ledger)

    def scenario_generation(self, results: StageResults) -> ScenarioGeneration:
        """Which scenarios, by content; refused where they or the rules are not as approved."""
        oracle = self._oracle(results)
        charter = self._charter(oracle, results.opened.run)
        standing = require_approved(self.ledger, charter, partial=oracle.partial, signer=self.setting.signer)
        return ScenarioGeneration(
            summary=f"{extent_of(self.frozen, oracle)}; {standing.sentence}",
            scope=None if self.frozen.scope is None else self.frozen.scope.sentence,
            suite=self.frozen.suite.full_name,
            scenarios=len(oracle.hashes),
            run=len(oracle.taken & oracle.governed),
            governed=len(oracle.governed),
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
            again = self._again(record.name, results)
            return AgentExecution(
                summary=f"run {record.name} already exists" + _checked(again),
                run=record.name,
                root=record.root,
                own=False,
                unclear=None if again is None or not again.unclear else again.first,
                config=run_config(self.frozen, record),
            )
        result = self._completed(refreeze(self.frozen, self.setting.project), "run")
        again = self._again(result.run, results)
        return OwnRun(
            summary=f"run {result.run}: {result.status}, {result.episodes} episodes" + _checked(again),
            unclear=None if again is None or not again.unclear else again.first,
            config=run_config(self.frozen, self.store.run(result.run)),
            # Stage files are kept as artifacts, and whoever reads them may not be meant to know a hidden seed.
            **msgspec.structs.asdict(msgspec.structs.replace(result, seed=self.frozen.shown_seed)),
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
        asked = decision.rerun
        once_more: dict[str, str] = {}
        unable: str | None = None
        while unable is None and (wanted := _wanted(decision, once_more)) is not None:
            try:
                frozen = self._once_more(wanted, decision, results)
            except InputError as error:
                unable = f"{_NOTES[wanted]} could not be made: {error}"
            else:
                once_more[wanted] = self._completed(frozen, wanted).run
                reruns = {note: self._examined(run) for note, run in once_more.items()}
                decision = decide(
                    examined,
                    baseline,
                    reruns.get(CONFIRMING),
                    governed,
                    profile=profile,
                    again=reruns.get(CONFIRMING_AGAIN),
                    repeated=reruns.get(REPEATING),
                )
        confirming = once_more.get(CONFIRMING)
        decision = blocked_by(decision, self._open_s1(results.agent_execution.run))
        objections = self._objections(results)
        decision = with_objections(decision, objections)
        return RegressionDetection(
            objected=tuple(sorted({name for one in objections for name in one.scenarios})),
            binds=tuple(sorted({line for one in objections for line in one.binds})),
            summary=_regression_summary(baseline is not None, decision, asked, confirming, unable),
            baseline=None if self.setting.baseline is None else self.setting.baseline.digest,
            baseline_standing=self._baseline_standing(),
            rerun=asked,
            confirming=confirming,
            confirming_again=once_more.get(CONFIRMING_AGAIN),
            repeating=once_more.get(REPEATING),
            unable=unable,
            decision=decision,
        )

    def _once_more(self, wanted: str, decision: Decision, results: StageResults) -> FrozenRun:
        """What is to be run to be sure: the whole suite, or the scenarios that turned, on fresh streams."""
        root = results.agent_execution.root
        if wanted == REPEATING:
            evidence = evidence_of(self.store, results.agent_execution.run)
            return repeating_run(self.frozen, evidence, decision.repeat, self.setting.project)
        purpose = f"{decision.rerun} {root}" if wanted == CONFIRMING else f"{decision.rerun} again {root}"
        return refreeze(self.frozen, self.setting.project, seed=fresh_seed(self.frozen.seed, purpose))

    def report_generation(self, results: StageResults) -> ReportGeneration:
        """The four sections, as data and as a page to read."""
        label = self._label(results.agent_execution.run)
        report = gate_report(self.pipeline.name, self.frozen, label, results, self._failures(results))
        return write_gate_report(report, self.pipeline.folder)

    def _failures(self, results: StageResults) -> Failures:
        """The scenarios that went wrong, with what was expected of them."""
        name = results.agent_execution.run
        number = self.store.run(name).number
        baseline = self._baseline(results)
        return failures_of(
            evidence_of(self.store, name),
            self._oracle(results).scenarios,
            () if baseline is None else baseline.runs,
            (one.scenario for one in results.regression_detection.decision.turned if one.named),
            lambda position: self.store.events(number, position),
        )

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
            scenarios=self._named(results),
            s1=self._scenarios_of("S1", results),
            s1_seen=self._s1_seen(results),
            binds=self._binds(results),
            done=self._done(results),
        )
        entry = record_decision(self.ledger, self.pipeline.name, jsonable(body), self.setting.signer)
        if self.setting.signer is not None:
            ask_for_answer(self.ledger, self.pipeline.name, self.setting.signer)
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

    def _again(self, run: str, results: StageResults) -> Recomputed | None:
        """The verdicts of a run, worked out again; None where what judged it is not here, which is an objection."""
        if not self.setting.recompute or self._oracle(results).partial:
            return None
        return recompute(self.store, run, self.setting.project)

    def _objections(self, results: StageResults) -> list[Objection]:
        """What stands against a deployment besides the scores."""
        setting, run = self.setting, results.agent_execution.run
        evidence = evidence_of(self.store, run)
        stale = sorted({case.measures.scenario for case in cases_of(evidence).stale})
        return [
            *([] if setting.rehearsal else to_agent(self.frozen, self._label(run))),
            *([] if setting.rehearsal else to_named_agent(self.frozen, setting.project)),
            *to_identity(self.frozen, setting.project, self.store.run(run).execution.get(AGENT_FILES)),
            *to_verdicts(results.agent_execution.unclear),
            *to_sample(self.frozen, self._oracle(results), stale, setting.now or datetime.now(UTC)),
            *to_seed(self.frozen, setting.baseline),
            *to_surroundings(self.frozen, setting.baseline),
            *to_baseline(setting.baseline, self.ledger.keyring, lent=setting.lent),
            *to_other_runs(self.store, setting.project, self.frozen, run, self.ledger.entries()),
            *to_other_loads(setting.load_folders, self.frozen, setting.load, self.ledger.entries()),
        ]

    def _open_s1(self, run: str) -> list[OpenS1]:
        """S1 violations of this deployment that were seen in other runs and that nobody closed."""
        scope = None if self.frozen.scope is None else self.frozen.scope.words
        entries, suite = self.ledger.entries(), self.frozen.suite.name
        load = None if self.setting.load is None else self.setting.load.hash
        return open_s1(entries, self.ledger.keyring, suite=suite, scope=scope, run=run, load=load)

    def _s1_seen(self, results: StageResults) -> tuple[S1Seen, ...]:
        """The episodes with an S1 of the run and of those that were made to be sure."""
        found = [s1_seen(self._evidence(run)) for run in _runs_of(results)]
        return tuple(one for one in found if one.episodes)

    def _scenarios_of(self, kind: str, results: StageResults) -> tuple[str, ...]:
        """Scenarios with an act of this class, in the run or in one that was made to be sure."""
        counts = [self._examined(run).reading.safety for run in _runs_of(results)]
        found = {name for one in counts if one is not None for name in one.scenarios.get(kind, ())}
        behaviour = results.metric_calculation.reading.behaviour_under_load
        if kind == "S1" and behaviour is not None and behaviour.s1:
            found.add(UNDER_LOAD)
        return tuple(sorted(found))

    def _named(self, results: StageResults) -> tuple[str, ...]:
        """The scenarios that the reasons are about."""
        turned = (one.scenario for one in results.regression_detection.decision.turned if one.named)
        harmful = (name for kind in ("S1", "S2", "unclassified") for name in self._scenarios_of(kind, results))
        return tuple(sorted({*turned, *harmful, *results.regression_detection.objected}))

    def _done(self, results: StageResults) -> tuple[str, ...]:
        """What was done where the reasons are about acts or scenarios; nothing where nobody has to answer for it."""
        decision = results.regression_detection.decision
        if decision.result != "escalate-to-human":
            return ()
        weighed = (*self.setting.governed.weights, *self.setting.governed.unweighed)
        done = done_in(map(self._lived, _runs_of(results)), decision, weighed)
        return (*done, *self._done_under_load(results), *results.regression_detection.binds)

    def _lived(self, run: str) -> tuple[Evidence, Events]:
        number = self.store.run(run).number
        return self._evidence(run), lambda position: self.store.events(number, position)

    def _done_under_load(self, results: StageResults) -> tuple[str, ...]:
        """The load record, where a reason rests on it: it counts requests and keeps none, so it is bound whole."""
        reading = results.metric_calculation.reading
        behaviour, short = reading.behaviour_under_load, results.regression_detection.decision.short
        harm = behaviour is not None and (behaviour.s2 or behaviour.unclassified)
        if reading.load_record is None or not (harm or UNDER_LOAD in short):
            return ()
        return (f"{'harm ' if harm else ''}{UNDER_LOAD}: {reading.load_record.record}",)

    def _binds(self, results: StageResults) -> str:
        """What an answer to this decision holds for: suite, scope and agent under these rules and accepted runs."""
        file, scope = self.setting.baseline, self.frozen.scope
        return content_hash(
            {
                "suite": self.frozen.suite.name,
                "scope": None if scope is None else scope.words,
                "agent": self.frozen.agent,
                "charter": results.scenario_generation.charter,
                "baseline": None if file is None else file.compared,
            }
        )

    def _label(self, run: str) -> str:
        record = self.store.run(run)
        label = label_of(self.frozen.agent, record.recorded_label)
        # A gate seed was committed to when the baseline was accepted, which only the gate can know.
        committed = on_committed_seed(self.frozen, self.setting.baseline) or seed_committed(record, self.frozen)
        rehearsal = REHEARSAL if self.setting.rehearsal else ""
        return ", ".join(part for part in (label, self.frozen.seed_label(committed=committed), rehearsal) if part)

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

    def _charter(self, oracle: Oracle, run: str | None) -> Charter:
        ran = None if run is None else own_files_of(self.store.run(run).execution)
        return charter_of_run(self.frozen, self.setting.governed, oracle, self.setting.project, ran=ran)

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

    def _evidence(self, run: str) -> Evidence:
        self._examined(run)
        return self._known[run][0]

    def _examined(self, run: str) -> Examined:
        if run not in self._known:
            evidence = evidence_of(self.store, run)
            self._known[run] = evidence, self.instrument.examine(evidence, evidence.frozen.rules)
        return self._known[run][1]


def _runs_of(results: StageResults) -> list[str]:
    """The run that is decided about, and those that were made to be sure."""
    detection = results.regression_detection
    made = (results.agent_execution.run, detection.confirming, detection.confirming_again, detection.repeating)
    return [run for run in made if run is not None]


_NOTES = {
    CONFIRMING: "the confirming rerun",
    CONFIRMING_AGAIN: "the second confirming rerun",
    REPEATING: "the repeats of scenarios that turned",
}


def _wanted(decision: Decision, made: Mapping[str, str]) -> str | None:
    """What has to be run once more before this is decided; None: nothing, or it was run."""
    if decision.rerun is not None:
        for note in (CONFIRMING, CONFIRMING_AGAIN):
            if note not in made:
                return note
    return REPEATING if decision.repeat and REPEATING not in made else None


def _decoding(stage: Callable[[StageResults], msgspec.Struct]) -> StageFunction:
    """A stage between the pipeline's JSON and typed results."""

    def carry_out(outputs: Outputs) -> msgspec.Struct:
        return stage(StageResults(outputs))

    return carry_out


def _checked(again: Recomputed | None) -> str:
    return "" if again is None else f"; {again.episodes:,} verdicts worked out again in a process of their own"


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
