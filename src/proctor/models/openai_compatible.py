"""`openai:NAME,base_url=…`: any server that speaks the chat completions interface, through the official client.

The key comes from an environment variable and goes nowhere but into the request's header: it is taken out of whatever a
server sends back, and no error carries a provider's own words. What fails for a passing reason is tried again, a few
times, with growing pauses or as late as the server asks; every attempt is counted. Nothing that a server sends back is
taken on trust: what has not the shape, the type or the size of a reply is none.
"""

from __future__ import annotations

import asyncio
import os
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from time import perf_counter_ns
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from proctor.core.errors import InputError
from proctor.models.contract import ChatModel, InterfaceError, ModelKind, ModelString, Reply, Request
from proctor.models.options import parse_number, parse_whole

KEY_VARIABLE: Final = "OPENAI_API_KEY"
BASE_URL: Final = "https://api.openai.com/v1"
_KNOWN: Final = {
    "base_url": "where the server is, e.g. http://127.0.0.1:8080/v1",
    "key_env": f"the environment variable that holds the key, usually {KEY_VARIABLE}",
    "timeout": "seconds one attempt may take, usually 60",
    "retries": "further attempts after a passing failure, usually 3",
    "limit": "what the server calls the limit on tokens: max_tokens or max_completion_tokens",
    "omit": "parameters the server does not take, separated by |, e.g. seed|top_p",
}
_LIMITS: Final = ("max_tokens", "max_completion_tokens")
_OMITTED: Final = ("temperature", "top_p", "seed")
_PASSING: Final = ("timeout", "connection", "rate_limit", "http_5xx")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0
_LONGEST_ASKED: Final = 120.0
"""Seconds that a server may ask to wait: limits are counted by the minute."""
_REDACTED: Final = "[key]"
_NO_KEY: Final = "none"
_SHORTEST_SECRET: Final = 8
"""Servers of one's own take any key, `x` say: that is no secret, and taking it out of replies would spoil them."""
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]*")
_LONGEST_REPLY: Final = 8_000_000
_LONGEST_WORD: Final = 200
_MAX_TOKENS: Final = 10**9


class Connection(Struct, frozen=True):
    """What an option string says about the way to a server."""

    model: str
    base_url: str = BASE_URL
    key_variable: str = KEY_VARIABLE
    timeout: float = 60.0
    retries: int = 3
    limit: str = "max_tokens"
    omit: tuple[str, ...] = ()
    first_pause: float = _FIRST_PAUSE

    @classmethod
    def read(cls, text: ModelString) -> Connection:
        """The connection, or one sentence on what is wrong with it. No message repeats an option's value that could
        be a secret."""
        text.known(_KNOWN)
        if not text.detail:
            message = (
                "model 'openai' needs a name: openai:NAME, e.g. openai:gpt-4o-mini,base_url=http://127.0.0.1:8080/v1"
            )
            raise InputError(message)
        given = text.options
        _refuse_key(text, os.environ.get(given.get("key_env", KEY_VARIABLE), "").strip())
        limit = given.get("limit", "max_tokens")
        omit = tuple(name for name in given.get("omit", "").split("|") if name)
        if limit not in _LIMITS or set(omit) - set(_OMITTED):
            message = f"'{text.named}': limit is {' or '.join(_LIMITS)}, and omit lists some of {', '.join(_OMITTED)}"
            raise InputError(message)
        return cls(
            text.detail,
            _address(text.named, given.get("base_url", BASE_URL)),
            given.get("key_env", KEY_VARIABLE),
            parse_number(text.named, "timeout", given.get("timeout", "60"), 0.01, 86_400),
            parse_whole(text.named, "retries", given.get("retries", "3"), 0, 20),
            limit,
            omit,
        )

    @property
    def key(self) -> str | None:
        """The key, read anew each time and kept nowhere in this object."""
        return os.environ.get(self.key_variable, "").strip() or None


def _refuse_key(text: ModelString, key: str) -> None:
    """Refuse a key that stands where it would go on record, and one that no header can carry; never repeat it."""
    if len(key) >= _SHORTEST_SECRET and any(key in part for part in (text.detail, *text.options.values())):
        message = "model 'openai': the key itself stands in the agent string, which goes on record; take it out"
        raise InputError(message)
    if not key.isascii() or not key.isprintable():
        message = "model 'openai': the key holds characters that no request can carry; set its variable anew"
        raise InputError(message)


def _address(owner: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not text.isprintable() or " " in text:
        message = f"'{owner}': base_url is no http address; write e.g. base_url=http://127.0.0.1:8080/v1"
        raise InputError(message)
    if parts.username or parts.password or parts.query or parts.fragment:
        message = (
            f"'{owner}': base_url holds a user, a password or a query, which would go on record; "
            "put the key into an environment variable and name it with key_env"
        )
        raise InputError(message)
    return text


class OpenAICompatible:
    """A model behind HTTP. The client is made on first use, in the loop that asks."""

    def __init__(self, connection: Connection, *, name: str) -> None:
        self.name = name
        self._connection = connection
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def ask(self, request: Request) -> Reply:
        pause = self._connection.first_pause
        attempts = 0
        while True:
            attempts += 1
            reply, wait = await self._attempt(request)
            if reply.error not in _PASSING or attempts > self._connection.retries:
                return replace(reply, attempts=attempts)
            await asyncio.sleep(pause if wait is None else max(pause, wait))
            pause = min(_LONGEST_PAUSE, 2 * pause)

    async def _attempt(self, request: Request) -> tuple[Reply, float | None]:
        """One attempt, and how long the server asks to wait before the next."""
        import openai

        began = perf_counter_ns()
        try:
            # The client's own limit is for each read: a server that sends a byte now and then would never meet it.
            async with asyncio.timeout(self._connection.timeout):
                answer = await self._connected().chat.completions.create(**self._body(request))
        except (openai.APITimeoutError, TimeoutError):
            return Reply(None, error="timeout"), None
        except openai.APIStatusError as error:
            # Only the number: a provider's words may repeat the key.
            return Reply(None, error=_kind_of(error.status_code), status=error.status_code), _asked_to_wait(error)
        except openai.APIConnectionError:
            return Reply(None, error="connection"), None
        except (openai.OpenAIError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return Reply(None, error="payload_not_object"), None
        return self._read(answer, (perf_counter_ns() - began) // 1_000_000), None

    def _read(self, answer: Any, latency_ms: int) -> Reply:
        choices = getattr(answer, "choices", None)
        first = choices[0] if isinstance(choices, list) and choices else None
        # No message, or one without content, is no reply; content that is None is an empty one.
        text = getattr(getattr(first, "message", None), "content", first)
        if not isinstance(text, str | None) or first is None or len(text or "") > _LONGEST_REPLY:
            return Reply(None, error="payload_not_object", latency_ms=latency_ms)
        usage = getattr(answer, "usage", None)
        told = text if text and text.strip() else None
        return Reply(
            None if told is None else self._without_key(told),
            self._word(getattr(answer, "model", None)),
            _count(getattr(usage, "prompt_tokens", None)),
            _count(getattr(usage, "completion_tokens", None)),
            self._word(getattr(first, "finish_reason", None)),
            latency_ms=latency_ms,
            error="empty" if told is None else None,
        )

    def _word(self, said: Any) -> str:
        """A short text a server sent, the name of its model say; empty where it is none."""
        return self._without_key(said)[:_LONGEST_WORD] if isinstance(said, str) else ""

    def _without_key(self, text: str) -> str:
        key = self._connection.key
        return text.replace(key, _REDACTED) if key and len(key) >= _SHORTEST_SECRET else text

    def _connected(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            import openai

            # Connections belong to the loop they were made in.
            self._loop = loop
            connection = self._connection
            self._client = openai.AsyncOpenAI(
                api_key=connection.key or _NO_KEY,
                base_url=connection.base_url,
                timeout=connection.timeout,
                max_retries=0,
            )
        return self._client

    def _body(self, request: Request) -> dict[str, Any]:
        connection = self._connection
        body: dict[str, Any] = {
            "model": connection.model,
            "messages": [{"role": one.role, "content": one.content} for one in request.messages],
        }
        for name in _OMITTED:
            value = getattr(request, name)
            if value is not None and name not in connection.omit:
                body[name] = value
        if request.max_tokens is not None:
            body[connection.limit] = request.max_tokens
        if request.exact:
            # Understood by llama.cpp and vLLM; a server without it ends where it likes, and the audit says so.
            body["extra_body"] = {"ignore_eos": True}
        if request.form is not None:
            schema = {"name": "reply", "strict": True, "schema": _unbounded(request.form)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def tokens(self, text: str) -> int | None:
        """Nobody can say: the interface has no tokeniser."""
        return None

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def _unbounded(schema: Any) -> Any:
    """The schema without bounds on length, which strict decoding of some providers refuses."""
    if isinstance(schema, dict):
        return {name: _unbounded(value) for name, value in schema.items() if name not in ("maxLength", "maxItems")}
    return [_unbounded(one) for one in schema] if isinstance(schema, list) else schema


def _count(value: Any) -> int | None:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TOKENS
    return value if known else None


def _kind_of(status: int) -> InterfaceError:
    if status == 429:
        return "rate_limit"
    if status == 408:
        return "timeout"
    return "http_5xx" if status >= 500 else "http_4xx"


def _asked_to_wait(error: Any) -> float | None:
    """Seconds until the server wants to be asked again, said as a number or as a date; None where it says nothing."""
    said = str(error.response.headers.get("retry-after", ""))
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(seconds, _LONGEST_ASKED) if seconds > 0 else None


def _open(text: ModelString, folder: Path) -> ChatModel:
    return OpenAICompatible(Connection.read(text), name=text.named)


def _check(text: ModelString, folder: Path) -> None:
    from importlib.util import find_spec

    connection = Connection.read(text)
    if find_spec("openai") is None:
        message = "models of kind 'openai' need the official client; install proctor[models]"
        raise InputError(message)
    if connection.key is None and ("base_url" not in text.options or "key_env" in text.options):
        # A name that looks like none may be the key itself, put in the wrong place.
        named = connection.key_variable if _VARIABLE.fullmatch(connection.key_variable) else "that key_env names"
        message = f"'{text.named}': set the environment variable {named} to the key"
        raise InputError(message)


kind = ModelKind(
    name="openai",
    description="Any server that speaks the chat completions interface.",
    open=_open,
    check=_check,
)
