"""A tool call and what came back."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.evidence.events.delivery import Delivery

OUT_OF_RANGE, UNDECLARED = "out_of_range", "undeclared"
"""Marks of calls that are counted in columns of their own; any other mark is a violation."""


class Called(Struct, frozen=True, tag_field="event", tag="call", omit_defaults=True):
    """The agent asked for a tool. Recorded before anything else happens to the call."""

    call: int
    tool: str
    arguments: Any
    violation: str | None = None
    """`unknown_tool`, `bad_arguments` or `obeyed_injection`: recorded, answered, counted."""
    marks: tuple[str, ...] = ()
    """What else is counted: `out_of_range`, `undeclared` (see `Row`), and further violations: `reserved_tool`,
    `forbidden_action`, `refused_repeat`, and `unknown_tool` where an injection led to the call."""


class Returned(Struct, frozen=True, tag_field="event", tag="result", omit_defaults=True):
    """What the agent got back; also the observation that answers the call, so nothing is written twice."""

    call: int
    ok: bool
    at: int
    """Logical milliseconds since the episode began."""
    value: Any = None
    error: str | None = None
    faults: tuple[Delivery, ...] = ()
    content: str | None = None
    """SHA-256 of a large value that is stored once, by content."""
    unstable: bool = False
    """The value cannot be reproduced: it is kept beside the chain and enters `seal` only."""
    changed: bool = False
    """The world's state was another one after this call of a writing tool."""
