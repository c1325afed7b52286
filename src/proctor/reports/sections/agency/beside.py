"""Core and Extended side by side (§6.1): levels and the rates they were credited for, dimension by dimension."""

from __future__ import annotations

from proctor.reports.data import Report
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import table
from proctor.reports.sections.agency.data import AgencyData, agency_section, boundary_name, data_from_json
from proctor.reports.sections.agency.words import criterion_text, level_words


def other_boundary(report: Report) -> AgencyData | None:
    """What was found within the other boundary, where its run was given."""
    section = None if report.other is None else agency_section(report.other)
    return None if section is None else data_from_json(section.data)


def both_boundaries(data: AgencyData, report: Report) -> list[tuple[str, AgencyData]]:
    """The boundary of the report and the other one, Core first."""
    other = other_boundary(report)
    found = [(boundary_name(report.system.boundary), data)]
    if other is not None and report.other is not None:
        found.append((boundary_name(report.other.system.boundary), other))
    return sorted(found, key=lambda pair: pair[0])


def side_by_side(data: AgencyData, report: Report) -> tuple[list[str], list[list[str]]]:
    """The header and rows of the table."""
    both = both_boundaries(data, report)
    header = ["dimension"]
    for name, _ in both:
        header += [f"{name}: level", f"{name}: credited for"]
    rows = []
    for name in data.reading.vector:
        row = [f"{name} {data.reading.vector[name].title}"]
        for _, one in both:
            credited = one.shown[name].deciding.credited
            row += [
                level_words(one.reading.vector[name]),
                criterion_text(credited.criteria[0]) if credited is not None and credited.criteria else "–",
            ]
        rows.append(row)
    return header, rows


def beside(data: AgencyData, report: Report) -> Markup | None:
    """The table; None where there is one boundary alone."""
    if other_boundary(report) is None or report.other is None:
        return None
    header, rows = side_by_side(data, report)
    shown: list[list[Child]] = [[*row] for row in rows]
    return lines_of(
        tag("h3", "Core and Extended side by side"),
        tag("p", data.reading.beside or report.other.sections[0].headline, class_="tuple"),
        table("Both boundaries", header, shown, kind="both"),
    )
