"""The ladder of tiers: every gate with the number that decided it, under the comparison tuple.

Read from the JSON form of the reading. A tier is never shown without its tuple: what prints the ladder prints that
first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from proctor.reports.sections.agency.standing import Standing

NAMES = ("Reactive", "Adaptive", "Predictive", "Reflective", "Social", "Meta-Systemic")


class Rung(Struct, frozen=True):
    """One tier."""

    number: int
    name: str
    status: str
    """`passed`, `stopped here` or `not reached`."""
    gates: tuple[Mapping[str, Any], ...]


def rungs(standing: Standing) -> tuple[Rung, ...]:
    """The six tiers; empty where none was tested."""
    gates = standing.ladder.get("gates") or []
    found: list[Rung] = []
    open_so_far = True
    for number, name in enumerate(NAMES, start=1):
        own = tuple(one for one in gates if one["tier"] == number)
        passed = all(one["status"] == "passed" for one in own)
        status = "passed" if passed and open_so_far else "stopped here" if open_so_far else "not reached"
        found.append(Rung(number, name, status, own))
        open_so_far = open_so_far and passed
    return tuple(found) if gates else ()


def ladder_lines(standing: Standing) -> list[str]:
    """The ladder for a terminal, its tuple first."""
    steps = rungs(standing)
    if not steps:
        return []
    lines = ["Tiers", str(standing.comparison["text"])]
    claimed = standing.ladder.get("claimed")
    if claimed is not None:
        lines.append(f"Preregistered claim: tier {claimed}")
    lines += [f"{flag['name']}: {flag['reason']}" for flag in standing.ladder.get("flags") or ()]
    for rung in steps:
        lines.append(f"{rung.number}  {rung.name:<15} {rung.status}")
        for gate in rung.gates:
            status = gate["status"] + (", provisional" if gate["provisional"] else "")
            lines.append(f"   {gate['id']:<19}{status:<22}{gate['reason']}{spread(gate)}")
            if gate["status"] == "failed" and luck(gate):
                lines.append(f"{'':<44}by luck: {luck(gate)}")
    return [*lines, ""]


def stopped_words(standing: Standing) -> str:
    """Which gate kept it from the next tier and what was found; empty where none was tested or all are passed."""
    by = standing.ladder.get("stopped_by")
    number = (standing.ladder.get("passed_through") or 0) + 1
    for gate in standing.ladder.get("gates") or ():
        if (gate["tier"], gate["id"]) == (number, by):
            return f"Tier {number} {NAMES[number - 1]} was stopped at the gate {by}: {gate['reason']}{spread(gate)}."
    return ""


def gate_rows(standing: Standing) -> tuple[tuple[str, str, str], ...]:
    """(gate, outcome, reason) for documents, in order of tiers."""
    return tuple(
        (f"Tier {rung.number} {rung.name}: {gate['id']}", str(gate["status"]), f"{gate['reason']}{spread(gate)}")
        for rung in rungs(standing)
        for gate in rung.gates
    )


def spread(gate: Mapping[str, Any]) -> str:
    """The interval in the unit of the number: points, percent or a correlation."""
    interval, needs = gate.get("interval"), gate.get("needs")
    if interval is None or needs is None:
        return ""
    low, high = interval
    if gate["id"] == "calibration":
        return f" ({low:.2f} to {high:.2f})"
    return f" ({100 * low:.0f} to {100 * high:.0f})"


def luck(gate: Mapping[str, Any]) -> str:
    """The chance to pass without the ability, and with 5 points less than is asked; empty where nothing is known."""
    chance = gate.get("false_promotion") or {}
    zero, below = chance.get("at_zero"), chance.get("below_threshold")
    parts = [f"{100 * zero:.1f} % without it"] if zero is not None else []
    parts += [f"{100 * below:.1f} % with 5 less"] if below is not None else []
    return ", ".join(parts)
