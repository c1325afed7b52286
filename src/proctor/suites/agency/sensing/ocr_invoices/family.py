"""The family `ocr-invoices` (B.2.4, S4): vendor, amount and date of an invoice from scans full of errors.

Always: each value is on the paper at least twice, other companies, sums and days are on it too, every scan is a
function of its number, and all three values must be right. At `errors` 15 and under the regime `ocr-15`, whose noise
adds its own share, 15 % of the characters an agent is shown are wrong.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.sensing.ocr_invoices.bills import bill, money
from proctor.suites.agency.sensing.ocr_invoices.deciphering import deciphered
from proctor.suites.agency.sensing.ocr_invoices.papers import PAPERS
from proctor.suites.agency.sensing.ocr_invoices.texts import ANSWER_FORMAT, FIELDS, GOALS, NOTE, PASSES
from proctor.suites.agency.sensing.ocr_invoices.world import REASONS, SHAPE, ScanWorld, answer_of, scan_of
from proctor.suites.kit.ceiling import OutOfCalls
from proctor.suites.kit.rereading import Rereading
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(PAPERS)
_GOALS = tuple(goal.format(fields="\n- ".join(FIELDS)) + NOTE.format(passes="six") for goal in GOALS)
_BUDGET = Budget(actions=30)
BY_THE_BENCH = 13
"""Errors per mille characters that the noise of `ocr-15` adds to what is on the scans; measured by a test."""


class OcrInvoicesFamily:
    """Scans of eight kinds of paper."""

    spec = FamilySpec(
        id="ocr-invoices",
        title="Invoices through a bad scanner",
        description="Invoices, slips, bills and receipts with 15 % of their characters misread; three fields asked.",
        environment=EnvironmentClass(kind=EnvironmentKind.STOCHASTIC),
        evidences=("S4",),
        criterion="Vendor, amount and date all equal those of the invoice.",
        verification="The answer is read in any clear form and compared exactly with the invoice fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "errors": Knob(
                default=15,
                values=(0, 5, 10, 15, 20),
                description="Per cent of the characters that are misread, the noise of `ocr-15` included.",
            )
        },
        observation_schema={
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "register": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["text", "register"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        errors = draw.knobs.get("errors", 15)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(_GOALS)
        drawn = bill(stream)
        kind = PAPERS[template]
        paper = "\n".join(kind.lines(drawn, stream))
        per_mille = max(0, 10 * errors - BY_THE_BENCH)
        key = stream.hex(32)
        return Instance(
            template=template,
            goal=goal,
            answer_format=ANSWER_FORMAT,
            observation={"text": scan_of(paper, per_mille, key, 1), "register": drawn.register},
            hidden={
                "vendor": drawn.vendor,
                "cents": drawn.gross,
                "date": drawn.issued.isoformat(),
                "written": [drawn.vendor, money(drawn.gross), kind.day(drawn.issued)],
                "paper": paper,
                "per_mille": per_mille,
                "key": key,
            },
            knobs={"errors": errors},
            budget=_BUDGET,
            strict_actions=PASSES + 1,
        )

    def world(self, instance: Instance, place: Place) -> ScanWorld:
        return ScanWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return answer_of(instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """All scans are read once; every value has to come out of them by vote."""
        hidden = instance.hidden
        policy = Rereading(instance, deliveries)
        scans = [policy.shown({"text": instance.observation["text"]})["text"]]
        try:
            for number in range(2, PASSES + 1):
                text = scan_of(hidden["paper"], hidden["per_mille"], hidden["key"], number)
                seen = policy.read(text)
                scans.append(seen if seen is not None else policy.read(text) or "")
        except OutOfCalls:
            pass  # What was seen so far has to do.
        lines = hidden["paper"].split("\n")
        seen_lines = [scan.split("\n") for scan in scans]
        return all(deciphered(value, lines, seen_lines) for value in hidden["written"])


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "scan", number=2)
    return Submission(answer_of(instance), confidence=1.0)


family = OcrInvoicesFamily()
