"""`check_model`: a chat model keeps its contract. It is sent a few short requests; a provider's model costs a little.

A model returns what went wrong instead of raising it, is recorded under a name without secrets, counts its tokens or
says that it cannot, and can be closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeVar

from proctor.conformance.contract import Body, Check, Conformance, Tally, examine_all
from proctor.core.canonical import canonical
from proctor.models.contract import (
    INTERFACE_ERRORS,
    ChatModel,
    Message,
    ModelString,
    ModelTool,
    Reply,
    Request,
    load_kind,
)

REPLIES = Check("replies", "It replies", "A request brings back a text, or an interface error; nothing raises.")
RECORD = Check("record", "Its record gives nothing away", "Name and details are plain JSON without option values.")
COUNTS = Check("counts", "It counts tokens or says it cannot", "Counts are whole numbers or missing, never a guess.")
BUDGET = Check("budget", "It keeps exact budgets", "An exact reply has exactly as many tokens as were asked for.")
TOOLS = Check("tools", "It calls tools by the contract", "Calls have names and ids of their own, or it takes no tools.")
CLOSES = Check("closes", "It can be let go of", "Closing twice is fine.")
MODEL_CHECKS = (REPLIES, RECORD, COUNTS, BUDGET, TOOLS, CLOSES)

_PLAIN = Request((Message("system", "Be brief."), Message("user", "Say yes or no.")), 0.2, None, 8, 1)
_EXACT = Request(_PLAIN.messages, 0.2, None, 8, 1, exact=True)
_LOOKUP = ModelTool(
    "lookup",
    "Looks up a record by its number.",
    {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
)
_WITH_TOOL = Request((Message("user", "Call lookup with number 3."),), max_tokens=64, seed=1, tools=(_LOOKUP,))
_SHORTEST_SECRET = 6
"""Option values shorter than this may turn up by chance."""

T = TypeVar("T")
Use = Callable[[ChatModel], Awaitable[T]]


def check_model(text: str, *, folder: Path | None = None, only: Iterable[str] | None = None) -> Conformance:
    """Put the model that a model string names through every check."""
    parsed = ModelString.parse(text)
    kind = load_kind(parsed.kind)
    root = folder or Path.cwd()
    if kind.check is not None:
        kind.check(parsed, root)
    subject = _Subject(parsed, lambda: kind.open(parsed, root))
    bodies: list[tuple[Check, Body]] = [
        (REPLIES, partial(_replies, subject)),
        (RECORD, partial(_record, subject)),
        (COUNTS, partial(_counts, subject)),
        (BUDGET, partial(_budget, subject)),
        (TOOLS, partial(_tools, subject)),
        (CLOSES, partial(_closes, subject)),
    ]
    return examine_all("model", parsed.named, bodies, only=only)


class _Subject:
    """The model under examination, opened anew for each use and let go of afterwards."""

    def __init__(self, text: ModelString, open_model: Callable[[], ChatModel]) -> None:
        self.text = text
        self._open = open_model

    def use(self, work: Use[T]) -> T:
        async def whole() -> T:
            model = self._open()
            try:
                return await work(model)
            finally:
                await model.close()

        return asyncio.run(whole())

    def ask(self, request: Request) -> Reply:
        return self.use(lambda model: model.ask(request))


def _replies(subject: _Subject, tally: Tally) -> None:
    reply = subject.ask(_PLAIN)
    tally.require(
        (reply.text is None) != (reply.error is None),
        "replies: a reply has a text or an error, and never both or neither",
    )
    tally.require(
        reply.error is None or reply.error in INTERFACE_ERRORS,
        f"replies: '{reply.error}' is no interface error; use one of {', '.join(INTERFACE_ERRORS)}",
    )
    tally.require(reply.attempts >= 1, "replies: a reply takes at least one attempt; count from 1")
    tally.summary = "A short request brought back " + (f"the error {reply.error}." if reply.error else "a text.")


def _record(subject: _Subject, tally: Tally) -> None:
    async def seen(model: ChatModel) -> tuple[str, Reply]:
        return model.name, await model.ask(_PLAIN)

    name, reply = subject.use(seen)
    tally.require(
        name == subject.text.named,
        f"record: it calls itself '{name}' and was asked for as '{subject.text.named}'; use kind and detail alone",
    )
    recorded = name.encode() + canonical(reply.details())
    leaked = [
        option
        for option, value in subject.text.options.items()
        if len(value) >= _SHORTEST_SECRET and value.encode() in recorded
    ]
    tally.require(not leaked, f"record: the value of {', '.join(leaked)} is on record; leave addresses and keys out")


def _counts(subject: _Subject, tally: Tally) -> None:
    async def counted(model: ChatModel) -> tuple[Reply, int | None, int | None]:
        return await model.ask(_PLAIN), model.tokens("one two"), model.tokens("one two three four")

    reply, short, long = subject.use(counted)
    for number in (reply.prompt_tokens, reply.completion_tokens, short, long):
        tally.require(
            number is None or (type(number) is int and number >= 0),
            f"counts: {number!r} is no number of tokens; give a whole number, or None where nobody counted",
        )
    if short is not None and long is not None:
        tally.require(0 < short < long, "counts: a longer text has no more tokens than a shorter one; count them")
    tally.summary = "It cannot count tokens, and says so." if short is None else f"'one two' has {short} tokens."


def _budget(subject: _Subject, tally: Tally) -> None:
    reply = subject.ask(_EXACT)
    if reply.error is not None or reply.completion_tokens is None:
        tally.unmeasured = f"nothing was counted ({reply.error or 'no usage'})"
        return
    tally.require(
        reply.completion_tokens == _EXACT.max_tokens,
        f"budget: asked for {_EXACT.max_tokens} tokens exactly it gave {reply.completion_tokens}; ignore end of text",
    )


def _tools(subject: _Subject, tally: Tally) -> None:
    reply = subject.ask(_WITH_TOOL)
    if reply.error is not None:
        tally.require(reply.error in INTERFACE_ERRORS, f"tools: '{reply.error}' is no interface error")
        tally.summary = "It takes no tools, and says so." if reply.error == "no_tools" else f"It gave {reply.error}."
        return
    ids = [call.id for call in reply.calls]
    tally.require(reply.text is not None, "tools: a reply that only calls has an empty text; None is for errors")
    tally.require(
        all(ids) and len(set(ids)) == len(ids), "tools: two calls share an id, or have none; each answer needs its own"
    )
    for call in reply.calls:
        tally.require(
            bool(call.name) and type(call.arguments) is str,
            f"tools: the call {call.name!r} has no name, or arguments that are no text; hand both on as written",
        )
    tally.summary = f"It was offered a tool and made {len(ids)} calls."


def _closes(subject: _Subject, tally: Tally) -> None:
    async def twice(model: ChatModel) -> None:
        await model.close()

    # What it raises becomes a finding at the boundary of the checks.
    subject.use(twice)
    tally.summary = "It was closed twice."
