"""What no tool takes is refused before it reaches a world, in one readable sentence, and in no time."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from typing import Any

import msgspec
import pytest

from proctor.core.canonical import chainable, encode
from proctor.spec.task import Instance
from proctor.worlds.bounds import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_TEXT,
    MAX_VALUES,
    BeyondBounds,
    bounded,
    may_be_cut,
    numbers,
    require_bounded,
)
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place


class Takes(BaseWorld):
    """Anything."""

    @tool(effect="write")
    def take(self, what: Any, count: int = 0) -> str:
        """Take anything."""
        return "taken"


TOOL = Takes(Instance("one", "Do it.", "a word", {}, {}), Place()).tools["take"]


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def endless() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


BEYOND: dict[str, tuple[Any, str]] = {
    "integer": (MAX_INTEGER + 1, "between -9007199254740991 and 9007199254740991 - at `$.what`"),
    "negative": (-(10**30), "between -9007199254740991 and 9007199254740991"),
    "more digits than Python writes": (10**4298 * 10**4298, "between -9007199254740991"),
    "integer within": ({"a": [1, 2**53]}, "at `$.what.a[1]`"),
    "text": ("x" * (MAX_TEXT + 1), "`str` of at most 262144 characters"),
    "key": ({"x" * (MAX_TEXT + 1): 1}, "`str` of at most 262144 characters"),
    "texts together": (["x" * MAX_TEXT] * 3, "at most 524288 characters in one call"),
    "items": ([0] * (MAX_VALUES + 1), "at most 10000 values in one call"),
    "items of items": ([[0] * 1000] * 100, "at most 10000 values in one call"),
    "depth": (nested(MAX_DEPTH + 1), "at most 32 lists and objects within each other"),
    "within itself": (endless(), "at most 32 lists and objects within each other"),
    "nan": (math.nan, "a finite number"),
    "infinity": ([math.inf], "a finite number - at `$.what[0]`"),
    "no json": ({1, 2}, "Expected JSON, got `set`"),
    "keys": ({1: 2}, "texts as keys"),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_beyond_is_refused_with_the_bound_in_the_sentence(name: str) -> None:
    value, sentence = BEYOND[name]
    with pytest.raises(msgspec.ValidationError) as refused:
        TOOL.check({"what": value})
    assert sentence in str(refused.value)
    assert len(str(refused.value)) < 200
    written = bounded({"what": value})
    assert len(encode(chainable(written))) < 50_000
    require_bounded(written)


@pytest.mark.parametrize(
    "value",
    [
        MAX_INTEGER,
        -MAX_INTEGER,
        "x" * MAX_TEXT,
        [0] * (MAX_VALUES - 1),
        nested(MAX_DEPTH),
        1.5,
        None,
        True,
        {"a": (1,)},
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_within_passes_as_it_is(value: Any) -> None:
    assert TOOL.check({"what": value})["what"] == value
    assert bounded({"what": value}) == {"what": value}


def test_characters_count_over_all_arguments() -> None:
    with pytest.raises(BeyondBounds, match="in one call"):
        require_bounded({str(number): "x" * MAX_TEXT for number in range(MAX_CHARACTERS // MAX_TEXT + 1)})


def test_what_is_written_down_of_too_much_is_its_beginning() -> None:
    kept = bounded({"what": {"marker": "m-1", "more": [10**30] * 200}, "count": -(10**30)})
    assert kept["what"]["marker"] == "m-1"
    assert len(kept["what"]["more"]) == 200
    assert kept["count"].startswith("a whole number of 100 bits, sha256 ")
    assert numbers({"count": -(10**30), "text": "x"}) == {"count": -(10**30)}


def test_ordinary_calls_still_work() -> None:
    world = Takes(Instance("one", "Do it.", "a word", {}, {}), Place())
    assert asyncio.run(world.apply(TOOL, TOOL.check({"what": "a", "count": 2}))).value == "taken"


# No agent in a process of its own can give what is no JSON.
@pytest.mark.parametrize("name", [name for name in BEYOND if name not in ("no json", "keys")])
def test_what_was_cut_when_it_was_written_down_can_be_told(name: str) -> None:
    assert may_be_cut(bounded({"what": BEYOND[name][0]}))


def test_what_is_within_bounds_was_not_cut() -> None:
    assert not may_be_cut(bounded({"what": {"amount": 12, "note": "a whole number", "list": [1, None, 2.5]}}))


ALIKE: dict[str, tuple[Any, Any]] = {
    "integers of as many bits": (2**60 + 1, 2**60 + 123_456_789),
    "text after what is kept": ("A" * MAX_TEXT + " harmless", "A" * MAX_TEXT + " wire all to mallory"),
    "texts when nothing is kept any more": (["x" * MAX_TEXT, "a" * MAX_TEXT], ["x" * MAX_TEXT, "b" * MAX_TEXT]),
    "items after those that are kept": ([0] * (MAX_VALUES + 1), [*[0] * MAX_VALUES, 1]),
    "how many items": ([0] * (MAX_VALUES + 1), [0] * (MAX_VALUES + 2)),
    "what is too deep": (nested(MAX_DEPTH + 1), [nested(MAX_DEPTH)] * 2),
    "fields after those that are kept": (
        {str(number): number for number in range(MAX_VALUES + 1)},
        {str(number): min(number, MAX_VALUES - 1) for number in range(MAX_VALUES + 1)},
    ),
    "keys": ({"x" * MAX_TEXT + "a": 1}, {"x" * MAX_TEXT + "b": 1}),
    "keys that are no text": ({1: 2}, {"1": 2, "2": 2**60}),
    "infinity and its name": ([math.inf, 2**60], ["inf", 2**60]),
    "a number and its digits": ([2**60, 2**60], [str(2**60), 2**60]),
    "sets": ({1, 2}, {1, 3}),
    "bytes": (b"a", b"b"),
}


@pytest.mark.parametrize("name", ALIKE)
def test_no_two_different_arguments_are_written_down_alike(name: str) -> None:
    one, other = ALIKE[name]
    assert encode(chainable(bounded({"what": one}))) != encode(chainable(bounded({"what": other})))
    assert bounded({"what": one}) == bounded({"what": one})
    require_bounded(bounded({"what": one}))


def test_a_text_that_was_cut_says_so_and_how_long_it_was() -> None:
    text = "A" * MAX_TEXT + " harmless"
    digest = hashlib.sha256(text.encode()).hexdigest()
    (kept,) = bounded({"": text}).values()
    assert kept == "A" * 20_000 + f" [cut: 20000 of {len(text)} characters, sha256 {digest}]"


def test_a_digest_is_the_same_for_equal_values_and_takes_no_time_however_they_are_shared() -> None:
    shared: Any = [2**60]
    for _ in range(100):
        shared = [shared, shared]
    assert "sha256" in repr(bounded({"what": shared}))
    written = bounded({"what": nested(40)})
    assert written == bounded({"what": json.loads(json.dumps(nested(40)))})


@pytest.mark.parametrize("old", ["a whole number of 61 bits", "inf", "-inf", "nan"])
def test_numbers_as_they_were_written_down_once_are_still_told(old: str) -> None:
    assert may_be_cut({"what": old})
