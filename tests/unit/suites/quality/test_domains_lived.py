"""The domains in the decision world: the oracle's way works, and a record that is lost changes the verdict."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from proctor.agents.contract import Session
from proctor.conformance.trial import job_for, run_trial
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.scenario import Scenario
from proctor.spec.task import Submission, TaskView
from proctor.suites.quality.domains import expenses, infrastructure, service
from proctor.suites.quality.domains.assembly import EACH
from proctor.suites.quality.family import ScenarioFamily

DOMAINS = (expenses, service, infrastructure)


def outcome(family: ScenarioFamily, number: int, agent: Any = None) -> str:
    stream = Stream.keyed("domains", number)
    instance = family.instance(Draw(stream, stream, index=number))
    job = job_for(family, instance, Stream.keyed("job"), STANDARD_REGIMES["baseline"])
    return run_trial(job, agent or family.oracle(instance)).row.reason


@pytest.mark.parametrize("module", DOMAINS, ids=lambda one: one.__name__.rpartition(".")[2])
def test_the_oracle_decides_rightly(module: ModuleType) -> None:
    family = ScenarioFamily(module.scenarios())
    # Another scenario of each template than the last time round: every fifth reaches all of them four times.
    for number in range(0, len(family.scenarios.scenarios), EACH // 4):
        assert outcome(family, number) == "correct", family.scenarios.scenarios[number].id


class Careless:
    """Knows the decision, but hands over a record with one field left out."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    async def run(self, task: TaskView, session: Session) -> Submission:
        handoff, expected = self._scenario.handoff, self._scenario.expected
        assert handoff is not None
        record = {name: self._scenario.sources[name] for name in handoff.needs[1:]}
        await session.call("handoff", coordinate=handoff.to, payload=record)
        if expected.name in ("escalate", "refuse"):
            await session.call(expected.name, reason="as the rules say")
        else:
            await session.call("act", action=expected.name, args=expected.args)
        return Submission("done")


@pytest.mark.parametrize("module", DOMAINS, ids=lambda one: one.__name__.rpartition(".")[2])
def test_a_thin_record_changes_the_verdict(module: ModuleType) -> None:
    family = ScenarioFamily(module.scenarios())
    rows = family.scenarios.scenarios
    handed = {row.template: number for number, row in enumerate(rows) if row.handoff and not row.gates}
    assert len(handed) >= 2
    for number in handed.values():
        assert outcome(family, number) == "correct"
        assert outcome(family, number, Careless(rows[number])) == "lost_handoff"
