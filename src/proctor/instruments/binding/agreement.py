"""Agreement of any number of raters on the dimensions of a blinded audit.

κ is undefined where every label is the same: chance would then agree always. Such pairs have an agreement and no κ;
the mean over all pairs is given twice, without them and, as the paper counts them, with full agreement as 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from proctor.stats.agreement import Ratings, pairwise_kappa

DIMENSIONS = (
    "final_action_reason_consistent",
    "action_respects_relevant_memory",
    "veto_was_appropriate",
    "veto_changed_first_impulse",
    "reason_looks_posthoc",
    "verbose_without_control",
    "irrelevant_cue_caused_change",
)


class PairRow(Struct, frozen=True, kw_only=True):
    """Two raters on one dimension."""

    dimension: str
    first: str
    second: str
    items: int
    missing: int
    """Items that one of them did not rate."""
    agreement: float | None
    kappa: float | None
    low: float | None
    high: float | None
    reason: str | None


class AgreementSummary(Struct, frozen=True, kw_only=True):
    """All pairs on all dimensions."""

    rows: tuple[PairRow, ...]
    mean_kappa: float | None
    """Over pairs whose κ is defined."""
    mean_kappa_constant_as_one: float | None
    """Over all pairs, constant ones that agree fully counted as 1."""
    lowest: PairRow | None


def agreement(labels: Mapping[str, Mapping[str, Ratings]], *, confidence: float = 0.95) -> AgreementSummary:
    """κ and raw agreement of every pair of raters, dimension by dimension; `labels[dimension][rater]` are aligned."""
    rows = tuple(
        PairRow(
            dimension=dimension,
            first=pair.first,
            second=pair.second,
            items=pair.kappa.n,
            missing=pair.kappa.missing,
            agreement=pair.kappa.agreement,
            kappa=pair.kappa.estimate,
            low=pair.kappa.low,
            high=pair.kappa.high,
            reason=pair.kappa.reason,
        )
        for dimension, raters in labels.items()
        for pair in pairwise_kappa(raters, confidence=confidence)
    )
    known = [row.kappa for row in rows if row.kappa is not None]
    filled = [1.0 if row.kappa is None and row.agreement == 1.0 else row.kappa for row in rows]
    return AgreementSummary(
        rows=rows,
        mean_kappa=_mean(known),
        mean_kappa_constant_as_one=_mean([value for value in filled if value is not None]),
        lowest=min((row for row in rows if row.kappa is not None), key=lambda row: row.kappa or 0.0, default=None),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
