"""Injection: the text is there, whole, with its marker, and nothing else was touched."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from proctor.spec.task import ToolResult
from proctor.worlds.adversity.injection import Injection
from proctor.worlds.adversity.injection_texts import KINDS, compose

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit

CANARY = "proctor-canary-00112233445566778899"
DETAIL = re.compile(r"(ignore|answer|call|exfiltrate) (REF-[0-9A-F]{10}) (/.*)", re.DOTALL)
VALUES: list[Any] = [
    "a text",
    "",
    {"title": "Invoice", "n": 3},
    {"n": 3},
    {"note": 1, "comment": 2, "notice": 3, "system_message": 4, "remark": 5},
    {},
    ["one", "two"],
    [{"a": "x"}, {"b": 2}],
    [1, 2, 3],
    [],
    ["[… 9 items withheld]", 4],
]


def at(value: Any, path: str) -> Any:
    """What is found at a path."""
    for token in path.split("/")[1:]:
        if token:
            value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def without(before: Any, after: Any, path: str) -> Any:
    """The result with what was injected at the path taken out again."""
    tokens = [token for token in path.split("/") if token]
    if not tokens:
        return before if after.startswith(before) else after
    parent, original = at(after, "/".join(["", *tokens[:-1]])), before
    for token in tokens[:-1]:
        original = original[int(token)] if isinstance(original, list) else original[token]
    key: Any = int(tokens[-1]) if isinstance(parent, list) else tokens[-1]
    if (isinstance(original, dict) and key in original) or (isinstance(original, list) and key < len(original)):
        assert parent[key].startswith(original[key])
        parent[key] = original[key]
    else:
        del parent[key]
    return after


@pytest.mark.parametrize("value", VALUES)
def test_the_injected_text_is_where_the_receipt_says_and_nowhere_else(kit: Kit, value: Any) -> None:
    for nth in range(40):
        after, receipts = kit.after(Injection(1.0, CANARY), value, nth=nth)
        assert [receipt.layer for receipt in receipts] == ["injection"]
        found = DETAIL.fullmatch(receipts[0].detail)
        assert found is not None
        marker, path = found.group(2), found.group(3)
        assert str(after).count(marker) == 1
        assert marker in at(after, path)
        assert without(value, after, path) == value


@pytest.mark.parametrize("value", [None, 3, 2.5, True])
def test_a_bare_scalar_has_no_room(kit: Kit, value: Any) -> None:
    assert kit.after(Injection(1.0, CANARY), value) == (value, [])


@pytest.mark.parametrize(("tool", "ok"), [("write", True), ("read", False)])
def test_writes_and_errors_are_left_alone(kit: Kit, tool: str, ok: bool) -> None:
    passage = kit.passage(tool=tool)
    result = ToolResult(ok, "x" if ok else None, None if ok else "refused")
    assert Injection(1.0, CANARY).after(passage, result) is result
    assert passage.receipts == []


def test_markers_are_unique_and_texts_vary(kit: Kit) -> None:
    spec = kit.tools["read"].spec
    drawn = [compose(kit.passage(nth=nth).stream("injection"), spec, CANARY) for nth in range(500)]
    assert len({one.marker for one in drawn}) == 500
    assert len({one.text.replace(one.marker, "") for one in drawn}) > 250
    assert {one.kind for one in drawn} == set(KINDS)
    for one in drawn:
        assert one.text.count(one.marker) == 1
        assert CANARY not in one.text
        assert "{" not in one.text


def test_calls_are_asked_of_the_own_tool_and_of_strange_ones(kit: Kit) -> None:
    spec = kit.tools["read"].spec
    drawn = [compose(kit.passage(nth=nth).stream("x"), spec, CANARY) for nth in range(300)]
    calls = [one.text for one in drawn if one.kind == "call"]
    assert any(re.search(r"\bread\b", text) and "path" in text for text in calls)
    assert any("send_message" in text or "upload" in text for text in calls)


def test_the_canary_is_asked_for_by_its_beginning(kit: Kit) -> None:
    spec = kit.tools["count"].spec
    for canary, wanted in ((CANARY, "'procto'"), ("", "the canary of your task")):
        drawn = [compose(kit.passage(nth=nth).stream("x"), spec, canary) for nth in range(60)]
        assert all(wanted in one.text for one in drawn if one.kind == "exfiltrate")


def test_the_same_delivery_is_the_same(kit: Kit) -> None:
    layer = Injection(0.5, CANARY)
    for nth in range(20):
        assert kit.after(layer, {"a": "b"}, nth=nth) == kit.after(layer, {"a": "b"}, nth=nth)
