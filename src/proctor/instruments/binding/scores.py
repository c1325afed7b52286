"""Component scores: how often the action followed the decisive state, minus how often an irrelevant cue moved it.

Everything is kept as whole counts, k of n, so that scores are exact fractions and a contrast of zero is zero. A score
without target rows or without neutral rows is absent, never 0; the composite needs all four.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.measures import NEUTRAL, TARGET
from proctor.stats.sample import BoolArray, FloatArray

COMPONENTS = ("RSI", "MCI", "VEI", "SCI")
COMPONENT_OF = {"reason": "RSI", "memory": "MCI", "veto": "VEI", "self": "SCI"}
COMPOSITE = "composite"
BASIC_PROBES = ("baseline", "reason_flip", "memory_conflict", "veto_cue", "self_continuity", "irrelevant_cue")
"""The six probes of the benchmark; the extended ones widen the target and the neutral sets."""

_TEXT = ("dataset", "event", "probe", "component", "role", "condition", "replicate", "before", "code", "how", "arm_of")
_NUMBERS = ("c", "u", "distance")


@dataclass(frozen=True)
class Share:
    """k of n."""

    k: int = 0
    n: int = 0

    @property
    def value(self) -> Fraction | None:
        """The share; None where nothing was scored."""
        return Fraction(self.k, self.n) if self.n else None


NOTHING = Share()


@dataclass(frozen=True)
class Counted:
    """The counts of one dataset under one Condition, and the scores that follow from them."""

    targets: Mapping[str, Share] = field(default_factory=dict)
    """Per component: rows of its target probes that show the target."""
    neutral: Share = NOTHING
    """Rows of neutral probes in which the action changed although nothing decisive had: false positives."""

    def followed(self, component: str) -> Fraction | None:
        """c: the share of target rows that show the target."""
        return self.targets.get(component, NOTHING).value

    def gained(self, component: str) -> Fraction | None:
        """What a component gives before false positives are subtracted: here all that was followed."""
        return self.followed(component)

    @property
    def false_positive(self) -> Fraction | None:
        """u: the share of neutral rows that changed."""
        return self.neutral.value

    def score(self, metric: str) -> Fraction | None:
        """B of a component, or the composite."""
        if metric == COMPOSITE:
            parts = [self.score(component) for component in COMPONENTS]
            known = [part for part in parts if part is not None]
            return sum(known, Fraction(0)) / len(COMPONENTS) if len(known) == len(COMPONENTS) else None
        gained, changed = self.gained(metric), self.false_positive
        return None if gained is None or changed is None else gained - changed


def scored_rows(table: BindingTable, *, extended: bool = False) -> BindingTable:
    """The rows component scores are made of: no robustness arms, nothing at a distance, the six probes unless asked."""
    keep = table.is_in("arm_of", ("",)) & ~(table.numbers["distance"] > 0)
    if not extended:
        keep &= table.is_in("probe", BASIC_PROBES)
    return table.only(_TEXT, _NUMBERS).where(keep)


def changed(table: BindingTable) -> FloatArray:
    """u row by row: as recorded, or by comparing codes where it was not."""
    recorded = table.numbers["u"]
    differs = (~table.same("code", "before")).astype(np.float64)
    return np.where(np.isnan(recorded), differs, recorded)


def count(table: BindingTable, *by: str, extended: bool = False) -> dict[tuple[str, ...], Counted]:
    """The counts of every combination of some columns, by default dataset and Condition."""
    columns = by or ("dataset", "condition")
    rows = scored_rows(table, extended=extended)
    targets: dict[tuple[str, ...], dict[str, Share]] = {}
    aimed = rows.where(rows.is_in("role", (TARGET,)))
    groups = aimed.groups(*columns, "component")
    for key, n, k in zip(groups.keys, groups.total(), groups.total(aimed.numbers["c"]), strict=True):
        component = COMPONENT_OF.get(key[-1])
        if component is not None:
            targets.setdefault(key[:-1], {})[component] = Share(round(k), round(n))
    calm = rows.where(rows.is_in("role", (NEUTRAL,)))
    quiet = calm.groups(*columns)
    neutral = {
        key: Share(round(k), round(n))
        for key, n, k in zip(quiet.keys, quiet.total(), quiet.total(changed(calm)), strict=True)
    }
    keys = sorted(set(rows.groups(*columns).keys))
    return {key: Counted(targets.get(key, {}), neutral.get(key, NOTHING)) for key in keys}


def pooled_false_positives(table: BindingTable, condition: str) -> Share:
    """False positives of a Condition over all rows together."""
    rows = scored_rows(table).of("condition", condition)
    calm = rows.where(rows.is_in("role", (NEUTRAL,)))
    return Share(round(float(changed(calm).sum())), calm.size)


def correct(table: BindingTable, mask: BoolArray) -> Share:
    """Rows that show their target, of those the mask keeps."""
    kept = table.numbers["c"][mask]
    return Share(round(float(kept.sum())), int(kept.size))
