"""Exchanges with models as events, and back: a conversation that grows is recorded once, not once per request.

Each request of a conversation repeats all that was said before. On record it names the earlier request it begins like
and holds what is new; a long message, and what every request of a kind repeats (tools, say), are stored by content,
once for all episodes. The bytes of an episode so grow with what was said in it. Small requests without tools stand in
their event whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

from proctor.core.canonical import chainable, decode, encode
from proctor.core.errors import IntegrityError
from proctor.evidence.events.model import ModelAsked
from proctor.spec.exchange import Exchange

WHOLE: Final = 16_384
"""A request without tools whose messages have at most so many characters together stands in its event whole."""
LONG: Final = 1_024
"""A message, or another part of a request, of more bytes is stored by content."""
_LISTS: Final = ("messages", "input")
"""What interfaces call the list of messages."""
_LOOKED_BACK: Final = 4
"""An agent may hold several conversations in turns; so many requests back are looked through for the beginning."""

Content = Callable[[str], bytes | None]


class ExchangeRecorder:
    """Makes events of the exchanges of one episode, in order. What it is given must not be changed afterwards."""

    __slots__ = ("_earlier", "_keep", "_number")

    def __init__(self, keep: Callable[[bytes], str]) -> None:
        """`keep` stores bytes by content and gives their SHA-256."""
        self._keep = keep
        self._number = 0
        self._earlier: deque[tuple[int, list[Any]]] = deque(maxlen=_LOOKED_BACK)

    def event(self, exchange: Exchange) -> ModelAsked:
        """The event of the next exchange."""
        reply = None if exchange.reply is None else chainable(exchange.reply)
        calls = tuple(chainable(call) for call in exchange.calls)
        number, self._number = self._number, self._number + 1
        name = _list_of(exchange.request)
        if name is None:
            return ModelAsked(exchange.model, chainable(exchange.request), reply, exchange.error, calls)
        messages: list[Any] = exchange.request[name]
        follows, shared = self._begins_like(messages)
        self._earlier.append((number, messages))
        if not exchange.request.get("tools") and sum(map(_length, messages)) <= WHOLE:
            return ModelAsked(exchange.model, chainable(exchange.request), reply, exchange.error, calls)
        request: dict[str, Any] = {name: [self._message(message) for message in messages[shared:]]}
        kept: dict[str, str] = {}
        for part, value in exchange.request.items():
            if part == name:
                continue
            if isinstance(value, str | list | dict) and len(data := encode(chainable(value))) > LONG:
                kept[part] = self._keep(data)
            else:
                request[part] = value
        return ModelAsked(exchange.model, chainable(request), reply, exchange.error, calls, shared, follows, kept)

    def _begins_like(self, messages: list[Any]) -> tuple[int | None, int]:
        """The earlier request with the longest beginning in common, the newest of equals, and how long that is."""
        best: tuple[int | None, int] = (None, 0)
        for number, earlier in reversed(self._earlier):
            common = 0
            for one, two in zip(earlier, messages, strict=False):
                if one is not two and one != two:
                    break
                common += 1
            if common > best[1]:
                best = (number, common)
                if common == len(messages):
                    break
        return best

    def _message(self, message: Any) -> Any:
        data = encode(chainable(message))
        # A text stands for a message stored by content, so one that is a text is always stored.
        return self._keep(data) if isinstance(message, str) or len(data) > LONG else message


class ExchangeReader:
    """Gives the requests of one episode whole, in order, as they are chained."""

    __slots__ = ("_content", "_messages")

    def __init__(self, content: Content) -> None:
        self._content = content
        self._messages: list[list[Any]] = []

    def whole(self, event: ModelAsked) -> Any:
        """The request of the next exchange. Raises `IntegrityError` where it cannot be put together."""
        request = event.request
        name = _list_of(request)
        if event.shared is None or name is None:
            self._messages.append(request[name] if name is not None else [])
            return request
        earlier: list[Any] = []
        if event.shared:
            if event.follows is None or not 0 <= event.follows < len(self._messages):
                message = "it goes on from an exchange that is not on record"
                raise IntegrityError(message, where="model exchange")
            earlier = self._messages[event.follows][: event.shared]
        new = [self._load(one) if isinstance(one, str) else one for one in request[name]]
        messages = [*earlier, *new]
        self._messages.append(messages)
        return {**request, name: messages, **{part: self._load(digest) for part, digest in event.kept.items()}}

    def _load(self, digest: str) -> Any:
        data = self._content(digest)
        if data is None:
            message = f"what it says is stored by content, and {digest[:12]} is missing"
            raise IntegrityError(message, where="model exchange")
        return decode(data)


def contents_named(event: ModelAsked) -> Iterator[str]:
    """The SHA-256 of everything an exchange has stored by content."""
    if event.shared is None:
        return
    yield from event.kept.values()
    name = _list_of(event.request)
    if name is not None:
        yield from (one for one in event.request[name] if isinstance(one, str))


def _list_of(request: Any) -> str | None:
    """Under which name a request has its messages; None where it has none."""
    if not isinstance(request, dict) or not all(part.isascii() and part[:1] != "$" for part in request):
        # Such names are chained in another shape: no interface has them, so nothing is made of them.
        return None
    return next((name for name in _LISTS if isinstance(request.get(name), list)), None)


def _length(message: Any) -> int:
    content = message.get("content") if isinstance(message, dict) else message
    return len(content) if isinstance(content, str) else len(encode(chainable(message)))
