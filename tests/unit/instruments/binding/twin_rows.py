"""Rows of 2.0 for tests: the nine of an event, answered by a policy that is told what is called for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Policy = Callable[[dict[str, Any]], str]
_NINE = (
    ("baseline", "baseline", "", "lean", "", ""),
    ("reason_for", "target", "reason", "lean", "reason_against", "for"),
    ("reason_against", "target", "reason", "other", "reason_for", "against"),
    ("memory", "target", "memory", "RECALL_PRIOR", "baseline", ""),
    ("veto", "target", "veto", "VETO", "baseline", ""),
    ("self_for", "target", "self", "lean", "self_against", "for"),
    ("self_against", "target", "self", "other", "self_for", "against"),
    ("cue_other", "neutral", "", "lean", "baseline", "against"),
    ("cue_lean", "neutral", "", "lean", "baseline", "for"),
)
CONDITIONS = ("structured", "no-reason", "no-veto", "stochastic")
LOST = {
    "structured": frozenset[str](),
    "no-reason": frozenset({"reason"}),
    "no-veto": frozenset({"veto"}),
    "stochastic": frozenset({"reason", "memory", "veto", "self"}),
}


def perfect(row: dict[str, Any]) -> str:
    """Does what is called for; goes with the lean where nothing decides or what decides was taken."""
    seen = row["component"] and row["component"] not in LOST[row["condition"]]
    return str(row["target"] if seen else row["before"])


def prudent(row: dict[str, Any]) -> str:
    """The same, but waits where nothing decides."""
    return perfect(row) if row["component"] and row["component"] not in LOST[row["condition"]] else "DEFER"


def twin_rows(
    policy: Policy,
    *,
    datasets: int = 7,
    events: int = 4,
    replicates: int = 2,
    conditions: Iterable[str] = CONDITIONS,
    **more: Any,
) -> list[dict[str, Any]]:
    """Every row of so many events."""
    given: list[dict[str, Any]] = []
    for number in range(datasets):
        for event in range(events):
            swapped = event % 2
            lean, other = ("ACTION_B", "ACTION_A") if swapped else ("ACTION_A", "ACTION_B")
            for condition in conditions:
                for replicate in range(replicates):
                    for probe, role, component, target, twin, polarity in _NINE:
                        row: dict[str, Any] = {
                            "design": 2,
                            "dataset": f"d{number}",
                            "family": f"d{number}",
                            "event": f"d{number}e{event}",
                            "condition": condition,
                            "replicate": replicate,
                            "probe": probe,
                            "role": role,
                            "component": component,
                            "before": lean,
                            "target": {"lean": lean, "other": other}.get(target, target),
                            "twin": twin,
                            "polarity": polarity,
                            "swapped": swapped,
                            "cue_code": {"cue_other": other, "cue_lean": lean}.get(probe, ""),
                            "surface": "40.2.A.M 50.3.B.N",
                            "u": None,
                            **more,
                        }
                        row["code"] = row["raw"] = policy(row)
                        if row["code"] == "INVALID_OR_UNMAPPED":
                            row["how"] = "unmapped"
                        given.append(row)
    return given
