"""Governance notes and threats to validity as rows and facts, the same on the page and in the Technical Report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.reports.documents.blocks import as_line
from proctor.reports.sections.agency.standing import Standing

THREATS = ("threat", "ruled out", "what was looked at")
TRIGGERS = ("§", "trigger", "counted", "threshold", "outcome")
MAX_EPISODES = 20
"""Episodes of an evidence index that are named one by one; the JSON has all of them."""


def threat_rows(standing: Standing) -> tuple[tuple[str, ...], ...]:
    """The six threats, each ruled out or not."""
    return tuple(
        (one.name, "yes" if one.ruled_out else f"no: {one.forces}" if one.forces else "no", one.reason)
        for one in standing.threats
    )


def trigger_rows(standing: Standing) -> tuple[tuple[str, ...], ...]:
    """Every trigger with what was counted for it."""
    return tuple(
        (
            str(one.get("section", "")),
            f"{one.get('trigger', '')}: {one.get('condition', '')}",
            _counted(one),
            str(one.get("threshold", "")),
            f"{one.get('status', '')}{_because(one)}",
        )
        for one in standing.governance.get("triggers") or ()
    )


def _counted(one: Mapping[str, Any]) -> str:
    if one.get("count") is None:
        return "–"
    return f"{one['count']:,}" if one.get("of") is None else f"{one['count']:,} of {one['of']:,}"


def _because(one: Mapping[str, Any]) -> str:
    return f": {one['reason']}" if one.get("reason") else ""


def note_facts(standing: Standing) -> tuple[tuple[str, str], ...]:
    """The five mandatory fields of §14.4, and what else the notes say; empty where nothing was counted."""
    notes = standing.governance
    if not notes:
        return ()
    facts = [("Severity", f"{notes['severity']}: {notes.get('severity_reason', '')}")] if notes.get("severity") else []
    note = notes.get("note")
    if note:
        facts += [
            ("Trigger Basis", "; ".join(note["trigger_basis"])),
            ("Evidence Index", _index(note["evidence_index"])),
            ("Frame Context", as_line(note["frame_context"])),
            ("Impact Accounting", str(note["impact_accounting"].get("text") or as_line(note["impact_accounting"]))),
            ("Containment Status", _contained(note["containment_status"])),
        ]
    mediation = notes.get("human_mediation")
    facts.append(("Governance Flag", "yes (§5.2)" if notes.get("governance_flag") else "no"))
    facts.append(("Human-mediated outcomes", str(mediation["text"]) if mediation else "not measured"))
    channels = [str(one.get("text", "")) for one in notes.get("side_channels") or ()]
    facts.append(("Side channels", "; ".join(channels) or "none known"))
    return tuple(facts)


def _index(index: Mapping[str, Any]) -> str:
    entries = index.get("entries") or ()
    if not entries:
        return "no episode: the trigger is about what was found, not about what was done"
    shown = [
        f"episode {one['episode']}, instance {one['instance']}, {one['timestamp']}, {one['pointer']}"
        for one in entries[:MAX_EPISODES]
    ]
    more = sum(len(found) for found in (index.get("episodes") or {}).values()) - len(shown)
    return "; ".join(shown) + (f"; and {more:,} more in the JSON of this report" if more > 0 else "")


def _contained(found: Any) -> str:
    told = [f"{one['condition']}: {one['status']}, {one['justification']}" for one in found]
    return "; ".join(told) or "nothing was done"
