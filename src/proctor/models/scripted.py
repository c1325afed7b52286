"""`scripted:FILE`: replies from a file or a list, for tests, demonstrations and results that were made elsewhere.

A file is `.jsonl` (one reply a line) or `.yaml`/`.json` (a list). An entry is a text (given to whatever is asked), or
an object with `reply` (a text, or any JSON value, which is written as JSON) and conditions: `when`, a text or list of
texts that must all occur in the request, `turn`, a number from 1 that counts the model's turns in the conversation,
and `error`, an interface error instead of a reply. `calls` is a list of tool calls, each with `name` and `arguments`
(an object, or a text that is sent as it is), with a `reply` or without. The first entry that fits answers; which one
does depends on the request alone, so that any number of workers give the same replies. Several replies in a list are
taken by the request's seed.

    {"turn": 1, "calls": [{"name": "read", "arguments": {"path": "a.txt"}}]}
    {"when": "hello from a.txt", "calls": [{"name": "submit", "arguments": {"answer": "hello"}}]}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.hashing import file_hash
from proctor.core.reading import read_text
from proctor.models.contract import (
    INTERFACE_ERRORS,
    ChatModel,
    InterfaceError,
    ModelCall,
    ModelKind,
    ModelString,
    Reply,
    Request,
)
from proctor.models.filler import filled_reply
from proctor.spec.documents import read_document

_KEYS = frozenset({"reply", "when", "error", "calls", "turn"})
_CALL_KEYS = frozenset({"name", "arguments", "id"})


class Line(Struct, frozen=True):
    """One entry of a script."""

    replies: tuple[str, ...]
    when: tuple[str, ...] = ()
    error: InterfaceError | None = None
    calls: tuple[ModelCall, ...] = ()
    """Those without an id get one that follows from the turn and their place."""
    turn: int | None = None


class Scripted:
    """Answers from a script."""

    def __init__(self, lines: list[Any], *, name: str = "scripted") -> None:
        self.name = name
        self._lines = [_line(entry, f"entry {number}") for number, entry in enumerate(lines, start=1)]

    async def ask(self, request: Request) -> Reply:
        said = "\n".join(message.content for message in request.messages)
        turn = 1 + sum(message.role == "assistant" for message in request.messages)
        for line in self._lines:
            if line.turn in (None, turn) and all(part in said for part in line.when):
                return self._reply(line, request, said, turn)
        return Reply(None, self.name, error="exhausted")

    def _reply(self, line: Line, request: Request, said: str, turn: int) -> Reply:
        if line.error is not None:
            return Reply(None, self.name, error=line.error)
        if line.calls and not request.tools:
            # A model that was offered none calls none.
            return Reply(None, self.name, error="exhausted")
        text = line.replies[(request.seed or 0) % len(line.replies)]
        if text and request.exact and request.max_tokens is not None:
            text = filled_reply(text, request.max_tokens, self.tokens)
        calls = tuple(
            ModelCall(call.id or f"call_{turn}_{place}", call.name, call.arguments)
            for place, call in enumerate(line.calls, start=1)
        )
        written = " ".join([text, *(f"{call.name} {call.arguments}" for call in calls)])
        return Reply(
            text if text or calls else None,
            self.name,
            prompt_tokens=self.tokens(said),
            completion_tokens=self.tokens(written),
            finish="tool_calls" if calls else "stop",
            error=None if text or calls else "empty",
            calls=calls,
        )

    def tokens(self, text: str) -> int:
        """Words: a script has no tokeniser, and counts the same everywhere."""
        return len(text.split())

    async def close(self) -> None:
        """Nothing to let go of."""


def read_script(path: Path) -> list[Any]:
    """The entries of a script file; anything unreadable is one sentence."""
    if path.suffix != ".jsonl":
        entries = read_document(path)
    else:
        try:
            text = read_text(path)
        except FileNotFoundError:
            message = f"{path}: there is no such file"
            raise InputError(message) from None
        except (OSError, UnicodeDecodeError) as error:
            message = f"{path}: cannot be read as text ({type(error).__name__}); scripts are UTF-8"
            raise InputError(message) from None
        entries = []
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                entries.append(json.loads(line))
            except (ValueError, RecursionError):
                message = f"{path}, line {number}: not JSON; write one text or object a line"
                raise InputError(message) from None
    if not isinstance(entries, list) or not entries:
        message = f"{path}: a script is a list of replies, with at least one"
        raise InputError(message)
    return entries


def _line(entry: Any, where: str) -> Line:
    if not isinstance(entry, dict):
        return Line((_text(entry),))
    if entry.keys() - _KEYS or ("reply" in entry or "calls" in entry) == ("error" in entry):
        message = (
            f"script, {where}: an object has `reply`, `calls` or both, or `error`, and `when` or `turn` if it is for "
            "some requests only"
        )
        raise InputError(message)
    when = entry.get("when", [])
    wanted = tuple(when) if isinstance(when, list) else (when,)
    if not all(isinstance(part, str) for part in wanted):
        message = f"script, {where}: `when` is a text, or a list of texts that all have to occur in the request"
        raise InputError(message)
    turn = entry.get("turn")
    if turn is not None and (type(turn) is not int or turn < 1):
        message = f"script, {where}: `turn` is a whole number from 1"
        raise InputError(message)
    if "error" in entry:
        if not isinstance(entry["error"], str) or entry["error"] not in INTERFACE_ERRORS:
            message = (
                f"script, {where}: '{entry['error']}' is no interface error; there are {', '.join(INTERFACE_ERRORS)}"
            )
            raise InputError(message)
        return Line((), wanted, cast(InterfaceError, entry["error"]), turn=turn)
    reply = entry.get("reply", "")
    replies = reply if isinstance(reply, list) and reply else [reply]
    return Line(tuple(_text(one) for one in replies), wanted, None, _calls(entry.get("calls", []), where), turn)


def _calls(entries: Any, where: str) -> tuple[ModelCall, ...]:
    made = []
    listed: list[Any] = entries if isinstance(entries, list) else [None]
    for entry in listed:
        known = isinstance(entry, dict) and not entry.keys() - _CALL_KEYS
        if not known or not isinstance(entry.get("name"), str) or not isinstance(entry.get("id", ""), str):
            message = f"script, {where}: `calls` is a list of objects with `name`, and `arguments` if it takes any"
            raise InputError(message)
        made.append(ModelCall(entry.get("id", ""), entry["name"], _text(entry.get("arguments", {}))))
    return tuple(made)


def _text(reply: Any) -> str:
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


def _path(text: ModelString, folder: Path) -> Path:
    text.known({})
    if not text.detail:
        message = "model 'scripted' needs a file: scripted:replies.jsonl, a .jsonl, .yaml or .json list of replies"
        raise InputError(message)
    return folder / text.detail


def _open(text: ModelString, folder: Path) -> ChatModel:
    return Scripted(read_script(_path(text, folder)), name=text.named)


def _check(text: ModelString, folder: Path) -> None:
    _open(text, folder)


def _source(text: ModelString, folder: Path) -> str | None:
    path = _path(text, folder)
    return file_hash(path) if path.is_file() else None


kind = ModelKind(
    name="scripted",
    description="Replies from a file, chosen by what the request contains.",
    open=_open,
    waits=False,
    label="scripted replies, not a model",
    check=_check,
    source=_source,
)
