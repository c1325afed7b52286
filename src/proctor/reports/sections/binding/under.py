"""The conditions that stand beside every number of the section."""

from __future__ import annotations

from proctor.instruments.binding.reading import BindingReading
from proctor.reports.html.markup import Markup, tag


def under_text(reading: BindingReading) -> str:
    """Suite, agent, boundary, regimes, rules and number of records, in one line."""
    stated = reading.conditions
    rules = stated.get("rules")
    regimes = stated.get("regimes")
    parts = [
        str(stated.get("suite", "suite not stated")),
        str(stated.get("agent", "agent not stated")),
        f"{stated.get('boundary', 'unstated')} boundary",
        f"regimes {', '.join(map(str, regimes)) or 'none'}" if isinstance(regimes, dict) else "regimes not stated",
        f"rules {rules.get('profile', 'not stated') if isinstance(rules, dict) else 'not stated'}",
        "records not counted" if reading.records is None else f"{reading.records.scored:,} scored records",
    ]
    return "Under " + " · ".join(parts)


def under(reading: BindingReading) -> Markup:
    """The same as a line below a picture or table."""
    return tag("p", under_text(reading), class_="note")
