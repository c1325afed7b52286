"""What may be said: declared criteria with their numbers, claims, the registry, audits, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from proctor.instruments.binding.criteria import MET, NOT_MET, Criterion
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.variants import REGISTRY, Variant
from proctor.reports.figures.views import in_order, rows_of, word
from proctor.reports.html.markup import Child, Markup, lines_of, tag
from proctor.reports.html.parts import Cell, fold, table
from proctor.reports.numbers import NOT_MEASURED, number
from proctor.reports.sections.binding.conditions import conditions_line

BOUNDARY = "not met: boundary condition"


class Asked(Struct, frozen=True):
    """A question of the instrument, and where its answer would come from."""

    question: str
    table: str
    """The table that is there once it is answered."""
    suite: str


QUESTIONS = (
    Asked("the six-code benchmark", "components", "binding"),
    Asked("the extended probes", "components_extended", "binding-extended"),
    Asked("state-boundary controls over families", "cells", "binding-families"),
    Asked("sufficiency of the decisive field", "sufficiency", "binding-sufficiency"),
    Asked("coupling of reported fields and action", "coupling_contrasts", "binding-interface"),
    Asked("the forced budget", "budget", "binding-interface"),
    Asked("entropy calibration", "entropy_grid", "binding-extended"),
    Asked("the binding curve", "curve_slopes", "binding-extended"),
    Asked("robustness arms", "robustness", "binding-extended"),
)
PREDICTIVE = "predictive validity (a study over records, not part of a reading: `proctor predict`)"


def gates(reading: BindingReading) -> Markup:
    """Every declared criterion: the number, the limit, and one of three outcomes."""
    if not reading.gates:
        return lines_of(tag("h3", "Declared criteria"), tag("p", f"{NOT_MEASURED}: this run has no gate to pass."))
    rows: list[list[Child | Cell]] = []
    for gate in reading.gates:
        for index, one in enumerate(gate.criteria):
            first: list[Child | Cell] = []
            if index == 0:
                first = [Cell(lines_of(gate.name, status(gate.status)), head=True, rows=len(gate.criteria))]
            rows.append([*first, *_criterion(one)])
    header = ["gate", "criterion", "found", "k/n", "limit", "outcome", "note"]
    return lines_of(
        tag("h3", "Declared criteria"),
        table("Gates", header, rows, kind="gates"),
        tag(
            "p",
            "Criteria were declared before the run. One that is not met is a boundary condition of the result and is "
            "never retuned; one that was not measured is neither met nor failed.",
            class_="legend",
        ),
        conditions_line(reading),
    )


def _criterion(one: Criterion) -> list[Child | Cell]:
    share = "–" if one.k is None or one.n is None else f"{one.k:,}/{one.n:,}"
    return [
        Cell(one.name),
        Cell(number(one.value), right=True),
        Cell(share, right=True),
        Cell(one.rule),
        Cell(status(one.status)),
        Cell(one.reason or "–"),
    ]


def status(text: str) -> Markup:
    """An outcome in words, and never by colour alone."""
    if text == MET:
        return tag("span", "✓ met", class_="status ok")
    if text == NOT_MET:
        return tag("span", f"× {BOUNDARY}", class_="status stop")
    return tag("span", NOT_MEASURED, class_="status unknown")


def claims(reading: BindingReading) -> Markup:
    """The claim ledger."""
    head = tag("h3", "Claim ledger")
    if not reading.claims:
        return lines_of(head, tag("p", "This run supports no claim: nothing that a claim rests on was measured."))
    header = ["evidence", "result", "supported claim", "contrary result", "excluded inference"]
    rows: list[list[Child]] = [
        [
            one.block,
            one.result,
            one.supported or tag("strong", "none: not all its criteria were measured and met"),
            one.contrary or "none found",
            one.excluded,
        ]
        for one in reading.claims
    ]
    return lines_of(head, table("Claims", header, rows), conditions_line(reading))


def registry(reading: BindingReading, known: Sequence[Variant] = REGISTRY) -> Markup:
    """The Conditions of the run under all their names, and the whole registry to fold out."""
    ran = {word(row, "condition"): row for row in rows_of(reading.tables(), "variants")}
    header = ["Condition", "scaffold", "definition", "role", "the paper's identifier", "also called"]
    own: list[list[Child]] = [
        [
            name,
            word(row, "scaffold"),
            word(row, "definition") or "declared by the suite",
            word(row, "role") or "–",
            word(row, "paper") or "ours",
            word(row, "aliases") or "–",
        ]
        for name in in_order(ran)
        for row in (ran[name],)
    ]
    every: list[list[Child]] = [
        [one.id, one.definition, one.role, one.paper or "ours", "; ".join(one.aliases) or "–"] for one in known
    ]
    whole = table("Registry", [header[0], *header[2:]], every)
    return lines_of(
        tag("h3", "Conditions of this run"),
        table("Conditions", header, own) if own else tag("p", NOT_MEASURED),
        fold(f"The whole registry ({len(every)})", whole),
    )


def audits(reading: BindingReading) -> Markup:
    """Completeness, deduplication and leakage; interface errors apart from effects."""
    rows: list[list[Child]] = [[one.item, one.status, one.evidence, one.interpretation] for one in reading.audits]
    errors: list[list[Child]] = [
        [one.source, one.model or "–", one.type, f"{one.rows:,}"] for one in reading.diagnostics
    ]
    shown = table("Interface errors", ["source", "model", "type", "rows"], errors, right=(3,))
    return lines_of(
        tag("h3", "Audits of the records"),
        table("Audits", ["audit", "outcome", "evidence", "what it means"], rows) if rows else tag("p", NOT_MEASURED),
        shown if errors else tag("p", "No interface error was recorded.", class_="small"),
    )


def missing(reading: BindingReading) -> Markup:
    """What this run could not be asked, and what could be run for it."""
    lines = [
        tag("li", f"{one.question}: {NOT_MEASURED} in this run; ", tag("code", f"proctor run {one.suite}"), " has it")
        for one in QUESTIONS
        if one.table not in reading.data
    ]
    lines.append(tag("li", PREDICTIVE))
    return lines_of(tag("h3", "Not in this run"), tag("ul", *lines))
