"""Trace parts come from the submitted object alone, and what it lacks stays missing."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.spec.ontology import SIX_CODES
from proctor.worlds.choice.canonicaliser import canonical
from proctor.worlds.choice.trace import trace_of


def traced(**reply: Any) -> dict[str, int | str]:
    whole = {"final_action": "ACTION_B", **reply}
    return trace_of(whole, canonical(whole, SIX_CODES), SIX_CODES)


def test_a_bare_action_has_one_field_and_no_trace() -> None:
    assert traced() == {"fields": 1}


def test_unknown_keys_are_not_counted() -> None:
    assert traced(mood="fine", first_impulse="ACTION_A")["fields"] == 2


@pytest.mark.parametrize(
    ("graph", "impulse", "rsi", "aligned"),
    [
        ({"preferred": "ACTION_B", "nodes": []}, "ACTION_A", 1, "1"),
        ({"preferred": None, "nodes": [{"reason": "x", "supports": "ACTION_B"}]}, "ACTION_A", 1, "0.75"),
        ({"preferred": "ACTION_A", "nodes": ["I lean to ACTION_B by now"]}, "ACTION_A", 1, "0.5"),
        ([{"supports": "ACTION_A"}], "ACTION_B", 0, "0.25"),
        ([], "ACTION_A", 0, "0"),
        ({}, "ACTION_A", 0, "0"),
    ],
)
def test_reason(graph: Any, impulse: str, rsi: int, aligned: str) -> None:
    found = traced(reason_graph=graph, first_impulse=impulse)
    assert (found["rsi"], found["t_reason"]) == (rsi, aligned)


def test_without_an_impulse_there_is_no_rsi() -> None:
    found = traced(reason_graph=[{"supports": "ACTION_B"}])
    assert "rsi" not in found
    assert found["t_reason"] == "0.75"


@pytest.mark.parametrize(
    ("trace", "aligned"),
    [
        ({"commitment": "ACTION_B", "items": []}, "1"),
        ({"commitment": None, "items": [{"text": "x", "supports": "ACTION_B"}]}, "0.75"),
        ({"commitment": None, "items": [{"text": "x", "supports": "ACTION_A"}]}, "0.5"),
        ({"commitment": None, "items": []}, "0"),
        ([], "0"),
    ],
)
def test_memory(trace: Any, aligned: str) -> None:
    assert traced(memory_trace=trace)["t_memory"] == aligned


@pytest.mark.parametrize(
    ("state", "impulse", "vei", "aligned"),
    [
        ({"required": True, "applied": True}, "ACTION_A", 1, "1"),
        ({"required": False, "applied": False}, "ACTION_A", 0, "1"),
        ({"required": False, "applied": True}, "ACTION_A", 1, "0.75"),
        ({"required": True, "applied": True}, "ACTION_B", 1, "0"),
        ({"required": True, "applied": False}, "ACTION_A", 0, "0"),
        ({"applied": False}, "ACTION_A", 0, None),
        ({"required": True, "applied": True}, None, 1, None),
        ({"required": True}, "ACTION_A", None, None),
        (True, "ACTION_A", 1, "0.75"),
    ],
)
def test_veto(state: Any, impulse: str | None, vei: int | None, aligned: str | None) -> None:
    found = traced(veto_state=state, first_impulse=impulse)
    assert (found.get("vei"), found.get("t_veto")) == (vei, aligned)


@pytest.mark.parametrize(
    ("state", "sci", "aligned"),
    [
        ({"identity": 0.8, "continuity": 0.5, "commitment": "ACTION_B"}, "0.65", "1"),
        ({"identity": 0.8, "continuity": 0.5, "commitment": "ACTION_A"}, "0.65", "0"),
        ({"identity": 0.8, "continuity": 0.5, "commitment": None}, "0.65", "0.65"),
        ({"identity": 3, "continuity": -1}, "0.5", "0.5"),
        ({"identity": 0.8}, None, None),
        ({"identity": "high", "continuity": float("nan")}, None, None),
        ({}, None, None),
    ],
)
def test_self(state: dict[str, Any], sci: str | None, aligned: str | None) -> None:
    found = traced(self_state=state)
    assert (found.get("sci"), found.get("t_self")) == (sci, aligned)


@pytest.mark.parametrize(
    ("recall", "aci"),
    [
        ({"recalled": ["a", "b"], "window": 3}, "0.666667"),
        ({"recalled": 5, "window": 3}, "1"),
        ({"recalled": [], "window": 3}, "0"),
        ({"recalled": [], "window": 0}, None),
        ({"recalled": ["a"]}, None),
        ("nothing", None),
    ],
)
def test_recall(recall: Any, aci: str | None) -> None:
    assert traced(delayed_recall=recall).get("aci") == aci
