"""Documents to test: of the whole vector, with everything declared, and of a run that acts."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from proctor.reports.data import Report
from proctor.reports.documents.efficacy import CreditedOutcome
from proctor.reports.documents.technical import TechnicalReport, technical_report

EVALUATION = {
    "organisation": "Example Labs",
    "contact": "evals@example.org",
    "evaluator": "A. Evaluator",
    "independence": "vendor",
    "use": "procurement",
    "self_certified": True,
}
OUTCOME = CreditedOutcome(
    cell="E3",
    family="file-creation@1.0",
    regime="operations-10",
    run="graded-oracle",
    episode=41,
    instance="0123456789abcdef",
    head="ab" * 32,
    artifacts={"report.txt": "cd" * 32},
)


def declared(report: Report, **more: Any) -> Report:
    """The same report with everything declared that can be."""
    around = replace(
        report.declared,
        evaluation={**EVALUATION, **more},
        inclusion="families of sensing",
        exclusion="none",
        justification="a test of reports",
        preregistration="ef" * 32,
    )
    system = replace(report.system, architecture="rule-based", configuration={"system_prompt": "be brief"})
    return replace(report, declared=around, system=system)


def technical(report: Report) -> TechnicalReport:
    return technical_report(report, (OUTCOME,))


def with_levels(report: Report, **levels: int) -> Report:
    """The same report with these levels, as if they had been earned."""
    section = report.sections[0]
    vector = {name: {**one, "level": levels.get(name, one["level"])} for name, one in section.data["vector"].items()}
    return replace(report, sections=(replace(section, data={**section.data, "vector": vector}), *report.sections[1:]))
