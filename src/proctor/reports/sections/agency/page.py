"""The page of the agency section: the picture, both boundaries, governance notes and validity, then details to open."""

from __future__ import annotations

from proctor.reports.data import Report, Section
from proctor.reports.html.markup import Markup, lines_of, tag
from proctor.reports.html.parts import fold
from proctor.reports.sections.agency.beside import beside
from proctor.reports.sections.agency.detail import details_of
from proctor.reports.sections.agency.ladder_page import ladder_markup
from proctor.reports.sections.agency.picture import picture
from proctor.reports.sections.agency.shown import vector_shown
from proctor.reports.sections.agency.standing import standing_of
from proctor.reports.sections.agency.validity import governance_notes, threats


def body(section: Section, report: Report) -> Markup:
    """All of it."""
    vector, standing = vector_shown(section.data), standing_of(section.data)
    shown = frozenset(episode.position for episode in report.failures)
    return lines_of(
        picture(vector, report),
        beside(vector, report),
        ladder_markup(standing),
        tag("h3", "Each dimension in detail"),
        details_of(vector, report, shown),
        fold("Threats to validity", threats(standing)),
        fold("Governance Notes", governance_notes(standing)),
    )
