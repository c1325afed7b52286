"""Two runs side by side: what is matched, what differs, what flipped, and when nothing may be concluded."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from tests.unit.instruments.made import Cell, evidence

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import Row
from proctor.instruments.comparing.comparability import COMPARABLE, LIMITED, NON_COMPARABLE
from proctor.instruments.comparing.comparison import Comparison, compare
from proctor.instruments.comparing.units import Matched, match, units_of
from proctor.reports.comparing.words import headline, how
from proctor.spec.normalisation import Normalisation
from proctor.spec.regime import Regime
from proctor.spec.rules import Rules
from proctor.stats.differences import newcombe_paired
from proctor.stats.paired import mcnemar
from proctor.stats.separate import fisher


def cell(succeed: set[int], n: int = 20, **more: object) -> Cell:
    return Cell("S1", 0, n, successes=frozenset(succeed), **more)  # type: ignore[arg-type]


def matched(first: Evidence, second: Evidence) -> Matched:
    return match(units_of(first), units_of(second))


def changed(made: Evidence, at: dict[int, str]) -> Evidence:
    """The same evidence with other outcomes at some positions."""
    rows = [replace(row, outcome=at[row.position], reason="x") if row.position in at else row for row in made.rows]
    return replace(made, rows=tuple(rows))


def test_counts_interval_and_test_are_those_of_the_table() -> None:
    first, second = evidence(cell(set(range(15)))), evidence(cell(set(range(4, 18))))
    primary = compare(first, second).primary
    assert primary is not None
    assert (primary.first_successes, primary.second_successes, primary.lost, primary.gained) == (15, 14, 4, 3)
    assert primary.difference == newcombe_paired(11, 3, 4, 2, confidence=0.95)
    assert primary.test == mcnemar(3, 4)
    assert primary.verdict == "no difference found"


def test_a_planted_flip_of_ten_units_is_listed_exactly_and_newly_failing_first() -> None:
    n = 100
    succeeded = {k for k in range(n) if k % 3}
    lost, gained = {1, 4, 31, 50, 76, 98}, {0, 33, 60, 99}
    assert lost <= succeeded and not gained & succeeded
    first = evidence(cell(succeeded, n))
    second = replace(evidence(cell((succeeded - lost) | gained, n)), run="other")
    flips = compare(first, second).flips
    assert [(flip.newly, flip.first[1]) for flip in flips] == [
        *(("failing", k) for k in sorted(lost)),
        *(("passing", k) for k in sorted(gained)),
    ]
    assert {flip.second[0] for flip in flips} == {"other"}


def test_what_could_not_be_scored_is_left_out_and_bounded() -> None:
    first = changed(evidence(cell(set(range(10)))), {0: "infrastructure"})
    second = changed(evidence(cell(set(range(10)))), {1: "infrastructure", 15: "infrastructure"})
    primary = compare(first, second).primary
    assert primary is not None
    assert (primary.excluded, primary.first_n, primary.difference.estimate) == (3, 17, 0)
    # Unit 0: succeeded in the second; unit 1: succeeded in the first; unit 15: failed in the first.
    assert primary.worst == pytest.approx((0 - 1 + 0) / 20)
    assert primary.best == pytest.approx((1 + 0 + 1) / 20)


@pytest.mark.parametrize("apart", [0, 500])
def test_whoever_has_its_failures_excluded_does_not_win_by_that(apart: int) -> None:
    """Equally good at 30 of 40; one of them makes its failures the bench's."""
    honest = evidence(cell(set(range(30)), 40))
    other = evidence(cell(set(range(10, 40)), 40, first=apart) if apart else cell(set(range(10, 40)), 40))
    hiding = changed(other, dict.fromkeys(range(10), "infrastructure"))
    for first, second in ((honest, hiding), (hiding, honest)):
        compared = compare(first, second)
        assert compared.paired is not bool(apart)
        primary = compared.primary
        assert primary is not None and primary.p is not None and primary.p < 0.05
        assert primary.verdict == "not decided"
        assert "depends on what could not be scored" in headline(compared)
        assert "10 could not be scored in one of the runs and are left out (between" in how(compared)
    # What is missing and could turn nothing leaves the verdict as it is.
    best = changed(evidence(cell(set(range(40)), 40)), {0: "infrastructure"})
    primary = compare(honest, best).primary
    assert primary is not None and primary.verdict == "better"


def test_units_of_another_regime_family_knob_or_instance_do_not_match() -> None:
    made = evidence(cell({0, 1}), Cell("S2", 3, 5, regime="mild", family="other"))
    assert len(matched(made, made).pairs) == 25
    assert not matched(made, evidence(cell({0, 1}, first=100))).pairs
    assert not matched(made, evidence(cell({0, 1}, regime="mild"))).pairs
    assert not matched(made, evidence(cell({0, 1}, family="another"))).pairs
    assert not matched(made, evidence(cell({0, 1}, craft="sorting"))).pairs


def test_a_family_that_behaves_differently_under_the_same_name_does_not_match() -> None:
    made = evidence(cell({0, 1}))
    (family,) = made.frozen.families
    other = made.frozen.model_copy(update={"families": (family.model_copy(update={"source_hash": "0" * 64}),)})
    assert not matched(made, replace(made, frozen=other)).pairs


def test_without_shared_instances_two_samples_are_compared_and_it_is_said() -> None:
    first, second = evidence(cell(set(range(15)))), evidence(cell(set(range(5)), first=500))
    compared = compare(first, second)
    primary = compared.primary
    assert primary is not None and not compared.paired and compared.flips == ()
    assert "no unit in common" in compared.why_unpaired
    assert primary.test == fisher(5, 20, 15, 20)
    assert primary.verdict == "worse"


def test_a_lifetime_is_flipped_as_a_whole() -> None:
    """Twenty lifetimes of ten episodes that all go the same way are twenty observations, not two hundred."""

    def lifetimes(better: int) -> Evidence:
        made = evidence(cell(set(), 200))
        rows: list[Row] = []
        for row in made.rows:
            life, step = divmod(row.position, 10)
            rows.append(
                replace(
                    row,
                    lifetime=10 * life,
                    unit=10 * life,
                    instance=f"{life}-{step}",
                    outcome="success" if life < better else "failure",
                )
            )
        return replace(made, rows=tuple(rows))

    primary = compare(lifetimes(10), lifetimes(13)).primary
    assert primary is not None
    assert "sign-flip" in primary.test.method
    assert primary.test.p_value == pytest.approx(2 / 2**3), "three lifetimes moved"
    assert mcnemar(30, 0).below(1e-6), "thirty independent episodes would have been another matter"


def test_training_and_controls_are_not_compared() -> None:
    cells = (cell({0}, phase="training"), cell({0}, phase="untrained"), cell(set(range(9)), phase="posttest"))
    compared = compare(evidence(*cells), evidence(*cells))
    assert (compared.matched, compared.not_compared) == (20, 80)


def test_dimensions_and_families_carry_holms_adjustment() -> None:
    cells = [Cell(f"{name}1", 0, 30, family=f"f{name.lower()}", successes=frozenset(range(15))) for name in "SMD"]
    worse = [replace(cells[0], successes=frozenset(range(7))), *cells[1:]]
    compared = compare(evidence(*cells), evidence(*worse))
    raw = mcnemar(0, 8).p_value
    assert raw is not None
    assert [one.name for one in compared.dimensions] == ["S", "M", "D"]
    assert compared.dimensions[0].adjusted_p == pytest.approx(3 * raw)
    assert [one.verdict for one in compared.families].count("worse") == 1
    assert compared.primary is not None and compared.primary.adjusted_p is None


def same(made: Evidence, **changes: object) -> Comparison:
    return compare(made, replace(made, **changes))


def test_exactly_one_label_with_its_reasons() -> None:
    made = evidence(cell({0}), Cell("S1", 1, 5, family="two"), Cell("S1", 1, 5, family="three"))
    assert same(made).comparability.label == COMPARABLE
    fewer = evidence(cell({0}), Cell("S1", 1, 5, family="two"))
    limited = compare(made, fewer).comparability
    assert limited.label == LIMITED
    assert limited.overlap == pytest.approx(2 / 3)
    assert "2 of 3 families are shared" in limited.divergences[0]
    nothing = compare(made, evidence(Cell("S1", 1, 5, family="four")))
    assert nothing.comparability.label == NON_COMPARABLE
    assert nothing.primary is None and nothing.dimensions == () and nothing.families == () and nothing.flips == ()


def test_rules_regimes_boundary_and_standing_limit_what_may_be_said() -> None:
    made = evidence(cell({0}))
    other = evidence(cell({0}), rules=Rules(threshold=0.6))
    assert compare(made, other).comparability.divergences == ("rules differ: threshold",)
    assert "is not complete" in same(made, complete=False).comparability.divergences[0]
    assert "was altered" in same(made, altered=("rules",)).comparability.divergences[0]
    labelled = compare(made, made, label_of=lambda *_: "oracle, not a result").comparability
    assert labelled.label == LIMITED and "oracle, not a result" in labelled.divergences[0]


def _regime(name: str, share: float) -> dict[str, object]:
    return {"id": name, "intensity": "mild", "stability": {"noise": {"share": share}}}


def test_a_declared_normalisation_makes_up_for_what_it_names_and_nothing_else() -> None:
    first = evidence(cell({0, 1}, regime="mine"), regimes=(_regime("mine", 0.05),))
    second = evidence(cell({0}, regime="theirs"), regimes=(_regime("theirs", 0.06),))
    assert (
        Regime.model_validate(_regime("mine", 0.05)).identity != Regime.model_validate(_regime("theirs", 0.06)).identity
    )
    without = compare(first, second)
    assert without.comparability.label == LIMITED and not without.paired
    declared = Normalisation(
        regimes={"mine": "theirs"}, justification="One point of noise is below what either measures."
    )
    compared = compare(first, second, normalisation=declared)
    assert compared.comparability.label == COMPARABLE
    assert "below what either measures" in compared.comparability.normalised[0]
    assert compared.paired and compared.primary is not None and compared.primary.lost == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"regimes": {"a": "b"}},
        {"regimes": {"a": "b", "c": "b"}, "justification": "long enough to be a sentence of its own"},
        {"framework": "short"},
    ],
)
def test_a_normalisation_says_why(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Normalisation.model_validate(wrong)


def test_spending_is_on_matched_units_and_missing_is_not_zero() -> None:
    first = evidence(cell({0}, 10, changes={"tokens": 100, "cost": "0.10", "calls": 4}))
    second = evidence(cell({0}, 5, changes={"tokens": None, "calls": 2}))
    spending = compare(first, second).spending
    assert (spending.first.episodes, spending.first.tokens, spending.first.cost, spending.first.calls) == (
        5,
        100,
        "0.50",
        4,
    )
    assert (spending.second.tokens, spending.second.cost, spending.second.counted) == (None, None, 0)


def test_the_same_runs_compare_the_same_twice() -> None:
    rng = np.random.default_rng(5)
    cells = [
        Cell("S1", 0, 30, family=f"f{n}", successes=frozenset(np.flatnonzero(rng.random(30) < 0.5).tolist()))
        for n in range(4)
    ]
    first, second = evidence(*cells), evidence(*cells[::-1])
    assert compare(first, second) == compare(first, second)
