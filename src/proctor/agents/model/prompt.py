"""What a model is told: the same plain words for every task, and nothing that helps with one more than with another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from proctor.models.contract import Message, ModelCall
from proctor.spec.task import Budget, TaskView

_MEANINGS: Final = {
    "actions": "tool calls of any kind",
    "queries": "calls of tools that only read",
    "tokens": "tokens of yours, prompts and replies together",
    "milliseconds": "milliseconds of the task's own clock, which tool calls take",
    "retries": "repeats of a call that failed",
    "cost": "what your replies may cost",
}

_ONE_LINE: Final = 80


def system_message(submit: str) -> Message:
    """The system prompt."""
    return Message(
        "system",
        "You carry out a task with tools. Call tools as often as you need; calls that do not depend on each other can "
        f"be made at once. When the task is done, call `{submit}` once with your answer in the format the task asks "
        "for: that ends the task. Only tool calls have an effect. Nobody reads or answers anything else you write.",
    )


def first_message(
    task: TaskView, budget: Budget, observation: dict[str, Any], state: dict[str, Any], notes: str | None
) -> Message:
    """Goal, answer format, budget and what is shown at the start; `notes` where the agent keeps some."""
    parts = [f"# Task\n{task.goal.strip()}", f"# Answer format\n{task.answer_format.strip()}"]
    limits = _limits(budget)
    if limits:
        lines = [f"- {name}: {value} ({_MEANINGS[name]})" for name, value in limits.items()]
        parts.append("\n".join(["# Budget", "When one of these is used up, the task ends.", *lines]))
    if notes is not None:
        parts.append(f"# Your notes from earlier tasks\n{notes or '(none yet)'}")
    if state:
        parts.append(f"# State\n{readable(state)}")
    parts.append(f"# Observation 0\n{readable(observation)}")
    return Message("user", "\n\n".join(parts))


def news_message(seq: int, fields: dict[str, Any]) -> Message:
    """Something shown without a call for it."""
    return Message("user", f"# Observation {seq}\nThis was shown without a call of yours.\n{readable(fields)}")


def last_result_message(calls: Sequence[ModelCall], answers: Sequence[dict[str, Any]]) -> Message:
    """What a model that forgets is told in place of the conversation: its last calls, and what they gave.

    Not as an assistant's turn: some providers want their own thoughts back with one, which would be a scratchpad.
    """
    told = [
        {"tool": call.name, "arguments": call.arguments, **answer} for call, answer in zip(calls, answers, strict=True)
    ]
    return Message("user", f"# Your last calls and their results\n{readable(told)}")


def reminder_message(submit: str, budget: Budget, *, cut: bool) -> Message:
    """What follows a reply without a call, once."""
    why = "Your reply was cut off at its limit of tokens before it called a tool." if cut else ""
    left = budget_left(budget)
    said = [
        why,
        f"No tool was called. Go on with a tool call, or hand in your answer with `{submit}`. If your next reply "
        "calls no tool either, its text is taken as your answer.",
        f"Budget left: {json.dumps(left)}" if left else "",
    ]
    return Message("user", " ".join(part for part in said if part))


def last_turn_message(submit: str) -> Message:
    """What stands before the last reply of an agent whose turns are limited."""
    return Message("user", f"This is your last turn: call `{submit}` now, or nothing is handed in.")


def budget_left(budget: Budget) -> dict[str, Any]:
    """What is left, of what is limited."""
    return _limits(budget)


def readable(value: Any, indent: str = "") -> str:
    """A JSON value over several lines; what is short stays on one."""
    short = json.dumps(value, ensure_ascii=False, default=str)
    if not isinstance(value, dict | list) or len(short) <= _ONE_LINE:
        return short
    inner = indent + "  "
    if isinstance(value, dict):
        names = {name: json.dumps(str(name), ensure_ascii=False) for name in value}
        lines = [f"{inner}{names[name]}: {readable(item, inner)}" for name, item in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{inner}{readable(item, inner)}" for item in value) + f"\n{indent}]"


def _limits(budget: Budget) -> dict[str, Any]:
    limits: dict[str, Any] = msgspec.to_builtins(budget)
    return limits
