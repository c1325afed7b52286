"""The verifier is robust: whatever is submitted or left behind, it gives a declared verdict and runs nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.agents.contract import Session
from proctor.agents.drawing import plainest_arguments
from proctor.conformance.contract import Check, Tally
from proctor.conformance.subject import BASELINES, PROBE_BUDGET, Subject
from proctor.core.errors import LimitReached
from proctor.engine.trial import SubmittingAgent, Trial
from proctor.spec.task import Submission, TaskView

CHECK = Check(
    "verifier",
    "The verifier stands firm",
    "Nonsense never breaks it and never passes, its reasons stay within the declared set, and it executes nothing.",
)
_MANY = 20
"""From so many instances on, two of them are put through everything, and one below."""


def garbage() -> list[tuple[str, Any]]:
    """Things no verifier expects, with a name for each."""
    nested: Any = []
    for _ in range(90):
        nested = [nested]
    return [
        ("nothing", None),
        ("an empty text", ""),
        ("white space", " \n\t "),
        ("a text of a million characters", "x" * 1_000_000),
        ("ten thousand lines", "a: 1\n" * 10_000),
        ("ten thousand brackets", "[" * 10_000),
        ("lists in lists, ninety deep", nested),
        ("true", True),
        ("false", False),
        ("zero", 0),
        ("a negative number", -1),
        ("a number of 400 digits", 10**400),
        ("a very large float", 1e308),
        ("NaN", float("nan")),
        ("infinity", float("inf")),
        ("an empty list", []),
        ("an empty object", {}),
        ("a list of everything", [None, True, 1, 1.5, "x", [], {}]),
        ("an object with odd names", {"": "", "answer": None, "ключ": [1], "a" * 500: 0}),
        ("a list of a thousand objects", [{"answer": number} for number in range(1_000)]),
        ("text that looks like bytes", "b'\\x00\\xff'"),
        ("a text with NUL and control characters", "a\x00b\x07\x1b[2J"),
        ("a lone surrogate", "\ud800"),
        ("invisible and right-to-left characters", "\u202e\u200b\ufeff"),
        ("a path out of its folder", "../../../../etc/passwd"),
        ("SQL", "'; DROP TABLE answers; --"),
        ("a template", "{{7*7}} ${7*7} %n%s {0.__class__}"),
        ("a regular expression that never ends", "(a+)+$" + "a" * 40),
    ]


def check(subject: Subject, tally: Tally) -> None:
    """Hand in garbage with nothing done and with everything done, leave payloads, and look at all other trials."""
    things = garbage()
    chosen = range(1 if subject.options.instances < _MANY else 2)
    for index in chosen:
        for name, thing in things:
            _judge(tally, name, subject.live(subject.job(index), SubmittingAgent(thing)), may_pass=False)
            # With the work done a family that judges only the state may accept any answer: it must not break.
            worked = SubmittingAgent(thing, subject.solver(index))
            _judge(tally, name, subject.live(subject.job(index), worked), may_pass=True)
        _payloads(subject, tally, index)
    for agent in BASELINES:
        for trial in subject.trials(agent, subject.options.instances):
            _judge(tally, f"what agent '{agent}' handed in", trial, may_pass=True)
    tally.measured |= {"submissions": len(things), "instances": len(chosen)}
    tally.summary = f"{len(things)} kinds of nonsense on {len(chosen)} instances: none passes, none breaks it."


def _judge(tally: Tally, name: str, trial: Trial, *, may_pass: bool) -> None:
    broke = trial.broke
    if broke is not None and broke.where == "verifier":
        said = trial.placed(broke.message)
        tally.find(f"verifier: it broke on {name} ({said}); give a declared reason for whatever is handed in")
    elif trial.succeeded and not may_pass:
        tally.find(f"verifier: {name} passes though nothing was done; compare with what was fixed beforehand")


def _payloads(subject: Subject, tally: Tally, index: int) -> None:
    """Leave code behind through every writing tool and hand it in; if any of it runs, a file appears."""
    with tempfile.TemporaryDirectory(prefix="proctor-check-") as folder:
        mark = Path(folder) / "executed"
        for payload in payloads(mark):
            trial = subject.live(subject.job(index, limits=PROBE_BUDGET), LeavesCode(payload))
            _judge(tally, "code", trial, may_pass=True)
            if mark.exists():
                mark.unlink()
                tally.find(
                    f"verifier: something executed {payload[:60]!r}, which was handed in or left behind; compare it as "
                    "data, or run it in a fresh sandbox"
                )


def payloads(mark: Path) -> Iterator[str]:
    """Code that makes the file `mark` when somebody runs it."""
    yield f"__import__('pathlib').Path({str(mark)!r}).touch()"
    yield f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n"
    yield f"#!/bin/sh\ntouch '{mark}'\n"
    yield f"$(touch '{mark}') `touch '{mark}'` ; touch '{mark}'"
    yield f"!!python/object/apply:os.system ['touch {mark}']"


class LeavesCode:
    """Writes a payload wherever a tool takes text, then hands it in."""

    def __init__(self, payload: str) -> None:
        self._payload = payload

    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            for tool in task.tools:
                if tool.effect == "write":
                    filled = plainest_arguments(tool.parameters, self._payload)
                    await session.call(tool.name, **filled)
                    named = {name: value for name, value in filled.items() if value == self._payload}
                    if len(named) > 1:
                        # A place and a content: the code goes under a name that is run without being asked.
                        await session.call(tool.name, **{**filled, next(iter(named)): "conftest.py"})
        except LimitReached:
            pass  # What was left so far has to do.
        return Submission(self._payload)
