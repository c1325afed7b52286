"""Scored records as a table."""

from __future__ import annotations

from tests.unit.instruments.binding.rows import evidence

from proctor.instruments.binding.records import records
from proctor.spec.condition import Condition, Sampling


def test_every_scored_record_with_its_metadata() -> None:
    aside = [
        ["model", {"model": "m-1", "prompt_tokens": 10, "completion_tokens": 3, "attempts": 2, "error": "timeout"}]
    ]
    hot = Condition(id="stochastic", sampling=Sampling(temperature=0.9))
    given: list[dict[str, object]] = [
        {"event": "e1", "aside": aside, "condition": "stochastic"},
        {"event": "e1", "aside": aside, "condition": "stochastic"},
        {"event": "e2", "sci": "0.25"},
    ]
    found = records({"mine": evidence(given, conditions=[hot])})
    assert found.rows == 2
    columns = found.columns
    assert columns["event"] == ["e1", "e2"]
    assert columns["temperature"] == [0.9, None]
    assert columns["errors"] == ["timeout", ""]
    assert columns["prompt_tokens"] == [10, None]
    assert columns["attempts"] == [2, None]
    assert columns["model"] == ["m-1", ""]
    assert columns["sci"] == [None, 0.25]
    assert columns["u"] == [None, None]
    assert columns["c"] == [1, 1]
    assert {len(values) for values in columns.values()} == {2}


def test_sampling_is_what_was_sent() -> None:
    """A scaffold may be set otherwise than its Condition says; the request is on record."""
    aside = [["model", {"model": "m-1", "attempts": 1, "temperature": "0.7", "top_p": "0.9"}]]
    hot = Condition(id="stochastic", sampling=Sampling(temperature=0.9))
    found = records({"mine": evidence([{"aside": aside, "condition": "stochastic"}], conditions=[hot])})
    assert (found.columns["temperature"], found.columns["top_p"]) == ([0.7], [0.9])
