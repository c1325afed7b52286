"""The guard binds an action to the decisive field of the event at hand, and to nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.guard import Field, Guard, Ruling

guard = Guard(defer="ACT_DEFER")
CODES = st.sampled_from(["ACT_A", "ACT_B", "ACT_DEFER", "ACT_VETO"])
EVENTS = st.sampled_from(["e1", "e2", "e3"])
FIELDS = st.none() | st.builds(Field, event=EVENTS, implies=st.none() | CODES)


def test_a_field_of_the_event_that_agrees_lets_the_action_stand() -> None:
    assert guard.rule("ACT_A", event="e1", field=Field("e1", "ACT_A")) == Ruling("accept", "ACT_A", "agrees")


def test_a_field_of_the_event_that_declares_another_action_corrects() -> None:
    ruling = guard.rule("ACT_B", event="e1", field=Field("e1", "ACT_A"))
    assert (ruling.verdict, ruling.action, ruling.changed) == ("correct", "ACT_A", True)


def test_a_field_that_declares_nothing_corrects_nothing() -> None:
    assert guard.rule("ACT_B", event="e1", field=Field("e1")) == Ruling("accept", "ACT_B", "undeclared")


@pytest.mark.parametrize("action", ["ACT_A", "ACT_B"])
def test_a_field_of_another_event_defers_even_where_it_agrees(action: str) -> None:
    ruling = guard.rule(action, event="e1", field=Field("e2", "ACT_A"))
    assert (ruling.verdict, ruling.action) == ("defer", "ACT_DEFER")


def test_without_a_field_nothing_changes() -> None:
    assert guard.rule("ACT_VETO", event="e1", field=None) == Ruling("accept", "ACT_VETO", "no_field")


@given(action=CODES, event=EVENTS, field=FIELDS)
def test_only_a_declared_field_of_the_event_can_change_what_is_done(
    action: str, event: str, field: Field[str] | None
) -> None:
    ruling = guard.rule(action, event=event, field=field)
    if field is None or (field.event == event and field.implies is None):
        assert not ruling.changed
    if ruling.verdict == "correct":
        assert field is not None
        assert (field.event, field.implies) == (event, ruling.action)
    # The guard has nothing more to say about what it said itself.
    if ruling.verdict != "defer":
        assert guard.rule(ruling.action, event=event, field=field).action == ruling.action


def seen(event: dict[str, Any], *_: Any) -> tuple[str, Field[str] | None]:
    found = event.get("field")
    return event["id"], None if found is None else Field(**found)


def test_a_function_is_guarded() -> None:
    @guard.around(seen)
    def agent(event: dict[str, Any]) -> str:
        """Always B."""
        return "ACT_B"

    assert agent({"id": "e1", "field": {"event": "e1", "implies": "ACT_A"}}) == "ACT_A"
    assert agent({"id": "e1", "field": {"event": "e9", "implies": "ACT_B"}}) == "ACT_DEFER"
    assert agent({"id": "e1"}) == "ACT_B"
    assert agent.__doc__ == "Always B."


def test_a_coroutine_function_is_guarded_and_every_ruling_watched() -> None:
    rulings: list[Ruling[str]] = []
    watched = Guard(defer="ACT_DEFER", watch=rulings.append)

    @watched.around(seen)
    async def agent(event: dict[str, Any]) -> str:
        await asyncio.sleep(0)
        return "ACT_B"

    async def both() -> list[str]:
        one = {"id": "e1", "field": {"event": "e1", "implies": "ACT_A"}}
        return [await agent(one), await agent({"id": "e2"})]

    assert asyncio.run(both()) == ["ACT_A", "ACT_B"]
    assert [ruling.verdict for ruling in rulings] == ["correct", "accept"]


def test_a_field_brings_in_no_action_that_is_none() -> None:
    """Fields may come from anywhere: a declared action is carried out only if it is one that may be."""
    listed = Guard(defer="ACT_DEFER", actions={"ACT_A", "ACT_B", "ACT_DEFER"})
    assert listed.rule("ACT_B", event="e1", field=Field("e1", "DROP TABLE")) == Ruling("accept", "ACT_B", "unlisted")
    assert listed.rule("DROP TABLE", event="e1", field=Field("e1", "ACT_A")).action == "ACT_A"
    assert listed.rule("ACT_B", event="e1", field=Field("e2", "DROP TABLE")).action == "ACT_DEFER"


def test_two_missing_ids_are_not_one_event() -> None:
    assert guard.rule("ACT_B", event="", field=Field("", "ACT_A")).reason == "other_event"
    assert guard.rule("ACT_B", event="", field=None).action == "ACT_B"


def test_an_object_that_is_called_and_awaited_is_guarded() -> None:
    class Agent:
        async def __call__(self, event: dict[str, Any]) -> str:
            await asyncio.sleep(0)
            return "ACT_B"

    class Named(Agent):
        __name__ = "named"

    agents = (Agent().__call__, partial(Agent.__call__, Agent()), Named(), lambda event: Agent()(event))
    one = {"id": "e1", "field": {"event": "e1", "implies": "ACT_A"}}
    for agent in agents:
        guarded = guard.around(seen)(agent)

        async def asked(guarded: Any = guarded) -> str:
            found: str = await guarded(one)
            return found

        assert asyncio.run(asked()) == "ACT_A"


def test_what_yields_actions_is_refused() -> None:
    def several(event: dict[str, Any]) -> Iterator[str]:
        yield "ACT_A"

    async def in_time(event: dict[str, Any]) -> AsyncIterator[str]:
        yield "ACT_A"

    for agent in (several, in_time):
        with pytest.raises(TypeError, match=r"call guard\.rule on each"):
            guard.around(seen)(agent)


def test_threads_share_a_guard() -> None:
    def ruled(number: int) -> bool:
        own = f"e{number}"
        other = guard.rule("ACT_B", event=own, field=Field(f"{own}'", "ACT_A")).action
        return (
            other == "ACT_DEFER" and guard.rule("ACT_B", event=own, field=Field(own, f"{number}")).action == f"{number}"
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ruled, range(2000)))


def test_what_the_agent_raises_gets_through() -> None:
    @guard.around(seen)
    def agent(event: dict[str, Any]) -> str:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        agent({"id": "e1"})


def test_what_is_raised_later_or_by_the_view_gets_through() -> None:
    @guard.around(seen)
    async def agent(event: dict[str, Any]) -> str:
        raise RuntimeError("broken later")

    with pytest.raises(RuntimeError, match="broken later"):
        asyncio.run(agent({"id": "e1"}))
    with pytest.raises(KeyError):
        asyncio.run(agent({}))


NAN = float("nan")


@pytest.mark.parametrize(
    ("held", "noted"),
    [
        *((17, "17"), ("17", 17), (0, "0"), (0, 0), (17, 17.0), (17.0, "17"), ("17.0", 17.0), (0.5, "0.5")),
        *((Decimal(17), 17), (2**70, str(2**70))),
    ],
)
def test_numbers_and_their_text_name_the_same_event(held: Any, noted: Any) -> None:
    assert guard.rule("ACT_B", event=held, field=Field(noted, "ACT_A")).action == "ACT_A"


@pytest.mark.parametrize(
    ("held", "noted"),
    [
        *(("", ""), (1, True), ("True", True), ("17", "017"), ("0", None), ("None", None), ("17.5", 17), (17, 17.5)),
        *((NAN, NAN), ("nan", NAN), (Decimal("NaN"), Decimal("NaN")), (float("inf"), float("inf"))),
        *((["a"], ["a"]), ("['a']", ["a"]), (("a", 1), ("a", 1)), (b"a", b"a"), ("b'a'", b"a")),
    ],
)
def test_missing_and_merely_similar_ids_name_no_event(held: Any, noted: Any) -> None:
    assert guard.rule("ACT_B", event=held, field=Field(noted, "ACT_B")).reason == "other_event"


def test_actions_that_cannot_be_hashed_are_compared() -> None:
    hold: dict[str, Any] = {"do": "hold", "items": [1]}
    ship: dict[str, Any] = {"do": "ship", "items": [1]}
    listed: Guard[dict[str, Any]] = Guard(defer={"do": "ask"}, actions=[hold, ship])
    assert listed.rule(ship, event="e1", field=Field("e1", hold)).action == hold
    assert listed.rule(ship, event="e1", field=Field("e1", {"do": "burn"})).reason == "unlisted"
    named = Guard(defer="ask", actions={"hold", "ship"})
    assert named.rule("ship", event="e1", field=Field("e1", hold)).reason == "unlisted"  # type: ignore[arg-type]


def test_the_highest_precedence_decides_then_the_youngest() -> None:
    note = Field("e1", "ACT_A", age=1)
    order = Field("e1", "ACT_VETO", precedence=1, age=50)
    newer = Field("e1", "ACT_B", precedence=1, age=40)
    assert guard.rule("ACT_DEFER", event="e1", field=[note, order]).action == "ACT_VETO"
    assert guard.rule("ACT_DEFER", event="e1", field=[order, newer, note]).action == "ACT_B"


def test_what_decides_but_declares_nothing_is_not_overruled_from_below() -> None:
    above = Field[str]("e1", precedence=1)
    assert guard.rule("ACT_B", event="e1", field=[Field("e1", "ACT_A"), above]).reason == "undeclared"


def test_fields_that_decide_and_contradict_each_other_defer() -> None:
    ruling = guard.rule("ACT_A", event="e1", field=[Field("e1", "ACT_A"), Field("e1", "ACT_B")])
    assert (ruling.verdict, ruling.reason) == ("defer", "contradicting")


def test_fields_of_other_events_do_not_count_beside_one_of_the_event() -> None:
    other = Field("e2", "ACT_VETO", precedence=9)
    assert guard.rule("ACT_B", event="e1", field=[other, Field("e1", "ACT_A")]).action == "ACT_A"
    assert guard.rule("ACT_B", event="e1", field=[other]).reason == "other_event"
    assert guard.rule("ACT_B", event="e1", field=[]).reason == "no_field"


@pytest.mark.parametrize("age", [61.0, float("nan"), float("inf")])
def test_a_field_that_is_too_old_decides_nothing(age: float) -> None:
    fresh = Guard(defer="ACT_DEFER", oldest=60)
    assert fresh.rule("ACT_B", event="e1", field=Field("e1", "ACT_B", age=age)).reason == "too_old"
    both = [Field("e1", "ACT_A", precedence=1, age=age), Field("e1", "ACT_VETO", age=60)]
    assert fresh.rule("ACT_B", event="e1", field=both).action == "ACT_VETO"


@given(action=CODES, event=EVENTS, fields=st.lists(st.builds(Field, EVENTS, st.none() | CODES, st.integers(0, 2))))
def test_the_order_in_which_fields_are_listed_changes_nothing(
    action: str, event: str, fields: list[Field[str]]
) -> None:
    assert guard.rule(action, event=event, field=fields) == guard.rule(action, event=event, field=fields[::-1])


def test_one_and_true_are_two_actions() -> None:
    plain: Guard[Any] = Guard(defer="ask")
    one: Any
    other: Any
    for one, other in ((1, True), ({"go": 1}, {"go": True}), ([1], [True]), (0, False)):
        assert plain.rule(one, event="e1", field=Field("e1", other)) == Ruling("correct", other, "disagrees")
        both = [Field("e1", one), Field("e1", other)]
        assert plain.rule(one, event="e1", field=both).reason == "contradicting"
        listed: Guard[Any] = Guard(defer="ask", actions=[one])
        assert listed.rule("x", event="e1", field=Field("e1", other)).reason == "unlisted"
    for one, other in ((1, 1.0), ({"a": [1], "b": 2}, {"b": 2.0, "a": [1]})):
        assert plain.rule(one, event="e1", field=Field("e1", other)).reason == "agrees"


@pytest.mark.parametrize("nothing", [None, NAN, "DROP TABLE"])
def test_what_declares_no_action_contradicts_nothing(nothing: Any) -> None:
    listed: Guard[Any] = Guard(defer="ask", actions=["hold", "ship"])
    for fields in ([Field("e1", nothing), Field("e1", "hold")], [Field("e1", "hold"), Field("e1", nothing)]):
        assert listed.rule("ship", event="e1", field=fields) == Ruling("correct", "hold", "disagrees")
        assert listed.rule("hold", event="e1", field=fields).reason == "agrees"
    contradicting = [Field("e1", nothing), Field("e1", "hold"), Field("e1", "ship")]
    assert listed.rule("ship", event="e1", field=contradicting).reason == "contradicting"
    assert not listed.rule("ship", event="e1", field=[Field("e1", nothing), Field("e1")]).changed


def test_a_field_may_always_ask_to_defer() -> None:
    listed: Guard[str] = Guard(defer="ask", actions=["hold", "ship"])
    assert listed.rule("ship", event="e1", field=Field("e1", "ask")).action == "ask"
    both = [Field("e1", "ask"), Field("e1", "ship")]
    assert listed.rule("ship", event="e1", field=both).reason == "contradicting"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ([None, Field("e1", "ACT_A")], "None"),
        (("e1", "ACT_A"), "'e1'"),
        ([{"event": "e1"}], "dict"),
        ("e1", "str"),
        (7, "int"),
    ],
)
def test_what_is_no_field_is_refused(given: Any, named: str) -> None:
    with pytest.raises(TypeError, match=f"{named}.* was given as a field: give a Field"):
        guard.rule("ACT_B", event="e1", field=given)
