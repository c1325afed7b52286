"""Shannon entropy of what was observed, in bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from math import log, log2

import msgspec

from proctor.stats.intervals import NOTHING_SCORED


class Entropy(msgspec.Struct, frozen=True, kw_only=True):
    """Entropy in bits. The plug-in estimate is low on small samples; Miller and Madow's correction stands beside it."""

    estimate: float | None
    """Plug-in entropy, None where nothing was observed."""
    corrected: float | None
    """Plug-in plus (categories − 1) / (2·n·ln 2)."""
    n: int
    missing: int = 0
    categories: int
    """Distinct labels seen."""
    method: str = "plug-in Shannon entropy, bits"
    reason: str | None = None


def entropy_of_counts(counts: Iterable[int], *, missing: int = 0) -> Entropy:
    """Entropy of a histogram; empty categories are ignored."""
    seen = list(counts)
    if any(count < 0 for count in seen):
        raise ValueError("a count cannot be negative")
    seen = [count for count in seen if count]
    n = sum(seen)
    if n == 0:
        return Entropy(estimate=None, corrected=None, n=0, missing=missing, categories=0, reason=NOTHING_SCORED)
    # n·log n − Σ c·log c over n: no share is rounded before its logarithm; max() turns −0.0 into 0.
    bits = max(0.0, log2(n) - sum(count * log2(count) for count in seen) / n)
    return Entropy(
        estimate=bits,
        corrected=bits + (len(seen) - 1) / (2.0 * n * log(2.0)),
        n=n,
        missing=missing,
        categories=len(seen),
    )


def entropy(labels: Iterable[Hashable | None]) -> Entropy:
    """Entropy of a sequence of labels; None is a missing label, not a label."""
    seen = Counter(labels)
    missing = seen.pop(None, 0)
    return entropy_of_counts(seen.values(), missing=missing)
