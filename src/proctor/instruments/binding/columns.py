"""Columns: text as codes into sorted labels, numbers as floats, and rows by combination of columns.

NaN stands for an absent measure inside the columns; nothing that leaves the instrument is ever NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from proctor.stats.sample import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Column:
    """Text: `labels[codes]`. Labels are sorted; some may have no row left."""

    labels: tuple[str, ...]
    codes: IntArray

    @classmethod
    def of(cls, values: Sequence[str]) -> Column:
        """The column of these values; labels are sorted."""
        labels = tuple(sorted(set(values)))
        code = {label: number for number, label in enumerate(labels)}
        codes = np.fromiter(map(code.__getitem__, values), dtype=np.int64, count=len(values))
        return cls(labels, codes)

    def code(self, label: str) -> int:
        """The code of a label; −1 where it does not occur."""
        return self.labels.index(label) if label in self.labels else -1


@dataclass(frozen=True)
class Groups:
    """The distinct combinations of some columns, sorted, and for each row which one it belongs to."""

    keys: tuple[tuple[str, ...], ...]
    codes: IntArray

    def total(self, weights: FloatArray | BoolArray | None = None) -> FloatArray:
        """Per combination: how many rows, or the sum of their weights."""
        given = None if weights is None else weights.astype(np.float64)
        return np.bincount(self.codes, weights=given, minlength=len(self.keys)).astype(np.float64)


@dataclass(frozen=True)
class BindingTable:
    """The scored records of one or several runs."""

    text: Mapping[str, Column]
    numbers: Mapping[str, FloatArray]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self.numbers["c"].size)

    def where(self, mask: BoolArray) -> BindingTable:
        """The rows that the mask keeps."""
        if mask.all():
            return self
        return BindingTable(
            {name: replace(column, codes=column.codes[mask]) for name, column in self.text.items()},
            {name: values[mask] for name, values in self.numbers.items()},
        )

    def only(self, text: Iterable[str], numbers: Iterable[str]) -> BindingTable:
        """The same rows with some of the columns: what is left out is not copied by further selections."""
        return BindingTable({name: self.text[name] for name in text}, {name: self.numbers[name] for name in numbers})

    def is_in(self, name: str, labels: Iterable[str]) -> BoolArray:
        """Which rows hold one of the labels."""
        column = self.text[name]
        wanted = [code for label in labels if (code := column.code(label)) >= 0]
        return np.isin(column.codes, wanted)

    def of(self, name: str, *labels: str) -> BindingTable:
        """The rows that hold one of the labels."""
        return self.where(self.is_in(name, labels))

    def same(self, first: str, second: str) -> BoolArray:
        """Which rows hold the same text in two columns."""
        one, two = self.text[first], self.text[second]
        code_of = {label: code for code, label in enumerate(two.labels)}
        known = np.array([code_of.get(label, -1) for label in one.labels], dtype=np.int64)
        return np.asarray(known[one.codes] == two.codes if known.size else np.zeros(0, dtype=np.bool_), dtype=np.bool_)

    def joined(self, name: str, *parts: str) -> BindingTable:
        """The same rows with a column that holds the combination of some, e.g. `model: dataset`."""
        groups = self.groups(*parts)
        column = Column.of([": ".join(key) for key in groups.keys])
        return BindingTable({**self.text, name: Column(column.labels, column.codes[groups.codes])}, self.numbers)

    def present(self, name: str) -> tuple[str, ...]:
        """The labels that occur, sorted."""
        column = self.text[name]
        return tuple(column.labels[code] for code in np.unique(column.codes))

    def values(self, name: str) -> list[str]:
        """A text column row by row."""
        column = self.text[name]
        return [column.labels[code] for code in column.codes.tolist()]

    def shared(self, by: str, labels: Sequence[str], *trial: str) -> BindingTable:
        """The rows with one of these labels whose trial (a combination of columns) every one of the labels has."""
        rows = self.of(by, *labels)
        _, codes = np.unique(rows.key(*trial), return_inverse=True)
        count = int(codes.max(initial=-1)) + 1
        everywhere = np.ones(count, dtype=np.bool_)
        for label in labels:
            here = np.zeros(count, dtype=np.bool_)
            here[codes[rows.is_in(by, (label,))]] = True
            everywhere &= here
        return rows if everywhere.all() else rows.where(everywhere[codes])

    def key(self, *names: str) -> IntArray:
        """One number a row for the combination of some columns."""
        key = np.zeros(self.size, dtype=np.int64)
        for name in names:
            key = key * max(len(self.text[name].labels), 1) + self.text[name].codes
        return key

    def groups(self, *names: str) -> Groups:
        """Rows by the combination of these columns."""
        distinct, codes = np.unique(self.key(*names), return_inverse=True)
        keys: list[tuple[str, ...]] = []
        for code in distinct.tolist():
            parts: list[str] = []
            for name in reversed(names):
                labels = self.text[name].labels
                code, index = divmod(code, max(len(labels), 1))
                parts.append(labels[index])
            keys.append(tuple(reversed(parts)))
        return Groups(tuple(keys), codes.astype(np.int64))
