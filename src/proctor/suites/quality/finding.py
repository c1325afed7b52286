"""What the linter says: one sentence a finding, with what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from proctor.spec.scenario import Scenario

Severity = Literal["unusable", "warning"]
_SHOWN = 5


class Finding(Struct, frozen=True):
    """One thing to put right. `unusable`: a run would fail or its results would mean nothing."""

    rule: str
    severity: Severity
    sentence: str
    scenarios: tuple[str, ...] = ()
    """Every scenario concerned, also those that the sentence has no room for."""


def warning(rule: str, sentence: str, scenarios: Iterable[Scenario] = ()) -> Finding:
    """Worth knowing; the set can be used."""
    return Finding(rule, "warning", sentence, tuple(scenario.id for scenario in scenarios))


def unusable(rule: str, sentence: str, scenarios: Iterable[Scenario] = ()) -> Finding:
    """Has to be put right first."""
    return Finding(rule, "unusable", sentence, tuple(scenario.id for scenario in scenarios))


def listed(names: Sequence[str]) -> str:
    """Some names for a sentence: the first five, and how many more there are."""
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def ids(scenarios: Sequence[Scenario]) -> str:
    """The scenarios' ids for a sentence."""
    return listed([scenario.id for scenario in scenarios])


def many(scenarios: Sequence[Scenario]) -> str:
    """How many scenarios, and which."""
    return f"{len(scenarios)} {'scenario' if len(scenarios) == 1 else 'scenarios'} ({ids(scenarios)})"


def share(part: int, whole: int) -> str:
    """A share as people read it; the rules themselves compare whole numbers."""
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"
