"""Limits end an episode before they are exceeded, whatever the agent asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.fake_models import Asked, Say, serving
from tests.unit.cli.conftest import Cli, cli
from tests.unit.model_proxy.test_runs import planted, write_project

from proctor.cli.options import open_store

__all__ = ["cli", "planted"]


def greedy(asked: Asked) -> Say:
    """Says as much as it may, and counts it."""
    most = asked.body.get("max_completion_tokens") or asked.body.get("max_tokens") or 50_000
    return Say("0", prompt_tokens=100, completion_tokens=most)


def project(
    folder: Path, address: str, limits: dict[str, Any], agent: str = "OpenAIChat", prices: tuple[str, ...] = ()
) -> None:
    write_project(folder, address, agent)
    declared = json.loads((folder / "proctor.yaml").read_text())
    declared["system"]["prices"] |= {name: {"input": "3", "output": "15"} for name in prices}
    declared["limits"] = limits
    (folder / "proctor.yaml").write_text(json.dumps(declared))


def spent() -> list[tuple[int, float]]:
    with open_store(None) as store:
        return [(row.tokens or 0, float(row.cost or 0)) for row in store.rows(store.run("latest").number)]


@pytest.mark.parametrize("agent", ["OpenAIChat", "Anthropic"])
def test_a_reply_cannot_pass_the_episodes_limit_on_tokens(cli: Cli, tmp_path: Path, agent: str) -> None:
    with serving(greedy) as fake:
        project(tmp_path, fake.address, {"episode_tokens": 3_000}, agent)
        assert cli("run", "--json").code == 0
        assert fake.count >= 2
    assert all(0 < tokens <= 3_000 for tokens, _ in spent())


def test_nor_its_limit_on_cost(cli: Cli, tmp_path: Path) -> None:
    with serving(greedy) as fake:
        project(tmp_path, fake.address, {"episode_cost": "0.02"}, prices=("claude-x",))
        assert cli("run", "--json").code == 0
    # 8 a million tokens of reply: unlimited, the first reply alone would have cost 0.4.
    assert spent() and all(0 < cost <= 0.02 for _, cost in spent())


def test_a_request_that_could_pass_the_limit_is_not_passed_on(cli: Cli, tmp_path: Path) -> None:
    with serving(greedy) as fake:
        project(tmp_path, fake.address, {"episode_tokens": 20})
        done = cli("run", "--json")
        assert done.code == 0, done.err
        assert fake.count == 0
    assert all(tokens == 0 for tokens, _ in spent())
    assert done.json["outcomes"]["limit"] == 2
    # What reached no provider is not among the requests that one did not count.
    assert "not counted by the provider" not in json.dumps(done.json)
    assert (done.json.get("usage") or {}).get("uncounted", 0) == 0


def test_the_runs_limit_stops_the_run_before_it_is_exceeded(cli: Cli, tmp_path: Path) -> None:
    with serving(greedy) as fake:
        project(tmp_path, fake.address, {"run_cost": "0.1"}, prices=("claude-x",))
        done = cli("run")
        used = fake.count
    assert done.code == 1
    assert "the run has too little left for the next call" in done.out
    assert used <= 3
    assert sum(cost for _, cost in spent()) <= 0.1


def test_what_was_granted_stands_beside_the_request_as_it_was_made(cli: Cli, tmp_path: Path) -> None:
    with serving(greedy) as fake:
        project(tmp_path, fake.address, {"episode_tokens": 3_000})
        assert cli("run", "--json").code == 0
        sent = fake.requests[0].body
    assert 0 < sent["max_completion_tokens"] < 3_000
    again = cli("run", "--replay", "latest", "--json")
    assert again.code == 0, again.err


def test_a_cost_limit_needs_the_price_of_every_declared_model(cli: Cli, tmp_path: Path) -> None:
    with serving(greedy) as fake:
        project(tmp_path, fake.address, {"episode_cost": "0.02"})
        refused = cli("run")
    assert refused.code == 2
    assert "needs a price of anthropic:claude-x" in refused.err
