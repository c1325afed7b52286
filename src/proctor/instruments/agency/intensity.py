"""Units count only under a regime that was as hard as it is called.

When a run is frozen a regime that is too easy for a family is refused. Evidence may have been recorded elsewhere, and
faults, noise and cuts count only if they reached the agent: so it is checked again here, from the frozen use of each
family and the receipts in its credited units.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from proctor.evidence.evidence import Evidence
from proctor.instruments.agency.flags import limited
from proctor.instruments.agency.units import Unit
from proctor.instruments.base import Flag
from proctor.spec.intensity import effective_intensity

Pair = tuple[str, str]
"""A family and a regime."""


def as_hard_as_called(units: list[Unit], evidence: Evidence) -> tuple[list[Unit], list[Flag]]:
    """The units whose regime was as hard for their family as it is called, and a flag for those it was not."""
    regimes = evidence.frozen.suite.all_regimes
    delivered = _delivered(units)
    easier: dict[Pair, str] = {}
    for pair in sorted({(unit.family, unit.regime) for unit in units}):
        family, regime = pair
        intensity = effective_intensity(evidence.frozen, family, regime, delivered=delivered.get(pair))
        if intensity is not regimes[regime].intensity:
            easier[pair] = f"{regime} was only {intensity.value} for {family}"
    if not easier:
        return units, []
    kept = [unit for unit in units if (unit.family, unit.regime) not in easier]
    flag = limited("regime", f"{'; '.join(easier.values())}: {len(units) - len(kept)} units not credited")
    return kept, [flag]


def _delivered(units: list[Unit]) -> dict[Pair, dict[str, float]]:
    """By family and regime: the share of successful units in which each layer left a receipt.

    Of successful ones, since an agent that does nothing meets no faults and is no reason to call a regime easy.
    """
    count: Counter[Pair] = Counter()
    receipts: dict[Pair, Counter[str]] = defaultdict(Counter)
    for unit in units:
        if unit.success:
            count[unit.family, unit.regime] += 1
            receipts[unit.family, unit.regime].update(unit.faults)
    return {
        pair: {layer: seen / successes for layer, seen in receipts[pair].items()} for pair, successes in count.items()
    }
