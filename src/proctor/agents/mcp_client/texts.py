"""The task as a client reads it, and the tools beside those of the task: to read it, to hand in, to wait for the next.

Where clients look for a task differs, so it stands in the server's instructions, in the prompt `task`, in the resource
`task://current` and in what the tool `read_task` gives.
"""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from msgspec import Struct

from proctor.spec.task import Budget, Observation, TaskView, ToolSpec

RESOURCE: Final = "task://current"
PROMPT: Final = "task"
_NOTHING: Final = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
_SUBMISSION: Final = {
    "type": "object",
    "properties": {
        "answer": {"description": "The answer, in the format that the task asks for: any JSON value."},
        "confidence": {
            "description": "How sure you are that it is right, from 0 to 1.",
            "type": ["number", "null"],
            "minimum": 0,
            "maximum": 1,
        },
        "claims": {
            "description": "What you say that you did; may be left out.",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"action": {"type": "string"}, "target": {}, "result": {}},
                "required": ["action"],
            },
        },
    },
    "required": ["answer"],
    "additionalProperties": False,
}


class OwnTools(Struct, frozen=True):
    """The names of our own tools: none that a tool of the task has."""

    submit: str
    read: str
    wait: str

    @classmethod
    def beside(cls, tools: tuple[ToolSpec, ...]) -> OwnTools:
        """Names that are free."""
        taken = {tool.name for tool in tools}
        return cls(*(_free(name, taken) for name in ("submit", "read_task", "next_task")))

    def specs(self, *, stays: bool) -> tuple[ToolSpec, ...]:
        """The tools as clients see them."""
        end = f"Afterwards {self.wait} gives the next task." if stays else "Afterwards nothing more is to be done."
        specs = [
            ToolSpec(self.submit, f"Hand in your answer, once. This ends the task. {end}", _SUBMISSION, "write"),
            ToolSpec(
                self.read, "Read the task: goal, answer format, what is shown, what may be spent.", _NOTHING, "read"
            ),
        ]
        if stays:
            text = "Wait for the next task and read it, with its list of tools. To be called once a task is handed in."
            specs.append(ToolSpec(self.wait, text, _NOTHING, "read"))
        return tuple(specs)


def _free(name: str, taken: set[str]) -> str:
    for candidate in (name, f"proctor_{name}"):
        if candidate not in taken:
            return candidate
    return next(found for number in range(2, 1000) if (found := f"proctor_{name}_{number}") not in taken)


def task_fields(task: TaskView, observations: list[Observation], left: Budget, own: OwnTools) -> dict[str, Any]:
    """The task as JSON: as on the wire, with what was shown and what is left."""
    fields: dict[str, Any] = msgspec.to_builtins(task)
    fields["budget"] = msgspec.to_builtins(left)
    fields["observations"] = [msgspec.to_builtins(shown) for shown in observations if shown.call is None]
    fields["submit_with"] = own.submit
    valid: dict[str, Any] = valid_text(fields)
    return valid


def task_text(fields: dict[str, Any], *, stays: bool) -> str:
    """The task to be read by a person or a model."""
    shown = "\n".join(plain(observation["fields"]) for observation in fields["observations"])
    left = ", ".join(f"{name}: {number}" for name, number in fields["budget"].items()) or "no declared limit"
    after = " Then ask for the next task." if stays else ""
    return (
        f"# Task\n\n{fields['goal']}\n\n# Answer format\n\n{fields['answer_format']}\n\n# What is shown\n\n{shown}\n\n"
        f"# What may be spent\n\n{left}\n\n# How to work\n\nCall the tools of this server to look and to act. Hand in "
        f"your answer with the tool `{fields['submit_with']}`, once; that ends the task.{after}\n"
    )


def plain(value: Any) -> str:
    """A value as text: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def valid_text(value: Any) -> Any:
    """The same value; where a world shows text that is no valid Unicode, with a mark in the place of what is not."""
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return _replaced(value)
    return value


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_replaced(name): _replaced(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(part) for part in value]
    return value
