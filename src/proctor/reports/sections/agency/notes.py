"""Governance notes and threats to validity, as the reading has them: every field, in the words of the data."""

from __future__ import annotations

from typing import Any

from proctor.reports.html.markup import Markup, lines_of, tag
from proctor.reports.html.parts import as_json, facts, flat
from proctor.reports.numbers import NOT_MEASURED
from proctor.reports.sections.agency.standing import Standing, governance_line


def governance_notes(standing: Standing) -> Markup:
    """Whether notes are required, and their five mandatory fields where they are (§14.4)."""
    lead = tag("p", governance_line(standing.governance))
    if not standing.governance:
        return lines_of(lead, tag("p", "Nothing that a trigger counts was recorded by this run.", class_="small"))
    return lines_of(lead, _whole(standing.governance))


def threats(standing: Standing) -> Markup:
    """The six threats of §3, each ruled out or not."""
    if not standing.threats:
        return tag("p", f"Threats to validity: {NOT_MEASURED}.")
    return _whole(standing.threats)


def _whole(value: Any) -> Markup:
    if isinstance(value, dict):
        return facts([(name.replace("_", " "), text) for name, text in flat(value, absent="none")])
    return as_json(value)
