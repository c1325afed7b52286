"""Whether replies could be read is said before any score, and without it nothing is claimed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.test_instrument import benchmark, sufficient

from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.interface import Interface, interface_audits, interface_of, withheld
from proctor.instruments.binding.reading import BindingReading, Claim
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.table import table_of
from proctor.spec.condition import Condition
from proctor.spec.ontology import UNMAPPED
from proctor.spec.rules import Rules

PROSE: dict[str, Any] = {"code": UNMAPPED, "how": "none", "parse": "text", "raw": "I would think about it."}


def read(given: list[dict[str, Any]]) -> BindingReading:
    return BindingInstrument().read(evidence(given), Rules())


def with_prose(given: list[dict[str, Any]], every: int) -> list[dict[str, Any]]:
    """One reply in so many is prose without an action."""
    return [{**one, **PROSE} if place % every == 0 else one for place, one in enumerate(given)]


def audit(reading: BindingReading, item: str) -> str:
    return next(one.status for one in reading.audits if one.item == item)


def test_replies_that_were_read_need_no_word() -> None:
    found = read(benchmark())
    assert found.interface == ""
    assert (audit(found, "parse errors"), audit(found, "unmapped actions")) == ("pass", "pass")
    assert "interface not passed" not in found.claims[0].contrary


@pytest.mark.parametrize("every", [2, 42])
def test_prose_is_said_first_and_supports_nothing(every: int) -> None:
    found = read(with_prose(benchmark(), every))
    share = -(-420 // every)
    assert f"{share} of 420" in found.interface
    assert found.flags[0].name == "Interface"
    assert audit(found, "unmapped actions") == "fail"
    assert audit(found, "parse errors") == "pass", "prose is a reply that was read"
    assert found.claims
    for claim in found.claims:
        assert claim.supported == ""
        assert claim.contrary.startswith("interface not passed")


def test_a_claim_that_would_hold_is_withheld() -> None:
    """Enough unread replies among the controls leave the sufficiency gate met, and its claim unsaid."""
    given = [{**one, **PROSE} if one["condition"] == "surface-only" else one for one in sufficient()]
    found = read(given)
    assert found.sufficiency[0].gate.status == "met"
    assert found.claims[0].supported == ""
    assert "Most are unmapped under surface-only: 4 of 4 (100 %)" in found.interface


def test_everything_unmapped_is_a_reading_and_no_crash() -> None:
    found = read([{**one, **PROSE} for one in benchmark()])
    assert found.measured
    assert "420 of 420 (100 %)" in found.interface
    assert found.tables()["components"]["composite"] == [-1.0] * 28


def test_actions_drawn_from_a_prior_are_no_replies() -> None:
    given = [*benchmark()[:6], *({**one, "condition": "matched-family"} for one in benchmark()[:6])]
    table = table_of({"m": evidence(given)}).table
    drawn = Condition(id="matched-family", acts="prior", prior="family", after="calibration")
    assert interface_of(table, {}).unmapped.n == 12
    found = interface_of(table, {"matched-family": drawn})
    assert (found.unmapped.n, set(found.by_condition)) == (6, {"structured"})


@pytest.mark.parametrize(
    ("parse", "lost", "failed"),
    [(0, 0, False), (1, 1, False), (2, 0, True), (0, 2, True), (3, 3, True)],
)
def test_either_limit_is_reached_at_two_in_a_hundred(parse: int, lost: int, failed: bool) -> None:
    found = Interface(
        parse=Share(parse, 100), unmapped=Share(lost, 100), by_condition={"a": Share(lost, 10), "b": Share(0, 90)}
    )
    assert found.failed == failed
    assert bool(found.sentence) == failed
    assert found.worst == "a"
    statuses = [one.status for one in interface_audits(found)]
    assert statuses == ["pass" if count < 2 else "fail" for count in (parse, lost)]
    assert [(one.k, one.n) for one in interface_audits(found)] == [(parse, 100), (lost, 100)]
    claim = Claim(block="b", result="r", supported="s", contrary="", excluded="e")
    (said,) = withheld([claim], found)
    assert said.supported == ("" if failed else "s")
    assert bool(said.contrary) == failed


def test_unreadable_replies_whose_action_can_be_told_are_named_as_such() -> None:
    found = Interface(parse=Share(5, 100), unmapped=Share(0, 100), by_condition={"a": Share(0, 100)})
    assert "Every action could still be told" in found.sentence
    assert "5 of 100 (5 %) are not the object" in found.sentence
    nobody = Interface(parse=Share(0, 0), unmapped=Share(0, 0), by_condition={})
    assert (nobody.failed, nobody.worst) == (False, "")
    assert [one.status for one in interface_audits(nobody)] == ["not measured", "not measured"]
