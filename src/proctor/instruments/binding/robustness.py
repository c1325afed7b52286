"""Robustness arms: the same events reworded, turned round, or with a placebo component.

Rewording must leave accuracy within a declared tolerance. A counterfactual flip makes text and target anew together;
rows whose text and label contradict each other are kept apart as boundary rows and enter no accuracy. A placebo
component must not move the action.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import Criterion, Detail, at_least, at_most
from proctor.instruments.binding.scores import NOTHING, Share
from proctor.instruments.binding.twins import targets_only
from proctor.instruments.binding.variants import STRUCTURED

PARAPHRASE_TOLERANCE = 0.05
Arm = Literal["paraphrase", "flip", "placebo", "reworded", "record"]
ARMS: tuple[Arm, ...] = ("paraphrase", "flip", "placebo", "reworded", "record")
"""The last two are those of 2.0: other words, and a field more."""
BOUNDARY = "boundary"


class RobustnessArm(Struct, frozen=True, kw_only=True):
    """One arm of one Condition, beside the untouched rows of the same events."""

    arm: str
    condition: str
    accuracy: Share
    original: Share
    difference: float | None
    """Arm minus original."""
    boundary: int
    """Rows kept apart because text and label contradict each other."""
    cells: int
    """Datasets or families of the arm."""
    cells_held: int
    """Of these: accuracy not below the original by more than the tolerance."""
    criterion: Criterion | None
    """Declared for the structured Condition only."""


def robustness(table: BindingTable) -> tuple[RobustnessArm, ...]:
    """Every arm and Condition that was run."""
    table, arms = targets_only(table), []
    for arm in ARMS:
        rows = table.of("arm_of", arm)
        for (condition,) in rows.groups("condition").keys:
            arms.append(_arm(table, arm, condition))
    return tuple(arms)


def _arm(table: BindingTable, arm: str, condition: str) -> RobustnessArm:
    mine = table.of("condition", condition)
    rows = mine.of("arm_of", arm)
    boundary = int(rows.is_in("screen", (BOUNDARY,)).sum())
    rows = rows.where(~rows.is_in("screen", (BOUNDARY,)))
    events = set(rows.groups("dataset", "event", "probe").keys)
    plain = mine.of("arm_of", "")
    groups = plain.groups("dataset", "event", "probe")
    shared = np.array([key in events for key in groups.keys], dtype=np.bool_)
    original = plain.where(shared[groups.codes]) if plain.size else plain
    if original.size == 0:
        # Placebo probes have events of their own kind: compared with the Condition as a whole.
        original = plain
    accuracy, before = _right(rows), _right(original)
    difference = None
    if accuracy.value is not None and before.value is not None:
        difference = float(accuracy.value - before.value)
    held, cells = _cells(rows, original)
    structured = bool(rows.is_in("variant", (STRUCTURED,)).any())
    return RobustnessArm(
        arm=arm,
        condition=condition,
        accuracy=accuracy,
        original=before,
        difference=difference,
        boundary=boundary,
        cells=cells,
        cells_held=held,
        criterion=_criterion(arm, difference, accuracy) if structured else None,
    )


def _criterion(arm: str, difference: float | None, accuracy: Share) -> Criterion:
    detail = Detail(k=accuracy.k, n=accuracy.n)
    if arm in ("paraphrase", "reworded"):
        distance = None if difference is None else abs(difference)
        return at_most("accuracy change under rewording", distance, PARAPHRASE_TOLERANCE, detail)
    names = {
        "flip": "accuracy change under the counterfactual flip",
        "placebo": "accuracy change under a placebo",
        "record": "accuracy change with a field more",
    }
    return at_least(names[arm], difference, -PARAPHRASE_TOLERANCE, detail)


def _cells(rows: BindingTable, original: BindingTable) -> tuple[int, int]:
    before = {key: share for key, share in _by_cell(original).items() if share.n}
    held = cells = 0
    for key, share in _by_cell(rows).items():
        compared = before.get(key, NOTHING)
        if share.value is not None and compared.value is not None:
            cells += 1
            held += float(share.value - compared.value) >= -PARAPHRASE_TOLERANCE
    return held, cells


def _by_cell(rows: BindingTable) -> dict[tuple[str, ...], Share]:
    groups = rows.groups("style", "family", "dataset")
    return {
        key: Share(round(k), round(n))
        for key, k, n in zip(groups.keys, groups.total(rows.numbers["c"]), groups.total(), strict=True)
    }


def _right(rows: BindingTable) -> Share:
    return Share(round(float(rows.numbers["c"].sum())), rows.size)
