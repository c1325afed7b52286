"""A real folder with one writing tool: create a file that is not there yet."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import MaterialWorld
from proctor.worlds.files import FileWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_created",
    "several_files",
    "wrong_name",
    "wrong_content",
    "wrong_name_and_content",
    "missing_artifact",
)


class FolderWorld(MaterialWorld, FileWorld):
    """Starts with older files; in the end there must be exactly one more, with the right name and content."""

    offered = ("create_file", "list_folder", "show_material")

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.populate({f"/task/{name}": f"{name}\n" for name in instance.observation["files"]})

    @tool(effect="write")
    def create_file(
        self,
        name: Annotated[str, Meta(max_length=120, description="The name of the file, without a folder.")],
        content: Annotated[str, Meta(max_length=4000, description="The whole text of the file.")],
    ) -> str:
        """Create a text file in /task. Refused where a file of that name exists; it cannot be changed afterwards."""
        if "/" in name:
            message = "give the name alone, without a folder"
            raise ToolError(message)
        if self.files.kind(name) is not None:
            message = f"'{name}' exists already"
            raise ToolError(message)
        self.write_file(name, content)
        return f"created {name}"

    @tool(effect="read")
    def list_folder(self) -> list[str]:
        """The names of all files in /task, in alphabetical order."""
        return [entry.name for entry in self.files.entries("/task")]

    def verify(self, submission: Submission) -> Verification:
        old = set(self.instance.observation["files"])
        new = [f"/task/{name}" for name in self.list_folder() if name not in old]
        return Verification(*self._verdict(new), artifacts=self.artifacts(*new) if new else ())

    def _verdict(self, new: list[str]) -> tuple[bool, str]:
        expected = self.instance.hidden["expected"]
        if not new:
            return False, "nothing_created"
        if len(new) > 1:
            return False, "several_files"
        named = new[0] == f"/task/{expected['name']}"
        data = self.safe_read(new[0]) or b""
        filled = _lines(data.decode(errors="replace")) == _lines(expected["content"])
        if named and filled:
            return True, "correct"
        if filled:
            return False, "wrong_name"
        return False, "wrong_content" if named else "wrong_name_and_content"


def _lines(text: str) -> list[str]:
    """Lines without white space at their ends, and without empty ones at the end of the text."""
    return [line.rstrip() for line in text.rstrip().splitlines()]
