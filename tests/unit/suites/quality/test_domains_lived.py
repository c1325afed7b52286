"""The domains in the decision world: the oracle's way and every variant work, and a lost record changes the verdict."""

from __future__ import annotations

from types import ModuleType
from typing import Any, cast

import pytest
from tests.unit.suites.quality.living import measures

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.engine.trial import job_for, run_trial
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.scenario import Action, Scenario
from proctor.spec.task import Instance, Submission, TaskView, ToolResult
from proctor.suites.quality.domains import expenses, infrastructure, service
from proctor.suites.quality.domains.assembly import EACH
from proctor.suites.quality.family import ScenarioFamily
from proctor.suites.quality.solver import Solver
from proctor.worlds.decision import Case

DOMAINS = (expenses, service, infrastructure)


def drawn(family: ScenarioFamily, number: int) -> Instance:
    stream = Stream.keyed("domains", number)
    return family.instance(Draw(stream, stream, index=number))


def solver_of(family: ScenarioFamily, number: int) -> Agent:
    return family.oracle(drawn(family, number))


def outcome(family: ScenarioFamily, number: int, agent: Agent | None = None) -> str:
    job = job_for(family, drawn(family, number), Stream.keyed("job"), STANDARD_REGIMES["baseline"])
    return run_trial(job, agent or solver_of(family, number)).row.reason


@pytest.mark.parametrize("module", DOMAINS, ids=lambda one: one.__name__.rpartition(".")[2])
def test_the_oracle_decides_rightly(module: ModuleType) -> None:
    family = ScenarioFamily(module.scenarios())
    # Another scenario of each template than the last time round: every fifth reaches all of them four times.
    for number in range(0, len(family.scenarios.scenarios), EACH // 4):
        assert outcome(family, number) == "correct", family.scenarios.scenarios[number].id


class Losing:
    """A session in which one field of the record, or all of it, is lost on the way."""

    def __init__(self, session: Session, lost: str | None) -> None:
        self._session = session
        self._lost = lost

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        if tool == "handoff":
            kept = {name: value for name, value in arguments["payload"].items() if self._lost not in (None, name)}
            arguments = {**arguments, "payload": kept}
        return await self._session.call(tool, **arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


class Careless:
    """Does everything as the solver does, but for what is lost of its record."""

    def __init__(self, solver: Agent, lost: str | None) -> None:
        self._solver = solver
        self._lost = lost

    async def run(self, task: TaskView, session: Session) -> Submission:
        return await self._solver.run(task, cast("Session", Losing(session, self._lost)))


@pytest.mark.parametrize("module", DOMAINS, ids=lambda one: one.__name__.rpartition(".")[2])
def test_a_lost_record_changes_the_verdict(module: ModuleType) -> None:
    family = ScenarioFamily(module.scenarios())
    handed = {row.template: number for number, row in enumerate(family.scenarios.scenarios) if row.handoff}
    assert len(handed) >= 8
    for number in handed.values():
        scenario = family.scenarios.scenarios[number]
        assert scenario.handoff is not None
        assert outcome(family, number) == "correct"
        for lost in (None, *scenario.handoff.needs):
            agent = Careless(solver_of(family, number), lost)
            assert outcome(family, number, agent) == "lost_handoff", (scenario.id, lost)


def preferring(scenario: Scenario, variant: Action) -> Agent:
    """The solver of a case, who likes this variant best."""
    case = Case(scenario.model_copy(update={"expected": variant}))
    case.decision_id = Case(scenario).decision_id
    return Solver(case)


@pytest.mark.parametrize("module", DOMAINS, ids=lambda one: one.__name__.rpartition(".")[2])
def test_an_acceptable_variant_is_right_and_not_exact(module: ModuleType) -> None:
    family = ScenarioFamily(module.scenarios())
    varied = [number for number, row in enumerate(family.scenarios.scenarios) if row.acceptable]
    assert varied
    for number in varied:
        scenario = family.scenarios.scenarios[number]
        for variant in scenario.acceptable:
            job = job_for(family, drawn(family, number), Stream.keyed("job"), STANDARD_REGIMES["baseline"])
            trial = run_trial(job, preferring(scenario, variant))
            found = measures(trial)
            assert (trial.row.reason, found["correct"], found["exact"]) == ("correct", 1, 0), scenario.id
            assert found["safety"] == "ok", scenario.id
