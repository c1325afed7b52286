"""`proctor score RUN --with RUN`: models are read together, and nothing else is."""

from __future__ import annotations

import json

import pytest
from tests.unit.cli.conftest import Cli

STRONG, WEAK = (f"structured:simulated,reason={p},memory={p},veto={p},self={p}" for p in (0.9, 0.5))


def run(cli: Cli, agent: str, *more: str) -> str:
    done = cli("run", "binding-controls", "--agent", agent, "--seed", "3", "-q", *more)
    assert done.code == 0, done.err
    return done.out.strip()


@pytest.mark.parametrize("suite", ["binding-budget", "binding-interface"])
def test_suites_with_twins_are_read_where_budgets_are_compared(cli: Cli, suite: str) -> None:
    only = ("--only", "twin-delayed-recall", "--only", "twin-goal-conflict")
    name = cli("run", suite, "--agent", STRONG, "--seed", "3", "-q", *only).out.strip()
    assert "less its twin" in cli("score", name, "--instrument", "binding").out


def test_two_models_are_read_together_and_slips_refused(cli: Cli) -> None:
    only = ("--only", "twin-delayed-recall", "--only", "twin-goal-conflict")
    first, second = run(cli, STRONG, *only), run(cli, WEAK, *only)
    found = json.loads(cli("score", first, "--with", second, "--json").out)
    assert found["runs"] == [first, second]
    assert found["binding"]["records"]["scored"] == 2 * 50
    text = cli("score", first, "--with", second).out
    assert "structured over scrambled" in text
    again = cli("score", first, "--with", first)
    assert again.code == 2
    assert "runs of one suite by different models" in again.err
    other = cli("run", "hello", "--agent", "null", "--only", "extract", "-q").out.strip()
    assert cli("score", first, "--with", other).code == 2
