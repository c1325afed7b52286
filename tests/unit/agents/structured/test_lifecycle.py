"""One model per worker: opened when first asked, closed when the worker is done; and the checks every agent passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.agents.structured.conftest import Run

from proctor.conformance import check_agent
from proctor.models.scripted import Scripted


def test_a_model_is_opened_once_and_closed_at_the_end(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    plain_init = Scripted.__init__

    def opened(self: Scripted, *arguments: object, **options: object) -> None:
        done.append("opened")
        plain_init(self, *arguments, **options)  # type: ignore[arg-type]

    async def closed(self: Scripted) -> None:
        done.append("closed")

    (tmp_path / "replies.json").write_text(json.dumps(["VETO"]))
    monkeypatch.setattr(Scripted, "__init__", opened)
    monkeypatch.setattr(Scripted, "close", closed)
    ran = run("structured:scripted:replies.json", n=5)
    assert len(ran.asked) == 5
    # Once for the check before the run, which asks nobody, and once for the run.
    assert done == ["opened", "opened", "closed"]


def test_a_model_that_cannot_let_go_spoils_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stuck(self: Scripted) -> None:
        message = "will not"
        raise RuntimeError(message)

    (tmp_path / "replies.json").write_text(json.dumps(["VETO"]))
    monkeypatch.setattr(Scripted, "close", stuck)
    assert len(run("chat:scripted:replies.json", n=2).rows) == 2


@pytest.mark.parametrize("agent", ["structured:simulated", "chat:simulated"])
def test_the_checks_of_every_agent_hold(agent: str) -> None:
    found = check_agent(agent)
    assert found.ok, found
