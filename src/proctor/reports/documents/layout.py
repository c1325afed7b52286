"""The Technical Report as a sequence of blocks, so that page and PDF show the same in the same order."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.reports.documents.blocks import (
    Block,
    Code,
    Facts,
    Heading,
    Paragraph,
    Table,
    as_counts,
    as_json,
    as_line,
    as_text,
    leaves,
)
from proctor.reports.documents.declarations import cutoff_text
from proctor.reports.documents.technical import DimensionRow, LevelRow, RateRow, TechnicalReport
from proctor.reports.numbers import NOT_DECLARED, NOT_MEASURED, bound, count, interval, percent
from proctor.reports.sections.agency.notes import THREATS, TRIGGERS

MANDATORY = "Technical Report"
WARNINGS = ("Exploratory", "Vendor-Evaluated")
"""Notices that stand out."""
MAX_OUTCOMES = 1_000
"""Credited outcomes that are printed one by one; the JSON has all of them."""
DIGITS = 24
"""Hex digits of a digest in a table; the JSON has all 64."""


def layout(report: TechnicalReport) -> list[Block]:
    """Everything, in order."""
    return [
        *_front(report),
        *_system(report),
        *_boundary(report),
        *_schemas(report),
        *_suite(report),
        *_criteria(report),
        *_sampling(report),
        *_statistics(report),
        *_results(report),
        *_evidence(report),
        *_recommended(report),
        *_claims(report),
        *_appendix(report),
    ]


def _front(report: TechnicalReport) -> Iterable[Block]:
    for index, sentence in enumerate(report.verdict):
        yield Paragraph(sentence, "lead" if index == 0 else "")
    yield Paragraph(report.statement, "strong")
    cases = f"Mandatory here: {'; '.join(report.mandatory)}." if report.mandatory else "Not mandatory for this result."
    yield Paragraph(f"{report.notice} {cases}", "notice" if report.mandatory else "")
    for notice in report.notices:
        if notice.name != MANDATORY:
            yield Paragraph(f"{notice.name}: {notice.text}", "notice" if notice.name in WARNINGS else "")
    yield Heading(1, "Tuples", "tuples")
    yield Facts(
        (
            ("Identification Tuple", report.identification.text),
            ("Comparison Tuple", report.comparison.text),
            ("Other boundary", report.other.text if report.other is not None else "no run of it was given"),
        )
    )


def _system(report: TechnicalReport) -> Iterable[Block]:
    one = report.system
    yield Heading(1, "1 System Identifier", "system")
    yield Facts(
        (
            ("Name", one.name),
            ("Version", one.version),
            ("Configuration hash", one.configuration_hash),
            ("Architecture class", one.architecture),
            ("Agent", one.agent),
            ("Model or package", one.identity),
            ("Source files", one.source),
            ("Network", one.network),
        )
    )


def _boundary(report: TechnicalReport) -> Iterable[Block]:
    one = report.boundary
    yield Heading(1, "2 Boundary Declaration", "boundary")
    yield Facts(
        (
            ("Boundary type", one.type),
            ("Tool access list", one.tools),
            ("Human assistance policy", one.human_policy),
            ("Memory", one.memory),
            ("Self-modification scope", one.self_modification),
            ("Inclusion list", one.includes),
        )
    )
    if one.both:
        yield Code("Core and Extended as declared", as_text(one.both))


def _schemas(report: TechnicalReport) -> Iterable[Block]:
    yield Heading(1, "3 Interface Schemas", "schemas")
    declared = ", ".join(f"{name} schema {version}" for name, version in report.schemas.versions.items())
    yield Paragraph(
        "Observation schema, answer schema and action schema of every family, at the version of the family. The "
        f"schemas themselves stand in the appendix. Declared by the system itself: {declared or 'none'}."
    )
    rows = tuple((one.family, str(len(one.actions)), one.sha256) for one in report.schemas.families)
    yield Table("Schemas", ("family and version", "actions", "SHA-256"), rows, (3, 1, 7), digests=(2,))


def _suite(report: TechnicalReport) -> Iterable[Block]:
    suite = report.suite
    yield Heading(1, "4 Task Suite Specification", "suite")
    yield Facts(
        (
            ("Suite", f"{suite.id}: {suite.title}. {suite.description}"),
            ("Inclusion criteria", suite.inclusion),
            ("Exclusions", suite.exclusion),
            ("Justification", suite.justification),
            ("Restricted to", ", ".join(suite.restricted_to) or "nothing: the whole suite was run"),
            ("Not evaluable here", "; ".join(f"{name}: {why}" for name, why in suite.not_evaluable.items()) or "none"),
        )
    )
    families = tuple(
        (
            one.id,
            f"{one.title}. {one.description}",
            ", ".join(one.cells) or "–",
            ", ".join(one.regimes),
            str(one.templates),
        )
        for one in suite.families
    )
    header = ("family", "definition", "counts for", "regimes", "templates")
    yield Table("Families", header, families, (3, 7, 2, 3, 1.4))
    regimes = tuple((one.id, one.intensity, as_line(one.parameters) or "no limits") for one in suite.regimes)
    yield Table("Regimes with their exact parameters", ("regime", "intensity", "parameters"), regimes, (2.5, 1.5, 8))


def _criteria(report: TechnicalReport) -> Iterable[Block]:
    yield Heading(1, "5 Ex Ante Success Criteria", "criteria")
    yield Paragraph(report.criteria.fixed)
    rows = tuple(
        (one.family, one.criterion, one.verification + (" Leaves an artifact." if one.artifacts else ""))
        for one in report.criteria.families
    )
    header = ("family", "a unit succeeds when", "verification method")
    yield Table("Success criteria", header, rows, (2.5, 5, 5))


def _sampling(report: TechnicalReport) -> Iterable[Block]:
    yield Heading(1, "6 Sampling Plan and Counts", "sampling")
    planned, run = sum(one.planned for one in report.sampling), sum(one.run for one in report.sampling)
    lost = sum(sum(one.excluded.values()) for one in report.sampling)
    yield Paragraph(f"{planned:,} episodes planned, {run:,} run, {lost:,} excluded. {report.verification.text}.")
    rows = tuple(
        (
            one.family,
            one.regime,
            one.cell or "–",
            f"{one.planned:,}",
            f"{one.run:,}",
            as_counts(one.outcomes),
            as_counts(one.excluded) or "none",
        )
        for one in report.sampling
    )
    header = ("family", "regime", "cell", "planned", "run", "outcomes", "excluded, and why")
    yield Table("Episodes by family and regime", header, rows, (3, 3, 1, 1.3, 1.1, 3.2, 2.4))


def _statistics(report: TechnicalReport) -> Iterable[Block]:
    one = report.statistics
    yield Heading(1, "7 Aggregation and Statistics", "statistics")
    adjusted = "; ".join(
        f"{name}: {bound(float(each['threshold']))}, {each['justification']}" for name, each in one.adjusted.items()
    )
    luck = report.results.expected_false_promotions
    yield Facts(
        (
            ("Scoring procedure", one.procedure),
            ("Confidence interval", one.interval),
            ("Threshold", bound(one.threshold)),
            ("Adjusted thresholds", adjusted or "none"),
            ("Borderline rule", one.borderline),
            ("Sampling", one.stopping),
            ("Cut-offs", cutoff_text(one.cutoffs)),
            *((f"Protocol: {name}", str(text)) for name, text in one.protocol.items()),
            (
                "Multiplicity",
                NOT_MEASURED if luck is None else f"{luck:.2f} levels would be promoted by luck if every true rate lay "
                "5 points below its threshold",
            ),
        )
    )  # fmt: skip


def _results(report: TechnicalReport) -> Iterable[Block]:
    found = report.results
    yield Heading(1, "8 Results", "results")
    vector = ", ".join(f"{name} = {'–' if level is None else level}" for name, level in found.vector.items())
    yield Paragraph(f"Agency Vector: {vector}. {report.comparison.text}", "tuple")
    if found.boundaries:
        header, *rows = found.boundaries
        weights = (2.4, *((1.6, 4.2) * ((len(header) - 1) // 2)))
        yield Table("Core and Extended side by side", header, tuple(rows), weights)
    gates = tuple((one.tier, one.outcome, one.reason) for one in found.gates)
    yield Table("Tier gate outcomes", ("gate", "outcome", "reason"), gates, (3, 2, 5))
    flags = tuple((one.about, one.name, one.reason) for one in found.flags) or (("–", "None", "no flag applies"),)
    yield Table("Flags with causes", ("about", "flag", "cause"), flags, (1, 3, 8))
    for one in found.dimensions:
        yield from _dimension(one)


def _dimension(one: DimensionRow) -> Iterable[Block]:
    other = NOT_MEASURED if one.other_policy_level is None else f"level {one.other_policy_level}"
    yield Heading(2, f"{one.dimension} {one.title}: {one.text}")
    yield Facts(
        (
            ("Reporting tuple", one.reporting_tuple),
            ("Families", ", ".join(one.families) or "none"),
            ("Scored units", f"{one.n:,}"),
            ("Other borderline policy", other),
            ("Why", "; ".join(one.reasons) or "–"),
        )
    )
    if not one.levels:
        return
    levels = tuple(_level(level) for level in one.levels)
    asked = ("level", "asks", "needs", "found", "outcome")
    yield Table(f"{one.dimension}: levels", asked, levels, (0.9, 3, 2.6, 4.6, 2))
    rates = tuple((level.cell, *_rate(rate)) for level in one.levels for rate in level.rates)
    if rates:
        header = ("level", "regime or phase", "k/n", "rate", "95 % interval", "clustered", "families", "excluded")
        weights = (0.9, 2.6, 1.2, 1.2, 1.9, 1.9, 3.6, 1.4)
        yield Table(f"{one.dimension}: success rates by level and regime", header, rates, weights)


def _level(level: LevelRow) -> tuple[str, ...]:
    outcome = level.status + (", credited" if level.credited else "")
    return level.cell, level.asks, level.needs, "; ".join(level.criteria) or NOT_MEASURED, outcome


def _rate(rate: RateRow) -> tuple[str, ...]:
    where = rate.regime if rate.phase in (None, "test") else f"{rate.phase}, {rate.regime}"
    families = ", ".join(f"{name} {k}/{n}" for name, (k, n) in rate.families.items())
    return (
        where,
        f"{rate.k}/{rate.n}",
        percent(rate.rate),
        interval(rate.low, rate.high),
        interval(rate.clustered_low, rate.clustered_high),
        families or NOT_MEASURED,
        as_counts(rate.excluded) or "none",
    )


def _evidence(report: TechnicalReport) -> Iterable[Block]:
    found, artifact = report.evidence, report.evidence.artifact
    missing = "available when the run is finished"
    yield Heading(1, "9 Evidence Bundle Index", "evidence")
    yield Facts(
        (
            ("Run", artifact.run),
            ("Bundle", artifact.bundle),
            ("Configuration hash", artifact.config_hash),
            ("Root", artifact.root or missing),
            ("Seal", artifact.seal or missing),
            ("Execution", as_line(found.execution)),
            ("Ratings by people", as_line(found.ratings) or "none were given"),
            *(("Challenge", str(one["text"])) for one in report.challenges),
            ("To check", "; ".join(artifact.commands)),
        )
    )
    yield Paragraph(
        f"Credited Efficacy outcomes: {count(len(found.efficacy), 'success', 'successes')} in cells of E. "
        f"proctor show {artifact.run} EPISODE prints the log of any of them. Digests are shortened to {DIGITS} "
        "digits; the JSON of this report has them whole."
    )
    shown = found.efficacy[:MAX_OUTCOMES]
    if len(found.efficacy) > len(shown):
        yield Paragraph(f"The first {len(shown):,} are printed; the JSON of this report lists all of them.")
    rows = tuple(
        (
            one.cell,
            one.family,
            one.regime,
            f"{one.episode}",
            one.instance,
            one.head[:DIGITS],
            ", ".join(f"{name} {digest[:DIGITS]}" for name, digest in one.artifacts.items()) or "none kept",
        )
        for one in shown
    )
    header = ("cell", "family", "regime", "episode", "instance", "chain head", "verified artifacts")
    if rows:
        weights = (0.8, 2.6, 2.2, 1.2, 2.4, 3, 4.4)
        yield Table("Credited Efficacy outcomes", header, rows, weights, digests=(4, 5, 6))


def _recommended(report: TechnicalReport) -> Iterable[Block]:
    configured, registered = report.configuration, report.preregistration
    yield Heading(1, "10 Prompts and Policies", "prompts")
    yield Paragraph(report.prompts.text)
    if report.prompts.declared:
        yield Code("Declared", as_text(report.prompts.declared))
    yield Heading(1, "11 Configuration Details", "configuration")
    yield Facts(
        (
            ("Memory persistence scope", configured.memory),
            ("Orchestration logic", configured.orchestration),
            ("Learning", configured.learning),
            ("Configuration", as_line(configured.configuration) or NOT_DECLARED),
            *((f"Tool reliability, {name}", as_line(found)) for name, found in configured.tool_reliability.items()),
            *((f"Limits, {name}", as_line(found)) for name, found in configured.limits.items()),
        )
    )
    yield Heading(1, "12 Pre-Registration Reference", "preregistration")
    mandatory = "mandatory" if registered.mandatory else "recommended"
    details = tuple((name.replace("_", " ").capitalize(), text) for name, text in leaves(registered.details) if name)
    shown = tuple(pair for pair in details if pair[0] != "Text")
    yield Facts((("Preregistration", registered.text), ("For this result", mandatory), *shown))


def _claims(report: TechnicalReport) -> Iterable[Block]:
    contact = report.contact
    yield Heading(1, "Efficiency Profile", "efficiency")
    yield Facts(
        tuple(
            (one.name.capitalize(), one.text + (f": {one.reason}" if one.reason else "")) for one in report.efficiency
        )
    )
    yield Heading(1, "Verification", "verification")
    yield Paragraph(f"{report.verification.text}: {'; '.join(report.verification.methods)}.")
    yield Heading(1, "Governance Notes", "governance")
    yield Paragraph(f"Governance Notes: {report.governance_notes}")
    if report.governance_facts:
        yield Facts(report.governance_facts)
    if report.triggers:
        yield Table("Triggers", TRIGGERS, report.triggers, (1, 4, 2, 3, 4))
    yield Heading(1, "Threats to Validity", "threats")
    if report.threats:
        yield Table("Threats to validity", THREATS, report.threats, (2, 2, 6))
    else:
        yield Paragraph(f"Threats to validity: {NOT_MEASURED}.")
    yield Heading(1, "Evaluation, Independence and Self-Certification", "certification")
    yield Facts(
        (
            ("Organisation", contact.organisation),
            ("Evaluation contact", contact.contact),
            ("Evaluator", contact.evaluator),
            ("Independence", contact.independence),
            ("Use", contact.use),
            ("Label", contact.label or "none"),
            ("Self-certification", contact.statement or contact.withheld or "not attested by the reporting party"),
        )
    )


def _appendix(report: TechnicalReport) -> Iterable[Block]:
    yield Heading(1, "Appendix: Interface Schemas", "appendix")
    for one in report.schemas.families:
        lines = [f"observation {as_json(one.observation)}", f"answer {as_json(one.answer)}"]
        lines += [f"action {as_json(action)}" for action in one.actions]
        yield Code(f"{one.family} · {one.sha256}", "\n".join(lines))
