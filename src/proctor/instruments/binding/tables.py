"""Every table of a binding reading at full precision, by name: what reports draw and what goes out as CSV.

`BindingReading.tables()` gives `{name: {column: [value, …]}}`; values are text, whole numbers, floats or None (not
measured), columns of one table have one length, and rows are sorted. A table is there only if it has rows:

| name | one row per |
| --- | --- |
| `components` | dataset and Condition: B_RSI … B_SCI, composite, false_positive, and the counts k, n behind them |
| `components_by_condition` | Condition: mean and SD over datasets |
| `components_by_replicate` | dataset, Condition and replicate |
| `components_extended` | dataset and Condition, over the extended target and neutral sets |
| `probe_rates` | dataset, Condition, replicate and probe: correct, changed and unmapped |
| `contrasts` | dataset: composites, and the five declared contrasts |
| `inference` | contrast: mean, t interval, bootstrap, sign tests, leave-one-out, what decides |
| `absolute` | component, with twins: its score by itself, and the surface player's |
| `mixed_effects` | contrast: an auxiliary fit, or why it is left outside |
| `controls` | Condition: the composite contrast with the structured one |
| `gates` | criterion: rule, limit, value, status |
| `audits`, `diagnostics` | line of an audit; kind of interface error |
| `metadata` | model and Condition: requests, tokens, latency, retries, parse status, sampling |
| `cells`, `cell_summary`, `cluster_bounds` | cell and control; control; control and kind of cluster |
| `sufficiency`, `sufficiency_summary`, `sufficiency_cells` | model and Condition; model; model and family |
| `coupling`, `coupling_by_condition`, `coupling_by_replicate` | dataset and Condition; Condition; and replicate |
| `coupling_contrasts`, `coupling_bounds`, `content_only` | dataset and comparator; bound; exchanged field |
| `own_words` | field: the effect of exchanging what the agent said of it |
| `traces`, `traces_by_condition` | dataset, Condition and replicate; Condition |
| `entropy`, `entropy_gaps`, `entropy_grid`, `entropy_prior` | dataset and Condition; Condition; setting; cell |
| `budget`, `budget_conditions` | comparison under a forced budget; Condition |
| `curve`, `curve_slopes`, `robustness` | place of the curve; axis; arm and Condition |
| `variants` | Condition of the run: the paper's identifier, definition, role |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import isnan

from msgspec import Struct

Scalar = str | int | float | None
Columns = dict[str, list[Scalar]]


class Table(Struct, frozen=True):
    """One table: a title for people, and its columns."""

    title: str
    columns: Columns

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(next(iter(self.columns.values()), []))


class Tables(Mapping[str, Table]):
    """The tables of a reading by name, made when the first of them is asked for; those without rows are left out.

    Gates, claims and values need none of them, and some are dear: mixed-effect fits take longer than all the rest.
    """

    def __init__(self) -> None:
        self._made: dict[str, Table] = {}
        self._makers: list[Callable[[Tables], None]] = []

    def later(self, make: Callable[[Tables], None]) -> None:
        """Have `make` add tables once they are asked for; in the order in which this was called."""
        self._makers.append(make)

    def add(self, name: str, title: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Add a table from rows that all have the keys of the first."""
        listed = list(rows)
        if listed:
            self._made[name] = Table(title, {key: [plain(row[key]) for row in listed] for key in listed[0]})

    def _all(self) -> dict[str, Table]:
        makers, self._makers = self._makers, []
        for make in makers:
            make(self)
        return self._made

    def __getitem__(self, name: str) -> Table:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def plain(value: object) -> Scalar:
    """A value as it may stand in a table: exact fractions as floats, NaN as None, truth as a word."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, int):
        return value
    number = float(value)  # type: ignore[arg-type]
    return None if isnan(number) else number
