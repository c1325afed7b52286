"""Coordinates: read and written the same, typos named, a part of the organisation knows what lies within it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core.errors import InputError
from proctor.spec.coordinate import Coordinate, Level

NUMBERS = st.lists(st.integers(1, 50), max_size=5)


def text_of(numbers: list[int]) -> str:
    pieces = [f"{letter}{number}" for letter, number in zip("GUPZA", numbers, strict=False)]
    return ".".join(pieces + ["*"] * (5 - len(pieces)))


@given(NUMBERS)
def test_text_survives_reading(numbers: list[int]) -> None:
    text = text_of(numbers)
    assert str(Coordinate.parse(text)) == text


@given(NUMBERS, NUMBERS)
def test_one_covers_another_exactly_when_it_is_its_beginning(mine: list[int], other: list[int]) -> None:
    covers = Coordinate.parse(text_of(mine)).covers(Coordinate.parse(text_of(other)))
    assert covers == (other[: len(mine)] == mine)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("G1.U2.P3.Z1.A5", Level.AGENT),
        ("G1.U2.P3.Z1.*", Level.ZONE),
        ("G1.U2.P3.*.*", Level.PLANET),
        ("G1.U2.*.*.*", Level.UNIVERSE),
        ("G1.*.*.*.*", Level.GALAXY),
        ("*.*.*.*.*", Level.GALAXY),
    ],
)
def test_the_level_is_the_lowest_named(text: str, level: Level) -> None:
    assert Coordinate.parse(text).level is level


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("G1.U2.P3.Z1", "all five levels"),
        ("", "all five levels"),
        ("G1.U2.P3.Z1.A5.B6", "all five levels"),
        ("G1.U2.P3.Z1.5A", "'5A' should be A and a number"),
        ("G1.P2.U3.Z1.A5", "'P2' should be U"),
        ("g1.U2.P3.Z1.A5", "'g1' should be G"),
        ("G0.U2.P3.Z1.A5", "'G0' should be G"),
        ("G01.U2.P3.Z1.A5", "'G01' should be G"),
        ("G1.U2.P3.Z1.A", "'A' should be A and a number"),
        ("G1.U2.P3.Z1.A5\n", "should be A and a number"),
        ("G1.U².P3.Z1.A5", "'U²' should be U"),
        ("G1.*.P3.*.*", "nothing may follow a"),
    ],
)
def test_a_typo_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Coordinate.parse(text)
    assert sentence in str(caught.value)
