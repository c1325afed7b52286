"""Threats to validity and governance notes on the page."""

from __future__ import annotations

from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import facts, table
from proctor.reports.numbers import NOT_MEASURED
from proctor.reports.sections.agency.notes import THREATS, TRIGGERS, note_facts, threat_rows, trigger_rows
from proctor.reports.sections.agency.standing import Standing


def governance_notes(standing: Standing) -> Markup:
    """Whether notes are required, every trigger, and the five mandatory fields where they are (§14.4)."""
    rows: list[list[Child]] = [[*row] for row in trigger_rows(standing)]
    stated = note_facts(standing)
    return lines_of(
        tag("p", standing.governance_line),
        facts(list(stated)) if stated else None,
        table("Triggers", TRIGGERS, rows) if rows else None,
    )


def threats(standing: Standing) -> Markup:
    """The six threats of §3."""
    rows: list[list[Child]] = [[*row] for row in threat_rows(standing)]
    return table("Threats to validity", THREATS, rows) if rows else tag("p", f"Threats to validity: {NOT_MEASURED}.")
