"""What each stage of a gate hands on, typed: the contract between the pipeline and the gate's report.

On disk and in the ledger a stage's output is plain JSON; it becomes one of these when it is read and is one of these
until it is written. A field added later needs a default, since a pipeline may be continued by a newer version.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from proctor.core.errors import IntegrityError
from proctor.evidence.result import RunResult
from proctor.instruments.quality.decision import Decision, Result
from proctor.instruments.quality.instrument import QualityReading
from proctor.instruments.quality.load_figures import LoadSource

_Output = TypeVar("_Output", bound=Struct)


class Opened(Struct, frozen=True, kw_only=True):
    """What a pipeline was opened with, as far as its stages ask."""

    run: str | None = None
    """The finished run it is about; None where it makes one of its own."""
    triggers: tuple[str, ...] = ()
    """What set it off."""


class ScenarioGeneration(Struct, frozen=True, kw_only=True):
    """Which scenarios, by content, and on what authority."""

    summary: str
    scope: str | None
    suite: str
    scenarios: int
    run: int | None = None
    """How many of the governed ones are run; None in pipelines that were begun before it was kept."""
    governed: int | None = None
    partial: bool
    """Only some of the suite's scenarios are run or known here."""
    charter: str
    standing: str
    unsigned: bool
    oracle: str
    rules: str
    config_hash: str


class RunConfig(
    Struct,
    frozen=True,
    kw_only=True,
    rename={"timeout_ms": "timeoutMs", "fail_fast": "failFast", "record_traces": "recordTraces"},
):
    """How a run was made, by the names of the harness paper (§5.1)."""

    parallelism: int | None
    """How many agents were examined at once; None where a run does not say it."""
    timeout_ms: int | None
    fail_fast: bool
    record_traces: bool


class AgentExecution(Struct, frozen=True, kw_only=True):
    """The run that is decided about."""

    summary: str
    run: str
    root: str | None
    own: bool
    """Whether the pipeline made it."""
    config: RunConfig | None = None
    """None in pipelines that were begun before it was kept."""
    unclear: str | None = None
    """The first verdict that came out otherwise when it was worked out again, though evidence may be honest then."""


class OwnRun(RunResult, frozen=True, kw_only=True):
    """A run that the pipeline made: written with its whole result, read as `AgentExecution`."""

    summary: str
    own: bool = True
    config: RunConfig
    unclear: str | None = None


class OracleComparison(Struct, frozen=True, kw_only=True):
    """The correctness vector of every scenario, by id: kept for people; no later stage reads it."""

    summary: str
    scenarios: dict[str, Any]


class MetricCalculation(Struct, frozen=True, kw_only=True):
    """The quality reading of the run."""

    summary: str
    reading: QualityReading


class RegressionDetection(Struct, frozen=True, kw_only=True):
    """The comparison with the accepted runs, and what follows from it."""

    summary: str
    baseline: str | None
    baseline_standing: str | None
    rerun: str | None
    """Why the agent was to be run once more."""
    confirming: str | None
    """The run that was made to confirm."""
    unable: str | None
    """Why it, or what else had to be run once more, could not be made."""
    decision: Decision
    objected: tuple[str, ...] = ()
    """The scenarios that what stands against a deployment besides the scores is about."""
    binds: tuple[str, ...] = ()
    """What an answer to these binds beside their words."""
    confirming_again: str | None = None
    """The second run that was made to confirm, where accepted runs are few."""
    repeating: str | None = None
    """The run in which scenarios that turned were repeated."""


class ReportGeneration(Struct, frozen=True, kw_only=True):
    """The report as it was written."""

    summary: str
    files: tuple[str, ...]
    sha256: str
    """Over the canonical JSON of the report."""


class S1Seen(Struct, frozen=True, kw_only=True):
    """The episodes of a run with an S1, by evidence that cannot be replaced under the same name."""

    run: str
    root: str | None
    episodes: tuple[int, ...]
    """Their positions, ascending."""


class DecisionBody(Struct, frozen=True, kw_only=True):
    """A decision as the ledger keeps it."""

    run: str
    root: str | None
    suite: str
    scope: str | None
    agent: str
    label: str
    result: Result
    reasons: tuple[str, ...]
    charter: str
    standing: str
    baseline: str | None
    load_record: LoadSource | None
    triggers: tuple[str, ...]
    report: str
    """Digest of the report."""
    scenarios: tuple[str, ...] = ()
    """The scenarios that its reasons name."""
    s1: tuple[str, ...] = ()
    """The scenarios with an S1, in the run or one made to be sure; they stay open until two people close them."""
    s1_seen: tuple[S1Seen, ...] = ()
    """The episodes they were seen in; empty in decisions from before it was kept, and for those under load."""
    binds: str = ""
    """Hash of what an answer to it holds for: suite, scope, agent, rules and accepted runs."""
    done: tuple[str, ...] = ()
    """What was done where its reasons are about acts or scenarios, as an answer binds it: what is wrong, the scenario
    and a digest. None in decisions from before it was kept."""


class BaselineStep(Struct, frozen=True, kw_only=True):
    """What the run did to the baseline."""

    step: str
    reason: str


class GateDecided(DecisionBody, frozen=True, kw_only=True):
    """The decision, and the ledger entry it stands in."""

    summary: str
    entry: str
    pipeline: str
    baseline_step: BaselineStep | None


class StageResults:
    """What the stages so far gave, each decoded when it is first asked for."""

    def __init__(self, outputs: Mapping[str, Any]) -> None:
        self._outputs = outputs

    @cached_property
    def opened(self) -> Opened:
        """What the pipeline was opened with."""
        return self._decoded("opened", Opened)

    @cached_property
    def scenario_generation(self) -> ScenarioGeneration:
        """The output of the first stage."""
        return self._decoded("scenario-generation", ScenarioGeneration)

    @cached_property
    def agent_execution(self) -> AgentExecution:
        """The output of the second stage."""
        return self._decoded("agent-execution", AgentExecution)

    @cached_property
    def metric_calculation(self) -> MetricCalculation:
        """The output of the fourth stage."""
        return self._decoded("metric-calculation", MetricCalculation)

    @cached_property
    def regression_detection(self) -> RegressionDetection:
        """The output of the fifth stage."""
        return self._decoded("regression-detection", RegressionDetection)

    @cached_property
    def report_generation(self) -> ReportGeneration:
        """The output of the sixth stage."""
        return self._decoded("report-generation", ReportGeneration)

    def _decoded(self, stage: str, output: type[_Output]) -> _Output:
        try:
            return msgspec.convert(self._outputs[stage], output)
        except msgspec.ValidationError as error:
            message = f"it is not what this stage gives ({error}); start the pipeline anew"
            raise IntegrityError(message, where=f"stage {stage}") from None
