"""κ against textbooks and the binding paper's blinded audit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from proctor.stats.agreement import cohen_kappa, fleiss_kappa, pairwise_kappa, raw_agreement


def _from_table(table: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    cells = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [cell[0] for cell in cells], [cell[1] for cell in cells]


def test_cohens_own_example() -> None:
    # Cohen (1960), Educational and Psychological Measurement 20, table 1: 0.70 observed, 0.41 by chance.
    result = cohen_kappa(*_from_table([[88, 14, 18], [10, 40, 10], [2, 6, 12]]))
    assert result.agreement == pytest.approx(0.70)
    assert result.estimate == pytest.approx((0.70 - 0.41) / (1 - 0.41))
    assert (result.n, result.raters, result.categories) == (200, 2, 3)


def test_fleiss_own_example() -> None:
    # The worked example after Fleiss (1971), Psychological Bulletin 76: ten items, fourteen raters, κ = 0.210.
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    items = [[label for label, count in enumerate(row) for _ in range(count)] for row in table]
    result = fleiss_kappa({f"r{rater}": [item[rater] for item in items] for rater in range(14)})
    assert result.estimate == pytest.approx(0.210, abs=5e-4)
    assert result.agreement == pytest.approx(0.378, abs=5e-4)
    assert result.low is not None and result.high is not None and result.low < 0.210 < result.high


# Items where all say yes; where one rater stands alone; of those, where the lone rater says yes (decisions, Golden
# relations); and agreement and κ of raters 1–2, 1–3, 2–3 as printed in the blinded audit.
AUDIT = {
    "reason-consistent": (
        437, (46, 4, 7), (34, 0, 6), ((0.958333, 0.912127), (0.955833, 0.907158), (0.990833, 0.980522)),
    ),
    "memory": (159, (3, 0, 0), (0, 0, 0), ((0.9975, 0.989211), (0.9975, 0.989211), (1.0, 1.0))),
    "post-hoc": (476, (44, 4, 2), (33, 0, 1), ((0.96, 0.917801), (0.961667, 0.921303), (0.995, 0.989652))),
    "verbose": (34, (2, 0, 2), (0, 0, 1), ((0.998333, 0.971364), (0.996667, 0.942728), (0.998333, 0.972113))),
    "irrelevant": (
        113, (28, 3, 5), (16, 0, 4), ((0.974167, 0.865842), (0.9725, 0.860015), (0.993333, 0.96526)),
    ),
}  # fmt: skip


def _audit_ratings(name: str) -> dict[str, list[str]]:
    all_yes, alone, alone_yes, _ = AUDIT[name]
    rows = [("yes", "yes", "yes")] * all_yes
    for rater in range(3):
        for count, mine, others in (
            (alone_yes[rater], "yes", "no"),
            (alone[rater] - alone_yes[rater], "no", "yes"),
        ):
            row = [others] * 3
            row[rater] = mine
            rows += [(row[0], row[1], row[2])] * count
    rows += [("no", "no", "no")] * (1200 - len(rows))
    return {f"annotator_0{rater + 1}": [row[rater] for row in rows] for rater in range(3)}


@pytest.mark.parametrize("name", AUDIT)
def test_blinded_audit(name: str) -> None:
    found = pairwise_kappa(_audit_ratings(name))
    assert [(pair.first[-1], pair.second[-1]) for pair in found] == [("1", "2"), ("1", "3"), ("2", "3")]
    for pair, (agreement, kappa) in zip(found, AUDIT[name][3], strict=True):
        assert pair.kappa.agreement == pytest.approx(agreement, abs=5e-7)
        assert pair.kappa.estimate == pytest.approx(kappa, abs=5e-7)


def test_blinded_audit_mean_over_its_21_rows() -> None:
    kappas = [pair.kappa.estimate or 0.0 for name in AUDIT for pair in pairwise_kappa(_audit_ratings(name))]
    assert (sum(kappas) + 6 * 1.0) / 21 == pytest.approx(0.9612, abs=5e-5)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=50))
def test_cohen_equals_scikit_learn_or_is_undefined(rows: list[tuple[str, str]]) -> None:
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    result = cohen_kappa(first, second)
    assert result.agreement == raw_agreement(first, second) == pytest.approx(np.mean([a == b for a, b in rows]))
    if len({*first, *second}) == 1:
        assert result.estimate is None and "same label" in (result.reason or "")
        return
    assert result.estimate == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    assert result.low is not None and result.high is not None
    assert -1.0 <= result.low <= result.high <= 1.0


def test_one_constant_rater_is_no_better_than_chance() -> None:
    result = cohen_kappa(["y"] * 10, ["y"] * 7 + ["n"] * 3)
    assert (result.estimate, result.agreement) == pytest.approx((0.0, 0.7))


def test_nothing_rated_by_both_has_no_category() -> None:
    nothing = cohen_kappa(["a", None], [None, "b"])
    assert (nothing.n, nothing.missing, nothing.categories, nothing.estimate) == (0, 2, 0, None)
    assert nothing.agreement is None
    assert cohen_kappa(["a", "b"], ["a", "a"]).categories == 2


def test_missing_ratings_are_counted() -> None:
    result = cohen_kappa(["y", None, "n", "y"], ["y", "y", "n", None])
    assert (result.n, result.missing, result.estimate) == (2, 2, 1.0)
    assert cohen_kappa([None], ["y"]).reason == "no scored observation"
    assert raw_agreement([None], ["y"]) is None
    with pytest.raises(ValueError, match="different length"):
        cohen_kappa(["y"], [])


def test_fleiss_of_two_raters_is_scotts_pi_and_undefined_when_constant() -> None:
    first, second = list("yyynnnyynn"), list("yynnnyyynn")
    observed = np.mean([a == b for a, b in zip(first, second, strict=True)])
    shares = [(first + second).count(label) / 20 for label in "yn"]
    chance = sum(share**2 for share in shares)
    result = fleiss_kappa({"a": first, "b": second})
    assert result.estimate == pytest.approx((observed - chance) / (1 - chance))
    flat = fleiss_kappa({"a": ["y"] * 4, "b": ["y"] * 4})
    assert (flat.estimate, flat.agreement) == (None, 1.0)
    with pytest.raises(ValueError, match="two raters"):
        fleiss_kappa({"a": ["y"]})


def test_fleiss_jackknife_is_leaving_each_item_out() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random(30) < 0.5
    ratings = {f"r{i}": np.where(rng.random(30) < 0.85, truth, ~truth).tolist() for i in range(4)}
    whole = fleiss_kappa(ratings)
    left = []
    for item in range(30):
        kept = {name: [label for i, label in enumerate(labels) if i != item] for name, labels in ratings.items()}
        left.append(fleiss_kappa(kept).estimate or 0.0)
    error = np.sqrt(29 / 30 * ((np.array(left) - np.mean(left)) ** 2).sum())
    assert whole.low is not None and whole.high is not None
    assert (whole.high - whole.low) / 2 == pytest.approx(2.045230 * error, rel=1e-6)


def test_pairs_of_raters_are_all_there() -> None:
    found = pairwise_kappa({name: ["y", "n", "y"] for name in "abcd"})
    assert [(pair.first, pair.second) for pair in found] == list(combinations("abcd", 2))
