"""Timeouts, failures and partial errors: as many as declared, each receipted, none depending on another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from proctor.spec.task import ToolResult
from proctor.worlds.adversity.failures import Failures
from proctor.worlds.adversity.injection import Injection
from proctor.worlds.adversity.layer import Layer, threshold
from proctor.worlds.adversity.partial_errors import PartialErrors
from proctor.worlds.adversity.perturbation import Perturbation
from proctor.worlds.adversity.timeouts import Timeouts

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit

CALLS = 4000


def layers(p: float) -> list[tuple[Layer, str]]:
    """Every layer that strikes by chance, with a tool it can strike."""
    return [
        (Timeouts(p, 5_000), "read"),
        (Failures(p), "read"),
        (PartialErrors(p), "write"),
        (Perturbation(p), "write"),
        (Injection(p, "canary"), "read"),
    ]


def test_thresholds_are_exact_at_both_ends() -> None:
    assert threshold(0.0) == 0
    assert threshold(1.0) == 2**64
    assert threshold(0.5) == 2**63


@pytest.mark.parametrize("p", [0.05, 0.10, 0.30])
def test_the_share_of_struck_calls_is_the_declared_one(kit: Kit, p: float) -> None:
    for layer, tool in layers(p):
        kit.assert_share(sum(kit.draw_fault(layer, CALLS, tool=tool)), CALLS, p)


def test_at_one_every_call_is_struck(kit: Kit) -> None:
    for layer, tool in layers(1.0):
        assert all(kit.draw_fault(layer, 200, tool=tool))


def test_the_same_declaration_strikes_the_same_calls(kit: Kit) -> None:
    for layer, tool in layers(0.2):
        assert kit.draw_fault(layer, 300, tool=tool) == kit.draw_fault(layer, 300, tool=tool)
        assert kit.draw_fault(layer, 300, tool=tool) != kit.draw_fault(layer, 300, "another", tool=tool)


def test_layers_strike_independently_of_each_other(kit: Kit) -> None:
    p = 0.3
    struck = [kit.draw_fault(layer, CALLS, tool=tool) for layer, tool in layers(p)]
    for i, one in enumerate(struck):
        for two in struck[:i]:
            kit.assert_share(sum(a and b for a, b in zip(one, two, strict=True)), CALLS, p * p)


def test_calls_strike_independently_of_each_other(kit: Kit) -> None:
    p = 0.3
    for layer, tool in layers(p):
        one = kit.draw_fault(layer, CALLS + 1, tool=tool)
        kit.assert_share(sum(a and b for a, b in pairwise(one)), CALLS, p * p)
        other_tool = kit.draw_fault(Failures(p), CALLS, tool="count")
        kit.assert_share(sum(a and b for a, b in zip(one, other_tool, strict=False)), CALLS, p * p)


def test_a_higher_share_strikes_the_same_calls_and_more(kit: Kit) -> None:
    mild, hard = (kit.draw_fault(Timeouts(p, 1), 500) for p in (0.1, 0.3))
    assert all(b for a, b in zip(mild, hard, strict=True) if a)
    assert sum(hard) > sum(mild)


def test_a_timeout_costs_its_time_and_says_that_nothing_was_done(kit: Kit) -> None:
    passage = kit.passage(tool="write")
    result = Timeouts(1.0, 2_500).before(passage)
    assert result is not None
    assert not result.ok
    assert result.error == "'write' timed out after 2.5 s in the queue and was not carried out"
    assert passage.adversity.clock.elapsed == 2_500
    assert [(r.layer, r.detail) for r in passage.receipts] == [("timeouts", "write 2500 ms")]


def test_a_failure_costs_the_time_of_a_call(kit: Kit) -> None:
    errors = set()
    for nth in range(60):
        passage = kit.passage(tool="write", nth=nth)
        result = Failures(1.0).before(passage)
        assert result is not None
        assert not result.ok
        assert result.error is not None
        errors.add(result.error)
        assert passage.adversity.clock.elapsed == 250
        assert [(r.layer, r.detail) for r in passage.receipts] == [("failures", "write")]
    assert len(errors) == 4
    assert "service unavailable (503): 'write' was not carried out" in errors


def test_a_spared_call_passes_untouched(kit: Kit) -> None:
    for layer, tool in layers(1e-12):
        passage = kit.passage(tool=tool)
        result = ToolResult(True, {"a": "b"})
        assert layer.before(passage) is None
        assert layer.after(passage, result) is result
        assert passage.receipts == []
        assert passage.adversity.clock.elapsed == 0


def test_a_partial_error_hides_an_answer_that_was_there(kit: Kit) -> None:
    passage = kit.passage(tool="write")
    result = PartialErrors(1.0).after(passage, ToolResult(True, "stored"))
    assert (result.ok, result.value) == (False, None)
    assert result.error is not None
    assert "write" in result.error
    assert "not carried out" not in result.error
    assert [(r.layer, r.detail) for r in passage.receipts] == [("partial_errors", "write")]


@pytest.mark.parametrize(("tool", "ok"), [("read", True), ("write", False)])
def test_partial_errors_leave_reads_and_refusals_alone(kit: Kit, tool: str, ok: bool) -> None:
    passage = kit.passage(tool=tool)
    result = ToolResult(ok, "x" if ok else None, None if ok else "refused")
    assert PartialErrors(1.0).after(passage, result) is result
    assert passage.receipts == []


def test_perturbation_changes_one_field_and_names_it(kit: Kit) -> None:
    value = {"rows": [{"n": 1, "ok": True}, {"n": 2, "ok": False}], "log": "first line\n\nthird line", "none": None}
    hit = set()
    for nth in range(200):
        for tool in ("read", "write"):
            after, receipts = kit.after(Perturbation(1.0), value, tool=tool, nth=nth)
            assert kit.changed(value, after) == [receipt.detail for receipt in receipts]
            assert len(receipts) == 1
            hit.add(receipts[0].detail)
    assert hit == {"/rows/0/n", "/rows/0/ok", "/rows/1/n", "/rows/1/ok", "/log#1", "/log#3"}


@pytest.mark.parametrize("value", [None, "", {}, [], {"a": None}])
def test_what_has_no_field_is_not_perturbed_and_not_receipted(kit: Kit, value: object) -> None:
    assert kit.after(Perturbation(1.0), value) == (value, [])


def test_errors_are_not_perturbed(kit: Kit) -> None:
    passage = kit.passage()
    result = ToolResult(False, None, "no such file")
    assert Perturbation(1.0).after(passage, result) is result
    assert passage.receipts == []
