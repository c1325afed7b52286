"""The chat model contract: a request goes in, a reply or a named interface error comes out.

    model = open_model("openai:gpt-4o-mini,base_url=http://127.0.0.1:8080/v1", folder)
    reply = await model.ask(Request(messages=(Message("user", "…"),), temperature=0.2))

A model never raises for what went wrong on the way to it: a reply without text carries one of `INTERFACE_ERRORS`.
Where going on is pointless (a refused key, an unknown model) its status tells, and `refusal` says what to do. Nothing
in a request, a reply or an error holds a key, a header or an address.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, Protocol, get_args

import msgspec
from msgspec import Struct, field

from proctor.core.canonical import chainable, encode
from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex
from proctor.plugins import registry

InterfaceError = Literal[
    "payload_not_object",
    "http_4xx",
    "http_5xx",
    "rate_limit",
    "timeout",
    "connection",
    "empty",
    "exhausted",
    "engine",
    "declined",
    "no_tools",
    "quota",
    "too_long",
]
INTERFACE_ERRORS: Final[dict[str, str]] = {
    "payload_not_object": "the response was not the object that the interface defines",
    "http_4xx": "the provider refused the request",
    "http_5xx": "the provider failed",
    "rate_limit": "the provider's rate limit was exceeded, even after waiting",
    "timeout": "nothing came back in time",
    "connection": "the provider could not be reached, or closed the connection",
    "empty": "a reply came back without text",
    "exhausted": "a script has no reply left for this request",
    "engine": "the model in this process failed",
    "declined": "the model or its provider declined to deal with the content",
    "no_tools": "the model or its server takes no tools",
    "quota": "the account's credit or quota is used up",
    "too_long": "the conversation does not fit into the model's context",
}
"""The closed set: every request that brings back no text is counted under one of these, and no other word."""
assert set(INTERFACE_ERRORS) == set(get_args(InterfaceError))

_MOVED: Final = "the provider sends on to another address; put that one into base_url"
_REFUSALS: Final = {
    301: _MOVED,
    302: _MOVED,
    307: _MOVED,
    308: _MOVED,
    401: "the provider refuses the key; set the right one in the environment variable the model reads it from",
    403: "the provider forbids this key to use the model; choose another model or key",
    404: "the provider knows no such model or address; see the model's name and base_url",
}
_POINTLESS: Final[dict[str, str]] = {
    "no_tools": "this model has no tool calling; choose one that has, or use `chat:`, which needs none",
    "quota": "the provider says that the account's credit or quota is used up; top it up, or use another key",
}

_PARAMETERS: Final[dict[str, str]] = {
    "temperature": "leave it out with omit=temperature",
    "top_p": "leave it out with omit=top_p",
    "seed": "leave it out with omit=seed",
    "max_tokens": "call it by its newer name with limit=max_completion_tokens",
    "max_completion_tokens": "call it by its older name with limit=max_tokens",
    "response_format": "let replies be free with form=free",
    "output_config": "let replies be free with form=free",
}
PARAMETERS: Final = tuple(_PARAMETERS)
"""What a provider may refuse by name."""

_MEASURED: Final = (
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "latency_ms",
    "status",
    "waited_ms",
    "at_once",
)

ROLES: Final = ("system", "user", "assistant", "tool")


class ModelTool(Struct, frozen=True):
    """A tool that a model may call."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments, an object."""


class ModelCall(Struct, frozen=True):
    """A call that a model asks for."""

    id: str
    """What its answer refers to."""
    name: str
    arguments: str
    """As the model wrote them: usually JSON, but nobody has checked."""

    def plain(self) -> dict[str, Any]:
        """The call as JSON."""
        return {"id": self.id, "name": self.name, "arguments": self.arguments}


class Message(Struct, frozen=True, omit_defaults=True):
    """One turn of a conversation."""

    role: str
    content: str
    calls: tuple[ModelCall, ...] = ()
    """What an assistant asked for."""
    answers: str = ""
    """The id of the call that a `tool` message answers."""
    kept: str = ""
    """Of an assistant's turn: its `Reply.kept`, which the provider wants back with it."""

    def plain(self) -> dict[str, Any]:
        """The message as JSON."""
        message: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.calls:
            message["calls"] = [call.plain() for call in self.calls]
        if self.answers:
            message["answers"] = self.answers
        if self.kept:
            message["kept"] = self.kept
        return message


class Request(Struct, frozen=True, omit_defaults=True):
    """All that determines what a model sees and how it is sampled."""

    messages: tuple[Message, ...]
    temperature: float | None = None
    """None: the provider's own."""
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    """Where an interface has none, it is left out; the same request then need not give the same reply."""
    exact: bool = False
    """The reply has exactly `max_tokens` tokens, end of text ignored."""
    form: dict[str, Any] | None = None
    """A JSON schema that the interface holds the reply to, where it can; None: the model replies as it likes."""
    tools: tuple[ModelTool, ...] = ()
    """What it may call. With several calls in one reply, each is answered before the next request."""
    replicate: str = ""
    """Who asks: an episode's nonce. Neither sent nor on record; replies are kept for one replicate and no other, and
    without it not at all."""

    def plain(self) -> dict[str, Any]:
        """The request as JSON, as it goes on record."""
        # By hand: this is part of what every episode pays for.
        request: dict[str, Any] = {"messages": [one.plain() for one in self.messages]}
        for name in ("temperature", "top_p", "max_tokens", "seed"):
            value = getattr(self, name)
            if value is not None:
                request[name] = value
        if self.exact:
            request["exact"] = True
        if self.form is not None:
            request["form"] = self.form
        if self.tools:
            request["tools"] = [msgspec.to_builtins(tool) for tool in self.tools]
        return request


class Reply(Struct, frozen=True):
    """What came back. Exactly one of `text` and `error` is None; a reply that only calls tools has an empty text."""

    text: str | None
    model: str = ""
    """As the provider names what answered."""
    prompt_tokens: int | None = None
    """None: nobody counted. Never a guess."""
    completion_tokens: int | None = None
    finish: str = ""
    """Why it ended: `stop`, `length`, or the provider's own word."""
    attempts: int = 1
    latency_ms: int | None = None
    """Of the attempt that counted; None where time is not real."""
    error: InterfaceError | None = None
    status: int | None = None
    """The HTTP status, where there was one."""
    calls: tuple[ModelCall, ...] = ()
    """What the model asks for, in its order."""
    cached_tokens: int | None = None
    """How many of the prompt's tokens the provider took from its own cache; None: it did not say."""
    waited_ms: int | None = None
    """How long the request waited for its turn, over all attempts; None: it did not, or time is not real."""
    at_once: int | None = None
    """How many requests its endpoint is sent at once by now; None: it never turned one away."""
    cached: bool = False
    """An earlier reply to the same request of the same replicate: nobody was asked."""
    kept: str = ""
    """What the provider wants back with this turn, as JSON: its reasoning, often sealed. Without it a model goes on
    without what it thought before its calls. Nobody else reads it."""
    parameter: str = ""
    """The parameter of ours that a provider named in refusing the request; empty where it named none."""

    def details(self) -> dict[str, Any]:
        """What differs between two runs of the same request; enters `seal` only."""
        details: dict[str, Any] = {"model": self.model, "attempts": self.attempts}
        for name in _MEASURED:
            value = getattr(self, name)
            if value is not None:
                details[name] = value
        if self.finish:
            details["finish"] = self.finish
        if self.cached:
            details["cached"] = True
        return details


class ChatModel(Protocol):
    """A live model, for one process."""

    @property
    def name(self) -> str:
        """What was asked for, as it goes on record: from the model string alone, without address or options."""
        ...

    async def ask(self, request: Request) -> Reply:
        """One reply."""
        ...

    def tokens(self, text: str) -> int | None:
        """How many tokens of this model a text has; None when the model cannot say."""
        ...

    async def close(self) -> None:
        """Let go of connections and memory."""
        ...


class ModelString(Struct, frozen=True):
    """A parsed model string: `kind[:detail][,key=value]`."""

    kind: str
    detail: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> ModelString:
        """`openai:gpt-4o-mini,base_url=http://…` → kind, detail, options."""
        head, *rest = text.split(",")
        kind, _, detail = head.partition(":")
        options: dict[str, str] = {}
        for piece in rest:
            name, equals, value = piece.partition("=")
            if not equals or not name.strip().isidentifier():
                message = f"model '{text}': '{piece}' is no option; write key=value"
                raise InputError(message)
            if name.strip() in options:
                message = f"model '{kind.strip()}': option '{name.strip()}' is given twice; give it once"
                raise InputError(message)
            options[name.strip()] = value
        return cls(kind.strip(), detail.strip(), options)

    @property
    def named(self) -> str:
        """Kind and detail: what goes on record."""
        return f"{self.kind}:{self.detail}" if self.detail else self.kind

    def known(self, options: dict[str, str]) -> None:
        """Refuse, in one sentence, options that the kind does not have; `options` maps each to its meaning."""
        for name in self.options:
            if name not in options:
                there = "; ".join(f"{option}: {meaning}" for option, meaning in options.items()) or "none"
                message = f"model '{self.named}' has no option '{name}'; there are {there}"
                raise InputError(message)


THINKING_ROOM: Final = 4096
"""`ModelKind.thoughts` of models behind an interface, which may think before they answer: such tokens count against the
limit, and an answer that gets none of it is cut off. Unused room costs nothing."""


class ModelKind(Struct, frozen=True):
    """One kind of chat model: what the plugin door `proctor.models` gives."""

    name: str
    description: str
    open: Callable[[ModelString, Path], ChatModel]
    """Make the model; relative paths start at the folder. Raises `InputError` when the string makes no sense."""
    waits: bool = True
    """Suspends while the model works, so that several requests can be under way."""
    label: str = ""
    """What must be said wherever a result of it appears; empty for a real model."""
    check: Callable[[ModelString, Path], None] | None = None
    """Called once before a run: refuse early and clearly. Contacts nobody."""
    source: Callable[[ModelString, Path], str | None] | None = None
    """SHA-256 over the files the string names; None where it names none."""
    label_of: Callable[[ModelString], str] | None = None
    """What the options of one model string oblige to say besides."""
    thoughts: int = 0
    """Completion tokens that a model of this kind may need before its answer begins: added to the room of an answer
    where nobody says how much there is to be."""


def load_kind(name: str) -> ModelKind:
    """The model kind of this name."""
    kind = registry.load("models", name)
    if not isinstance(kind, ModelKind):
        message = f"model '{name}' is registered but is not a ModelKind"
        raise InputError(message)
    return kind


def kind_of(text: ModelString) -> ModelKind:
    """The kind of a model as its string makes it: with all that must be said of its results."""
    kind = load_kind(text.kind)
    if kind.label_of is None or not (said := kind.label_of(text)):
        return kind
    return msgspec.structs.replace(kind, label=f"{kind.label}, {said}" if kind.label else said)


def open_model(text: str, folder: Path) -> ChatModel:
    """The model that a model string names."""
    parsed = ModelString.parse(text)
    return load_kind(parsed.kind).open(parsed, folder)


def refusal(name: str, status: int | None, error: str | None = None, parameter: str = "") -> str:
    """What to say of an answer after which asking this model again is pointless; empty for every other."""
    said = _POINTLESS.get(error or "") or _REFUSALS.get(status or 0)
    if not said and parameter:
        said = f"the provider does not take {parameter} as it is sent; {_PARAMETERS.get(parameter, 'leave it out')}"
    return "" if not said else f"{name}: {said} (HTTP {status})" if status else f"{name}: {said}"


def refusal_of(name: str, reply: Reply) -> str:
    """The same of a reply."""
    return refusal(name, reply.status, reply.error, reply.parameter)


def request_digest(request: dict[str, Any]) -> str:
    """SHA-256 over the bytes of a request as they go on record: what a replay finds its reply by."""
    return sha256_hex(encode(chainable(request)))
