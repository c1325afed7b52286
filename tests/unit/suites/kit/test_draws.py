"""Cheap draws are still even, complete and a function of the stream."""

from __future__ import annotations

from collections import Counter

from proctor.core.seeds import Stream
from proctor.suites.kit.draws import Dice, quick_shuffle, sample_spaced, split_draw


def test_one_draw_is_split_evenly() -> None:
    stream = Stream.keyed("draws")
    pairs = Counter(tuple(split_draw(stream, 3, 4)) for _ in range(2400))
    assert len(pairs) == 12
    assert min(pairs.values()) > 140


def test_a_spaced_sample_favours_no_item_and_repeats_none() -> None:
    stream = Stream.keyed("spaced")
    taken = Counter(item for _ in range(2000) for item in sample_spaced(stream, range(8), 3))
    assert max(taken.values()) < 1.2 * min(taken.values())
    assert all(len(set(sample_spaced(stream, range(22), count))) == count for count in (1, 2, 5, 8, 22))


def test_a_quick_shuffle_lets_every_item_come_first() -> None:
    stream = Stream.keyed("quick")
    shuffles = [quick_shuffle(stream, range(9)) for _ in range(1800)]
    assert all(sorted(order) == list(range(9)) for order in shuffles)
    assert min(Counter(order[0] for order in shuffles).values()) > 120


def test_dice_are_even() -> None:
    dice = Dice(Stream.keyed("dice"))
    faces = Counter(dice.integer(1, 6) for _ in range(6000))
    assert set(faces) == set(range(1, 7))
    assert min(faces.values()) > 880
    assert {dice.choice("abc") for _ in range(60)} == set("abc")


def test_dice_take_several_numbers_out_of_each_draw() -> None:
    stream, draws = Stream.keyed("few"), 0
    bits64 = stream.bits64

    class Counted(Stream):
        def bits64(self) -> int:
            nonlocal draws
            draws += 1
            return bits64()

    dice = Dice(Counted(stream.key))
    for _ in range(600):
        dice.below(6)
    assert 0 < draws <= 600 // 10


def test_dice_sample_and_shuffle() -> None:
    dice = Dice(Stream.keyed("deck"))
    for count in (0, 1, 3, 7):
        drawn = dice.sample(range(7), count)
        assert len(drawn) == len(set(drawn)) == count
    orders = Counter(tuple(dice.shuffled("abc")) for _ in range(1200))
    assert len(orders) == 6
    assert min(orders.values()) > 140


def test_the_same_stream_gives_the_same_numbers() -> None:
    first, second = Dice(Stream.keyed("same")), Dice(Stream.keyed("same"))
    assert [first.below(37) for _ in range(50)] == [second.below(37) for _ in range(50)]
