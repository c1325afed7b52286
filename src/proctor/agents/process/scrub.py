"""Takes out of an agent's words what must not be recorded: values of environment variables, host paths, moments.

Applied to remarks and to what an agent leaves on stderr. Answers and arguments are its work: of those only declared
secrets are taken out, wherever they are recorded (`engine/discretion.py`).
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from proctor.core.secrecy import Veil

_MIN_SECRET: Final = 4
"""A shorter value is left alone: it would be found everywhere."""
_MAX_TEXT: Final = 240
_MAX_LINES: Final = 3
_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d([.,]\d+)?"
)
_PID: Final = re.compile(r"\b(pid|process|thread)([ =:#]+)\d+", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{4,}")


class Scrub:
    """`scrub(text)` is the text without secrets and host paths; `last_lines` also makes it one short, stable line."""

    def __init__(self, secrets: Mapping[str, str], folder: Path) -> None:
        replaced = {value: f"<{name}>" for name, value in secrets.items() if len(value) >= _MIN_SECRET}
        for path, shown in (
            (folder, "<folder>"),
            (folder.resolve(), "<folder>"),
            (Path(sys.prefix), "<python>"),
            (Path(sys.base_prefix), "<python>"),
            (Path(tempfile.gettempdir()) / "proctor-agent-", "<private>/"),
            (Path(__file__).parents[3], "<proctor>"),
        ):
            if len(str(path)) > 1:
                replaced.setdefault(str(path), shown)
        home = os.path.expanduser("~")
        if home not in ("/", "~"):
            replaced.setdefault(home, "~")
        self._replaced = sorted(replaced.items(), key=lambda item: -len(item[0]))
        self._veil = Veil(secrets)

    def __call__(self, text: str) -> str:
        for secret, shown in self._replaced:
            text = text.replace(secret, shown)
        return self._veil.text(text) if self._veil else text

    def last_line(self, text: str) -> str:
        """The last line that says something."""
        return self._stable(text, 1)

    def last_lines(self, text: str) -> str:
        """The last few lines, joined and cut at the front."""
        return self._stable(text, _MAX_LINES)

    def _stable(self, text: str, most: int) -> str:
        lines = [line.strip() for line in self(text).splitlines() if line.strip()]
        joined = " | ".join(lines[-most:])
        for pattern, shown in ((_MOMENT, "…"), (_ADDRESS, "0x…"), (_PID, r"\1\2…")):
            joined = pattern.sub(shown, joined)
        joined = "".join(character if character.isprintable() else "·" for character in joined)
        return joined if len(joined) <= _MAX_TEXT else f"…{joined[-_MAX_TEXT:]}"
