"""An inbox of real files, and a verifier that opens them."""

from __future__ import annotations

from proctor.spec.task import Instance, Submission, Verification
from proctor.worlds.files import FileWorld
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_done",
    "missing_file",
    "changed_file",
    "unexpected_file",
    "missing_list",
    "wrong_list",
    "missing_artifact",
)


class InboxWorld(FileWorld):
    """Starts with the papers of the instance; in the end every file must be where, and what, it should be."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.populate(instance.hidden["files"])

    def verify(self, submission: Submission) -> Verification:
        hidden = self.instance.hidden
        expected: dict[str, str] = hidden["expected"]
        index: str = hidden["index"]
        left = {path for path, _ in self.artifacts()}
        if left == set(hidden["files"]):
            return Verification(False, "nothing_done", artifacts=self.artifacts())
        return Verification(*self._verdict(expected, index, left), artifacts=self.artifacts())

    def _verdict(self, expected: dict[str, str], index: str, left: set[str]) -> tuple[bool, str]:
        papers = set(expected) - {index}
        if papers - left:
            return False, "missing_file"
        if left - set(expected):
            return False, "unexpected_file"
        if any(self.safe_read(path) != expected[path].encode() for path in papers):
            return False, "changed_file"
        listed = self.safe_read(index)
        if listed is None:
            return False, "missing_list"
        if _lines(listed.decode(errors="replace")) != _lines(expected[index]):
            return False, "wrong_list"
        return True, "correct"


def _lines(text: str) -> list[str]:
    """Lines without white space at their ends, and without empty ones at the end of the text."""
    return [line.rstrip() for line in text.rstrip().splitlines()]
