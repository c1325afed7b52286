"""Observation noise: some fields of what is read are not what they are.

Applies to the first observation and to what reading tools answer. Each field (see `fields`: a scalar, or one line of a
longer text) is altered with probability `share`, independently of the others; reading again draws again. Of the
declared kinds one is drawn for each altered field: `characters` misreads a few characters of a text or a digit of a
number (booleans have no characters: under this kind alone they are no fields), `fields` puts another value of the same
type in its place. Keys are never altered. An object also gets the declared number of irrelevant fields and of
contradicting second copies at its top level; texts and lists get none.

A receipt for each: `characters /rows/2/name`, `fields /report#4`, `distractor /weather`, `conflict /total (cached)`.
"""

from __future__ import annotations

from typing import Any

from proctor.core.seeds import Stream
from proctor.evidence.events import Delivery
from proctor.spec.regime import Noise
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.alter import misread, replacement
from proctor.worlds.adversity.extras import add_conflicts, add_distractors
from proctor.worlds.adversity.fields import Rewriter
from proctor.worlds.adversity.layer import Layer, Passage, threshold


class ObservationNoise(Layer):
    """Alters a share of the fields of each reading."""

    name = "noise"
    axis = "stability"

    def __init__(self, noise: Noise) -> None:
        self.noise = noise
        self._below = threshold(noise.share) if noise.kinds else 0
        self._characters = "characters" in noise.kinds
        self._fields = "fields" in noise.kinds

    def after(self, passage: Passage, result: ToolResult) -> ToolResult:
        if not result.ok or passage.tool.spec.effect != "read" or result.value is None:
            return result
        value = self._read(result.value, passage.stream(self.name), passage.receipts)
        return result if value is result.value else ToolResult(True, value)

    def show(self, fields: dict[str, Any], stream: Stream, receipts: list[Delivery]) -> dict[str, Any]:
        new: dict[str, Any] = self._read(fields, stream.child(self.name), receipts)
        return new

    def _read(self, value: Any, stream: Stream, receipts: list[Delivery]) -> Any:
        if self._below:
            value = self._altered(value, stream, receipts)
        if type(value) is dict:
            # Streams of their own: what is added does not depend on how many fields there were to draw for.
            if self.noise.conflicts:
                value = add_conflicts(value, self.noise.conflicts, stream.child("conflicts"), receipts)
            if self.noise.distractors:
                value = add_distractors(value, self.noise.distractors, stream.child("distractors"), receipts)
        return value

    def _altered(self, value: Any, stream: Stream, receipts: list[Delivery]) -> Any:
        bits64, below = stream.bits64, self._below
        both = self._characters and self._fields
        own: Stream | None = None

        def change(field: Any, path: str) -> Any:
            # Changes draw from a stream of their own: which fields are hit does not depend on how others were changed.
            nonlocal own
            if own is None:
                own = stream.child("changes")
            misreads = type(field) is not bool and self._characters and (not both or own.chance(0.5))
            receipts.append(Delivery("noise", f"{'characters' if misreads else 'fields'} {path}"))
            return misread(field, own) if misreads else replacement(field, own)

        return Rewriter(lambda: bits64() < below, change, booleans=self._fields).run(value)
