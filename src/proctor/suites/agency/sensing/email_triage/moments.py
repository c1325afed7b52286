"""Date and time in the ways mail systems write them, and back."""

from __future__ import annotations

import re
from datetime import date, timedelta

from msgspec import Struct

from proctor.suites.kit.words import MONTHS, WEEKDAYS

_TIME = re.compile(r"(?<!\d)(?P<hour>\d{2})[:.](?P<minute>\d{2})(?::00)?(?!\d|[:.]\d)")
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAYS = tuple(
    re.compile(rf"(?<!\d){pattern}(?!\d)", re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})[-/](?P<m>\d{2})[-/](?P<day>\d{2})",
        rf"(?P<day>\d{{1,2}})[\s/]{_MONTH}[\s/](?P<year>\d{{4}})",
        rf"(?<![a-z]){_MONTH} (?P<day>\d{{1,2}}), (?P<year>\d{{4}})",
    )
)
_REST = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|at|on|t|z|utc|\+00:?00|[\s,:]")


_FIRST_DAY = date(2026, 1, 5)
_DAY = 24 * 60


class Moment(Struct, frozen=True):
    """A minute of the calendar."""

    count: int
    """Minutes since the first day began."""
    year: int
    month: int
    day: int
    hour: int
    minute: int
    weekday: int

    @classmethod
    def of(cls, count: int) -> Moment:
        """The moment so many minutes after the first day began."""
        days, minutes = divmod(count, _DAY)
        day = _FIRST_DAY + timedelta(days=days)
        return cls(count, day.year, day.month, day.day, minutes // 60, minutes % 60, days % 7)

    def later(self, minutes: int) -> Moment:
        """The moment so many minutes after this one."""
        return Moment.of(self.count + minutes)

    @property
    def clock(self) -> str:
        return f"{self.hour:02d}:{self.minute:02d}"

    @property
    def iso(self) -> str:
        return f"{self.year}-{self.month:02d}-{self.day:02d} {self.clock}"

    @property
    def header(self) -> str:
        """As mail headers write it."""
        return f"{WEEKDAYS[self.weekday][:3]}, {self.day} {MONTHS[self.month - 1][:3]} {self.year} {self.clock}"

    @property
    def spoken(self) -> str:
        """As prose writes it."""
        return f"{self.clock} on {self.day} {MONTHS[self.month - 1]} {self.year}"

    @property
    def slashed(self) -> str:
        """As server logs write it."""
        return f"{self.day:02d}/{MONTHS[self.month - 1][:3]}/{self.year}:{self.clock}"

    @property
    def american(self) -> str:
        """Month first."""
        return f"{MONTHS[self.month - 1]} {self.day}, {self.year}, {self.clock}"


def plain_moment(text: str) -> str:
    """The moment a text states as `YYYY-MM-DD HH:MM`; the text itself where it does not state exactly one."""
    rest = text
    parts: dict[str, str] = {}
    for pattern in _DAYS:
        match = pattern.search(rest)
        if match is not None:
            parts = match.groupdict()
            rest = f"{rest[: match.start()]} {rest[match.end() :]}"
            break
    clock = _TIME.search(rest)
    if not parts or clock is None:
        return text
    rest = f"{rest[: clock.start()]} {rest[clock.end() :]}"
    if _REST.sub("", rest.lower()):
        return text
    names = [name[:3].lower() for name in MONTHS]
    month = int(parts["m"]) if "m" in parts else names.index(parts["month"].lower()) + 1
    return f"{parts['year']}-{month:02d}-{int(parts['day']):02d} {clock['hour']}:{clock['minute']}"
