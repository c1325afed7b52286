"""What a person typed at a task, made into a command.

A line is `help`, `tools`, `budget`, `look`, `quit`, `say …`, `answer …`, or a tool's name followed by its arguments:
as JSON (`move {"to": "harbour"}`), as `name=value` pairs (`move to=harbour`), or bare where the tool takes one
argument (`move harbour`). A tool whose name is one of the words can be called as `call help …`. Anything else is a
`Mistyped` with one friendly sentence; nothing typed can raise anything else.
"""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from proctor.agents.drawing import resolve
from proctor.spec.task import ToolSpec

Word = Literal["help", "tools", "budget", "look", "quit", "say", "answer"]
WORDS: tuple[Word, ...] = ("help", "tools", "budget", "look", "quit", "say", "answer")
_ALSO: dict[str, Word] = {"?": "help", "exit": "quit", "submit": "answer"}


class Mistyped(Exception):
    """The line makes no sense; the message says what would."""


class Command(Struct, frozen=True):
    """One of the words, with whatever followed it."""

    word: Word
    rest: str = ""


class Call(Struct, frozen=True):
    """A tool and its arguments."""

    tool: str
    arguments: dict[str, Any]


def read_line(line: str, tools: Sequence[ToolSpec]) -> Command | Call:
    """The command or call that a line means."""
    head, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    word = head.lower()
    if word == "call" and rest:
        head, _, rest = rest.partition(" ")
        return Call(head, read_arguments(rest.strip(), _tool(head, tools)))
    word = _ALSO.get(word, word)
    for known in WORDS:
        if word == known:
            return Command(known, rest)
    return Call(head, read_arguments(rest, _tool(head, tools)))


def read_arguments(text: str, tool: ToolSpec) -> dict[str, Any]:
    """The arguments that a text gives for a tool."""
    if text.startswith("{"):
        return _from_json(text, tool)
    names = list(tool.parameters.get("properties", {}))
    if not text:
        return {}
    name, equals, _ = text.partition("=")
    if not equals or name.strip() not in names:
        sole = list(tool.parameters.get("required", ())) or names
        if len(sole) == 1 and (not equals or not name.strip().isidentifier()):
            return {sole[0]: _value(_unquoted(text), sole[0], tool)}
    return _from_pairs(text, names, tool)


def read_answer(text: str) -> Any:
    """The answer that was typed: JSON if it is JSON, else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def usage(tool: ToolSpec) -> str:
    """How to type a call of a tool, e.g. `move to=<string> [fast=<boolean>]`; few choices are written out."""
    required = set(tool.parameters.get("required", ()))
    parts = [tool.name]
    for name, schema in tool.parameters.get("properties", {}).items():
        resolved = resolve(schema, tool.parameters)
        part = f"{name}=<{_choices(resolved) or _type_name(resolved)}>"
        parts.append(part if name in required else f"[{part}]")
    return " ".join(parts)


def _tool(name: str, tools: Sequence[ToolSpec]) -> ToolSpec:
    for tool in tools:
        if tool.name == name:
            return tool
    near = difflib.get_close_matches(name, [*(tool.name for tool in tools), *WORDS], 1)
    hint = f"did you mean '{near[0]}'?" if near else "type 'help' to see what there is."
    message = f"There is no tool or command '{name}'; {hint}"
    raise Mistyped(message)


def _from_json(text: str, tool: ToolSpec) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        message = f"That is not valid JSON ({error}). Try: {usage(tool)}"
        raise Mistyped(message) from None
    if not isinstance(value, dict):  # pragma: no cover - text starts with a brace
        message = f"Arguments are a JSON object. Try: {usage(tool)}"
        raise Mistyped(message)
    return value


def _from_pairs(text: str, names: list[str], tool: ToolSpec) -> dict[str, Any]:
    try:
        pieces = shlex.split(text)
    except ValueError as error:
        message = f"A quotation mark is missing ({error}). Try: {usage(tool)}"
        raise Mistyped(message) from None
    arguments: dict[str, Any] = {}
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if not equals or name not in names:
            message = f"'{piece}' is not one of its arguments written as name=value. Try: {usage(tool)}"
            raise Mistyped(message)
        arguments[name] = _value(value, name, tool)
    return arguments


def _value(text: str, name: str, tool: ToolSpec) -> Any:
    """The text as the type its parameter has: text stays text, everything else is read as JSON."""
    kind = _type_name(resolve(tool.parameters.get("properties", {}).get(name, {}), tool.parameters))
    if kind == "string" or (kind in ("value", "string or null") and not text.startswith(("{", "["))):
        return text
    try:
        return json.loads(text.lower() if kind == "boolean" else text)
    except ValueError:
        nested = kind.startswith(("array", "object"))
        form = f'{tool.name} {{"{name}": …}}, all arguments as JSON' if nested else usage(tool)
        message = f"'{name}' should be {_article(kind)}, and '{text}' is not. Try: {form}"
        raise Mistyped(message) from None


_MAX_CHOICES = 60
"""Characters of choices that are written out in a line."""


def _choices(schema: dict[str, Any]) -> str:
    """The values there are to choose from, e.g. `heat|cool|off`; empty where there are none, or too many to list."""
    options = [schema, *schema.get("anyOf", ())]
    text = "|".join(str(value) for option in options for value in option.get("enum") or () if value is not None)
    return text if len(text) <= _MAX_CHOICES else ""


def _type_name(schema: dict[str, Any]) -> str:
    if schema.get("enum"):
        texts = all(isinstance(item, str) for item in schema["enum"])
        return "string" if texts else "value"
    if schema.get("anyOf"):
        return " or ".join(str(part.get("type", "value")) for part in schema["anyOf"])
    return str(schema.get("type", "value"))


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
