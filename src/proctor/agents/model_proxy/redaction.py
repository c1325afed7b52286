"""Taking keys out of a stream of bytes, wherever it is cut."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from proctor.core.secrecy import forms
from proctor.models.secrecy import REDACTED, Secret

_REPLACED: Final = REDACTED.encode()


class Redactor:
    """Knows the keys of one agent's models, and every shape in which they could come back."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._secrets = [Secret(key) for key in keys]
        found = {form.encode() for key in keys for form in forms(key)}
        self._forms = tuple(sorted(found, key=len, reverse=True))
        self._firsts = frozenset(form[0] for form in self._forms)
        self._longest = max(map(len, self._forms), default=1)

    def whole(self, data: bytes) -> bytes:
        """The same without any key."""
        for form in self._forms:
            if form in data:
                data = data.replace(form, _REPLACED)
        return data

    def text(self, text: str) -> str:
        """The same without any key."""
        for secret in self._secrets:
            text = secret.removed(text)
        return text

    def stream(self) -> RedactedStream:
        """A new stream."""
        return RedactedStream(self)

    def open_end(self, data: bytes) -> int:
        """How many bytes at the end could be the beginning of a key."""
        start = max(0, len(data) - self._longest + 1)
        for position in range(start, len(data)):
            if data[position] in self._firsts and any(form.startswith(data[position:]) for form in self._forms):
                return len(data) - position
        return 0


class RedactedStream:
    """One reply. What could be the beginning of a key waits for the next piece."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held = b""

    def feed(self, piece: bytes) -> bytes:
        """What of this and earlier pieces may go on."""
        data = self._redactor.whole(self._held + piece)
        held = self._redactor.open_end(data)
        cut = len(data) - held
        self._held = data[cut:]
        return data[:cut]

    def rest(self) -> bytes:
        """What was held back, at the end."""
        left, self._held = self._held, b""
        return left
