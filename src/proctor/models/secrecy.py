"""A key, and taking it out of whatever a server sends back: as it is, escaped, percent-encoded, in base64, in hex."""

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
_ESCAPED: Final = ("/", "=&<>'", "+&<>'\"`", "+/=-_.~&<>'\"`:")
"""What JSON writers escape although nothing asks them to; the last is all that keys have besides letters and digits."""
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
        # What is sealed cannot be changed and still be valid.
        kept = reply.kept if self.removed(reply.kept) == reply.kept else ""
        model, finish = self.removed(reply.model), self.removed(reply.finish)
        return replace(reply, text=text, model=model, finish=finish, calls=calls, kept=kept)


def forms(key: str) -> list[str]:
    """Every shape in which a key may come back, the longest first; none for what is no secret."""
    if len(key) < SHORTEST_SECRET:
        return []
    found = {key, quote(key, safe=""), *_escaped(key)}
    hexed = key.encode().hex()
    percent = "".join(f"%{hexed[at : at + 2]}" for at in range(0, len(hexed), 2))
    found |= {
        hexed,
        hexed.upper(),
        percent,
        percent.upper(),
        re.sub("%..", lambda at: at[0].lower(), quote(key, safe="")),
    }
    # Within a longer text, base64 of a key looks in three ways; its edges depend on its neighbours.
    for offset in range(3):
        padded = bytes(offset) + key.encode()
        for encoded in (b64encode(padded), urlsafe_b64encode(padded)):
            inner = encoded.decode().rstrip("=")[-(-offset * 8 // 6) :]
            found.add(inner[:-1] if len(padded) % 3 else inner)
    return sorted(found, key=len, reverse=True)


def _escaped(key: str) -> set[str]:
    """The key as JSON text of writers that escape more than they must; a client that reads it has the key again."""
    found = {key.replace("/", "\\/")}
    for digits in ("04x", "04X"):
        found |= {
            "".join(f"\\u{ord(sign):{digits}}" if sign in signs else sign for sign in key) for signs in (*_ESCAPED, key)
        }
    return found


@lru_cache(maxsize=8)
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(form) for form in forms(key)))
