"""The Technical Report as data: everything needed to replicate a result and to dispute it (§13.4).

Nine mandatory fields and three recommended ones, in the paper's order and under its names. A field that nobody declared
is there and says so.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from proctor.reports.data import Notice, Report, RungState
from proctor.reports.documents.declarations import (
    BoundaryDeclaration,
    ConfigurationDetails,
    Criteria,
    InterfaceSchemas,
    Preregistration,
    Prompts,
    Statistics,
    SystemIdentifier,
    TaskSuite,
    boundary_declaration,
    configuration_details,
    interface_schemas,
    preregistration,
    prompts,
    statistics,
    success_criteria,
    system_identifier,
    task_suite,
)
from proctor.reports.documents.efficacy import CreditedOutcome
from proctor.reports.documents.parts import (
    CAPABILITY_ONLY,
    Artifact,
    ComparisonTuple,
    Contact,
    Flagged,
    Found,
    IdentificationTuple,
    Quantity,
    Verification,
    artifact_of,
    comparison_of,
    contact_of,
    efficiency_of,
    flags_of,
    found_in,
    identification_of,
    mandatory_of,
    notices_of,
    verdict_of,
    verification_of,
)
from proctor.reports.sections.agency.beside import side_by_side
from proctor.reports.sections.agency.ladder import NAMES, gate_rows
from proctor.reports.sections.agency.mandatory import NOTICE
from proctor.reports.sections.agency.needs import needs_text
from proctor.reports.sections.agency.notes import note_facts, threat_rows, trigger_rows
from proctor.reports.sections.agency.shown import Dimension, Level, agency_section
from proctor.reports.sections.agency.words import criterion_text, level_words, status_text

FORMAT = "proctor-technical-report"
VERSION = 1


class RateRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A level's rate under one regime, and in one phase of a lifetime."""

    regime: str
    phase: str | None
    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None
    clustered_low: float | None
    clustered_high: float | None
    families: dict[str, tuple[int, int]]
    """Successes and scored units of each family."""
    excluded: dict[str, int]
    format_errors: int


class LevelRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One level: what it asks, what was found, how it was judged."""

    cell: str
    level: int
    asks: str
    needs: str
    status: str
    credited: bool
    criteria: tuple[str, ...]
    rates: tuple[RateRow, ...]
    reason: str


class DimensionRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One dimension, or a part of G."""

    dimension: str
    title: str
    level: int | None
    text: str
    other_policy_level: int | None
    n: int
    families: tuple[str, ...]
    rungs: tuple[RungState, ...]
    flags: tuple[Flagged, ...]
    reasons: tuple[str, ...]
    reporting_tuple: str
    levels: tuple[LevelRow, ...]


class Gate(Struct, frozen=True, forbid_unknown_fields=True):
    """The gate of one tier."""

    tier: str
    outcome: str
    reason: str


class Results(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 8: rates by dimension and regime, the vector, the gates of the tiers, flags with causes."""

    vector: dict[str, int | None]
    tier: str
    gates: tuple[Gate, ...]
    dimensions: tuple[DimensionRow, ...]
    flags: tuple[Flagged, ...]
    boundaries: tuple[tuple[str, ...], ...]
    """Core and Extended side by side, its header first; empty where one alone was given."""
    expected_false_promotions: float | None


class SampleRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 6: one arm of the suite."""

    family: str
    regime: str
    condition: str
    cell: str | None
    planned: int
    run: int
    outcomes: dict[str, int]
    excluded: dict[str, int]
    """Episodes that count for nothing, by reason."""


class EvidenceIndex(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 9: digests, the bundle, and every credited Efficacy outcome with its artifacts."""

    artifact: Artifact
    execution: dict[str, Any]
    efficacy: tuple[CreditedOutcome, ...]
    ratings: dict[str, Any]
    """What people judged, by digest; empty: no ratings were given."""


class TechnicalReport(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Technical Report."""

    format: str
    version: int
    mandatory: tuple[str, ...]
    """The cases of §13.4 that apply; empty: the report was asked for and is not mandatory."""
    notice: str
    statement: str
    label: str
    exploratory: str
    verdict: tuple[str, ...]
    notices: tuple[Notice, ...]
    identification: IdentificationTuple
    comparison: ComparisonTuple
    other: ComparisonTuple | None
    system: SystemIdentifier
    """Mandatory field 1."""
    boundary: BoundaryDeclaration
    """Mandatory field 2."""
    schemas: InterfaceSchemas
    """Mandatory field 3."""
    suite: TaskSuite
    """Mandatory field 4."""
    criteria: Criteria
    """Mandatory field 5."""
    sampling: tuple[SampleRow, ...]
    """Mandatory field 6."""
    statistics: Statistics
    """Mandatory field 7."""
    results: Results
    """Mandatory field 8."""
    evidence: EvidenceIndex
    """Mandatory field 9."""
    prompts: Prompts
    """Recommended field 10."""
    configuration: ConfigurationDetails
    """Recommended field 11."""
    preregistration: Preregistration
    """Recommended field 12; mandatory for Tier ≥ 5 and for procurement."""
    efficiency: tuple[Quantity, ...]
    verification: Verification
    contact: Contact
    governance_notes: str
    governance: dict[str, Any]
    """The notes themselves, with the fields of §14.4; empty: nothing of them was counted."""
    governance_facts: tuple[tuple[str, str], ...]
    """The same as names and texts, the five mandatory fields first; empty: nothing was counted."""
    triggers: tuple[tuple[str, ...], ...]
    """Section, trigger, what was counted, threshold, outcome."""
    threats: tuple[tuple[str, ...], ...]
    """The six threats to validity of §3: name, whether it is ruled out, what was looked at; empty: not checked."""
    challenges: tuple[dict[str, Any], ...] = ()
    """The record of every challenge, published together with it (§15.4.3); left out where nobody challenged it."""


def technical_report(report: Report, outcomes: tuple[CreditedOutcome, ...]) -> TechnicalReport:
    """The Technical Report of a report with an Agency Vector and of its credited Efficacy outcomes."""
    found = found_in(report)
    other = found_in(report.other) if report.other is not None and agency_section(report.other) is not None else None
    return TechnicalReport(
        format=FORMAT,
        version=VERSION,
        mandatory=mandatory_of(report),
        notice=NOTICE,
        statement=CAPABILITY_ONLY,
        label=report.label,
        exploratory=found.standing.exploratory,
        verdict=verdict_of(report),
        notices=notices_of(report),
        identification=identification_of(found, report),
        comparison=comparison_of(found),
        other=None if other is None else comparison_of(other),
        system=system_identifier(report),
        boundary=boundary_declaration(report),
        schemas=interface_schemas(report),
        suite=task_suite(report),
        criteria=success_criteria(report),
        sampling=_sampling(report),
        statistics=statistics(report),
        results=_results(found, report),
        evidence=EvidenceIndex(artifact_of(report), report.execution, outcomes, found.standing.ratings),
        prompts=prompts(report),
        configuration=configuration_details(report),
        preregistration=preregistration(report, found.standing),
        efficiency=efficiency_of(report),
        verification=verification_of(report),
        contact=contact_of(found, report),
        governance_notes=found.standing.governance_line,
        challenges=report.challenges,
        governance=found.standing.governance,
        governance_facts=note_facts(found.standing),
        triggers=trigger_rows(found.standing),
        threats=threat_rows(found.standing),
    )


def _sampling(report: Report) -> tuple[SampleRow, ...]:
    return tuple(
        SampleRow(
            one.family, one.regime, one.condition, one.cell, one.planned, one.episodes, one.outcomes, one.excluded
        )
        for one in report.samples
    )


def _results(found: Found, report: Report) -> Results:
    vector = found.vector
    both = side_by_side(vector, report)
    threshold = float(report.rules["threshold"])
    return Results(
        vector=vector.levels(),
        tier=found.standing.tier,
        gates=_gates(found),
        dimensions=tuple(_dimension(one, found, threshold) for one in vector.all().values()),
        flags=flags_of(report),
        boundaries=() if both is None else (both.header, *both.rows),
        expected_false_promotions=vector.expected_false_promotions,
    )


def _gates(found: Found) -> tuple[Gate, ...]:
    """The gate of each tier. A tier that was not tested is not passed, and is not called failed."""
    tested = tuple(Gate(*row) for row in gate_rows(found.standing))
    return tested or tuple(
        Gate(f"Tier {number} {name}", "not tested", found.standing.tier) for number, name in enumerate(NAMES, start=1)
    )


def _dimension(one: Dimension, found: Found, threshold: float) -> DimensionRow:
    return DimensionRow(
        dimension=one.dimension,
        title=one.title,
        level=one.level,
        text=level_words(one),
        other_policy_level=one.other_policy_level,
        n=one.n,
        families=one.families,
        rungs=one.rungs,
        flags=tuple(Flagged(one.dimension, flag.name, flag.reason) for flag in one.flags),
        reasons=one.reasons,
        reporting_tuple=found.vector.tuple_of(one),
        levels=tuple(_level(one, level, threshold) for level in one.levels),
    )


def _level(one: Dimension, level: Level, usual: float) -> LevelRow:
    threshold = level.target.threshold if level.target is not None else usual
    return LevelRow(
        cell=level.cell,
        level=level.level,
        asks=level.asks,
        needs=needs_text(one.dimension, level.level, threshold),
        status=status_text(level),
        credited=level.met and one.level is not None and level.level <= one.level,
        criteria=tuple(map(criterion_text, level.criteria)),
        rates=tuple(
            RateRow(
                regime=rate.regime,
                phase=rate.phase,
                k=rate.k,
                n=rate.n,
                rate=rate.rate,
                low=rate.low,
                high=rate.high,
                clustered_low=rate.clustered.low,
                clustered_high=rate.clustered.high,
                families=rate.families,
                excluded=rate.excluded,
                format_errors=rate.format_errors,
            )
            for rate in level.rates
        ),
        reason=level.reason,
    )


def technical_json(report: TechnicalReport) -> bytes:
    """The report as a JSON document, readable and ending in a newline."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def technical_from_json(data: bytes) -> TechnicalReport:
    """The report that `technical_json` was given."""
    return msgspec.json.decode(data, type=TechnicalReport)
