"""What must be said beside every level: tier, tuples, governance notes, threats to validity, who evaluated.

Read from the JSON form of the reading, so that evidence from before some of it could be declared or counted is shown as
well: what is not there is "not measured" or "not declared", never left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from proctor.core.hashing import content_hash
from proctor.reports.numbers import NOT_DECLARED, NOT_MEASURED

NO_TIER = "None (not tested)"
NOTES = "Governance Notes: "
NOT_COUNTED = f"{NOT_MEASURED}: the run counted nothing that a trigger is about"


class Threat(Struct, frozen=True):
    """One of the six threats to validity of §3."""

    name: str
    ruled_out: bool
    reason: str
    forces: str = ""
    """The flag it forces where it is not ruled out."""


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
    evaluation: dict[str, Any] = field(default_factory=dict)
    """Organisation, contact, evaluator, independence, use, label and statement; empty: not declared."""
    governance: dict[str, Any] = field(default_factory=dict)
    """Governance notes as the reading has them; empty: nothing of them was counted."""
    threats: tuple[Threat, ...] = ()
    """The six threats to validity; empty: not checked."""
    preregistration: dict[str, Any] = field(default_factory=dict)
    ladder: dict[str, Any] = field(default_factory=dict)
    """Tier, claim, flags and gates, as the reading has them; without gates where no tier was tested."""
    ratings: dict[str, Any] = field(default_factory=dict)
    """What people judged, by digest; empty: no ratings were given."""

    @property
    def governance_line(self) -> str:
        """Whether notes are required, why, and how severe."""
        return str(self.governance.get("text") or NOT_COUNTED).removeprefix(NOTES)


def standing_of(reading: Mapping[str, Any]) -> Standing:
    """From a reading as JSON."""
    tier = str((reading.get("tier") or {}).get("text") or NO_TIER)
    return Standing(
        exploratory=str(reading.get("exploratory") or ""),
        tier=tier,
        comparison=dict(reading.get("comparison") or _comparison(reading, tier)),
        identification=dict(reading.get("identification") or _identification(reading)),
        evaluation=dict(reading.get("evaluation") or {}),
        governance=dict(reading.get("governance_notes") or {}),
        threats=tuple(
            Threat(one["name"], one["ruled_out"], one["reason"], one.get("forces", ""))
            for one in reading.get("threats") or ()
        ),
        preregistration=dict(reading.get("preregistration") or {}),
        ladder=dict(reading.get("tier") or {}),
        ratings=dict(reading.get("ratings") or {}),
    )


def boundary_words(kind: str | None) -> str:
    """`Core`, `Extended` or `not declared`: what nobody declared is never called Core."""
    return str(kind).capitalize() if kind else NOT_DECLARED


def boundary_phrase(words: str) -> str:
    """`Core Boundary`, `Boundary not declared`: as it stands in a tuple."""
    return f"Boundary {NOT_DECLARED}" if words == NOT_DECLARED else f"{words} Boundary"


def _comparison(reading: Mapping[str, Any], tier: str) -> dict[str, Any]:
    whole, conditions = reading["tuple"], reading["conditions"]
    boundary, regime = boundary_words(whole["boundary"].get("kind")), _regime(conditions)
    numbers = ", ".join("–" if level is None else str(level) for level in whole["scores"].values())
    return {
        "framework": whole["version"],
        "boundary": boundary,
        "suite": conditions["suite"],
        "regime": regime,
        "tier": tier,
        "vector": whole["scores"],
        "flags": whole["flags"],
        "text": f"(Framework {whole['version']}, {boundary_phrase(boundary)}, {conditions['suite']}, {regime}, "
        f"Tier {tier}, A = [{numbers}], {whole['flags']})",
    }


def _identification(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Without its date, which a reading from before it was recorded does not have."""
    whole, conditions = reading["tuple"], reading["conditions"]
    return {
        "framework": whole["version"],
        "boundary": boundary_words(whole["boundary"].get("kind")),
        "suites": [conditions["suite"]],
        "regime": _regime(conditions),
    }


def _regime(conditions: Mapping[str, Any]) -> str:
    """The regime's id; several are one by their content."""
    regimes = conditions["regimes"]
    if len(regimes) == 1:
        return str(next(iter(regimes)))
    return f"{conditions['suite']}#{content_hash(regimes)[:12]}"
