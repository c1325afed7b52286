"""Coupling of reported fields and action (AFCI): four alignments, each weighed by how its field came about.

Alignments are read off the reply by the verifier; the provenance weight comes from the Condition, so that a fluent
field written after the action counts nothing. Suppression is measured, not assumed: the action survives an injected
irrelevant field. `content` has the coupling that needs no provenance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.instruments.binding.audits import unmapped_rows
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.content import asked_again
from proctor.instruments.binding.inference import DRAWS, MIN_UNITS, Inference, infer
from proctor.instruments.binding.measures import NEUTRAL
from proctor.instruments.binding.scores import Share, changed
from proctor.instruments.binding.variants import TERMS, named, provenance_weights
from proctor.spec.condition import Condition, Scaffold
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_mean

FULL_INTERFACE, COMPRESSED = "coupled", "compressed"
EQUIVALENCE = 0.02
"""Structured and compressed within this are near-equivalent."""


class Coupling(Struct, frozen=True, kw_only=True):
    """Coupling of one Condition in one dataset (and replicate or event, where split)."""

    dataset: str
    condition: str
    part: str
    """The replicate or event, where coupling is taken one by one; empty otherwise."""
    terms: dict[str, float]
    """Weighed alignments, means over rows."""
    afci: float
    suppression: float | None
    """None: no neutral row to measure it on."""
    with_suppression: float | None
    rows: int
    missing: int
    """Rows whose reply lacks one of the fields: no alignment, left out."""


class CouplingContrast(Struct, frozen=True, kw_only=True):
    """The structured interface against one other Condition."""

    comparator: str
    control: bool
    """Whether it is one of the declared controls; the compressed variant is not."""
    inference: Inference
    recovered: int
    """Datasets in which the comparator reaches the structured value."""


class CouplingSummary(Struct, frozen=True, kw_only=True):
    """All contrasts, and both bounds on the difference over controls."""

    structured: str
    contrasts: tuple[CouplingContrast, ...]
    weakest: str
    """The control of lowest mean coupling."""
    pooled: BootstrapEstimate | None
    """Control × dataset differences resampled as if each were a unit: the published way."""
    clustered: BootstrapEstimate | None
    """Datasets resampled, each with the mean over its controls."""


def afci(terms: Mapping[str, float]) -> float:
    """The mean of the four terms."""
    return sum(terms[name] for name in TERMS) / len(TERMS)


def afci_with_suppression(terms: Mapping[str, float], suppression: float) -> float:
    """The mean of the four terms and suppression."""
    return (sum(terms[name] for name in TERMS) + suppression) / (len(TERMS) + 1)


def couplings(
    table: BindingTable,
    conditions: Mapping[str, Condition],
    *,
    scaffolded: bool,
    by: Literal["", "replicate", "event"] = "",
) -> tuple[Coupling, ...]:
    """Coupling per dataset and Condition. Rows without a reply to read have no alignment and are left out."""
    columns = ("dataset", "condition", by) if by else ("dataset", "condition")
    known = np.ones(table.size, dtype=np.bool_)
    for term in TERMS:
        known &= ~np.isnan(table.numbers[f"t_{term}"])
    asked_once = ~asked_again(table)
    everything = table.where(asked_once)
    there = dict(zip(*_sizes(everything, columns), strict=True))
    rows = table.where(known & asked_once)
    groups = rows.groups(*columns)
    sizes = groups.total()
    means = {term: groups.total(rows.numbers[f"t_{term}"]) / np.maximum(sizes, 1.0) for term in TERMS}
    survived = suppression(rows, columns)
    coupled: list[Coupling] = []
    for group, key in enumerate(groups.keys):
        weights = provenance_weights(conditions.get(key[1]), scaffolded=scaffolded)
        terms = {term: float(means[term][group]) * weights[term] for term in TERMS}
        share = survived.get(key)
        kept = None if share is None or share.value is None else float(share.value)
        coupled.append(
            Coupling(
                dataset=key[0],
                condition=key[1],
                part=key[2] if by else "",
                terms=terms,
                afci=afci(terms),
                suppression=kept,
                with_suppression=None if kept is None else afci_with_suppression(terms, kept),
                rows=round(sizes[group]),
                missing=there[key] - round(sizes[group]),
            )
        )
    return tuple(coupled)


def _sizes(table: BindingTable, columns: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], list[int]]:
    groups = table.groups(*columns)
    return groups.keys, [round(n) for n in groups.total()]


def suppression(table: BindingTable, columns: Sequence[str]) -> dict[tuple[str, ...], Share]:
    """Rows with an injected irrelevant field in which the action stayed what it was without it.

    The row of the same event, Condition and replicate without the field is the comparison; where there is none, the
    action expected without it. No action that could be read is none that stayed.
    """
    calm = table.where(table.is_in("role", (NEUTRAL,)))
    plain = table.where(table.is_in("probe", ("baseline",)))
    key = ("dataset", "event", "condition", "replicate")
    before = dict(zip(zip(*(plain.values(name) for name in key), strict=True), plain.values("code"), strict=True))
    expected = changed(calm) == 0
    same = np.array(
        [
            before[keyed] == code if (keyed := tuple(row)) in before else bool(fine)
            for *row, code, fine in zip(
                *(calm.values(name) for name in key), calm.values("code"), expected.tolist(), strict=True
            )
        ],
        dtype=np.bool_,
    )
    stayed = same & ~unmapped_rows(calm)
    groups = calm.groups(*columns)
    return {
        keyed: Share(round(k), round(n))
        for keyed, k, n in zip(groups.keys, groups.total(stayed), groups.total(), strict=True)
    }


def summarise_coupling(
    coupled: Sequence[Coupling],
    conditions: Mapping[str, Condition] | None = None,
    *,
    events: Sequence[Coupling] = (),
    profile: str = "default",
    confidence: float = 0.95,
    draws: int = DRAWS,
) -> CouplingSummary | None:
    """Contrasts of the structured interface with every other Condition; None where it was not run.

    `events` are the couplings event by event, which decide where datasets are few.
    """
    declared = conditions or {}
    by_condition: dict[str, dict[str, float]] = {}
    for one in coupled:
        by_condition.setdefault(one.condition, {})[one.dataset] = one.afci
    structured = next((name for name in by_condition if _is_structured(name, declared.get(name))), None)
    if structured is None:
        return None
    own = by_condition.pop(structured)
    by_event: dict[str, dict[tuple[str, str], float]] = {}
    for one in events if len(own) < MIN_UNITS else ():
        by_event.setdefault(one.condition, {})[one.dataset, one.part] = one.afci
    contrasts = tuple(
        _contrast(
            name,
            own,
            values,
            control=not _is_compressed(name, declared.get(name)),
            events=_differences(by_event.get(structured, {}), by_event.get(name, {})),
            profile=profile,
            confidence=confidence,
            draws=draws,
        )
        for name, values in sorted(by_condition.items())
    )
    controls = [one for one in contrasts if one.control]
    differences = [(dataset, value) for one in controls for dataset, value in sorted(one.inference.units.items())]
    pooled = clustered = None
    if differences:
        datasets, values = [dataset for dataset, _ in differences], [value for _, value in differences]
        pooled = bootstrap_mean(
            values, list(range(len(values))), draws=draws, rng=_rng("pooled"), confidence=confidence
        )
        clustered = bootstrap_mean(values, datasets, draws=draws, rng=_rng("clustered"), confidence=confidence)
    weakest = min(
        controls,
        key=lambda one: (float(np.mean(list(by_condition[one.comparator].values()))), one.comparator),
        default=None,
    )
    return CouplingSummary(
        structured=structured,
        contrasts=contrasts,
        weakest=weakest.comparator if weakest else "",
        pooled=pooled,
        clustered=clustered,
    )


def _contrast(
    name: str,
    own: Mapping[str, float],
    values: Mapping[str, float],
    *,
    control: bool,
    events: Sequence[float],
    profile: str,
    confidence: float,
    draws: int,
) -> CouplingContrast:
    units = {dataset: own[dataset] - values[dataset] if dataset in values else None for dataset in own}
    inference = infer(
        f"coupling over {name}", units, profile=profile, confidence=confidence, events=events or None, draws=draws
    )
    return CouplingContrast(
        comparator=name,
        control=control,
        inference=inference,
        recovered=sum(value <= 0.0 for value in inference.units.values()),
    )


def _differences(own: Mapping[tuple[str, str], float], other: Mapping[tuple[str, str], float]) -> list[float]:
    """Event by event, where both have a value."""
    return [own[event] - other[event] for event in sorted(set(own) & set(other))]


def _is_structured(name: str, condition: Condition | None) -> bool:
    """By its name, or as declared: every module on, fields made before the action."""
    if named(name).variant == FULL_INTERFACE:
        return True
    scaffold = condition.scaffold if condition is not None else None
    return scaffold is not None and scaffold.fields == "coupled" and all(_modules(scaffold))


def _is_compressed(name: str, condition: Condition | None) -> bool:
    scaffold = condition.scaffold if condition is not None else None
    return named(name).variant == COMPRESSED or (scaffold is not None and scaffold.fields == "compressed")


def _modules(scaffold: Scaffold) -> tuple[bool, ...]:
    return scaffold.self_state, scaffold.memory, scaffold.reason, scaffold.veto


def _rng(purpose: str) -> np.random.Generator:
    return Stream.keyed("binding", "coupling", purpose).numpy()
