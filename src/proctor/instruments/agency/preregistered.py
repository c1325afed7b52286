"""What a preregistration, or the lack of one, means for a reading (§11.3.2, §11.8, §13.4.2).

A changed criterion, rule or sample touches families, whose units are invalid; the dimension's own cut-off then decides.
Everything else is flagged for the whole vector: another system or agent than was registered, a family or a run left
out, a log that was rewritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.evidence.evidence import Evidence
from proctor.evidence.registration import Registration
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.flags import invalid, limited
from proctor.instruments.agency.tuples import NOT_TESTED, use_of
from proctor.instruments.base import Flag
from proctor.spec.preregistration import needs_preregistration


def registration_flags(evidence: Evidence) -> list[Flag]:
    """The flags of the whole vector that follow from the preregistration."""
    registration = evidence.registration
    if registration is None:
        why = needs_preregistration(use_of(evidence), None)
        return [invalid("Missing Inputs", f"preregistration: {why}, and there is none (§13.4.2)")] if why else []
    if registration.document is None:
        return [invalid("Missing Inputs", f"preregistration: {problem}") for problem in registration.problems]
    flags = [invalid("Missing Inputs", f"changed after preregistration: {one}") for one in registration.changes.inputs]
    if registration.late:
        flags.append(invalid("Missing Inputs", f"preregistration: {registration.late}"))
    flags += [invalid("Selective Disclosure", one) for one in registration.problems]
    flags += [invalid("Selective Disclosure", one) for one in registration.changes.left_out]
    planned = registration.document.runs
    flags += [
        invalid(
            "Selective Disclosure", f"run {number} of the {planned} that were registered is not as registered: {why}"
        )
        for number, why in sorted(registration.stand_ins.items())
    ]
    missing = [number for number in registration.absent if number not in registration.stand_ins]
    if missing:
        numbers = ", ".join(map(str, missing))
        noun = "run" if len(missing) == 1 else "runs"
        text = f"{noun} {numbers} of the {planned} that were registered not finished or not in this store"
        flags.append(invalid("Selective Disclosure", text))
    if registration.changes.criteria:
        flags.append(limited("changed after preregistration", "; ".join(registration.changes.criteria)))
    if registration.others:
        names = ", ".join(f"{digest[:12]}…" for digest in registration.others)
        flags.append(limited("further preregistrations", f"runs in this store were started against {names} as well"))
    return flags


def registration_data(
    registration: Registration | None, vector: dict[str, DimensionReading], tier: Mapping[str, Any] = NOT_TESTED
) -> dict[str, Any]:
    """What a report says of the preregistration: the primary claim, and whether the reading bears it out."""
    if registration is None:
        return {"registered": False, "text": "not preregistered"}
    document = registration.document
    if document is None:
        return {"registered": False, "sha256": registration.digest, "text": registration.problems[0]}
    claim = document.claim
    level = vector[claim.about].level if claim.about in vector else None
    if claim.about == "tier":
        # Below Tier 1 is a finding; a tier that was not tested, or is Invalid, is none.
        level = tier.get("tier") or (0 if tier["text"].startswith("None (Tier 1 not passed") else None)
    found = f"Tier {tier['text']}" if claim.about == "tier" else "no level" if level is None else str(level)
    return {
        "registered": True,
        "sha256": registration.digest,
        "created": document.created,
        "commit": document.code.commit,
        "commitment": document.commitment,
        "use": document.use.value,
        "runs": document.runs,
        "run": registration.number,
        "here": list(registration.here),
        "primary_claim": claim.text,
        "found": found,
        "supported": None if level is None else level >= claim.at_least,
        "changes": list(registration.changes.sentences),
        "text": f"preregistered as {registration.digest[:12]} on {document.created[:10]}, run {registration.number} of "
        f"{document.runs}; primary claim {claim.text}",
    }


def primary_dimension(registration: Registration | None) -> str | None:
    """The dimension of the primary claim; None where there is none, or it is about a tier."""
    document = None if registration is None else registration.document
    return None if document is None or document.claim.about == "tier" else document.claim.about
