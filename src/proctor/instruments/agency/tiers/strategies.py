"""Whether strategies were switched: two of them in the log, each where the declared features call for it (§12.7.4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from proctor.instruments.agency.tiers.lived import Compared, short
from proctor.instruments.agency.units import Unit
from proctor.spec.claims import CONFIDENCE
from proctor.spec.family import FamilySpec
from proctor.stats.differences import newcombe

STRATEGY, SUITS = "strategy", "suits"
"""Measures of a verification: the strategy that was recognised, and the one that the features call for."""
SHARE = 10
"""Percent of the episodes in which a strategy has to occur, or it was an accident."""


@lru_cache(maxsize=4096)
def measures_of(text: str | None) -> Mapping[str, Any]:
    """What a verifier found; the same few texts come again and again."""
    return {} if text is None else msgspec.json.decode(text)


def why_not_switched(arms: list[Compared], specs: Mapping[str, FamilySpec]) -> str | None:
    """Why a gain does not come from switching, in a clause; None where it does."""
    for one in arms:
        declared = specs[one.family].strategies
        names = () if declared is None else declared.names
        found = [measures_of(unit.measures) for unit in one.better if unit.success is not None]
        used = {name: sum(facts.get(STRATEGY) == name for facts in found) for name in names}
        often = [name for name, times in used.items() if 100 * times >= SHARE * len(found)]
        if len(often) < 2:
            seen = ", ".join(f"{name} {times}" for name, times in used.items())
            return f"; no switching was recognised in the log of {short(one.family)} ({seen} of {len(found)})"
        if (why := _by_chance(one.family, found, often)) is not None:
            return why
    return None


def _by_chance(family: str, found: list[Mapping[str, Any]], names: list[str]) -> str | None:
    """Whether a strategy is not chosen more often where the features call for it than elsewhere."""
    if not any(SUITS in facts for facts in found):
        return None
    for name in names:
        fitting = [facts for facts in found if facts.get(SUITS) == name]
        others = [facts for facts in found if facts.get(SUITS) not in (name, None)]
        k, k2 = (sum(facts.get(STRATEGY) == name for facts in some) for some in (fitting, others))
        estimate = newcombe(k, len(fitting), k2, len(others), confidence=CONFIDENCE)
        if estimate.low is None or estimate.low <= 0:
            return (
                f"; {short(family)}: {name} is chosen {k}/{len(fitting)} times where it suits and {k2}/{len(others)} "
                "elsewhere, which does not follow the features"
            )
    return None


def facts(unit: Unit) -> Mapping[str, Any]:
    """What the verifier found about a unit."""
    return measures_of(unit.measures)
