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
from proctor.spec.claims import ROBUSTNESS
from proctor.spec.intensity import effective_intensity

ATTACKS = ("injection", "perturbation")
"""Layers whose deliveries robustness counts itself, with a minimum of their own (§10.9.2)."""
Group = tuple[str, str, bool]
"""A family, a regime, and whether the units are of robustness."""


def as_hard_as_called(units: list[Unit], evidence: Evidence) -> tuple[list[Unit], list[Flag]]:
    """The units whose regime was as hard for their family as it is called, and a flag for those it was not."""
    regimes = evidence.frozen.suite.all_regimes
    delivered = _delivered(units)
    easier: dict[Group, str] = {}
    for group in sorted(set(map(_group, units))):
        family, regime, _ = group
        intensity = effective_intensity(evidence.frozen, family, regime, delivered=delivered.get(group))
        if intensity is not regimes[regime].intensity:
            easier[group] = f"{regime} was only {intensity.value} for {family}"
    if not easier:
        return units, []
    kept = [unit for unit in units if _group(unit) not in easier]
    why = "; ".join(dict.fromkeys(easier.values()))
    flag = limited("regime", f"{why}: {len(units) - len(kept)} units not credited")
    return kept, [flag]


def _group(unit: Unit) -> Group:
    return unit.family, unit.regime, unit.cell == ROBUSTNESS


def _delivered(units: list[Unit]) -> dict[Group, dict[str, float]]:
    """By group: the share of successful units in which each layer left a receipt.

    Of successful ones, since an agent that does nothing meets no faults and is no reason to call a regime easy.
    """
    count: Counter[Group] = Counter()
    receipts: dict[Group, Counter[str]] = defaultdict(Counter)
    for unit in units:
        if unit.success:
            group = _group(unit)
            count[group] += 1
            receipts[group].update(unit.faults)
    shares = {
        group: {layer: seen / successes for layer, seen in receipts[group].items()}
        for group, successes in count.items()
    }
    return {group: {**share, **dict.fromkeys(ATTACKS, 1.0)} if group[2] else share for group, share in shares.items()}
