"""The tuples and labels without which nothing is reported: identification, comparison, evaluation (§13.2, §15).

Everything here is put together from what was declared and found; nothing decides a level. What was not declared says
so. Exploratory, Vendor-Evaluated and independence are fields of their own beside the flags.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.flags import is_invalid, printed
from proctor.instruments.base import Flag
from proctor.spec.evaluation import Evaluation, Independence, Use
from proctor.spec.frozen import ID_DIGITS, FrozenRun
from proctor.spec.released import shown_name
from proctor.spec.system import NOT_DECLARED

FRAMEWORK_VERSION: Final = "v.10"
NOT_TESTED: Final = {"tier": None, "text": "None (not tested)"}
"""Of a suite without cells of tiers; what is not tested is not passed."""
VENDOR_EVALUATED: Final = "Vendor-Evaluated"
CROSS_VENDOR: Final = (
    "Comparisons with results of other vendors are Limited Comparability unless the protocols align (§15.2.1)."
)
CERTIFIED: Final = (
    "This evaluation was conducted in accordance with Framework v.10. The reporting party attests that the Technical "
    "Report and artifact bundle are sufficient to reproduce the published scores under the declared frame. "
    "Contact: {contact}."
)
"""The statement of §15.4.1, in its words."""


def boundary_words(frozen: FrozenRun) -> str:
    """`Core Boundary`, `Extended Boundary` or `Boundary not declared`."""
    words = frozen.system.boundary.words
    return f"Boundary {NOT_DECLARED}" if words == NOT_DECLARED else f"{words} Boundary"


def system_id(frozen: FrozenRun) -> str:
    """Name, and version or hash (§13.2.1)."""
    digest = frozen.identity_hash
    configuration = NOT_DECLARED if digest is None else digest[:ID_DIGITS]
    version = "" if frozen.system.version == "unversioned" else f" {frozen.system.version}"
    return f"{frozen.system.name}{version}, configuration {configuration}"


def identification_of(evidence: Evidence) -> dict[str, Any]:
    """The Identification Tuple of §13.2.1, with the real date of the evaluation."""
    frozen = evidence.frozen
    date = "not recorded" if evidence.started is None else evidence.started[:10]
    facts: dict[str, Any] = {
        "framework": FRAMEWORK_VERSION,
        "system": {
            "name": frozen.system.name,
            "version": frozen.system.version,
            "architecture": frozen.system.architecture or NOT_DECLARED,
            "configuration_hash": frozen.identity_hash or NOT_DECLARED,
            "agent": frozen.agent,
            "agent_source": frozen.agent_source,
            "identity": frozen.agent_identity,
        },
        "date": date,
        "started": evidence.started,
        "boundary": frozen.system.boundary.words,
        "suites": [shown_name(frozen)],
        "regime": frozen.regime_id,
    }
    text = (
        f"(Framework {FRAMEWORK_VERSION}, {system_id(frozen)}, {date}, {boundary_words(frozen)}, "
        f"{shown_name(frozen)}, {frozen.regime_id})"
    )
    return {**facts, "text": text}


def comparison_of(
    evidence: Evidence, vector: dict[str, DimensionReading], flags: list[Flag], tier: Mapping[str, Any] = NOT_TESTED
) -> dict[str, Any]:
    """The Comparison Tuple of §13.2.2. The flags of the tier stand beside it."""
    frozen = evidence.frozen
    levels = {name: reading.level for name, reading in vector.items()}
    shown = printed({name: reading.flags for name, reading in vector.items()}, flags)
    numbers = ", ".join("–" if level is None else str(level) for level in levels.values())
    return {
        "framework": FRAMEWORK_VERSION,
        "boundary": frozen.system.boundary.words,
        "suite": shown_name(frozen),
        "regime": frozen.regime_id,
        "tier": tier["text"],
        "vector": levels,
        "flags": shown,
        "text": (
            f"(Framework {FRAMEWORK_VERSION}, {boundary_words(frozen)}, {shown_name(frozen)}, {frozen.regime_id}, "
            f"Tier {tier['text']}, A = [{numbers}], {shown})"
        ),
    }


def frame_of(evidence: Evidence, one: DimensionReading, flags: list[Flag]) -> str:
    """The tuple of one dimension by itself: its level is never shown without it."""
    regimes = dict.fromkeys(rate.regime for level in one.levels for rate in level.rates)
    regimes = regimes or dict.fromkeys(name.rpartition(" ")[2] for name in one.pooled_over_levels)
    level = "–" if one.level is None else str(one.level)
    return (
        f"(Framework {FRAMEWORK_VERSION}, {boundary_words(evidence.frozen)}, "
        f"[{', '.join(one.families) or 'no family'}], {', '.join(regimes) or 'no regime'}, "
        f"{one.dimension} = {level}, {printed({one.dimension: one.flags}, flags)})"
    )


def use_of(evidence: Evidence) -> Use | None:
    """What the result is for: as declared, else as registered."""
    declared = None if evidence.frozen.evaluation is None else evidence.frozen.evaluation.use
    registered = None if evidence.registration is None else evidence.registration.document
    return declared or (None if registered is None else registered.use)


def evaluation_of(evidence: Evidence, flags: list[Flag], exploratory: str) -> dict[str, Any]:
    """Who answers for it, how they stand to the vendor, what it is for, and the statement of §15.4.1 if declared."""
    declared = evidence.frozen.evaluation or Evaluation()
    use = use_of(evidence)
    vendor = declared.independence is Independence.VENDOR
    withheld = _withheld(declared, evidence, flags, exploratory)
    certified = declared.self_certified and not withheld
    return {
        "organisation": declared.organisation or NOT_DECLARED,
        "contact": declared.contact or NOT_DECLARED,
        "evaluator": declared.evaluator or NOT_DECLARED,
        "independence": NOT_DECLARED if declared.independence is None else declared.independence.value,
        "use": NOT_DECLARED if use is None else use.value,
        "label": VENDOR_EVALUATED if vendor else "",
        "cross_vendor": CROSS_VENDOR if vendor else "",
        "statement": CERTIFIED.format(contact=_contact(declared)) if certified else "",
        "statement_withheld": withheld,
    }


def _contact(declared: Evaluation) -> str:
    who = declared.evaluator or declared.organisation
    return f"{who}, {declared.contact}" if who else str(declared.contact)


def _withheld(declared: Evaluation, evidence: Evidence, flags: list[Flag], exploratory: str) -> str:
    """Why a declared self-certification is not printed: it would attest what does not hold."""
    if not declared.self_certified:
        return ""
    if any(map(is_invalid, flags)):
        return "self-certification is withheld: the result is Invalid"
    if not evidence.complete:
        return "self-certification is withheld: the run is not complete"
    if not evidence.frozen.rules.record_traces:
        return "self-certification is withheld: traces were not recorded, so no bundle can reproduce the scores"
    if exploratory:
        return "self-certification is withheld: the result is exploratory"
    return ""
