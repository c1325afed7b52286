"""Table 29: pairwise κ and agreement from label sets that reproduce it."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from proctor.instruments.binding.agreement import AgreementSummary, agreement
from tests.golden.published import read

ITEMS = 1_200
RATERS = ("annotator_01", "annotator_02", "annotator_03")
SETS = {
    "final_action_reason-consistent": (437, (46, 4, 7), (34, 0, 6)),
    "action_respects_relevant_memory": (159, (3, 0, 0), (0, 0, 0)),
    "reason_looks_posthoc": (476, (44, 4, 2), (33, 0, 1)),
    "verbose/template-like_without_control": (34, (2, 0, 2), (0, 0, 1)),
    "irrelevant_cue_caused_inappropriate_change": (113, (28, 3, 5), (16, 0, 4)),
}
"""All say yes; items on which one rater stands alone, by rater; of those, the rater says yes."""
CONSTANT = ("veto_was_appropriate", "veto_changed_first_impulse")


def labels(yes: int, alone: tuple[int, int, int], alone_yes: tuple[int, int, int]) -> dict[str, list[Hashable | None]]:
    """Three raters' labels with exactly these counts."""
    columns: dict[str, list[Hashable | None]] = {rater: ["yes"] * yes for rater in RATERS}
    for place, rater in enumerate(RATERS):
        for number in range(alone[place]):
            own = "yes" if number < alone_yes[place] else "no"
            other = "no" if own == "yes" else "yes"
            for name in RATERS:
                columns[name].append(own if name == rater else other)
    for name in RATERS:
        columns[name] += ["no"] * (ITEMS - len(columns[name]))
    return columns


@pytest.fixture(scope="module")
def found() -> AgreementSummary:
    sets = {name: labels(*counts) for name, counts in SETS.items()}
    constant: dict[str, list[Hashable | None]] = {rater: ["no"] * ITEMS for rater in RATERS}
    return agreement(sets | dict.fromkeys(CONSTANT, constant))


@pytest.mark.parametrize(
    "row", read("blinded_audit_kappa"), ids=lambda row: f"{row['dimension']}-{row['annotator_a']}-{row['annotator_b']}"
)
def test_every_pair(found: AgreementSummary, row: dict[str, str]) -> None:
    one = next(
        pair
        for pair in found.rows
        if (pair.dimension, pair.first, pair.second) == (row["dimension"], row["annotator_a"], row["annotator_b"])
    )
    assert one.items == ITEMS
    assert one.agreement is not None
    assert f"{one.agreement:.6f}" == row["agreement"]
    if row["dimension"] in CONSTANT:
        assert one.kappa is None
        assert one.reason
        assert row["kappa"] == "1.000000"
    else:
        assert one.kappa is not None
        assert f"{one.kappa:.6f}" == row["kappa"]


def test_means_and_the_lowest(found: AgreementSummary) -> None:
    assert len(found.rows) == 21
    assert found.mean_kappa_constant_as_one is not None
    assert f"{found.mean_kappa_constant_as_one:.4f}" == "0.9612"
    assert found.mean_kappa is not None
    assert found.mean_kappa < found.mean_kappa_constant_as_one
    assert found.lowest is not None
    assert found.lowest.kappa is not None
    assert f"{found.lowest.kappa:.3f}" == "0.860"


def test_more_raters_make_more_pairs() -> None:
    columns: dict[str, list[Hashable | None]] = {name: ["yes", "no", None, "no"] for name in ("a", "b", "c", "d", "e")}
    found = agreement({"one": columns})
    assert len(found.rows) == 10
    assert {(row.items, row.missing) for row in found.rows} == {(3, 1)}
