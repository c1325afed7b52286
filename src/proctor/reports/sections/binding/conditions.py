"""The conditions shown with every number of the section."""

from __future__ import annotations

from proctor.instruments.binding.reading import BindingReading
from proctor.reports.html.markup import Markup, tag
from proctor.spec.rules import Rules


def conditions_text(reading: BindingReading) -> str:
    """Suite, agent, boundary, regimes, rules, level of intervals and number of records, in one line."""
    stated = reading.conditions
    rules = stated.get("rules")
    regimes = stated.get("regimes")
    parts = [
        str(stated.get("suite", "suite not stated")),
        str(stated.get("agent", "agent not stated")),
        f"{stated.get('boundary', 'unstated')} boundary",
        f"regimes {', '.join(map(str, regimes)) or 'none'}" if isinstance(regimes, dict) else "regimes not stated",
        f"rules {rules.get('profile', 'not stated') if isinstance(rules, dict) else 'not stated'}",
        _confidence(rules),
        "records not counted" if reading.records is None else f"{reading.records.scored:,} scored records",
    ]
    return "Under " + " · ".join(parts)


def _confidence(rules: object) -> str:
    """The level of all intervals that belong to these numbers; rules name only what is not the default."""
    stated = rules.get("confidence") if isinstance(rules, dict) else None
    level = float(stated) if isinstance(stated, int | float | str) else Rules().confidence
    return f"{100 * level:g} % intervals"


def conditions_line(reading: BindingReading) -> Markup:
    """The same as a line below a picture or table."""
    return tag("p", conditions_text(reading), class_="note")
