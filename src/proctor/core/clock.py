"""Logical time: what an episode believes the time is, as a function of the run's timestamp and what was done.

Results never read the wall clock. A `Clock` starts at the run's timestamp and moves only when told to; it counts whole
milliseconds, so that it can be chained.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from proctor.core.errors import InputError


def parse_timestamp(text: str) -> datetime:
    """A UTC instant from ISO 8601 text (`2026-01-23T00:00:00Z`); a bare date means midnight."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        message = f"timestamp '{text}' is not ISO 8601; write it like 2026-01-23T00:00:00Z"
        raise InputError(message) from None


def format_timestamp(moment: datetime) -> str:
    """The one way Proctor writes an instant: UTC, seconds (milliseconds where there are any), trailing Z."""
    moment = moment.astimezone(UTC)
    precision = "milliseconds" if moment.microsecond >= 1000 else "seconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


class Clock:
    """Logical time of one episode. `elapsed` is in milliseconds and never runs backwards."""

    __slots__ = ("elapsed", "start")

    def __init__(self, start: datetime, elapsed: int = 0) -> None:
        self.start = start
        self.elapsed = elapsed

    def advance(self, milliseconds: int) -> None:
        """Let time pass."""
        if milliseconds < 0:
            message = "time does not run backwards"
            raise ValueError(message)
        self.elapsed += milliseconds

    @property
    def now(self) -> datetime:
        """The current logical instant."""
        return self.start + timedelta(milliseconds=self.elapsed)
