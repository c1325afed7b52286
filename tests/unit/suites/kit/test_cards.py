"""Cards: what stands on them comes back from every layout, and they are short."""

from __future__ import annotations

import pytest
from tests.validity.agents.cards import numbers, read_card

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw
from proctor.plugins import registry
from proctor.spec.regime import STANDARD_REGIMES, Action, Intensity, Noise, Regime, Stability
from proctor.spec.task import Instance
from proctor.suites.kit.cards import FORMS, Card, can_read_and_act

CARD = Card("coast road, stop two", {"good wanted": "rope", "price": 34, "speed": "20 to 7", "miles": 90})


@pytest.mark.parametrize("form", FORMS)
def test_a_reader_gets_back_what_was_written(form: str) -> None:
    read = read_card(FORMS[form](CARD, Stream.keyed("card", form)))
    assert read is not None
    assert read.title == CARD.title
    assert list(read.values) == list(CARD.values), "every label, in order, and nothing else"
    assert read.values["good wanted"] == "rope"
    assert (read.number("price"), read.number("miles"), numbers(read.values["speed"])) == (34, 90, [20, 7])


def test_layouts_differ_in_every_line() -> None:
    lines = [FORMS[form](CARD, Stream.keyed("card", form)).split("\n") for form in FORMS]
    assert len({line for card in lines for line in card}) == sum(map(len, lines))


def test_a_dictated_card_has_no_digits() -> None:
    assert not any(map(str.isdigit, FORMS["dictated"](CARD, Stream.keyed("card"))))


def instance() -> Instance:
    family = registry.load("families", "sowing-season")
    made: Instance = family.instance(Draw.of("cards"))
    return made


def test_the_ceiling_counts_cards_and_acts() -> None:
    task = instance()
    texts = list(task.hidden["cards"].values())
    calm = Deliveries(STANDARD_REGIMES["baseline"], Stream.keyed("calm"))
    assert task.budget.actions is not None
    assert can_read_and_act(task, calm, texts, task.budget.actions - len(texts))
    assert not can_read_and_act(task, calm, texts, task.budget.actions - len(texts) + 1)


def test_the_ceiling_falls_where_nothing_can_be_read() -> None:
    task = instance()
    noisy = Regime(
        id="all-noise",
        intensity=Intensity.SEVERE,
        action=Action(cap="strict"),
        stability=Stability(noise=Noise(share=1.0)),
    )
    assert not can_read_and_act(task, Deliveries(noisy, Stream.keyed("noisy")), list(task.hidden["cards"].values()), 1)
