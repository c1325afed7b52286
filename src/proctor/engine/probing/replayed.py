"""What a solver did in an episode, and the same done again with one thing different."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from proctor.agents.contract import Session
from proctor.core.canonical import unchain
from proctor.core.errors import LimitReached
from proctor.engine.probing.alterations import near_misses, written
from proctor.evidence.events import Called, Event, Observed, StateWritten, Submitted
from proctor.spec.task import Claim, Submission, TaskView, ToolSpec

MAX_CALLS = 10
"""Calls of one solution that are skipped and altered, one at a time."""
MAX_VALUES = 3
"""Other values that one argument of one call is given."""
MAX_STRUCTURED = 16
"""The same of an argument that is a list or an object."""
MAX_ANSWERS = 24
"""Near misses of one answer that are handed in."""
_WORD = re.compile(r"[\w.:/-]*\w")


class Act(Struct, frozen=True):
    """A tool call, or (`tool` is None) a write to the agent's named state."""

    tool: str | None
    arguments: dict[str, Any]


class Turn(Struct, frozen=True):
    """What one agent did in one session: a hand-over makes two turns of an episode."""

    acts: tuple[Act, ...]
    submission: Submission


Solution = tuple[Turn, ...]


class Replay:
    """An agent that carries out a solution, whatever its calls answer."""

    def __init__(self, solution: Solution) -> None:
        self._turns = iter(solution)

    async def run(self, task: TaskView, session: Session) -> Submission:
        turn = next(self._turns, Turn((), Submission()))
        try:
            for act in turn.acts:
                if act.tool is None:
                    for name, value in act.arguments.items():
                        session.state.write(name, value)
                else:
                    await session.call(act.tool, **act.arguments)
        except LimitReached:
            pass  # A changed solution may be longer than the budget; what it did by then is judged.
        return turn.submission


def solution_of(events: Iterable[Event]) -> Solution:
    """The solution that a trace records; every first observation of a session begins a turn."""
    turns: list[Turn] = []
    for event in events:
        if isinstance(event, Observed):
            turns.append(Turn((), Submission()))
        elif isinstance(event, Called):
            turns[-1] = replace(turns[-1], acts=(*turns[-1].acts, Act(event.tool, unchain(event.arguments))))
        elif isinstance(event, StateWritten):
            written = Act(None, {event.field: unchain(event.value)})
            turns[-1] = replace(turns[-1], acts=(*turns[-1].acts, written))
        elif isinstance(event, Submitted):
            confidence = None if event.confidence is None else float(event.confidence)
            turns[-1] = replace(turns[-1], submission=Submission(unchain(event.answer), confidence))
    return tuple(turns)


class Setting(Struct, frozen=True):
    """What is known of the task a solution belongs to: where plausible wrong values come from."""

    answer_schema: dict[str, Any]
    tools: tuple[ToolSpec, ...]
    text: str
    """Everything that was shown, as text."""

    def others(self, act: Act, name: str) -> Iterator[Any]:
        """Values that an argument might have had instead, the most plausible first."""
        value = act.arguments[name]
        parameters: dict[str, Any] = next((tool.parameters for tool in self.tools if tool.name == act.tool), {})
        schema: dict[str, Any] = parameters.get("properties", {}).get(name, {})
        if isinstance(value, str) and "enum" not in schema:
            yield from _alike(value, self.text)
        yield from near_misses(value, schema)


def tampered_solutions(solution: Solution, setting: Setting) -> Iterator[tuple[str, Solution]]:
    """The solution with one call skipped, with one argument changed, or with another answer; each with its label."""
    for number, turn in enumerate(solution):
        for at in _telling(turn.acts):
            before, act, after = turn.acts[:at], turn.acts[at], turn.acts[at + 1 :]
            yield f"skip {number}.{at}", _with(solution, number, replace(turn, acts=(*before, *after)))
            for label, changed in _altered(act, turn.acts, setting):
                altered = replace(turn, acts=(*before, changed, *after))
                yield f"alter {number}.{at}.{label}", _with(solution, number, altered)
        if len(turn.acts) > 1:
            yield f"first half {number}", _with(solution, number, replace(turn, acts=turn.acts[: len(turn.acts) // 2]))
            yield f"repeat {number}", _with(solution, number, replace(turn, acts=(*turn.acts, turn.acts[-1])))
            yield f"reverse {number}", _with(solution, number, replace(turn, acts=turn.acts[::-1]))
        for sure in (0.1, 0.9):
            claims = (Claim("checked", "everything", "right"),)
            confident = replace(turn, submission=Submission(turn.submission.answer, sure, claims))
            yield f"confidence {number}.{sure}", _with(solution, number, confident)
        answers: list[Any] = list(islice(near_misses(turn.submission.answer, setting.answer_schema), MAX_ANSWERS))
        if answers and turn.submission.answer is not None:
            answers += written(turn.submission.answer, answers[0])
        for index, answer in enumerate([*answers, None, "no idea"]):
            yield f"answer {number}.{index}", _with(solution, number, replace(turn, submission=Submission(answer)))


def with_answer(solution: Solution, answer: Any) -> Solution:
    """The solution with something else handed in at its end."""
    return (*solution[:-1], replace(solution[-1], submission=Submission(answer))) if solution else ()


def _with(solution: Solution, number: int, turn: Turn) -> Solution:
    return (*solution[:number], turn, *solution[number + 1 :])


def _telling(acts: Sequence[Act]) -> list[int]:
    """The first and last call of every tool, then others evenly spread: at most `MAX_CALLS` positions, ascending."""
    first: dict[str | None, int] = {}
    last: dict[str | None, int] = {}
    for at, act in enumerate(acts):
        first.setdefault(act.tool, at)
        last[act.tool] = at
    step = max(1, len(acts) // MAX_CALLS)
    chosen = dict.fromkeys((*first.values(), *last.values(), *range(0, len(acts), step)))
    return sorted(islice(chosen, MAX_CALLS))


def _altered(act: Act, acts: Sequence[Act], setting: Setting) -> Iterator[tuple[str, Act]]:
    """Up to `MAX_VALUES` other values for each argument: what another call gave there, then what is plausible."""
    for name, value in act.arguments.items():
        elsewhere = (other.arguments[name] for other in acts if other.tool == act.tool and name in other.arguments)
        different = _distinct(other for other in chain(elsewhere, setting.others(act, name)) if other != value)
        most = MAX_STRUCTURED if isinstance(value, list | dict) else MAX_VALUES
        for index, other in enumerate(islice(different, most)):
            yield f"{name}.{index}", Act(act.tool, {**act.arguments, name: other})


def _distinct(values: Iterable[Any]) -> Iterator[Any]:
    seen: set[bytes] = set()
    for value in values:
        key = msgspec.json.encode(value)
        if key not in seen:
            seen.add(key)
            yield value


def _alike(value: str, text: str) -> Iterator[str]:
    """Words of the text that have the same form: `K4` for `M7`, a date for a date."""
    form = _form(value)
    yield from (word for word in _WORD.findall(text) if word != value and _form(word) == form)


def _form(word: str) -> str:
    return "".join("9" if c.isdigit() else "A" if c.isupper() else "a" if c.islower() else c for c in word)
