"""Living one decision case with an agent written for the test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from proctor.agents.contract import Session
from proctor.core.canonical import decode
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.engine.job import Job
from proctor.engine.trial import Trial, job_for, run_trial
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.scenario import Scenario, ScenarioSet
from proctor.spec.task import Budget, Submission, TaskView
from proctor.suites.quality.family import ScenarioFamily

Act = Callable[[Session], Awaitable[Any]]


class Doing:
    """An agent made from coroutine functions, one for each session; after the last it repeats that one."""

    def __init__(self, *acts: Act) -> None:
        self._acts = list(acts)
        self.tasks: list[TaskView] = []
        self.shown: list[dict[str, Any]] = []

    async def run(self, task: TaskView, session: Session) -> Submission:
        self.tasks.append(task)
        self.shown.append(session.observations[0].fields)
        act = self._acts.pop(0) if len(self._acts) > 1 else self._acts[0]
        await act(session)
        return Submission("done")


def family_of(*scenarios: Scenario) -> ScenarioFamily:
    return ScenarioFamily(ScenarioSet(name="one", title="One", scenarios=scenarios))


def job(scenario: Scenario, regime: str = "baseline", **options: Any) -> Job:
    family = family_of(scenario)
    draw = Draw.of("test", scenario.id)
    return job_for(family, family.instance(draw), Stream.keyed("job"), STANDARD_REGIMES[regime], **options)


def lived(scenario: Scenario, *acts: Act, **options: Any) -> Trial:
    """The trial of an agent that does this."""
    return run_trial(job(scenario, **options), Doing(*acts))


def measures(trial: Trial) -> dict[str, Any]:
    """What the row says about it."""
    assert trial.row.measures is not None
    found: dict[str, Any] = decode(trial.row.measures)
    return found


def calling(*calls: tuple[str, dict[str, Any]]) -> Act:
    """Make these calls, one after another; `gate_id` None stands for the newest gate."""

    async def act(session: Session) -> None:
        gate = ""
        for tool, arguments in calls:
            if arguments.get("gate_id", "") is None:
                arguments = {**arguments, "gate_id": gate}
            result = await session.call(tool, **arguments)
            if tool == "invoke_gate":
                gate = result.value["gate_id"]

    return act


def pay(number: int = 0, **changes: Any) -> tuple[str, dict[str, Any]]:
    """The right payment of the test's scenarios."""
    return "act", {"action": "pay", "args": {"amount": 100 + 7 * number, "account": f"ACC-{500 + number}", **changes}}


def gate(level: str = "manager", kind: str = "approval_workflow") -> tuple[str, dict[str, Any]]:
    return "invoke_gate", {"type": kind, "level": level, "reason": "asked for"}


def ask(args: dict[str, Any] | None = None, action: str = "pay") -> tuple[str, dict[str, Any]]:
    about = {} if args is None else {"args": args}
    return "request_approval", {"gate_id": None, "action": action, **about}


ESCALATE = ("escalate", {"reason": "not mine to decide"})
REFUSE = ("refuse", {"reason": "must not be done"})
TIGHT = Budget(actions=1)
