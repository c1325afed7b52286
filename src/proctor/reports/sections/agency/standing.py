"""What must be said beside every level: tier, tuples, governance notes, threats to validity, who evaluated.

Read from the JSON form of the reading, so that a report made by an earlier version, or from evidence in which nothing
of this could be counted, is shown as well: what is not there is "not measured" or "not declared", never left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from proctor.core.hashing import content_hash
from proctor.reports.numbers import NOT_DECLARED, NOT_MEASURED

NO_TIER = "None (not tested)"


class Standing(Struct, frozen=True):
    """The claim around the vector."""

    exploratory: str
    """Why the result is exploratory; empty where it is not."""
    tier: str
    """`None (not tested)`, or the tier."""
    comparison: dict[str, Any]
    """The Comparison Tuple of §13.2.2."""
    identification: dict[str, Any]
    """The Identification Tuple of §13.2.1."""
    governance: dict[str, Any] = field(default_factory=dict)
    """Governance notes as the reading has them; empty: nothing of them was counted."""
    threats: Any = None
    """The six threats to validity and whether each is ruled out; None: not checked."""
    ratings: dict[str, Any] = field(default_factory=dict)
    """What people judged, by digest; empty: no ratings were given."""


def standing_of(reading: Mapping[str, Any]) -> Standing:
    """From a reading as JSON."""
    tier = reading.get("tier") or {}
    shown_tier = str(tier.get("text") or NO_TIER)
    return Standing(
        exploratory=str(reading.get("exploratory") or ""),
        tier=shown_tier,
        comparison=dict(reading.get("comparison") or _comparison(reading, shown_tier)),
        identification=dict(reading.get("identification") or _identification(reading)),
        governance=dict(reading.get("governance_notes") or {}),
        threats=reading.get("threats"),
        ratings=dict(reading.get("ratings") or {}),
    )


def _comparison(reading: Mapping[str, Any], tier: str) -> dict[str, Any]:
    whole, conditions = reading["tuple"], reading["conditions"]
    return {
        "framework": whole["version"],
        "boundary": whole["boundary"].get("kind") or "undeclared",
        "suite": conditions["suite"],
        "regime": _regime(conditions),
        "tier": tier,
        "vector": whole["scores"],
        "flags": whole["flags"],
    }


def _identification(reading: Mapping[str, Any]) -> dict[str, Any]:
    whole, conditions = reading["tuple"], reading["conditions"]
    system = conditions["system"]
    return {
        "framework": whole["version"],
        "system": f"{system['name']} {system['version']}",
        "date": conditions["timestamp"],
        "boundary": whole["boundary"].get("kind") or "undeclared",
        "suites": [conditions["suite"]],
        "regime": _regime(conditions),
    }


def _regime(conditions: Mapping[str, Any]) -> str:
    """The regime's id; several are one by their content."""
    regimes = conditions["regimes"]
    if len(regimes) == 1:
        return str(next(iter(regimes)))
    return f"{conditions['suite']}#{content_hash(regimes)[:12]}"


def governance_line(governance: Mapping[str, Any]) -> str:
    """One line: whether notes are required, why, and how severe."""
    if not governance:
        return f"{NOT_MEASURED}: the run counted nothing that a trigger is about"
    return str(governance.get("text") or governance.get("line") or NOT_DECLARED).removeprefix("Governance Notes: ")
