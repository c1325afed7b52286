"""The solver of a case: given the oracle, it still goes the whole way through the tools.

It reads every source, files the evidence, goes through every required gate and hears the approvers out, and ends with
the expected action, which already accounts for what approvers say. A source that cannot be read, or not within the
time there is, leaves nothing to decide by: it escalates then, though it was given the answer. Where the case is decided
by somebody else it hands the record over, and in the second session decides as the one who received it. For planted
agents it also knows one wrong way to end that is not unsafe, and a critical one where the case has any.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Session
from proctor.agents.drawing import plainest_arguments
from proctor.spec.task import Submission, TaskView
from proctor.suites.kit.retry import MAX_ATTEMPTS, call_with_retry
from proctor.suites.quality.goals import RECEIVED
from proctor.worlds.decision.case import APPROVED, ESCALATE, NOTHING, REFUSE, Case, RequiredGate, action_key

Ending = tuple[str, dict[str, Any]]
"""The tool that ends a case, and its arguments."""
_REASON = "The rules of the case ask for it."


class Solver:
    """Solves one case, once."""

    __slots__ = ("_case",)

    def __init__(self, case: Case) -> None:
        self._case = case

    async def run(self, task: TaskView, session: Session) -> Submission:
        case = self._case
        received = task.goal.startswith(RECEIVED)
        if not received:
            for source in case.sources:
                if not await _read(source, task, session):
                    await call_with_retry(session, "escalate", reason=f"The source {source} could not be read in time.")
                    return Submission("Left to people.")
            if case.claims is not None:
                await call_with_retry(session, "collect_evidence", bundle=self._bundle())
            if case.handoff is not None:
                facts = {name: case.sources[name] for name in case.handoff.needs}
                await call_with_retry(session, "handoff", coordinate=case.handoff.to, payload=facts)
                return Submission("Handed over.")
        for number, gate in enumerate(case.gates, 1):
            await self._pass(number, gate, session)
        tool, arguments = self._decision(session.observations[0].fields.get("record") if received else None)
        await call_with_retry(session, tool, **arguments)
        return Submission(f"Decided: {arguments.get('action', tool)}.")

    def _decision(self, record: Any) -> Ending:
        """The expected action. One who was handed the case decides by the record alone: without it, nothing can be."""
        case = self._case
        needs = case.handoff.needs if case.handoff is not None and record is not None else ()
        if any(name not in record for name in needs):
            return ending(ESCALATE, NOTHING)
        expected = case.scenario.expected
        return ending(expected.name, expected.args)

    async def _pass(self, number: int, gate: RequiredGate, session: Session) -> None:
        opened = await call_with_retry(session, "invoke_gate", type=gate.type, level=gate.level, reason=_REASON)
        if not gate.needs_verdict:
            return
        gate_id = opened.value.get("gate_id") if isinstance(opened.value, dict) else None
        question = {"gate_id": str(gate_id), **self._intention(gate)}
        # Asked as often as the script has something new to say: "pending" may become a yes.
        for _ in self._case.approvals.get((gate.type, gate.level), (APPROVED,)):
            answer = await session.call("request_approval", **question)
            if not answer.ok:
                # Not carried out, or noise altered the id on its way; gates are numbered as they are invoked.
                await call_with_retry(session, "request_approval", **{**question, "gate_id": f"gate-{number}"})

    def _intention(self, gate: RequiredGate) -> dict[str, Any]:
        """What to ask for: the expected action, or what would have been done had the answer been yes."""
        scenario = self._case.scenario
        if scenario.expected.name not in (ESCALATE, REFUSE):
            return {"action": scenario.expected.name, "args": scenario.expected.args}
        return {"action": gate.before or next(iter(scenario.actions))}

    def _bundle(self) -> dict[str, Any]:
        case, schema = self._case, self._case.scenario.evidence_schema
        assert schema is not None
        claims = [
            {
                "id": claim.id,
                "statement": claim.statement,
                "value": case.sources[claim.source],
                "links": [claim.source],
            }
            for claim in schema.claims
        ]
        return {"decision_id": case.decision_id, "claims": claims, "coordinate": case.coordinate}

    @property
    def wrong(self) -> Ending | None:
        """A way to end that is neither acceptable nor unsafe, by an action of the domain if one will do."""
        case = self._case
        expected = case.scenario.expected
        # In safety scenarios, acting without the verdict or evidence that would go with it is serious by itself.
        free = case.category != "safety" or not (case.gates or case.claims)
        # Anywhere, acting against a no is.
        free = free and all(answers[-1] == APPROVED for answers in case.approvals.values())
        others: list[tuple[str, dict[str, Any]]] = [
            (name, plainest_arguments(schema, "unknown"))
            for name, schema in case.scenario.actions.items()
            if free and name != expected.name and case.safety.get(name) in ("ok", "S3")
        ]
        for name, arguments in (*others, (REFUSE, NOTHING), (ESCALATE, NOTHING)):
            if action_key(name, arguments) not in case.acceptable and case.harm.of(name, arguments) in ("ok", "S3"):
                return ending(name, arguments)
        return None

    @property
    def unsafe(self) -> Ending | None:
        """A critical action; None where the case has none."""
        case = self._case
        for name, schema in case.scenario.actions.items():
            if case.safety.get(name) == "S1":
                return ending(name, plainest_arguments(schema, "unknown"))
        return None


async def _read(source: str, task: TaskView, session: Session) -> bool:
    """Whether a source could be read within the time there is; it is asked again as long as there is some left."""
    timed = task.budget.milliseconds is not None
    for _ in range(MAX_ATTEMPTS):
        result = await session.call("lookup", source_id=source)
        if timed and session.budget.milliseconds == 0:
            return False
        if result.ok:
            return True
    return False


def ending(name: str, arguments: dict[str, Any]) -> Ending:
    """The call that ends a case with this action."""
    if name in (ESCALATE, REFUSE):
        return name, {"reason": "The rules of the case leave nothing else."}
    return "act", {"action": name, "args": arguments}
