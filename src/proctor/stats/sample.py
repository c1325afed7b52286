"""Values with gaps, and labels of clusters, turned into arrays once.

A gap is `None`. NaN and infinities are refused: they are the trace of a computation that failed somewhere else, and
here is the last place to notice.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Values = Sequence[float | None] | npt.NDArray[np.generic]
Labels = Sequence[Hashable] | npt.NDArray[np.generic]


@dataclass(frozen=True)
class Sample:
    """The values that are there (`values`), where they stood (`kept`), and how many are not (`missing`)."""

    values: FloatArray
    kept: BoolArray
    missing: int


def sample(values: Values) -> Sample:
    """Separate the values that are there from the gaps. Raises ValueError for NaN or infinity."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        numbers = values.astype(np.float64)
        kept = np.ones(numbers.shape, dtype=np.bool_)
    else:
        items = list(values)
        kept = np.fromiter((item is not None for item in items), dtype=np.bool_, count=len(items))
        numbers = np.array([item for item in items if item is not None], dtype=np.float64)
    if numbers.ndim != 1:
        raise ValueError(f"a sample has one dimension, not {numbers.ndim}")
    if not np.isfinite(numbers).all():
        raise ValueError("a value is NaN or infinite; pass None for what is missing")
    return Sample(values=numbers, kept=kept, missing=int(kept.size - numbers.size))


@dataclass(frozen=True)
class Pairs:
    """The rows where both values are there; `kept` marks them among all rows."""

    first: FloatArray
    second: FloatArray
    kept: BoolArray
    missing: int

    @property
    def difference(self) -> Sample:
        """First minus second, with the same gaps."""
        return Sample(values=self.first - self.second, kept=self.kept, missing=self.missing)


def pairs(first: Values, second: Values) -> Pairs:
    """Match two samples row by row. Lengths must agree; a row lacking either value is missing."""
    one, two = sample(first), sample(second)
    if one.kept.size != two.kept.size:
        raise ValueError(f"paired samples differ in length: {one.kept.size} and {two.kept.size}")
    both = one.kept & two.kept
    return Pairs(
        first=one.values[both[one.kept]],
        second=two.values[both[two.kept]],
        kept=both,
        missing=int(both.size - both.sum()),
    )


@dataclass(frozen=True)
class Grouping:
    """Each row's cluster as a code into `labels`, which are sorted, so that row order never changes a result."""

    labels: tuple[Any, ...]
    codes: IntArray

    @property
    def count(self) -> int:
        """How many clusters there are."""
        return len(self.labels)


def group(labels: Labels) -> Grouping:
    """Code the labels of one kind (all strings, or all integers …) by their sorted order."""
    rows = labels.tolist() if isinstance(labels, np.ndarray) else labels
    distinct: list[Any] = sorted(set(rows))
    code = {label: index for index, label in enumerate(distinct)}
    codes = np.fromiter((code[row] for row in rows), dtype=np.int64, count=len(rows))
    return Grouping(labels=tuple(distinct), codes=codes)
