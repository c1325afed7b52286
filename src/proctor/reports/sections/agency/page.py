"""The page of the agency section: the picture, both boundaries, governance notes and validity, then details to open."""

from __future__ import annotations

from proctor.reports.data import Report, Section
from proctor.reports.html.markup import Markup, lines_of, tag
from proctor.reports.html.parts import fold
from proctor.reports.sections.agency.beside import beside
from proctor.reports.sections.agency.data import data_from_json
from proctor.reports.sections.agency.detail import details_of
from proctor.reports.sections.agency.notes import governance_notes, threats
from proctor.reports.sections.agency.picture import picture


def body(section: Section, report: Report) -> Markup:
    """All of it."""
    data = data_from_json(section.data)
    shown = frozenset(episode.position for episode in report.failures)
    return lines_of(
        picture(data, report),
        beside(data, report),
        tag("h3", "Each dimension in detail"),
        details_of(data, report, shown),
        fold("Threats to validity", threats(data.standing)),
        fold("Governance Notes", governance_notes(data.standing)),
    )
