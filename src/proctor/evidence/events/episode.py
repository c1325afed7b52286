"""The frame of an episode: what it is, and how it ended."""

from __future__ import annotations

from msgspec import Struct

from proctor.spec.task import Budget


class TaskShown(Struct, frozen=True):
    """The TaskView as it was shown, without its tools."""

    id: str
    goal: str
    answer_format: str
    budget: Budget
    nonce: str
    canary: str


class EpisodeOpened(Struct, frozen=True, tag_field="event", tag="episode", omit_defaults=True):
    """The first event: everything that was fixed before the agent saw anything."""

    arm: int
    """Which family × regime × condition of the suite."""
    lifetime: int
    unit: int
    part: int
    family: str
    template: str
    instance: str
    regime: str
    condition: str
    phase: str
    replicate: int
    task: TaskShown
    tools: str
    """SHA-256 of the tools as shown; their text is stored once, by content."""
    commitment: str
    """SHA-256 over the whole instance, hidden part included: the success rule was fixed before the episode."""
    adversity: tuple[str, ...] = ()
    """The layers that were in force."""


class EpisodeClosed(Struct, frozen=True, tag_field="event", tag="end", omit_defaults=True):
    """The last event."""

    outcome: str
    """success, failure, limit, infrastructure or invalid."""
    reason: str
    milliseconds: int
    """Logical time the episode took."""
    state: str | None = None
    """SHA-256 of the world's final state, where it has one."""
