"""A pytest plugin: examinations as tests.

`pytest --proctor-suite SUITE --proctor-agent AGENT` adds tests to whatever else is collected: for a suite of scenarios
one per metric (against its floor) and one for the gate's decision, for any other suite one per family and regime
(against the rules' threshold). The suite is run once, when the first of them is. For tests of one's own there are the
fixtures `proctor_run`, `proctor_evidence` and `proctor_gate`. Nothing is imported until it is used.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from proctor.evidence.evidence import Evidence
    from proctor.evidence.result import RunResult
    from proctor.pipeline.decision import GateDecision


class Shortfall(Exception):
    """An examination did not come out as asked; the message is all there is to show."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("proctor", "examinations of agents")
    group.addoption("--proctor-suite", metavar="SUITE", help="Run this suite and add its results as tests.")
    agent = "The agent to examine, e.g. python:my_agent.py:make (default: the core agent of proctor.yaml)."
    group.addoption("--proctor-agent", metavar="AGENT", help=agent)
    part = "Only this part of the organisation, e.g. 'G1.U2.*.*.*'."
    group.addoption("--proctor-scope", metavar="COORDINATE|FILE", help=part)
    group.addoption("--proctor-seed", metavar="SEED", default="0", help="A whole number, or 64 hex digits.")
    group.addoption("--proctor-store", metavar="PATH", help="Where evidence is kept (default: .proctor/store.db).")
    rehearsal = "Decide about a planted, baseline or unconfined agent as if it were yours; reports say so."
    group.addoption("--proctor-rehearsal", action="store_true", help=rehearsal)
    skips = "An escalation skips the gate's test instead of failing it."
    group.addoption("--proctor-allow-escalation", action="store_true", help=skips)


class Bench:
    """Runs and gates for the tests of one session."""

    def __init__(self, config: pytest.Config) -> None:
        self.project = config.rootpath
        self.store = config.getoption("--proctor-store") or str(self.project / ".proctor" / "store.db")
        self.seed: str = config.getoption("--proctor-seed")
        self.rehearsal: bool = config.getoption("--proctor-rehearsal")

    def run(
        self, suite: str, agent: str, *, seed: int | str | None = None, scope: str | None = None, **freezing: Any
    ) -> RunResult:
        """A finished run; refused where rules or scenarios are not as approved, like `proctor run`."""
        from proctor.agents.lookup import label_of
        from proctor.engine.executors.inline import InlineExecutor
        from proctor.engine.names import load_suite
        from proctor.engine.plan import Plan
        from proctor.engine.run import execute, freeze, parse_seed, start_run
        from proctor.engine.stores import open_store
        from proctor.evidence.result import result_of
        from proctor.pipeline.own_code import only_approved_code
        from proctor.pipeline.scenarios import governed_sample, refuse_unapproved
        from proctor.spec.scope import read_scope

        with only_approved_code(self.project):
            frozen = freeze(
                suite=governed_sample(load_suite(suite, self.project), self.project),
                agent=agent,
                folder=self.project,
                seed=parse_seed(str(self.seed if seed is None else seed)),
                scope=None if scope is None else read_scope(scope, self.project),
                **freezing,
            )
            refuse_unapproved(frozen, self.project)
            plan, executor = Plan(frozen), InlineExecutor(None)
            with open_store(self.store, create=True) as store:
                record, _ = start_run(store, frozen, plan, executor=executor, folder=self.project)
                execute(store, record, frozen, plan, folder=self.project, executor=executor, progress=NoProgress())
                return result_of(store, record.name, label_of)

    def evidence(self, run: str) -> Evidence:
        """What a run left."""
        from proctor.engine.stores import open_store
        from proctor.evidence.evidence import evidence_of

        with open_store(self.store, create=False) as store:
            return evidence_of(store, run)

    def gate(self, run: str) -> GateDecision:
        """The gate's decision about a run, by the project's rules and baseline; it is in the ledger afterwards.

        It is made in a process of its own: tests, fixtures and plug-ins of pytest share this one, and could decide.
        """
        import msgspec

        from proctor.core.errors import InputError
        from proctor.pipeline.decision import GateDecision

        options = ["--store", self.store, "--freeze", "--json", *(["--rehearsal"] if self.rehearsal else [])]
        done = subprocess.run(
            [sys.executable, "-I", "-m", "proctor.cli.main", "gate", run, *options],
            cwd=self.project,
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            capture_output=True,
            check=False,
        )
        try:
            return msgspec.json.decode(done.stdout, type=GateDecision)
        except msgspec.MsgspecError:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            message = said[-1].removeprefix("proctor: ") if said else f"the gate ended with {done.returncode}"
            raise InputError(message) from None


class NoProgress:
    """Progress that nobody looks at."""

    def start(self, total: int, done: int) -> None: ...

    def advance(self, records: list[Any]) -> None: ...

    def stop(self) -> None: ...


@pytest.fixture(scope="session")
def proctor_bench(pytestconfig: pytest.Config) -> Bench:
    """Runs and gates in this project."""
    return Bench(pytestconfig)


@pytest.fixture(scope="session")
def proctor_run(proctor_bench: Bench) -> Callable[..., RunResult]:
    """`proctor_run("hello", "clerk", seed=7)` gives a finished run."""
    return proctor_bench.run


@pytest.fixture(scope="session")
def proctor_evidence(proctor_bench: Bench) -> Callable[[str], Evidence]:
    """`proctor_evidence(run.run)` gives its rows."""
    return proctor_bench.evidence


@pytest.fixture(scope="session")
def proctor_gate(proctor_bench: Bench) -> Callable[[str], GateDecision]:
    """`proctor_gate(run.run)` gives the decision: `result`, `reasons`, `exit_code`."""
    return proctor_bench.gate


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    suite, agent = config.getoption("--proctor-suite"), config.getoption("--proctor-agent")
    if suite is None and agent is None:
        return
    if suite is None:
        raise pytest.UsageError("--proctor-agent is examined with a suite: give --proctor-suite too")
    if config.getoption("numprocesses", None):
        raise pytest.UsageError("--proctor-suite runs one examination; leave -n out")
    from proctor.core.errors import ProctorError
    from proctor.spec.project import read_project, require_agent

    try:
        declared = read_project(config.rootpath)
        if agent is None and declared is None:
            raise pytest.UsageError("say which agent is examined: give --proctor-agent, or name it in proctor.yaml")
        agent = agent or require_agent(declared, "core")
        items += list(SuiteCollector.from_parent(session, name=f"proctor {suite}", suite=suite, agent=agent).collect())
    except ProctorError as error:
        raise pytest.UsageError(str(error)) from None


def tested_metrics() -> list[str]:
    """Metrics that get a test of their own; what comes from a load run is the gate's business."""
    from proctor.instruments.quality.installed import load_metrics, metrics

    return [name for name, one in metrics().items() if one.gates and name not in load_metrics()]


class SuiteCollector(pytest.Collector):
    """The tests of one suite; they share one run."""

    def __init__(self, *, suite: str, agent: str, **more: Any) -> None:
        super().__init__(**more)
        self.suite = suite
        self.agent = agent
        self.bench = Bench(self.config)

    def collect(self) -> Iterator[pytest.Item]:
        from proctor.engine.names import load_suite
        from proctor.pipeline.scenarios import oracle_of_suite

        suite = load_suite(self.suite, self.bench.project)
        families = sorted({entry.family for entry in suite.entries})
        if oracle_of_suite(families, self.bench.project):
            yield from (MetricItem.from_parent(self, name=metric) for metric in tested_metrics())
            yield GateItem.from_parent(self, name="gate")
            return
        for family in families:
            for regime in sorted({r for entry in suite.entries if entry.family == family for r in entry.regimes}):
                yield RateItem.from_parent(self, name=f"{Path(family).name}[{regime}]", family=family, regime=regime)

    @cached_property
    def result(self) -> RunResult:
        """The run, made when it is first asked for."""
        return self.bench.run(self.suite, self.agent, scope=self.config.getoption("--proctor-scope"))


class ExaminationItem(pytest.Item):
    """A test that looks at the collector's run."""

    @property
    def examined(self) -> SuiteCollector:
        parent = self.parent
        assert isinstance(parent, SuiteCollector)
        return parent

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from proctor.core.errors import ProctorError

        if isinstance(excinfo.value, Shortfall | ProctorError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.examined.bench.project, None, f"{self.examined.suite} × {self.examined.agent}: {self.name}"


class MetricItem(ExaminationItem):
    """A metric of the quality instrument against its floor."""

    def runtest(self) -> None:
        from proctor.instruments.quality.instrument import QualityInstrument
        from proctor.instruments.quality.project import read_governed

        examined = self.examined
        governed = read_governed(examined.bench.project)
        if not governed.asks_for_metric(self.name):
            pytest.skip(f"the rules of this project do not ask for {self.name}")
        evidence = examined.bench.evidence(examined.result.run)
        # As the gate does: a metric that the rules ask for and that cannot be used fails here.
        reading = QualityInstrument(governed).examine(evidence, evidence.frozen.rules).reading
        measured = reading.metrics.get(self.name)
        if measured is None or measured.value is None:
            why = "nothing to measure" if measured is None else measured.reason
            pytest.skip(f"{self.name} was not measured: {why}")
        floor = governed.floor(self.name, with_lul=False)
        if measured.value < floor:
            run = examined.result.run
            raise Shortfall(f"{self.name} {measured.value:.3f} is below its floor of {floor:g} (run {run})")


class GateItem(ExaminationItem):
    """The decision of the gate."""

    def runtest(self) -> None:
        decision = self.examined.bench.gate(self.examined.result.run)
        if decision.outcome == "escalate-to-human" and self.config.getoption("--proctor-allow-escalation"):
            pytest.skip(decision.sentence)
        if decision.outcome != "deploy":
            raise Shortfall(f"{decision.sentence} (pipeline {decision.pipeline})")


class RateItem(ExaminationItem):
    """The success rate of a family under a regime against the threshold."""

    def __init__(self, *, family: str, regime: str, **more: Any) -> None:
        super().__init__(**more)
        self.family = family
        self.regime = regime

    def runtest(self) -> None:
        from proctor.instruments.rates import RatesInstrument

        examined = self.examined
        evidence = examined.bench.evidence(examined.result.run)
        rules = evidence.frozen.rules
        full = {f.reference: f.spec.full_name for f in evidence.frozen.families}.get(self.family)
        if full is None:
            pytest.skip("; ".join(evidence.frozen.skipped.values()) or f"{self.family} was not evaluated")
        for value in RatesInstrument().read(evidence, rules).values:
            if (value.where["family"], value.where["regime"]) != (full, self.regime):
                continue
            found, successes = value.estimate, value.successes or 0
            if found.n and successes < rules.threshold * found.n - 1e-9:
                reasons = ", ".join(f"{count} × {reason}" for reason, count in value.reasons.items())
                where = f"{examined.result.run}, {full} under {self.regime}"
                raise Shortfall(
                    f"{successes} of {found.n}, and {rules.threshold:.0%} are asked for ({where}): {reasons}"
                )
