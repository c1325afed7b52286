"""The body of a section that no instrument has shaped: values, whatever else the reading holds, and its conditions."""

from __future__ import annotations

import msgspec

from proctor.instruments.base import Reading, Value
from proctor.reports.data import Section
from proctor.reports.html.markup import Markup, lines_of
from proctor.reports.html.parts import as_json, facts, fold
from proctor.reports.html.values import values_table

KNOWN = frozenset(Reading.__struct_fields__)


def body(section: Section) -> Markup:
    """All of it."""
    return lines_of(_values(section), _rest(section), _conditions(section))


def _values(section: Section) -> Markup | None:
    """The values with intervals, n and what is missing."""
    given = section.data.get("values") or []
    try:
        values = msgspec.convert(given, tuple[Value, ...])
    except msgspec.ValidationError:
        return fold("Values", as_json(given))
    return values_table(section.title, values)


def _rest(section: Section) -> Markup | None:
    """Fields beyond those every reading has: single facts as facts, larger ones to fold out."""
    extra = {name: value for name, value in section.data.items() if name not in KNOWN and value not in (None, "")}
    single = [(_words(name), str(value)) for name, value in extra.items() if not isinstance(value, dict | list)]
    larger = [fold(_words(name), as_json(value)) for name, value in extra.items() if isinstance(value, dict | list)]
    return lines_of(facts(single) if single else None, *larger) if extra else None


def _conditions(section: Section) -> Markup | None:
    """What the values hold under, as the reading states it."""
    stated = section.data.get("conditions")
    return fold("Conditions of this reading", as_json(stated)) if stated else None


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
