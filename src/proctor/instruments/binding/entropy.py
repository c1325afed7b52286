"""Entropy of actions in four layers: raw strings, rule-canonical codes, semantic clusters, action families.

Semantic clusters are the connected components of emitted strings whose TF-IDF vectors over character n-grams have a
cosine of at least 0.90: they do not depend on the order of rows. Entropies are means over datasets; the gap between two
Conditions is taken layer by layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable, Column
from proctor.spec.ontology import ONTOLOGIES, UNMAPPED
from proctor.stats.entropy import entropy_of_counts
from proctor.stats.sample import BoolArray, IntArray
from proctor.stats.semantic import semantic_clusters

LAYERS = ("raw", "rule", "semantic", "family")
COSINE = 0.90
NGRAMS = (3, 5)
_CODES = frozenset({code for ontology in ONTOLOGIES.values() for code in (*ontology.codes, UNMAPPED, "")})


class LayerEntropy(Struct, frozen=True, kw_only=True):
    """The entropies of one dataset under one Condition, in bits."""

    dataset: str
    condition: str
    bits: dict[str, float | None]
    """By layer; None where a layer could not be computed."""
    rows: int


class EntropyGap(Struct, frozen=True, kw_only=True):
    """How far a Condition's entropies are from the structured one's."""

    condition: str
    gaps: dict[str, float]
    """By layer: the absolute difference of the means over shared datasets."""
    mean_gap: float
    max_gap: float
    """Γ."""
    datasets: int


class Layered:
    """Rows with their action in every layer. Robustness arms stay out; a missing action is an outcome of its own."""

    def __init__(self, table: BindingTable) -> None:
        self.rows = table.where(table.is_in("arm_of", ("",)))
        self.layers: dict[str, IntArray | None] = {
            "raw": self.rows.text["raw"].codes,
            "rule": self.rows.text["code"].codes,
            "semantic": _semantic(self.rows),
            "family": action_families(self.rows.text["code"]),
        }

        self._trials = self.rows.key("dataset", "event", "probe", "strength", "distance")

    def entropies(self, mask: BoolArray | None = None) -> tuple[LayerEntropy, ...]:
        """Every dataset and Condition, of all rows or of those the mask keeps."""
        keep = np.ones(self.rows.size, dtype=np.bool_) if mask is None else mask
        groups = self.rows.where(keep).groups("dataset", "condition")
        sizes = groups.total()
        bits = {
            name: [None] * len(groups.keys) if codes is None else _bits(groups.codes, codes[keep], len(groups.keys))
            for name, codes in self.layers.items()
        }
        return tuple(
            LayerEntropy(
                dataset=dataset,
                condition=condition,
                bits={name: bits[name][group] for name in LAYERS},
                rows=round(sizes[group]),
            )
            for group, (dataset, condition) in enumerate(groups.keys)
        )

    def gap(self, condition: str, reference: str, mask: BoolArray | None = None) -> EntropyGap | None:
        """The gap over the events both Conditions were run on."""
        keep = self.rows.is_in("condition", (condition, reference))
        keep = keep if mask is None else keep & mask
        one, two = (self._trials[keep & self.rows.is_in("condition", (name,))] for name in (condition, reference))
        shared = keep & np.isin(self._trials, np.intersect1d(one, two))
        return gap(self.entropies(shared), condition, reference)


def gap(layers: Sequence[LayerEntropy], condition: str, reference: str) -> EntropyGap | None:
    """The gap of a Condition to another over the datasets both have; None where there are none."""
    sides: dict[str, dict[str, Mapping[str, float | None]]] = {condition: {}, reference: {}}
    for one in layers:
        if one.condition in sides:
            sides[one.condition][one.dataset] = one.bits
    shared = sorted(set(sides[condition]) & set(sides[reference]))
    gaps: dict[str, float] = {}
    for layer in LAYERS:
        pairs = [(sides[condition][name][layer], sides[reference][name][layer]) for name in shared]
        known = [(a, b) for a, b in pairs if a is not None and b is not None]
        if known:
            gaps[layer] = abs(sum(a for a, _ in known) / len(known) - sum(b for _, b in known) / len(known))
    return make_gap(condition, gaps, len(shared)) if gaps else None


def make_gap(condition: str, gaps: Mapping[str, float], datasets: int) -> EntropyGap:
    """Mean and maximum over the layers."""
    return EntropyGap(
        condition=condition,
        gaps=dict(gaps),
        mean_gap=sum(gaps.values()) / len(gaps),
        max_gap=max(gaps.values()),
        datasets=datasets,
    )


def action_families(column: Column) -> IntArray:
    """The coarse family of each code, as a code; what no ontology knows is a family of its own."""
    known = {code: family for ontology in ONTOLOGIES.values() for code, family in ontology.families.items()}
    names = [known.get(label, label) for label in column.labels]
    return Column.of(names).codes[column.codes] if names else column.codes


def _semantic(rows: BindingTable) -> IntArray | None:
    raw = rows.text["raw"]
    used = np.unique(raw.codes)
    texts = [raw.labels[code] for code in used.tolist()]
    if _CODES.issuperset(texts):
        # Bare codes are far apart: no vectors are needed to say so.
        return raw.codes
    clusters = semantic_clusters(texts, cosine=COSINE, ngrams=NGRAMS)
    return None if clusters is None else clusters[np.searchsorted(used, raw.codes)]


def _bits(groups: IntArray, codes: IntArray, count: int) -> list[float | None]:
    width = int(codes.max(initial=0)) + 1
    keys, counts = np.unique(groups * width + codes, return_counts=True)
    group_of = keys // width
    return [entropy_of_counts(counts[group_of == group].tolist()).estimate for group in range(count)]
