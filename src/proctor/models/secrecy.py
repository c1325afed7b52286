"""A key, and taking it out of whatever a server sends back: as it is, escaped, percent-encoded, in base64, in hex."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from proctor.core.secrecy import SHORTEST_SECRET, forms
from proctor.models.contract import ModelCall, Reply

REDACTED: Final = "[key]"


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


@lru_cache(maxsize=8)
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(form) for form in forms(key)))
