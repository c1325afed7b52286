"""The agent's named state: what it wrote, and what a read gave under the condition."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class StateWritten(Struct, frozen=True, tag_field="event", tag="state_write"):
    """The agent stored a value in one of its fields."""

    field: str
    value: Any


class StateRead(Struct, frozen=True, tag_field="event", tag="state_read", omit_defaults=True):
    """The agent read a field; `do` says what the condition made of it."""

    field: str
    do: str
    value: Any = None


class StageRead(Struct, frozen=True, tag_field="event", tag="stage_read"):
    """A condition made use of the frozen output of an earlier stage."""

    stage: str
    output: str
    """SHA-256 of that output."""


class CarriedOver(Struct, frozen=True, tag_field="event", tag="carried", omit_defaults=True):
    """What a world was given by the episode before it in the same lifetime, or leaves to the next one."""

    content: str
    """SHA-256 of its canonical JSON, which is stored once, by content."""
    left: bool = False
    """It is what this episode leaves; recorded only where that is something else than it was given."""


class MemoryMoved(Struct, frozen=True, tag_field="event", tag="memory", omit_defaults=True):
    """What happened to the agent's memory before this episode."""

    action: str
    """snapshot, restore or clear."""
    possible: bool = True
