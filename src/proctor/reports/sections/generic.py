"""The section of any instrument, and the base of those that show something of their own.

Markup is imported only when a page is made: terminals do without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import BrokenReading, Reading
from proctor.reports.data import FlagShown, Report, Section, plain
from proctor.reports.section import Example
from proctor.reports.terminal import values_text

if TYPE_CHECKING:
    from proctor.reports.html.markup import Markup


class GenericSection:
    """What is true of every reading."""

    place = 50
    statement = ""
    replaces: tuple[str, ...] = ()

    def title(self, reading: Reading) -> str:
        return reading.instrument.replace("-", " ").replace("_", " ").capitalize()

    def headline(self, reading: Reading) -> str:
        return ""

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        from proctor.reports.html.values import where_text

        for flag in reading.flags:
            yield FlagShown("", flag.name, flag.reason)
        for value in reading.values:
            for flag in value.flags:
                yield FlagShown(where_text(value.where) or value.name, flag.name, flag.reason)

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        return plain(reading)

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        return ()

    def html(self, section: Section, report: Report) -> Markup:
        from proctor.reports.html.generic import body

        return body(section)

    def text(self, reading: Reading, evidence: Evidence, *, asked: bool) -> str:
        """Curves and costs are long: they are shown to those who ask for them."""
        if not asked and not isinstance(reading, BrokenReading):
            return ""
        return values_text(reading.instrument, reading.values) if reading.measured else not_measured(reading)

    def summary(self, reading: Reading, evidence: Evidence) -> str:
        """What the reading says unasked; where that is nothing, its values."""
        if not reading.measured:
            return ""
        return self.text(reading, evidence, asked=False) or self.text(reading, evidence, asked=True)


def not_measured(reading: Reading) -> str:
    """That there is nothing, and why."""
    return f"{reading.instrument}: not measured: {reading.reason}"


section = GenericSection()
