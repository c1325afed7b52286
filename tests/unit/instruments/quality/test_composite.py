"""The composite: weights, what is left out, and rules that are refused in one sentence."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.instruments.quality.made import evidence, load_reading, row

from proctor.core.errors import InputError
from proctor.instruments.load_reading import Alone
from proctor.instruments.quality.instrument import QualityInstrument
from proctor.instruments.quality.load_figures import Behaviour, LoadFigures, LoadSource, figures_of
from proctor.instruments.quality.metrics import Measured
from proctor.instruments.quality.rules import QualityRules
from proctor.reports.sections.quality.text import quality_text
from proctor.spec.performance import PAPER
from proctor.spec.rules import Rules

ROWS = [row(n, correct=int(n % 10 > 0), gates_ok=int(n % 20 > 0), complete="0.5") for n in range(200)]
FIGURES = LoadFigures(Measured(value=0.7, n=400, reason="made"))


def test_default_weights_on_a_dedicated_machine() -> None:
    reading = QualityInstrument(QualityRules(dedicated=True), FIGURES).read(evidence(*ROWS), Rules())
    assert reading.lul is not None and reading.cas is not None
    assert reading.lul.value == 0.7
    assert reading.cas.value == pytest.approx(0.9**0.35 * 0.95**0.30 * 0.8**0.20 * 0.7**0.15)
    assert reading.cas.note == ""
    assert reading.cas.low is not None and reading.cas.high is not None
    assert reading.cas.low <= 0.87 <= reading.cas.high


def test_without_a_dedicated_machine_lul_is_left_out_and_said() -> None:
    reading = QualityInstrument(load=FIGURES).read(evidence(*ROWS), Rules())
    assert reading.cas is not None
    assert reading.cas.value == pytest.approx((0.9**0.35 * 0.95**0.30 * 0.8**0.20) ** (1 / 0.85))
    assert "without LUL" in reading.cas.note
    with_lul = reading.cas.beside["with_LUL"]
    assert with_lul == pytest.approx(0.9**0.35 * 0.95**0.30 * 0.8**0.20 * 0.7**0.15)


def test_a_dedicated_machine_without_load_withholds_the_composite() -> None:
    reading = QualityInstrument(QualityRules(dedicated=True)).read(evidence(*ROWS), Rules())
    assert reading.cas is not None
    assert reading.cas.value is None
    assert reading.cas.reason == "withheld: LUL was not measured: there is no load record; `proctor load` makes one"


def test_a_smaller_set_of_metrics() -> None:
    rules = QualityRules(weights={"DA": 0.5, "EQS": 0.5})
    reading = QualityInstrument(rules).read(evidence(*ROWS), Rules())
    assert reading.cas is not None
    assert reading.cas.value == pytest.approx((0.9 * 0.8) ** 0.5)
    assert reading.cas.note == ""


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({"DA": 0.5, "GCR": 0.3, "EQS": 0.2, "LUL": 0.1}, "sum to 1.1; they must sum to 1"),
        ({"DA": 0.5, "GCR": 0.5, "EQS": 0.0}, "the weight of EQS is 0; a weight must be above 0"),
        ({"DA": 1.2, "GCR": -0.2}, "the weight of GCR is -0.2"),
        ({"DA": float("nan"), "GCR": 0.5}, "the weight of DA is nan"),
    ],
)
def test_weights_that_are_none_are_one_sentence(weights: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        QualityRules.parse({"weights": weights}, source="rules.yaml")
    assert "\n" not in str(caught.value)


def test_a_floor_above_its_target_is_refused() -> None:
    levels = QualityRules().floors.model_dump() | {"DA": 0.95}
    with pytest.raises(InputError, match=r"the floor of DA \(0.95\) lies above its target \(0.9\)"):
        QualityRules.parse({"floors": levels}, source="rules.yaml")


@pytest.mark.parametrize("asked", ["little", "load.yaml", "abc123", "A" * 64, ""])
def test_a_load_profile_is_fixed_by_its_content(asked: str) -> None:
    with pytest.raises(InputError, match="fixes no load profile; write paper, or for one of your own") as caught:
        QualityRules.parse({"load_profile": asked}, source="rules.yaml")
    assert "\n" not in str(caught.value)
    other = PAPER.model_copy(update={"most_seconds": 60})
    assert QualityRules().asks_for(PAPER.identity)
    assert not QualityRules().asks_for(other.identity), "of the same name"
    assert QualityRules(load_profile=other.identity[:16]).asks_for(other.identity)


def test_the_order_of_weights_is_no_other_rule() -> None:
    turned = QualityRules.model_validate({"weights": {"LUL": 0.15, "EQS": 0.2, "GCR": 0.3, "DA": 0.35}})
    assert turned.identity == QualityRules().identity


def test_a_load_reading_is_taken_as_it_is() -> None:
    found = figures_of(load_reading(ok=False, safety={"S1": 1}), QualityRules())
    assert found.behaviour is not None
    assert (found.behaviour.as_expected, found.behaviour.s1) == (False, 1)
    assert found.behaviour.reasons == ("calm: 12 tasks newly wrong",)
    reading = QualityInstrument(load=found).read(evidence(*ROWS), Rules())
    assert reading.lul is not None and reading.cas is not None
    assert (reading.lul.value, reading.lul.n, reading.dedicated) == (0.7, 200, True)
    assert reading.cas.value == pytest.approx(0.9**0.35 * 0.95**0.30 * 0.8**0.20 * 0.7**0.15)


def test_a_load_reading_without_a_verdict_is_not_measured() -> None:
    found = figures_of(load_reading(ok=None, safety={}, lul=None), QualityRules())
    assert found.behaviour == Behaviour(None, ("calm: 12 tasks newly wrong", "busy: not run"))
    assert (found.lul.value, found.lul.reason) == (None, "calm: too few")


def test_a_reading_names_its_load_record() -> None:
    found = figures_of(load_reading(ok=True, safety={}), QualityRules())
    reading = QualityInstrument(load=found).read(evidence(*ROWS), Rules())
    assert reading.load_record == LoadSource("22", "paper", PAPER.identity, True, {"calm": 500}, dedicated=True)
    assert reading.load_record.sentence() == (
        f"22, profile paper ({PAPER.identity[:16]}), budgets calm 500 ms, machine dedicated"
    )
    other = figures_of(load_reading(ok=True, safety={}, profile_hash="e" * 64), QualityRules())
    assert other.source is not None
    assert "not the one asked for" in other.source.sentence()
    assert not other.scenarios


def test_a_load_reading_says_how_many_tasks_were_wrong_alone() -> None:
    alone = Alone("alone", 200, 189, 11)
    found = figures_of(replace(load_reading(ok=True, safety={}), alone=alone), QualityRules())
    assert found.behaviour == Behaviour(True, alone=alone)
    text = quality_text(QualityInstrument(load=found).read(evidence(*ROWS), Rules()))
    assert "Behaviour under load: as expected\n" in text
    assert "Under load, 11 of 200 tasks wrong with one request in flight (alone)" in text


def test_a_load_reading_as_expected_needs_no_reasons() -> None:
    found = figures_of(load_reading(ok=True, safety={}), QualityRules())
    assert found.behaviour == Behaviour(True)
    assert found.lul.beside == {"minimum": 0.7, "calm": 0.7}
