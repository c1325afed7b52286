"""A key is never in the evidence: not in a row, a trace, a digest's input or a byte of the store's file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.agents.structured.conftest import Run
from tests.unit.models.loopback import Answer, completion, serving

from proctor.evidence.events import BenchFailed

pytest.importorskip("openai")
KEY = "sk-" + "s3cr3t" * 6


def everything(ran: Any, folder: Path) -> bytes:
    """All that was stored, as it lies on the disk and as it reads once unpacked."""
    ran.store.connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    parts = [path.read_bytes() for path in sorted(folder.glob("store.db*"))]
    parts += [ran.store.trace(ran.record.number, row.position) for row in ran.rows]
    parts += [msgspec.json.encode(row) for row in ran.rows]
    parts += [row.aside or b"" for row in ran.rows]
    parts.append(ran.store.frozen(ran.record.number).model_dump_json().encode())
    return b"\n".join(parts)


def test_the_key_reaches_the_server_and_nothing_else(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def talkative(number: int, body: dict[str, Any]) -> Answer:
        said = [
            completion(json.dumps({"final_action": "VETO", "rationale": f"with {KEY}"}), model=KEY),
            (400, {"error": {"message": f"{KEY} is bad"}}),
            (200, f'["{KEY}"]'),
        ]
        return said[0] if "2 + 3" in str(body["messages"]) else said[number % 3]

    with serving(talkative) as served:
        ran = run(f"structured:openai:m,base_url={served.base_url},retries=0", n=6)
    assert {*served.keys} == {f"Bearer {KEY}"}
    assert {one.error for one in ran.asked} == {None, "http_4xx", "payload_not_object"}
    stored = everything(ran, tmp_path)
    assert b"with [key]" in stored, "what came back is there"
    assert KEY.encode() not in stored


def test_a_refused_key_is_the_bench_s_fault_and_is_not_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(lambda *_: (401, {"error": {"message": f"{KEY} is bad"}})) as served:
        ran = run(f"structured:openai:m,base_url={served.base_url}", n=1)
    assert ran.rows[0].outcome == "infrastructure" and len(served.bodies) == 2, "the request, and the canary"
    assert ran.asked[0].error == "http_4xx", "the exchange is on record all the same"
    told = [str(event) for event in ran.events(0) if isinstance(event, BenchFailed)]
    assert "refuses the key" in told[0] and "HTTP 401" in told[0]
    assert KEY.encode() not in everything(ran, tmp_path)


def test_a_refused_key_ends_the_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(lambda *_: (401, {"error": {}})) as served:
        ran = run(f"structured:openai:m,base_url={served.base_url}", n=60)
    # Those under way at the same time are let through.
    assert len(served.bodies) < 10
    ended = ran.store.run(ran.record.name)
    assert (ended.status, ended.cut) == ("failed", 1)
    (told,) = [str(event) for event in ran.events(0) if isinstance(event, BenchFailed)]
    assert "refuses the key" in told and "HTTP 401" in told and "final=True" in told


def test_a_key_that_is_refused_again_and_again_ends_the_run_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fine = completion(json.dumps({"final_action": "VETO"}))
    with serving(lambda number, _: (401, {"error": {}}) if number > 6 else fine) as served:
        ran = run(f"structured:openai:m,base_url={served.base_url}", n=60)
    assert len(served.bodies) < 30
    ended = ran.store.run(ran.record.name)
    assert ended.status == "failed" and ended.cut is not None
    reasons = [row.reason for row in ran.rows][: ended.cut]
    assert reasons.count("model_refused") == 1, "the canary is refused as well: asking again is pointless"
    assert reasons[-1] == "model_refused"


def test_one_that_refuses_now_and_then_answers_for_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fine = completion(json.dumps({"final_action": "VETO"}))

    def moody(number: int, body: dict[str, Any]) -> Answer:
        return (403, {"error": {}}) if number % 2 and "2 + 3" not in str(body["messages"]) else fine

    with serving(moody) as served:
        ran = run(f"structured:openai:m,base_url={served.base_url}", n=16)
    canaries = [body for body in served.bodies if "2 + 3" in str(body["messages"])]
    assert len(canaries) == 1 and len(served.bodies) == 17
    refused = [(row.outcome, row.reason) for row in ran.rows if row.reason != "correct"]
    assert ("failure", "request_refused") in refused
    assert "infrastructure" not in {outcome for outcome, _ in refused}
