"""Notes that a model keeps on disk for one lifetime: a folder with one text file, the whole of its memory.

What is not in the file does not survive an episode. The bench saves, puts back and wipes the folder between phases.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from proctor.agents.model.tools import Unreadable, parse_arguments

FOLDER, FILE = "notes", "notes.md"
MAX_CHARACTERS: Final = 16_000
"""More is refused, and the model told: notes are shown whole at the start of every later episode."""


class Notes:
    """One lifetime's notes."""

    __slots__ = ("_folder",)

    def __init__(self) -> None:
        self._folder: Path | None = None

    @property
    def text(self) -> str:
        """All of them; empty where there are none."""
        if self._folder is None:
            return ""
        try:
            return (self._folder / FILE).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def write(self, arguments: str) -> dict[str, object]:
        """Carry out a call of the writing tool; what the model is told."""
        try:
            given = parse_arguments(arguments)
        except Unreadable as error:
            return {"error": f"arguments do not fit: {error}"}
        text, append = given.get("text"), given.get("append", False)
        if not isinstance(text, str) or not isinstance(append, bool) or given.keys() - {"text", "append"}:
            return {"error": "arguments do not fit: give `text`, a string, and `append`, true or false, if you like"}
        before = self.text if append else ""
        whole = f"{before}\n{text}" if before else text
        if len(whole) > MAX_CHARACTERS:
            return {
                "error": f"notes hold {MAX_CHARACTERS:,} characters; this would make {len(whole):,}. Nothing changed"
            }
        self.replace(whole)
        return {"result": f"noted; {len(whole):,} of {MAX_CHARACTERS:,} characters used"}

    def replace(self, text: str) -> None:
        """Note exactly this."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="proctor-notes-")) / FOLDER
            self._folder.mkdir()
        # A lone surrogate, which JSON can hold, is no text that a file could.
        (self._folder / FILE).write_text(text, encoding="utf-8", errors="replace")

    def remove(self) -> None:
        """Leave nothing behind, the folder included."""
        folder, self._folder = self._folder, None
        if folder is not None:
            shutil.rmtree(folder.parent, ignore_errors=True)
