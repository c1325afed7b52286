"""Documents to test: of the whole vector, with everything declared, and of a run that acts."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from proctor.reports.data import Report
from proctor.reports.documents.efficacy import CreditedOutcome
from proctor.reports.documents.technical import TechnicalReport, technical_report

STATEMENT = (
    "This evaluation was conducted in accordance with Framework v.10. The reporting party attests that the Technical "
    "Report and artifact bundle are sufficient to reproduce the published scores under the declared frame. "
    "Contact: A. Evaluator, evals@example.org."
)
EVALUATION = {
    "organisation": "Example Labs",
    "contact": "evals@example.org",
    "evaluator": "A. Evaluator",
    "independence": "vendor",
    "use": "procurement",
    "label": "Vendor-Evaluated",
    "cross_vendor": "comparisons with other vendors are Limited Comparability",
    "statement": STATEMENT,
    "statement_withheld": "",
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
    evaluation = {**EVALUATION, **more}
    around = replace(
        report.declared,
        evaluation={name: evaluation[name] for name in ("organisation", "contact", "evaluator", "independence", "use")},
        inclusion="families of sensing",
        exclusion="none",
        justification="a test of reports",
        preregistration="ef" * 32,
    )
    system = replace(report.system, architecture="rule-based", configuration={"system_prompt": "be brief"})
    return with_reading(replace(report, declared=around, system=system), evaluation=evaluation)


def with_reading(report: Report, **more: Any) -> Report:
    """The same report with these fields in its reading of the vector."""
    section = report.sections[0]
    return replace(report, sections=(replace(section, data={**section.data, **more}), *report.sections[1:]))


def with_levels(report: Report, **levels: int) -> Report:
    """The same report with these levels, as if they had been earned."""
    vector = report.sections[0].data["vector"]
    changed = {name: {**one, "level": levels.get(name, one["level"])} for name, one in vector.items()}
    scores = {name: one["level"] for name, one in changed.items()}
    return with_reading(report, vector=changed, tuple={**report.sections[0].data["tuple"], "scores": scores})


def technical(report: Report) -> TechnicalReport:
    return technical_report(report, (OUTCOME,))
