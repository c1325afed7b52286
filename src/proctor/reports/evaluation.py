"""Who evaluated, in words: what was not declared says so (§13.3, §15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.reports.numbers import NOT_DECLARED

DECISION_BEARING = frozenset({"procurement", "comparison"})
"""Uses by which others decide: a Technical Report is mandatory (§13.4)."""
INDEPENDENCE = {
    "self": "its builders evaluated it",
    "vendor": "whoever offers the system evaluated it",
    "customer": "whoever buys or uses the system evaluated it",
    "third-party": "the evaluator is independent of the vendor",
}


def declared_text(evaluation: Mapping[str, Any], name: str) -> str:
    """A field of the declaration, or that it is not declared."""
    return str(evaluation.get(name) or NOT_DECLARED)


def evaluator_text(evaluation: Mapping[str, Any]) -> str:
    """Who evaluated, and for which organisation."""
    named = [declared_text(evaluation, name) for name in ("evaluator", "organisation")]
    return ", ".join(dict.fromkeys(name for name in named if name != NOT_DECLARED)) or NOT_DECLARED


def independence_text(evaluation: Mapping[str, Any]) -> str:
    """How the evaluator stands to the vendor."""
    declared = declared_text(evaluation, "independence")
    return f"{declared}: {INDEPENDENCE[declared]}" if declared in INDEPENDENCE else declared
