"""What a contrast allows to say: t interval and sign-flip together, the bootstrap under `paper`, events when few."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proctor.instruments.binding.criteria import Detail, Gate, above, at_least, at_most, below, within
from proctor.instruments.binding.inference import FAMILY_STRATA, FEW_FAMILIES, NO_GENERALISATION, STRATA, infer

SEVEN = {f"d{place}": Fraction(place + 5, 10) for place in range(7)}


def test_the_default_needs_interval_and_exact_test() -> None:
    found = infer("composite", SEVEN)
    assert found.decides == "t interval and sign-flip test"
    assert found.bound == found.across.low
    assert found.above_zero is True
    assert found.flip.p_value == 1 / 128
    assert found.sign.p_value == 1 / 128
    assert found.scope == STRATA


def test_zero_is_not_positive_and_counts_against() -> None:
    found = infer("composite", {**SEVEN, "d0": Fraction(0)})
    assert found.across.positive == 6
    assert found.sign.n == 7
    assert found.sign.p_value == pytest.approx(8 / 128)
    assert found.sign_two_sided == pytest.approx(16 / 128)


def test_two_sided_is_capped() -> None:
    found = infer("composite", dict.fromkeys(SEVEN, Fraction(-1, 3)))
    assert found.sign.p_value == 1.0
    assert found.sign_two_sided == 1.0
    assert found.above_zero is False


def test_equal_contrasts_have_an_interval_of_no_width() -> None:
    found = infer("composite", dict.fromkeys(SEVEN, Fraction(1)))
    assert (found.across.low, found.across.high, found.above_zero) == (1.0, 1.0, True)


def test_few_units_say_nothing_beyond_them() -> None:
    few = dict(list(SEVEN.items())[:5])
    events = [0.5, 0.6, 0.4, 0.5, 0.7, 0.5]
    found = infer("composite", few, events=events)
    assert found.decides == "event-clustered interval"
    assert found.scope == NO_GENERALISATION
    assert found.events is not None
    assert found.bound == found.events.low
    assert found.above_zero is True
    assert infer("composite", few).above_zero is None
    # Six is enough: one unit more and the exact test can reach its level.
    assert infer("composite", dict(list(SEVEN.items())[:6])).above_zero is True


@pytest.mark.parametrize("events", [[1.0], [1.0] * 5])
def test_a_handful_of_events_decides_nothing(events: list[float]) -> None:
    """Five that agree have an interval of no width above zero."""
    found = infer("composite", {"d0": 1.0}, events=events)
    assert found.events is not None
    assert (found.bound, found.above_zero) == (None, None)
    assert infer("composite", {"d0": 1.0}, events=[1.0] * 6).above_zero is True


def test_what_is_zero_on_paper_is_not_positive() -> None:
    found = infer("coupling", {"a": 0.1 + 0.2 - 0.3, "b": 0.3 - 0.1 - 0.2})
    assert found.units == {"a": 0.0, "b": 0.0}
    assert found.across.positive == 0


def test_families_are_not_called_corpora() -> None:
    assert infer("cells", SEVEN, unit="family").scope == FAMILY_STRATA
    assert infer("cells", {"a": 0.1}, unit="family").scope == FEW_FAMILIES


def test_missing_units_are_counted_and_not_zero() -> None:
    found = infer("composite", {**SEVEN, "d7": None})
    assert (found.across.n, found.missing, len(found.units)) == (7, 1, 7)
    nothing = infer("composite", {"a": None, "b": None})
    assert nothing.across.estimate is None
    assert nothing.above_zero is None


def test_many_units_draw_from_a_keyed_generator() -> None:
    many = {f"d{place:02d}": (place % 5 - 1) / 10 for place in range(20)}
    first, second = infer("cells", many), infer("cells", many)
    assert first == second
    assert not first.bootstrap.exact
    assert first.bootstrap.resamples == 10_000
    assert first.flip.method.startswith("exact")
    assert infer("other", many).bootstrap.low != pytest.approx(first.bootstrap.low, abs=0.0)
    assert infer("cells", {**many, "d20": 0.1}).flip.method == "sampled sign-flip, 100000 patterns"


@pytest.mark.parametrize(
    ("made", "status"),
    [
        (below("x", 0.02, 0.02), "not met"),
        (below("x", 0.0199, 0.02), "met"),
        (at_most("x", 0.15, 0.15), "met"),
        (at_least("x", 0.8, 0.8), "met"),
        (above("x", 0.0, 0.0), "not met"),
        (within("x", 1.05, 0.95, 1.05), "met"),
        (within("x", 0.94, 0.95, 1.05), "not met"),
        (at_least("x", None, 0.8), "not measured"),
    ],
)
def test_limits(made: object, status: str) -> None:
    assert getattr(made, "status") == status  # noqa: B009


def test_a_gate_is_met_only_when_all_are() -> None:
    met, unmet, unknown = at_least("a", 1, 1), at_least("b", 0, 1), at_least("c", None, 1)
    assert Gate.of("g", met, met).status == "met"
    assert Gate.of("g", met, unknown).status == "not measured"
    assert Gate.of("g", met, unknown, unmet).status == "not met"
    assert Gate.of("g", met, unmet).boundary == (unmet,)
    assert unknown.reason
    assert at_least("d", 5, 6, Detail(k=5, n=7, rule="six of seven")).rule == "six of seven"
