"""What card and Technical Report share: the tuples, efficiency, verification, where the evidence is, who answers."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from proctor.core.errors import InputError
from proctor.evidence.row import INFRASTRUCTURE, INVALID
from proctor.instruments.base import Value
from proctor.reports.data import FlagShown, Notice, Report
from proctor.reports.evaluation import declared_text, evaluator_text, independence_text
from proctor.reports.numbers import NOT_DECLARED, NOT_MEASURED, NOT_RECORDED, count, number, percent
from proctor.reports.sections.agency.mandatory import mandatory_cases
from proctor.reports.sections.agency.shown import Vector, agency_section, vector_shown
from proctor.reports.sections.agency.standing import Standing, boundary_phrase, standing_of
from proctor.spec.own_models import proxied_words

CAPABILITY_ONLY = (
    "Capability only: this result is not a safety certification, a statement of compliance or an approval to deploy."
)
NO_VECTOR = "has no Agency Vector: a card is made from a run of a suite with cells of the vector, e.g. agency"
EFFICIENCY = "efficiency"


class ComparisonTuple(Struct, frozen=True, forbid_unknown_fields=True):
    """The Comparison Tuple of §13.2.2."""

    framework: str
    boundary: str
    suite: str
    regime: str
    tier: str
    vector: dict[str, int | None]
    """S, M, D, E, L, R, G; null where there is no level."""
    flags: str
    """In the form of §11.9.3."""
    text: str
    """The tuple in one line."""


class IdentificationTuple(Struct, frozen=True, forbid_unknown_fields=True):
    """The Identification Tuple of §13.2.1."""

    framework: str
    system: str
    date: str
    boundary: str
    suites: tuple[str, ...]
    regime: str
    text: str


class Quantity(Struct, frozen=True, forbid_unknown_fields=True):
    """What an episode cost, on average."""

    name: str
    value: float | None
    """Null where nothing was reported; never 0 for that reason."""
    text: str
    n: int
    """Episodes it was measured on."""
    missing: int
    reason: str | None = None
    """Why there is no value."""


class Verification(Struct, frozen=True, forbid_unknown_fields=True):
    """How outcomes were verified, and how often that failed."""

    methods: tuple[str, ...]
    attempted: int
    """Episodes that were to be verified."""
    failed: int
    """Of those, episodes whose verification broke: excluded and counted."""
    failure_rate: float | None
    text: str


class Artifact(Struct, frozen=True, forbid_unknown_fields=True):
    """What identifies the replication bundle, and how to obtain and check it."""

    run: str
    bundle: str
    """The file that `proctor export` writes."""
    config_hash: str
    root: str | None
    seal: str | None
    commands: tuple[str, ...]


class Contact(Struct, frozen=True, forbid_unknown_fields=True):
    """Who answers for the evaluation; "not declared" where nobody said."""

    organisation: str
    contact: str
    evaluator: str
    independence: str
    use: str
    label: str
    """`Vendor-Evaluated`, or empty."""
    statement: str
    """The self-certification of §15.4.1, or empty: not attested."""
    withheld: str
    """Why a declared self-certification is not printed, or empty."""


class Flagged(Struct, frozen=True, forbid_unknown_fields=True):
    """A flag and its cause."""

    about: str
    name: str
    reason: str


class Found(Struct, frozen=True):
    """The vector, and what must be said beside it."""

    vector: Vector
    standing: Standing


def found_in(report: Report) -> Found:
    """The vector of the report; refuses a report without one."""
    section = agency_section(report)
    if section is None:
        invalid = next((one.reason for one in report.sections if one.instrument == "agency" and one.flags), None)
        message = f"{report.run} {NO_VECTOR if invalid is None else f'has no Agency Vector: {invalid}'}"
        raise InputError(message)
    return Found(vector_shown(section.data), standing_of(section.data))


def comparison_of(found: Found) -> ComparisonTuple:
    """The tuple that results are compared by."""
    given = found.standing.comparison
    return ComparisonTuple(
        framework=str(given["framework"]),
        boundary=str(given["boundary"]),
        suite=str(given["suite"]),
        regime=str(given["regime"]),
        tier=found.standing.tier,
        vector=found.vector.levels(),
        flags=str(given["flags"]),
        text=str(given["text"]),
    )


def identification_of(found: Found, report: Report) -> IdentificationTuple:
    """The tuple that a result is archived by. Its date is when the evaluation was started."""
    given = found.standing.identification
    framework, boundary, regime = (str(given[name]) for name in ("framework", "boundary", "regime"))
    identity = (report.system.configuration_hash or NOT_DECLARED)[:12]
    version = "" if report.system.version == "unversioned" else f" {report.system.version}"
    system = f"{report.system.name}{version}, configuration {identity}"
    date = str(given.get("date") or (report.started or NOT_RECORDED).partition("T")[0])
    suites = tuple(map(str, given["suites"]))
    text = f"(Framework {framework}, {system}, {date}, {boundary_phrase(boundary)}, {', '.join(suites)}, {regime})"
    return IdentificationTuple(framework, system, date, boundary, suites, regime, str(given.get("text") or text))


def efficiency_of(report: Report) -> tuple[Quantity, ...]:
    """Tokens, wall clock, actions and retries per episode over the whole run (§8.3, §13.3); in no level."""
    section = next((one for one in report.sections if one.instrument == EFFICIENCY and one.measured), None)
    values = msgspec.convert(section.data["values"], tuple[Value, ...]) if section is not None else ()
    by_name: dict[str, list[Value]] = {}
    for value in values:
        by_name.setdefault(value.name, []).append(value)
    tokens = _mean(by_name, "tokens per episode", "tokens per episode", "{} tokens")
    clock = _mean(by_name, "real milliseconds per episode", "wall clock per episode", "{} ms")
    actions = _mean(by_name, "actions per episode", "actions per episode", "{}")
    return tokens, clock, actions, _retry_rate(by_name)


def _mean(by_name: dict[str, list[Value]], measured: str, name: str, form: str) -> Quantity:
    found = _sum(by_name.get(measured, []))
    if not found.n:
        return Quantity(name, None, NOT_MEASURED, 0, found.missing, found.reason or "no episode was measured")
    mean = found.total / found.n
    return Quantity(name, mean, form.format(number(float(f"{mean:.3g}"))), found.n, found.missing)


def _retry_rate(by_name: dict[str, list[Value]]) -> Quantity:
    """Calls that repeat one which failed, over all calls."""
    retries, actions = _sum(by_name.get("retries per episode", [])), _sum(by_name.get("actions per episode", []))
    if not retries.n or not actions.total:
        return Quantity("retry rate", None, NOT_MEASURED, retries.n, retries.missing, "no action was taken")
    share = retries.total / actions.total
    return Quantity("retry rate", share, f"{percent(share)} of actions", retries.n, retries.missing)


class _Sum(Struct, frozen=True):
    """A quantity over all arms: its total, the episodes behind it, those without it, and why where there is none."""

    total: float
    n: int
    missing: int
    reason: str | None


def _sum(values: list[Value]) -> _Sum:
    scored = [value.estimate for value in values if value.estimate.estimate is not None]
    reasons = dict.fromkeys(value.estimate.reason for value in values if value.estimate.reason)
    return _Sum(
        total=sum((one.estimate or 0.0) * one.n for one in scored),
        n=sum(one.n for one in scored),
        missing=sum(value.estimate.missing for value in values),
        reason=next(iter(reasons), None),
    )


def verification_of(report: Report) -> Verification:
    """The methods by kind, and the share of episodes whose verification broke."""
    attempted = sum(report.outcomes.values())
    failed = sum(report.outcomes.get(name, 0) for name in (INFRASTRUCTURE, INVALID))
    leaving = [family.name for family in report.families if family.artifacts]
    others = len(report.families) - len(leaving)
    methods = []
    if leaving:
        methods.append(f"artifacts opened and hashed by the verifier ({count(len(leaving), 'family', 'families')})")
    if others:
        methods.append(
            f"answers and world state compared with values fixed beforehand ({count(others, 'family', 'families')})"
        )
    rate = failed / attempted if attempted else None
    text = f"{failed:,} of {attempted:,} verifications failed ({percent(rate)})"
    return Verification(tuple(methods), attempted, failed, rate, text)


def artifact_of(report: Report) -> Artifact:
    """Where to obtain the bundle and how to check it."""
    bundle = f"{report.run}.proctor"
    commands = (f"proctor export {report.run} -o {bundle}", f"proctor verify {bundle}")
    digests = report.digests
    return Artifact(report.run, bundle, digests.config_hash, digests.root, digests.seal, commands)


def evaluation_of(found: Found, report: Report) -> dict[str, Any]:
    """Who evaluated: as the reading has it, else as it was declared."""
    return found.standing.evaluation or report.declared.evaluation


def contact_of(found: Found, report: Report) -> Contact:
    """Who is responsible."""
    evaluation = evaluation_of(found, report)
    return Contact(
        organisation=declared_text(evaluation, "organisation"),
        contact=declared_text(evaluation, "contact"),
        evaluator=evaluator_text(evaluation),
        independence=independence_text(evaluation),
        use=declared_text(evaluation, "use"),
        label=str(evaluation.get("label") or ""),
        statement=str(evaluation.get("statement") or ""),
        withheld=str(evaluation.get("statement_withheld") or ""),
    )


def flags_of(report: Report) -> tuple[Flagged, ...]:
    """Every flag of the vector with its cause."""
    section = agency_section(report)
    shown: tuple[FlagShown, ...] = section.flags if section is not None else ()
    return tuple(Flagged(flag.about or "the vector", flag.name, flag.reason) for flag in shown)


def notices_of(report: Report) -> tuple[Notice, ...]:
    """What must be known before the result is read."""
    section = agency_section(report)
    known = section.conclusion.notices if section is not None and section.conclusion is not None else ()
    proxied = proxied_words(report.system.models)
    return (*known, Notice("Conditions", proxied)) if proxied else known


def verdict_of(report: Report) -> tuple[str, ...]:
    """The result in words."""
    section = agency_section(report)
    return section.conclusion.verdict if section is not None and section.conclusion is not None else ()


def mandatory_of(report: Report) -> tuple[str, ...]:
    """The cases of §13.4 in which a Technical Report is mandatory; empty for other reports."""
    if agency_section(report) is None:
        return ()
    found = found_in(report)
    use = evaluation_of(found, report).get("use")
    return mandatory_cases(found.vector.levels(), found.standing.tier, use)
