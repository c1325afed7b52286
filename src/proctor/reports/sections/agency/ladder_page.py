"""The ladder of tiers on a page: a table of gates under the comparison tuple."""

from __future__ import annotations

from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import Cell, table
from proctor.reports.sections.agency.ladder import luck, rungs, spread
from proctor.reports.sections.agency.standing import Standing

LEGEND = (
    "A tier is reached when all its gates and all below are passed; what was not tested is not passed. By luck: the "
    "chance to pass without the ability, and with 5 points less than is asked, at this number of instances."
)


def ladder_markup(standing: Standing) -> Markup:
    """The ladder for a page."""
    steps = rungs(standing)
    if not steps:
        return lines_of()
    rows: list[list[Child | Cell]] = []
    for rung in steps:
        for index, gate in enumerate(rung.gates):
            first: list[Child | Cell] = []
            if index == 0:
                head = lines_of(f"{rung.number} {rung.name}", tag("p", rung.status, class_="legend"))
                first = [Cell(head, head=True, rows=len(rung.gates))]
            status = gate["status"] + (", provisional" if gate["provisional"] else "")
            found = f"{gate['reason']}{spread(gate)}"
            against = gate["baseline"] or "–"
            rows.append([*first, Cell(gate["asks"]), status, found, str(gate["regime"]), against, luck(gate) or "–"])
    header = ["tier", "asks", "status", "found", "regime", "baseline", "by luck"]
    return lines_of(
        tag("h3", "Tiers"),
        tag("p", str(standing.comparison["text"])),
        table("Gates of the tiers", header, rows, kind="gates"),
        tag("p", LEGEND, class_="legend"),
    )
