"""The real time of an execution: recorded, enters `seal`, and is never read by anything that decides."""

from __future__ import annotations

from datetime import UTC, datetime

from proctor.core.clock import format_timestamp


def wall_clock() -> str:
    """Now, to the second."""
    return format_timestamp(datetime.now(UTC).replace(microsecond=0))
