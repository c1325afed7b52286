"""The tools a model is offered: those of the task, one to hand in, and where it keeps notes, two for them.

Providers take names of letters, digits, `_` and `-`, and schemas that are plain objects; where a world's tools have
others, the model sees them under a name and in a form that it can be given, and the world gets its own. Arguments are
checked by the session against the tool's real schema, whatever the model was shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any, Final

import msgspec

from proctor.models.contract import ModelTool
from proctor.spec.task import Claim, Submission, ToolSpec

SUBMIT, READ_NOTES, WRITE_NOTES = "submit", "read_notes", "write_notes"
_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME: Final = 64
_NOT_AT_TOP: Final = ("anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else", "$schema", "$id")
"""What providers do not take at the top of a schema of arguments."""
_MAX_DEPTH: Final = 64


class Unreadable(Exception):
    """Arguments that are no JSON object; the text says why, for the model."""


class Toolbox:
    """The tools of one task as one model sees them."""

    __slots__ = ("_worlds", "names", "offered", "read_notes", "submit", "write_notes")

    def __init__(self, specs: tuple[ToolSpec, ...], *, notes: bool) -> None:
        self._worlds: dict[str, str] = {}
        taken = {spec.name for spec in specs}
        tools: list[ModelTool] = []
        for spec in specs:
            name = _free(_NAME.sub("_", spec.name)[:_LONGEST_NAME] or "tool", taken - {spec.name})
            taken.add(name)
            self._worlds[name] = spec.name
            tools.append(_tool(name, spec))
        self.submit = _free(SUBMIT, taken)
        self.read_notes = _free(READ_NOTES, taken) if notes else None
        self.write_notes = _free(WRITE_NOTES, taken) if notes else None
        if self.read_notes is not None and self.write_notes is not None:
            tools += _note_tools(self.read_notes, self.write_notes)
        tools.append(_submit_tool(self.submit))
        self.offered = tuple(tools)
        self.names = tuple(tool.name for tool in tools)

    def world_name(self, name: str) -> str:
        """What the world calls a tool; a name that the model made up stays as it is."""
        return self._worlds.get(name, name)


def parse_arguments(text: str) -> dict[str, Any]:
    """The arguments of a call; no text at all means none. Raises `Unreadable` where they are no JSON object."""
    if not text.strip():
        return {}
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        message = f"they are not valid JSON ({error})"
        raise Unreadable(message) from None
    if not isinstance(value, dict):
        message = f"they are a JSON {_kind(value)}, not an object"
        raise Unreadable(message)
    if _too_deep(value):
        message = f"they are nested more than {_MAX_DEPTH} levels deep"
        raise Unreadable(message)
    return value


def parse_submission(text: str) -> Submission:
    """What is handed in. Raises `Unreadable` with one sentence where it does not have the form the tool asks for."""
    given = parse_arguments(text)
    if "answer" not in given:
        message = "`answer` is missing"
        raise Unreadable(message)
    confidence = given.get("confidence")
    if confidence is not None and (
        isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1
    ):
        message = "`confidence` is a number from 0 to 1, or left out"
        raise Unreadable(message)
    try:
        claims = msgspec.convert(given.get("claims") or [], tuple[Claim, ...])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        message = f"`claims` does not fit: {error}"
        raise Unreadable(message) from None
    return Submission(given["answer"], None if confidence is None else float(confidence), claims)


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or the first of `name_2`, `name_3` … that nobody has."""
    free, number = name, 1
    while free in taken:
        number += 1
        end = f"_{number}"
        free = name[: _LONGEST_NAME - len(end)] + end
    return free


def _tool(name: str, spec: ToolSpec) -> ModelTool:
    schema = {part: value for part, value in spec.parameters.items() if part not in _NOT_AT_TOP}
    schema["type"] = "object"
    schema.setdefault("properties", {})
    description = spec.description
    if any(part in spec.parameters for part in _NOT_AT_TOP[:-2]):
        description += f"\nIts arguments must also fit this JSON Schema: {json.dumps(spec.parameters)}"
    return ModelTool(name, description, schema)


def _submit_tool(name: str) -> ModelTool:
    return ModelTool(
        name,
        "Hand in your answer. This ends the task, so call it once, when everything else is done.",
        {
            "type": "object",
            "properties": {
                "answer": {"description": "Your answer: any JSON value, in the format the task asks for."},
                "confidence": {
                    "type": "number",
                    "minimum": 0,
                    "maximum": 1,
                    "description": "Optional: the probability, from 0 to 1, that this submission is judged a success.",
                },
                "claims": {
                    "type": "array",
                    "description": (
                        "Optional: statements about what happened, which are checked. action `tool`: the call with "
                        "the number `target` came back as `ok` or `failed` (result). action `observed`: the value "
                        "`result` was shown at `target`, a JSON pointer that begins with the number of the observation "
                        "(/0/… is the first one, /3/result/… what the observation 3 gave back). action `verified`: "
                        "what you hand in is right (`ok`) or not (`failed`)."
                    ),
                    "items": {
                        "type": "object",
                        "properties": {"action": {"type": "string"}, "target": {}, "result": {}},
                        "required": ["action"],
                    },
                },
            },
            "required": ["answer"],
        },
    )


def _note_tools(read: str, write: str) -> list[ModelTool]:
    return [
        ModelTool(
            read,
            "Read your own notes, which you keep from task to task. No call of the task's budget.",
            {"type": "object", "properties": {}},
        ),
        ModelTool(
            write,
            "Write your own notes, which you will see again in later tasks. No call of the task's budget.",
            {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "What to note."},
                    "append": {
                        "type": "boolean",
                        "description": "Add it at the end; otherwise it replaces all notes. Usually false.",
                    },
                },
                "required": ["text"],
            },
        ),
    ]


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "number"


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
