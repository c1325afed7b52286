"""A key, and taking it out of whatever a server sends back: as it is, percent-encoded, and in base64."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from functools import lru_cache
from typing import Final
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from proctor.models.contract import ModelCall, Reply

REDACTED: Final = "[key]"
SHORTEST_SECRET: Final = 8
"""Servers of one's own take any key, `x` say: that is no secret, and taking it out of replies would spoil them."""


class Secret(Struct, frozen=True):
    """What must not come back. Shows itself nowhere."""

    key: str | None

    def __repr__(self) -> str:
        return "Secret()"

    def removed(self, text: str) -> str:
        """The text without the key."""
        if not self.key or len(self.key) < SHORTEST_SECRET or not text:
            return text
        return _pattern(self.key).sub(REDACTED, text)

    def out_of(self, reply: Reply) -> Reply:
        """The reply without the key."""
        if not self.key or len(self.key) < SHORTEST_SECRET:
            return reply
        calls = tuple(
            ModelCall(self.removed(call.id), self.removed(call.name), self.removed(call.arguments))
            for call in reply.calls
        )
        text = None if reply.text is None else self.removed(reply.text)
        return replace(
            reply, text=text, model=self.removed(reply.model), finish=self.removed(reply.finish), calls=calls
        )


def forms(key: str) -> list[str]:
    """Every shape in which a key may come back, the longest first; none for what is no secret."""
    if len(key) < SHORTEST_SECRET:
        return []
    found = {key, quote(key, safe="")}
    # Within a longer text, base64 of a key looks in three ways; its edges depend on its neighbours.
    for offset in range(3):
        padded = bytes(offset) + key.encode()
        for encoded in (b64encode(padded), urlsafe_b64encode(padded)):
            inner = encoded.decode().rstrip("=")[-(-offset * 8 // 6) :]
            found.add(inner[:-1] if len(padded) % 3 else inner)
    return sorted(found, key=len, reverse=True)


@lru_cache(maxsize=8)
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(form) for form in forms(key)))
