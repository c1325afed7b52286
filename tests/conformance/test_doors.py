"""Agents behind HTTP and MCP clients are put through the same checks as everybody: sound ones pass, mutants do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.agents_http.conftest import Handler, Service, Turn, call, of_type, service
from tests.unit.agents_mcp.conftest import PLAIN
from tests.unit.agents_process.conftest import bubblewrap

from proctor.conformance import check_agent

__all__ = ["bubblewrap", "service"]

CLAIMS = [{"action": "looked", "target": "yard"}]
SUBMIT = {"type": "submit", "answer": 0, "confidence": 0.5, "claims": CLAIMS}


def sound(request: Handler, turn: Turn) -> None:
    """Looks at the yard four times, or until it may not, then hands in something."""
    over = turn["turn"] == 4 or of_type(turn, "limit")
    request.send(SUBMIT if over else call("list_crates"))


def crashes(request: Handler, turn: Turn) -> None:
    request.send(call("list_crates") if turn["turn"] == 0 else {"error": "oh"}, 200 if turn["turn"] == 0 else 500)


def hammers(request: Handler, turn: Turn) -> None:
    request.send(call("list_crates") if turn["turn"] < 30 else SUBMIT)


def too_confident(request: Handler, turn: Turn) -> None:
    request.send({**SUBMIT, "confidence": 7})


def gossip() -> Callable[[Handler, Turn], None]:
    """Tells every lifetime what it was shown in the others."""
    seen: dict[str, list[str]] = {}

    def reply(request: Handler, turn: Turn) -> None:
        shown: list[dict[str, Any]] = of_type(turn, "observation")
        seen.setdefault(turn["lifetime"], []).extend(shown[0]["fields"]["ship"])
        others = [label for lifetime, labels in seen.items() if lifetime != turn["lifetime"] for label in labels]
        request.send([{"type": "say", "text": ", ".join(others)}, SUBMIT])

    return reply


MUTANTS = {"lives": crashes, "limits": hammers, "submission": too_confident, "lifetimes": gossip()}


def test_a_sound_service_passes(service: Service) -> None:
    service.reply = sound
    report = check_agent(service.url)
    assert report.failed == (), [finding.detail for finding in report.findings]
    assert report.result("limits").status == "passed"
    assert report.result("repeatable").status == "not measured"


@pytest.mark.parametrize("check", MUTANTS)
def test_a_service_that_is_not_fails_its_check(service: Service, check: str) -> None:
    service.reply = MUTANTS[check]
    assert check in check_agent(service.url).failed


@pytest.mark.parametrize("stays", [False, True])
def test_a_sound_client_passes(tmp_path: Path, bubblewrap: None, stays: bool) -> None:
    loop = """
def live():
    for _ in range(4):
        if "limit" in client.call("list_crates")["structuredContent"]:
            break
    client.call("submit", answer=0, confidence=0.5, claims=[{"action": "looked", "target": "yard"}])

client = Client()
"""
    loop += "while client.value('next_task'):\n    live()\n" if stays else "live()\n"
    (tmp_path / "client.py").write_text(PLAIN + loop)
    report = check_agent(f"mcp:python3 client.py,stays={'yes' if stays else 'no'}", folder=tmp_path)
    assert report.failed == (), [finding.detail for finding in report.findings]
    assert report.result("limits").status == "passed"


def test_a_client_that_goes_on_after_a_limit_does_not(tmp_path: Path, bubblewrap: None) -> None:
    loop = "client = Client()\nfor _ in range(30): client.call('list_crates')\nclient.call('submit', answer=0)\n"
    (tmp_path / "client.py").write_text(PLAIN + loop)
    report = check_agent("mcp:python3 client.py", folder=tmp_path, only=["limits"])
    assert report.failed == ("limits",)
