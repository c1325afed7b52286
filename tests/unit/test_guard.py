"""The guard binds an action to the decisive field of the event at hand, and to nothing else."""

from __future__ import annotations

import asyncio
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


def test_what_the_agent_raises_gets_through() -> None:
    @guard.around(seen)
    def agent(event: dict[str, Any]) -> str:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        agent({"id": "e1"})
