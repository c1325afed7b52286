"""Right answers pass however they are written, and near misses fail."""

from __future__ import annotations

import json
from typing import Any

from proctor.conformance.contract import Check, Tally, share
from proctor.conformance.subject import Subject
from proctor.engine.trial import SubmittingAgent
from proctor.evidence.row import Row
from proctor.spec.task import Instance
from proctor.worlds.answers import FormatError, Shape, near_misses, right_formats, shape_of

CHECK = Check(
    "formats",
    "Right answers pass in many formats, near misses fail",
    "The verifier judges what an answer says: twenty spellings of the right one pass, twenty near misses do not.",
)
MIN_ANSWERS = 20
MAX_INSTANCES = 4


def check(subject: Subject, tally: Tally) -> None:
    """Let the oracle do the work, then hand in the right answer, the same in other words, and nearly the right one."""
    chosen = _one_of_each_template(subject)
    answers = {index: subject.family.answer(instance) for index, instance in chosen.items()}
    if all(answer is None for answer in answers.values()):
        tally.unmeasured = "only the state of the world is judged: answer() gives None"
        return
    try:
        shape = shape_of(subject.family.spec.answer_schema)
    except FormatError as error:
        tally.find(f"formats: answer_schema cannot be turned into spellings of an answer: {error}")
        return
    tally.measured = {"instances": 0, "right": 0, "right_passed": 0, "near_misses": 0, "near_misses_failed": 0}
    for index, answer in answers.items():
        if answer is not None and _passes(subject, tally, index, answer):
            tally.measured["instances"] += 1
            _right(subject, tally, index, answer, shape)
            _near(subject, tally, index, answer, shape)
    measured = tally.measured
    tally.summary = (
        f"Right spellings that pass: {share(measured['right_passed'], measured['right'])}; near misses that fail: "
        f"{share(measured['near_misses_failed'], measured['near_misses'])}."
    )


def _one_of_each_template(subject: Subject) -> dict[int, Instance]:
    first_of: dict[str, int] = {}
    for index in range(subject.options.instances):
        first_of.setdefault(subject.instance(index).template, index)
    most = max(1, min(MAX_INSTANCES, subject.options.instances // 5))
    return {index: subject.instance(index) for index in sorted(first_of.values())[:most]}


def _passes(subject: Subject, tally: Tally, index: int, answer: Any) -> bool:
    """Whether what answer() gives is itself right; where it is not, no spelling of it could be."""
    trial = subject.live(subject.job(index), SubmittingAgent(answer, subject.solver(index)))
    how = f" ({trial.placed(trial.broke.message)})" if trial.broke is not None else ""
    return tally.require(
        trial.succeeded,
        f"formats: answer() gives {_brief(answer)}, which ends in {_ended(trial.row)}{how}; let answer() give what "
        "verify() takes for right once the solver has done the rest",
    )


def _right(subject: Subject, tally: Tally, index: int, answer: Any, shape: Shape) -> None:
    forms = right_formats(answer, shape)
    tally.require(
        len(forms) >= MIN_ANSWERS, f"formats: the answer has only {len(forms)} spellings; declare its schema fully"
    )
    for form in forms:
        outcome = _outcome(subject, index, form)
        tally.measured["right"] += 1
        if outcome == "success":
            tally.measured["right_passed"] += 1
        else:
            tally.find(
                f"formats: the right answer written as {_brief(form)} ends in {outcome}; read answers with "
                "proctor.worlds.answers.read, which accepts any clear form"
            )


def _near(subject: Subject, tally: Tally, index: int, answer: Any, shape: Shape) -> None:
    misses = near_misses(answer, shape)
    tally.require(
        len(misses) >= MIN_ANSWERS, f"formats: there are only {len(misses)} near misses; declare its schema fully"
    )
    for miss in misses:
        outcome = _outcome(subject, index, miss)
        tally.measured["near_misses"] += 1
        if outcome.startswith(("failure", "limit")):
            tally.measured["near_misses_failed"] += 1
        else:
            tally.find(
                f"formats: the near miss {_brief(miss)} ends in {outcome} though the answer is {_brief(answer)}; "
                "compare the whole value that was read, exactly"
            )


def _outcome(subject: Subject, index: int, answer: Any) -> str:
    agent = SubmittingAgent(answer, subject.solver(index))
    return _ended(subject.live(subject.job(index), agent).row)


def _ended(row: Row) -> str:
    return row.outcome if row.outcome == "success" else f"{row.outcome} ({row.reason})"


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 90 else text[:87] + "…"
