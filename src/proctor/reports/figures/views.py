"""What the pictures of a binding reading show, as plain numbers from its tables.

Pages and figures draw the same numbers: both take them from here. A value that a table does not have is None, never 0;
a table that is not there gives an empty view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from proctor.instruments.binding.inference import scope_of
from proctor.instruments.binding.scores import BASIC_PROBES, COMPONENTS
from proctor.instruments.binding.tables import Columns, Scalar
from proctor.instruments.binding.variants import REGISTRY, STRUCTURED, named

Row = dict[str, Scalar]
Plain = Mapping[str, Columns]
"""Tables by name, as `BindingReading.tables()` gives them."""

PROFILE = (*(f"B_{name}" for name in COMPONENTS), "composite")
LESIONED = {
    "no-reason": ("B_RSI",),
    "no-memory": ("B_MCI",),
    "no-veto": ("B_VEI",),
    "no-self": ("B_SCI",),
    "lesion": tuple(f"B_{name}" for name in COMPONENTS),
    "lesion-strict": tuple(f"B_{name}" for name in COMPONENTS),
}
"""Which scores a lesion is expected to lower."""
_DECLARED = {("no-reason", "B_RSI"): "reason", ("no-veto", "B_VEI"): "veto"}
"""Expected reductions that are declared contrasts: there it is decided, and not read off two means."""
_AGAIN = "reask-"
"""Conditions that ask again after a reported field was exchanged: what is right there is another question."""
_ORDER = {one.id: order for order, one in enumerate(REGISTRY)}


def rows_of(tables: Plain, name: str) -> list[Row]:
    """The rows of a table; none where it is not there."""
    columns = tables.get(name) or {}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def numeric(row: Mapping[str, Scalar], name: str) -> float | None:
    """A number of a row; None where it is missing or no number."""
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else None


def word(row: Mapping[str, Scalar], name: str) -> str:
    """A text of a row; empty where it is missing."""
    value = row.get(name)
    return "" if value is None else str(value)


def in_order(conditions: Iterable[str]) -> list[str]:
    """Conditions in the order of the registry, then by name: the structured one first."""
    return sorted(set(conditions), key=lambda name: (_ORDER.get(named(name).variant, len(_ORDER)), name))


def grid_settings(tables: Plain) -> frozenset[str]:
    """Settings of the calibration grid: they have a picture of their own and would drown the others."""
    return frozenset(word(row, "condition") for row in rows_of(tables, "entropy_grid"))


def _asked_once(conditions: Iterable[str], tables: Plain) -> list[str]:
    """Conditions whose rows answer the probe itself, in order."""
    hidden = grid_settings(tables)
    return in_order(name for name in conditions if name not in hidden and not named(name).variant.startswith(_AGAIN))


def probes_in_order(probes: Iterable[str]) -> list[str]:
    """The six probes first, in their order, then the extended ones by name."""
    return sorted(set(probes), key=lambda name: (BASIC_PROBES.index(name) if name in BASIC_PROBES else 99, name))


def scope(tables: Plain, used: Iterable[str]) -> str:
    """What must be said beside numbers over datasets or families; empty where none of the tables in use has any."""
    mine = [tables.get(name, {}) for name in used]
    families = max((int(n) for one in mine for n in one.get("family_units", ()) if isinstance(n, int)), default=0)
    if families:
        return scope_of(families, unit="family")
    datasets = {value for one in mine for value in one.get("dataset", ())}
    if not datasets:
        return ""
    # Where there are cells, what stands under `dataset` is a family.
    return scope_of(len(datasets), unit="family" if "cell_summary" in tables else "dataset")


class ProfileRow(Struct, frozen=True):
    """One Condition: its scores, and where a reduction was expected."""

    condition: str
    paper: str
    datasets: int
    means: dict[str, float | None]
    spreads: dict[str, float | None]
    false_positive: float | None
    rings: dict[str, bool]
    """Scores the lesion should lower; true where they lie below the structured ones, and where that is a declared
    contrast, where it was decided to be above zero."""


def profile(tables: Plain) -> list[ProfileRow]:
    """Component scores by Condition with the expected reductions; a Condition without any score has no row."""
    by_condition = {word(row, "condition"): row for row in rows_of(tables, "components_by_condition")}
    whole = next((by_condition[name] for name in in_order(by_condition) if named(name).variant == STRUCTURED), {})
    decided = {word(row, "contrast"): row.get("above_zero") for row in rows_of(tables, "inference")}
    rows = [_profile_row(name, by_condition[name], whole, decided) for name in _asked_once(by_condition, tables)]
    return [row for row in rows if row.false_positive is not None or any(v is not None for v in row.means.values())]


def _profile_row(name: str, row: Row, structured: Row, decided: Mapping[str, Scalar]) -> ProfileRow:
    def fell(score: str) -> bool:
        declared = _DECLARED.get((name, score), "")
        if declared in decided:
            return decided[declared] in (True, "yes")
        own, reference = numeric(row, f"{score}_mean"), numeric(structured, f"{score}_mean")
        return own is not None and reference is not None and own < reference

    return ProfileRow(
        condition=name,
        paper=word(row, "paper"),
        datasets=int(numeric(row, "datasets") or 0),
        means={score: numeric(row, f"{score}_mean") for score in PROFILE},
        spreads={score: numeric(row, f"{score}_sd") for score in PROFILE},
        false_positive=numeric(row, "false_positive_mean"),
        rings={score: fell(score) for score in LESIONED.get(named(name).variant, ())},
    )


class Response(Struct, frozen=True):
    """Expected responses of one Condition to one probe in one dataset."""

    mean: float
    """Weighed by rows."""
    rows: int
    replicates: tuple[float, ...]


def responses(tables: Plain) -> dict[str, dict[str, dict[str, Response]]]:
    """By Condition, dataset and probe."""
    gathered: dict[tuple[str, str, str], list[tuple[float, int]]] = {}
    for row in rows_of(tables, "probe_rates"):
        rate, rows = numeric(row, "correct"), int(numeric(row, "rows") or 0)
        if rate is not None and rows:
            key = (word(row, "condition"), word(row, "dataset"), word(row, "probe"))
            gathered.setdefault(key, []).append((rate, rows))
    by_condition: dict[str, dict[str, dict[str, Response]]] = {}
    for (condition, dataset, probe), cells in gathered.items():
        total = sum(rows for _, rows in cells)
        mean = sum(rate * rows for rate, rows in cells) / total
        response = Response(mean, total, tuple(rate for rate, _ in cells))
        by_condition.setdefault(condition, {}).setdefault(dataset, {})[probe] = response
    return {condition: by_condition[condition] for condition in _asked_once(by_condition, tables)}


class MappingErrors(Struct, frozen=True):
    """How often a Condition's replies meant no action, and how often a cue that means nothing moved it."""

    condition: str
    unmapped: float | None
    unmapped_rows: int
    unmapped_by_dataset: dict[str, float]
    false_positive: float | None
    neutral_rows: int
    false_positive_by_dataset: dict[str, float]


def mapping_errors(tables: Plain) -> list[MappingErrors]:
    """Per Condition over all rows, and dataset by dataset."""
    lost: dict[str, dict[str, list[float]]] = {}
    for row in rows_of(tables, "probe_rates"):
        rate, rows = numeric(row, "unmapped"), numeric(row, "rows")
        if rate is not None and rows:
            sums = lost.setdefault(word(row, "condition"), {}).setdefault(word(row, "dataset"), [0.0, 0.0])
            sums[0] += rate * rows
            sums[1] += rows
    moved: dict[str, dict[str, tuple[float, float]]] = {}
    for row in rows_of(tables, "components"):
        changed, neutral = numeric(row, "k_changed"), numeric(row, "n_neutral")
        if changed is not None and neutral:
            moved.setdefault(word(row, "condition"), {})[word(row, "dataset")] = (changed, neutral)
    shown = _asked_once(lost.keys() | moved.keys(), tables)
    return [_errors(name, lost.get(name, {}), moved.get(name, {})) for name in shown]


def _errors(
    condition: str, lost: Mapping[str, Sequence[float]], moved: Mapping[str, tuple[float, float]]
) -> MappingErrors:
    lost_rows, moved_rows = (sum(pair[1] for pair in sums.values()) for sums in (lost, moved))
    return MappingErrors(
        condition=condition,
        unmapped=sum(pair[0] for pair in lost.values()) / lost_rows if lost_rows else None,
        unmapped_rows=round(lost_rows),
        unmapped_by_dataset={dataset: pair[0] / pair[1] for dataset, pair in sorted(lost.items())},
        false_positive=sum(pair[0] for pair in moved.values()) / moved_rows if moved_rows else None,
        neutral_rows=round(moved_rows),
        false_positive_by_dataset={dataset: pair[0] / pair[1] for dataset, pair in sorted(moved.items())},
    )
