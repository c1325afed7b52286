"""Drift: nothing before, the declared change from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from proctor.spec import regime
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.drift import Drift
from proctor.worlds.adversity.layer import Passage

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit


def lived(kit: Kit, layer: Drift, calls: list[str], value: Any) -> list[tuple[Any, list[str], int]]:
    """Value, receipts and extra time of each of these calls, all in one episode."""
    adversity = kit.adversity()
    found = []
    for nth, tool in enumerate(calls):
        start = adversity.clock.elapsed
        shown, receipts = kit.after(layer, value, tool=tool, nth=nth, adversity=adversity)
        found.append((shown, [receipt.detail for receipt in receipts], adversity.clock.elapsed - start))
    return found


def test_after_n_calls_of_any_tool(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=2, milliseconds=1_500))
    found = lived(kit, layer, ["read", "write", "read", "write"], "text")
    assert [details for _, details, _ in found] == [[], [], ["took 1500 ms"], ["took 1500 ms"]]
    assert [time for *_, time in found] == [0, 0, 1_400, 1_250]
    assert {shown for shown, *_ in found} == {"text"}


def test_after_n_calls_of_one_tool(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=1, tool="read", rename={"total": "amount"}))
    found = lived(kit, layer, ["write", "read", "write", "read"], {"id": 7, "total": 12})
    assert [shown for shown, *_ in found[:3]] == [{"id": 7, "total": 12}] * 3
    assert found[3] == ({"id": 7, "amount": 12}, ["renamed total to amount"], 0)
    assert list(found[3][0]) == ["id", "amount"]


def test_from_the_first_call_on(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=0, milliseconds=200))
    assert lived(kit, layer, ["read"], 1)[0] == (1, ["took 200 ms"], 100)


def test_a_call_never_becomes_faster(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=0, milliseconds=100))
    assert lived(kit, layer, ["read", "write"], 1) == [(1, [], 0), (1, [], 0)]


def test_rows_of_a_list_are_renamed_with_one_receipt_a_name(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=0, rename={"a": "b", "b": "a", "zzz": "y"}))
    shown, details, _ = lived(kit, layer, ["read"], [{"a": 1, "b": 2}, {"c": 3}, "text", {"a": 4}])[0]
    assert shown == [{"b": 1, "a": 2}, {"c": 3}, "text", {"b": 4}]
    assert details == ["renamed a to b", "renamed b to a"]


def test_a_renaming_that_would_merge_two_fields_is_not_done(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=0, rename={"a": "b"}))
    assert lived(kit, layer, ["read"], {"a": 1, "b": 2})[0] == ({"a": 1, "b": 2}, [], 0)


def test_what_has_no_such_field_is_not_receipted(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=0, rename={"a": "b"}))
    for value in ("a", None, 3, {"x": {"a": 1}}, [1, 2]):
        assert lived(kit, layer, ["read"], value)[0] == (value, [], 0)


def test_an_error_takes_longer_but_stays_what_it_is(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=0, milliseconds=900, rename={"a": "b"}))
    passage = kit.passage()
    result = ToolResult(False, None, "no such file")
    assert layer.after(passage, result) is result
    assert [receipt.detail for receipt in passage.receipts] == ["took 900 ms"]


def waiting(kit: Kit, layer: Drift, waits: list[Any]) -> list[tuple[str | None, list[str], int]]:
    """Error, receipts and time of each of these calls of a tool whose callers say how long they wait."""
    adversity = kit.adversity()
    found = []
    for nth, wait in enumerate(waits):
        start = adversity.clock.elapsed
        passage = Passage(adversity, kit.tools["read"], {"wait_seconds": wait}, nth)
        result = layer.before(passage) or layer.after(passage, ToolResult(True, "text"))
        found.append((result.error, [receipt.detail for receipt in passage.receipts], adversity.clock.elapsed - start))
    return found


def test_who_waits_too_short_waits_in_vain(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=2, milliseconds=15_000, waits="wait_seconds"))
    found = waiting(kit, layer, [5, 5, 5, 14.5, 15, 20])
    assert found[:2] == [(None, [], 0)] * 2
    assert found[2][0] == "'read' got no answer within 5 s and was not carried out"
    assert found[2][1:] == (["timed out after 5000 ms of 15000 ms"], 5_000)
    assert found[3][1:] == (["timed out after 14500 ms of 15000 ms"], 14_500)
    # The time that was stated is the world's to let pass.
    assert found[4:] == [(None, ["took 15000 ms"], 0)] * 2


def test_calls_that_waited_in_vain_reach_nothing_and_others_are_not_counted(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=1, tool="write", milliseconds=900, waits="wait_seconds"))
    assert waiting(kit, layer, [0, 0, 0]) == [(None, [], 0)] * 3


def test_a_caller_that_does_not_say_how_long_it_waits_waits_as_long_as_it_takes(kit: Kit) -> None:
    layer = Drift(regime.Drift(after_calls=0, milliseconds=900, waits="wait_seconds"))
    assert lived(kit, layer, ["read"], 1) == [(1, ["took 900 ms"], 800)]
    assert waiting(kit, layer, ["five", True, None])[0][1:] == (["took 900 ms"], 800)


def test_a_wait_needs_a_time() -> None:
    with pytest.raises(ValueError, match="also needs `milliseconds`"):
        regime.Drift(after_calls=1, waits="wait_seconds")
