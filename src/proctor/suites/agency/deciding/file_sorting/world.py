"""A small tree of files in memory: list, read, move. What lies where in the end is judged."""

from __future__ import annotations

import re
from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "nothing_moved", "out_of_moves", "not_sorted", "wrong_folder", "wrong_number")
_PATH = re.compile(r"(?:/?task/)?((?:[A-Za-z0-9_-]{1,40}/)?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,40})")

FilePath = Annotated[str, Meta(description="A path such as /task/inbox/ab-1234.txt; it has to begin with /task/.")]


class TreeWorld(TextWorld):
    """Files by path; each keeps its content wherever it goes."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._files: dict[str, str] = dict(instance.hidden["files"])
        self._left: int = instance.hidden["moves"]

    @tool(effect="read")
    def list_files(self) -> list[str]:
        """List the paths of all files, sorted."""
        return sorted(self._files)

    @tool(effect="read")
    def read_file(self, path: FilePath) -> str:
        """Show what a file says of itself: document, kind, office, date, size, status."""
        return self._content(_plain(path))

    @tool(effect="write")
    def move_file(self, source: FilePath, target: FilePath) -> dict[str, Any]:
        """Move or rename one file; nothing may lie at the target yet. Folders need not exist before.

        Answers how many moves are left. A refused move is not counted.
        """
        old, new = _plain(source), _plain(target)
        content = self._content(old)
        if new in self._files:
            message = f"there is a file at {new} already; nothing was moved"
            raise ToolError(message)
        if not self._left:
            message = "there are no moves left"
            raise ToolError(message)
        self._left -= 1
        del self._files[old]
        self._files[new] = content
        return {"moved": new, "moves_left": self._left}

    def _content(self, path: str) -> str:
        if path not in self._files:
            message = f"there is no file at {path}"
            raise ToolError(message)
        return self._files[path]

    def verify(self, submission: Submission) -> Verification:
        hidden = self.instance.hidden
        expected: dict[str, str] = hidden["expected"]
        if self._files == expected:
            return Verification(True, "correct")
        if self._files == hidden["files"]:
            return Verification(False, "nothing_moved")
        if not self._left:
            return Verification(False, "out_of_moves")
        if any(path.startswith("/task/inbox/") for path in self._files):
            return Verification(False, "not_sorted")
        folders = {content: path.rpartition("/")[0] for path, content in expected.items()}
        if any(folders[content] != path.rpartition("/")[0] for path, content in self._files.items()):
            return Verification(False, "wrong_folder")
        return Verification(False, "wrong_number")

    def state(self) -> Any:
        return {"files": self._files, "left": self._left}


def _plain(path: str) -> str:
    """The path in full; one that leads elsewhere is refused."""
    match = _PATH.fullmatch(path.strip())
    if match is None:
        message = f"'{path[:60]}' is no path of the form /task/FOLDER/NAME"
        raise ToolError(message)
    return f"/task/{match.group(1)}"
