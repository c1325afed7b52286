"""An endpoint that refuses the questions it dislikes answers for it; one that refuses everything ends the run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.agents.structured.conftest import Run
from tests.unit.agents.structured.test_secrets import KEY
from tests.unit.models.loopback import Answer, completion, serving

FINE = completion(json.dumps({"final_action": "VETO"}))
SEVEN = frozenset({1, 4, 9, 16, 25, 30, 38})
"""Which of forty requests it dislikes."""
CANARY = "2 + 3"


def refused(status: int, code: str = "") -> Answer:
    return status, {"error": {"code": code, "message": "not this one"}}


REFUSALS: dict[str, Answer] = {
    **{str(status): refused(status) for status in (400, 401, 402, 403, 404, 409, 410, 418, 422, 451)},
    "content filter": refused(400, "content_filter"),
    "policy": refused(403, "content_policy_violation"),
    "nonsense": (200, "[]"),
}


@pytest.mark.parametrize("kind", ["structured", "chat"])
@pytest.mark.parametrize("name", REFUSALS)
def test_seven_refusals_of_forty_are_seven_failures(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    asked: list[int] = []

    def picky(number: int, body: dict[str, Any]) -> Answer:
        if CANARY in str(body["messages"]):
            return FINE
        asked.append(number)
        return REFUSALS[name] if len(asked) - 1 in SEVEN else FINE

    with serving(picky) as served:
        ran = run(f"{kind}:openai:m,base_url={served.base_url},retries=0", n=40)
    outcomes = [row.outcome for row in ran.rows]
    assert len(outcomes) == 40
    assert "infrastructure" not in outcomes
    refusals = [row.reason for row in ran.rows if row.reason in ("request_refused", "nothing_submitted")]
    assert len(refusals) == 7


@pytest.mark.parametrize("name", REFUSALS)
def test_where_the_canary_is_refused_too_the_run_stops(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(lambda number, _: FINE if number < 5 else REFUSALS[name]) as served:
        ran = run(f"structured:openai:m,base_url={served.base_url},retries=0", n=40)
    ended = ran.store.run(ran.record.name)
    assert ended.status == "failed"
    assert ended.cut is not None
    assert ended.cut < 10


@pytest.mark.parametrize("status", [408, 500, 503])
def test_what_passes_is_excluded_and_tried_again(run: Run, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    seen: set[str] = set()

    def stumbling(number: int, body: dict[str, Any]) -> Answer:
        said = json.dumps(body["messages"])
        first = said not in seen
        seen.add(said)
        return refused(status) if first and len(seen) in (3, 7) else FINE

    with serving(stumbling) as served:
        ran = run(f"structured:openai:m,base_url={served.base_url},retries=0", n=10)
    assert "infrastructure" not in [row.outcome for row in ran.rows]
    assert sorted(row.attempts for row in ran.rows) == [1] * 8 + [2] * 2
