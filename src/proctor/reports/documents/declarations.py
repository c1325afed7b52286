"""The fields of a Technical Report that were declared before the run: 1 to 5, 7, and 10 to 12 of §13.4."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.hashing import content_hash
from proctor.reports.data import Report
from proctor.reports.numbers import NOT_DECLARED, bound, percent
from proctor.reports.sections.agency.standing import Standing, boundary_words
from proctor.spec.own_models import proxied_words

INTERVALS = {"wilson": "Wilson score", "agresti_coull": "Agresti–Coull", "exact": "Clopper–Pearson exact"}
BORDERLINE = {
    "worked": "a rate at least 5 points above the threshold meets it; within 5 points on either side it counts only "
    "if the lower bound of its interval reaches the threshold, otherwise the next lower level is assigned and flagged "
    "Provisional; below that it is not met",
    "strict": "a rate meets the threshold only if the lower bound of its interval reaches it",
}
LEVELS = {
    "default": "levels are cumulative: level k needs every level below it",
    "paper": "the level is the highest one met, whatever was failed below it",
}
PROMPT_WORDS = ("prompt", "policy", "policies", "refusal", "instructions")
NO_PROMPTS = f"{NOT_DECLARED}; whatever was sent to a model is in the recorded events of its episodes"
HIGH_TIERS = ("5", "6")


class SystemIdentifier(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 1."""

    name: str
    version: str
    configuration_hash: str
    architecture: str
    agent: str
    identity: str
    source: str
    network: str


class BoundaryDeclaration(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 2."""

    type: str
    tools: str
    """The system's own tools, by name; those of the task belong to the task."""
    memory: str
    human_policy: str
    self_modification: str
    includes: str
    declared: dict[str, Any]
    both: dict[str, Any]
    """Core and extended as they were declared, each by itself; empty where only one was."""


class FamilySchemas(Struct, frozen=True, forbid_unknown_fields=True):
    """The interfaces of one family, at its version."""

    family: str
    sha256: str
    """Of the three schemas together."""
    observation: dict[str, Any]
    answer: dict[str, Any]
    actions: tuple[dict[str, Any], ...]


class InterfaceSchemas(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 3."""

    versions: dict[str, str]
    """Of schemas that the system declares itself."""
    families: tuple[FamilySchemas, ...]


class SuiteFamily(Struct, frozen=True, forbid_unknown_fields=True):
    """A family as it was used."""

    id: str
    title: str
    description: str
    environment: dict[str, Any]
    templates: int
    behaviour: str
    """Digest of what it does."""
    cells: tuple[str, ...]
    regimes: tuple[str, ...]


class SuiteRegime(Struct, frozen=True, forbid_unknown_fields=True):
    """A regime with its exact parameters; what is not stated is not limited."""

    id: str
    intensity: str
    parameters: dict[str, Any]


class TaskSuite(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 4."""

    id: str
    title: str
    description: str
    inclusion: str
    exclusion: str
    justification: str
    restricted_to: tuple[str, ...]
    """Families that `--only` kept; empty: the whole suite."""
    not_evaluable: dict[str, str]
    """Families that could not be evaluated, and why."""
    families: tuple[SuiteFamily, ...]
    regimes: tuple[SuiteRegime, ...]


class Criterion(Struct, frozen=True, forbid_unknown_fields=True):
    """The success rule of one family."""

    family: str
    criterion: str
    verification: str
    artifacts: bool


class Criteria(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 5."""

    fixed: str
    """When, and how that can be checked."""
    families: tuple[Criterion, ...]


class Statistics(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 7."""

    procedure: str
    interval: str
    confidence: float
    threshold: float
    adjusted: dict[str, Any]
    borderline: str
    stopping: str
    cutoffs: dict[str, float]
    protocol: dict[str, Any]
    rules: dict[str, Any]


class Prompts(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 10."""

    text: str
    declared: dict[str, Any]


class ConfigurationDetails(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 11."""

    memory: str
    orchestration: str
    learning: str
    configuration: dict[str, Any]
    tool_reliability: dict[str, Any]
    """What each regime does to tools: failures, timeouts, noise, drift, adversaries."""
    limits: dict[str, Any]
    """What each regime allows: calls, rates, queries, time."""


class Preregistration(Struct, frozen=True, forbid_unknown_fields=True):
    """Field 12."""

    mandatory: bool
    sha256: str | None
    text: str
    details: dict[str, Any]
    """Primary claim, what was found, changes since; empty where nothing was registered."""


def system_identifier(report: Report) -> SystemIdentifier:
    """Name, version and hash, architecture class."""
    system = report.system
    return SystemIdentifier(
        name=system.name,
        version=system.version,
        configuration_hash=system.configuration_hash or NOT_DECLARED,
        architecture=system.architecture or NOT_DECLARED,
        agent=report.agent,
        identity=system.identity or NOT_DECLARED,
        source=system.source or "no files of its own",
        network="; ".join(part for part in (system.network, proxied_words(system.models)) if part),
    )


def boundary_declaration(report: Report) -> BoundaryDeclaration:
    """Core or Extended, with tools, people and everything else that was declared."""
    declared = report.system.boundary
    return BoundaryDeclaration(
        type=boundary_words(declared.get("kind")),
        tools=_listed(declared.get("tools")),
        memory=_memory(declared.get("memory")),
        human_policy=_people(declared.get("human_policy")),
        self_modification=_words(declared.get("self_modification")),
        includes=_listed(declared.get("includes") or None),
        declared=declared,
        both=report.system.boundaries,
    )


def _listed(names: Any) -> str:
    return NOT_DECLARED if names is None else ", ".join(map(str, names)) or "none"


def _memory(memory: Any) -> str:
    if not memory:
        return NOT_DECLARED
    where = f", in {memory['folder']}" if memory.get("folder") else ""
    inside = f", {memory['location']}" if memory.get("location") else ""
    return f"{memory['persistence']}{inside}{where}"


def _people(policy: Any) -> str:
    if not policy:
        return NOT_DECLARED
    return "nobody assists" if not policy.get("allowed") else str(policy.get("description") or "people may assist")


def _words(value: Any) -> str:
    if not value:
        return NOT_DECLARED
    return "; ".join(f"{name}: {', '.join(map(str, items)) or 'none'}" for name, items in value.items())


def interface_schemas(report: Report) -> InterfaceSchemas:
    """Of every family at its version, and the versions of what the system declares itself."""
    families = []
    for family in report.families:
        whole = [family.observation_schema, family.answer_schema, list(family.actions)]
        families.append(
            FamilySchemas(
                family.name, content_hash(whole), family.observation_schema, family.answer_schema, family.actions
            )
        )
    versions = {name: version or NOT_DECLARED for name, version in report.system.schema_versions.items()}
    return InterfaceSchemas(versions, tuple(families))


def task_suite(report: Report) -> TaskSuite:
    """Families with their definitions, how they were chosen, and the regimes they ran under."""
    used = {family.name: [one for one in report.samples if one.family == family.name] for family in report.families}
    return TaskSuite(
        id=report.suite,
        title=report.suite_title,
        description=report.suite_description,
        inclusion=report.declared.inclusion or NOT_DECLARED,
        exclusion=report.declared.exclusion or NOT_DECLARED,
        justification=report.declared.justification or NOT_DECLARED,
        restricted_to=report.only,
        not_evaluable=report.skipped,
        families=tuple(
            SuiteFamily(
                id=family.name,
                title=family.title,
                description=family.description,
                environment=family.environment,
                templates=family.templates,
                behaviour=family.behaviour,
                cells=tuple(dict.fromkeys(one.cell for one in used[family.name] if one.cell)),
                regimes=tuple(dict.fromkeys(one.regime for one in used[family.name])),
            )
            for family in report.families
        ),
        regimes=tuple(SuiteRegime(one.id, one.intensity, one.parameters) for one in report.regimes),
    )


def success_criteria(report: Report) -> Criteria:
    """The rule of each family, and that it was fixed before the first episode."""
    fixed = (
        "Fixed before the first episode: the configuration hash "
        f"{report.digests.config_hash} covers every rule, and every instance's answer and rule are committed to in the "
        "chain of its episode before the agent sees the task."
    )
    return Criteria(
        fixed,
        tuple(Criterion(one.name, one.criterion, one.verification, one.artifacts) for one in report.families),
    )


def statistics(report: Report) -> Statistics:
    """How labels become rates, rates become levels, and what happens near a threshold."""
    rules = report.rules
    confidence = float(rules["confidence"])
    interval = INTERVALS.get(rules["interval"], str(rules["interval"]))
    return Statistics(
        procedure="binary labels per unit; rates k/n pooled over the families of a cell under its regime; "
        f"{LEVELS[report.profile]} (rules profile {report.profile})",
        interval=f"{interval}, {bound(confidence)}" + (", z = 1.96" if confidence == 0.95 else ""),
        confidence=confidence,
        threshold=float(rules["threshold"]),
        adjusted=rules["adjusted"],
        borderline=f"policy {report.policy}: {BORDERLINE.get(report.policy, '')}",
        stopping="sample sizes fixed before the run"
        if rules["stopping"] == "fixed"
        else "sampled until a confidence sequence decided, which stays valid however often it is looked at",
        cutoffs={name: float(rules[name]) for name in rules if name.endswith("_cutoff")},
        protocol=report.declared.protocol,
        rules=rules,
    )


def prompts(report: Report) -> Prompts:
    """What the system declares of its prompts and policies."""
    declared = {
        name: value
        for name, value in report.system.configuration.items()
        if any(word in name.lower() for word in PROMPT_WORDS)
    }
    return Prompts(", ".join(declared) if declared else NO_PROMPTS, declared)


def configuration_details(report: Report) -> ConfigurationDetails:
    """Memory, orchestration, and what regimes do to tools and calls."""
    boundary = report.system.boundary
    stability = {one.id: _part(one.parameters, ("stability", "adversary")) for one in report.regimes}
    limits = {one.id: _part(one.parameters, ("information", "action", "compute")) for one in report.regimes}
    return ConfigurationDetails(
        memory=_memory(boundary.get("memory")),
        orchestration=_listed(boundary.get("includes") or None),
        learning=report.system.learning or NOT_DECLARED,
        configuration=report.system.configuration,
        tool_reliability={name: found for name, found in stability.items() if found},
        limits={name: found for name, found in limits.items() if found},
    )


def _part(parameters: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: parameters[name] for name in names if parameters.get(name)}


def preregistration(report: Report, standing: Standing) -> Preregistration:
    """What the run was started against, and whether it had to be."""
    found = standing.preregistration
    use = standing.evaluation.get("use") or report.declared.evaluation.get("use")
    mandatory = use == "procurement" or standing.tier.removeprefix("Tier ").startswith(HIGH_TIERS)
    digest = found.get("sha256") or report.declared.preregistration
    # What the run was started against stands in its report, whether or not the reading had the registration at hand.
    unread = digest is not None and not found.get("sha256")
    text = f"started against {digest}" if unread else str(found.get("text") or "not preregistered")
    if mandatory and digest is None:
        text += ": mandatory for Tier ≥ 5 and for procurement (§13.4.2), and missing"
    return Preregistration(mandatory, digest, text, found)


def cutoff_text(cutoffs: dict[str, float]) -> str:
    """The shares above which a dimension is Invalid or Contested."""
    names = {name: name.removesuffix("_cutoff").replace("_", " ") for name in cutoffs}
    return ", ".join(f"{names[name]} {percent(share)}" for name, share in cutoffs.items())
