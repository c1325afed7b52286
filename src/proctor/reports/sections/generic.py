"""The section of any instrument: its values with intervals, flags and conditions, and whatever else it found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading, Value
from proctor.reports.data import FlagShown, Report, Section, plain
from proctor.reports.html.markup import Markup, lines_of
from proctor.reports.html.parts import as_json, facts, fold
from proctor.reports.html.values import values_table, where_text
from proctor.reports.section import Example

KNOWN = frozenset(Reading.__struct_fields__)


class GenericSection:
    """What is true of every reading."""

    place = 50

    def title(self, reading: Reading) -> str:
        return reading.instrument.replace("-", " ").replace("_", " ").capitalize()

    def headline(self, reading: Reading) -> str:
        return ""

    def flags(self, reading: Reading) -> Iterable[FlagShown]:
        for flag in getattr(reading, "flags", ()):
            yield FlagShown("", flag.name, flag.reason)
        for value in reading.values:
            for flag in getattr(value, "flags", ()):
                yield FlagShown(where_text(value.where) or value.name, flag.name, flag.reason)

    def data(self, reading: Reading, evidence: Evidence) -> dict[str, Any]:
        return plain(reading)

    def examples(self, reading: Reading, evidence: Evidence) -> Iterable[Example]:
        return ()

    def html(self, section: Section, report: Report) -> Markup:
        return lines_of(self.values(section), self.rest(section), self.conditions(section))

    def values(self, section: Section) -> Markup | None:
        """The values with intervals, n and what is missing."""
        given = section.data.get("values") or []
        try:
            values = msgspec.convert(given, tuple[Value, ...])
        except msgspec.ValidationError:
            return fold("Values", as_json(given))
        return values_table(section.title, values)

    def rest(self, section: Section) -> Markup | None:
        """Fields beyond those every reading has: single facts as facts, larger ones to fold out."""
        extra = {name: value for name, value in section.data.items() if name not in KNOWN and value not in (None, "")}
        single = [(_words(name), str(value)) for name, value in extra.items() if not isinstance(value, dict | list)]
        larger = [fold(_words(name), as_json(value)) for name, value in extra.items() if isinstance(value, dict | list)]
        return lines_of(facts(single) if single else None, *larger) if extra else None

    def conditions(self, section: Section) -> Markup | None:
        """What the values hold under, as the reading states it."""
        stated = section.data.get("conditions")
        return fold("Conditions of this reading", as_json(stated)) if stated else None


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


section = GenericSection()
