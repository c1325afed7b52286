"""Who evaluated, and what follows from it for readers: labels, independence, self-certification (§13.3, §15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.reports.data import Notice
from proctor.reports.numbers import NOT_DECLARED

FRAMEWORK = "v.10"
VENDOR = "vendor"
VENDOR_EVALUATED = "Vendor-Evaluated"
DECISION_BEARING = frozenset({"procurement", "comparison"})
"""Uses by which others decide: a Technical Report is mandatory (§13.4)."""
INDEPENDENCE = {
    "self": "its builders evaluated it",
    VENDOR: "whoever offers the system evaluated it",
    "customer": "whoever buys or uses the system evaluated it",
    "third-party": "the evaluator is independent of the vendor",
}
_VENDOR_MEANS = (
    "whoever offers the system evaluated it; comparisons across vendors are Limited Comparability unless protocols "
    "align (§15.2.1)"
)


def declared_text(evaluation: Mapping[str, Any], name: str) -> str:
    """A field of the declaration, or that it is not declared."""
    return str(evaluation.get(name) or NOT_DECLARED)


def evaluator_text(evaluation: Mapping[str, Any]) -> str:
    """Who evaluated: the evaluator, and for which organisation."""
    named = [str(evaluation[name]) for name in ("evaluator", "organisation") if evaluation.get(name)]
    return ", ".join(dict.fromkeys(named)) or NOT_DECLARED


def independence_text(evaluation: Mapping[str, Any]) -> str:
    """How the evaluator stands to the vendor."""
    declared = evaluation.get("independence")
    if not declared:
        return NOT_DECLARED
    return f"{declared}: {INDEPENDENCE[declared]}" if declared in INDEPENDENCE else str(declared)


def vendor_evaluated(evaluation: Mapping[str, Any]) -> bool:
    """Whether results carry the label Vendor-Evaluated."""
    return bool(evaluation.get("independence") == VENDOR)


def evaluation_notices(evaluation: Mapping[str, Any]) -> list[Notice]:
    """What must be said because of who evaluated."""
    return [Notice(VENDOR_EVALUATED, _VENDOR_MEANS)] if vendor_evaluated(evaluation) else []


def self_certification(evaluation: Mapping[str, Any]) -> str | None:
    """The statement of §15.4.1 in its exact words; None where the reporting party does not attest."""
    if not evaluation.get("self_certified"):
        return None
    contact = ", ".join(str(evaluation[name]) for name in ("evaluator", "contact") if evaluation.get(name))
    return (
        f"This evaluation was conducted in accordance with Framework {FRAMEWORK}. The reporting party attests that the "
        "Technical Report and artifact bundle are sufficient to reproduce the published scores under the declared "
        f"frame. Contact: {contact or NOT_DECLARED}."
    )
