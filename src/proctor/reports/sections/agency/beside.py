"""Core and Extended side by side (§6.1): levels and the rates they were credited for, dimension by dimension."""

from __future__ import annotations

from msgspec import Struct

from proctor.reports.data import Report
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import table
from proctor.reports.sections.agency.shown import Vector, agency_section, vector_shown
from proctor.reports.sections.agency.standing import boundary_words
from proctor.reports.sections.agency.words import criterion_text, level_words


class SideBySide(Struct, frozen=True):
    """Both boundaries as a table, Core first."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def other_boundary(report: Report) -> Vector | None:
    """What was found within the other boundary, where its run was given."""
    section = None if report.other is None else agency_section(report.other)
    return None if section is None else vector_shown(section.data)


def side_by_side(vector: Vector, report: Report) -> SideBySide | None:
    """The table; None where there is one boundary alone."""
    other = other_boundary(report)
    if other is None or report.other is None:
        return None
    mine, theirs = (boundary_words(one.system.boundary.get("kind")) for one in (report, report.other))
    both = sorted(((mine, vector), (theirs, other)), key=lambda pair: pair[0])
    header = ["dimension"]
    for name, _ in both:
        header += [f"{name}: level", f"{name}: credited for"]
    rows = []
    for name, one in vector.vector.items():
        row = [f"{name} {one.title}"]
        for _, each in both:
            row += [level_words(each.vector[name]), _credited(each, name)]
        rows.append(tuple(row))
    return SideBySide(tuple(header), tuple(rows))


def _credited(vector: Vector, name: str) -> str:
    level = vector.vector[name].credited
    found = None if level is None else level.deciding
    return "–" if level is None or found is None else f"{level.cell}: {criterion_text(found)}"


def beside(vector: Vector, report: Report) -> Markup | None:
    """The table on a page."""
    both = side_by_side(vector, report)
    if both is None or report.other is None:
        return None
    section = agency_section(report.other)
    rows: list[list[Child]] = [[*row] for row in both.rows]
    return lines_of(
        tag("h3", "Core and Extended side by side"),
        tag("p", section.headline if section is not None else "", class_="tuple"),
        table("Both boundaries", both.header, rows, kind="both"),
    )
