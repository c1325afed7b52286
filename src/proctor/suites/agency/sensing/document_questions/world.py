"""The archive: documents by number, and a search that tells where words stand."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.sensing.document_questions.archive import DOCUMENTS, Archive, text
from proctor.suites.kit.answers import verify_fields
from proctor.worlds.answers import Integer, Object, Text
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

SHAPE = Object({"name": Text(), "number": Integer()})
REASONS = ("correct", "unreadable_answer", "wrong_name", "wrong_number", "several_wrong")
MAX_FOUND = 5
_NUMBER = re.compile(r"\s*(?:D-?)?0*(\d{1,3})\s*", re.IGNORECASE)


class ArchiveWorld(BaseWorld):
    """Nothing in it changes; only the answer is judged."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._archive = msgspec.convert(instance.hidden["archive"], Archive)

    @tool(effect="read", milliseconds=6_000)
    def read_document(
        self, number: Annotated[str, Meta(description="The document's number in the catalogue, e.g. D-017.")]
    ) -> str:
        """Show one document of the archive in full. Takes six seconds and counts as a query."""
        match = _NUMBER.fullmatch(number)
        if match is None or not 1 <= int(match.group(1)) <= DOCUMENTS:
            message = f"there is no document '{number[:40]}'; numbers go from D-001 to D-{DOCUMENTS:03d}"
            raise ToolError(message)
        return text(self._archive, int(match.group(1)))

    @tool(effect="read", milliseconds=8_000)
    def search(
        self, words: Annotated[str, Meta(description="One or more words; a document must have them all.")]
    ) -> list[str]:
        """List up to five documents, by catalogue line, whose text has all these words. Counts as a query.

        Takes eight seconds. It does not show the documents.
        """
        wanted = words.casefold().split()
        if not wanted:
            message = "give at least one word to search for"
            raise ToolError(message)
        hits = []
        for number, line in enumerate(self.instance.observation["catalogue"], 1):
            if all(word in text(self._archive, number).casefold() for word in wanted):
                hits.append(line)
                if len(hits) == MAX_FOUND:
                    break
        return hits

    def verify(self, submission: Submission) -> Verification:
        return verify_fields(submission.answer, self.instance.hidden["answer"], SHAPE)
