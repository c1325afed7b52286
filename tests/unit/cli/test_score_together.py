"""`proctor score RUN --with RUN`: models are read together, and nothing else is."""

from __future__ import annotations

import json

from tests.unit.cli.conftest import Cli

STRONG, WEAK = (f"structured:simulated,reason={p},memory={p},veto={p},self={p}" for p in (0.9, 0.5))


def run(cli: Cli, agent: str, *more: str) -> str:
    done = cli("run", "binding-controls", "--agent", agent, "--seed", "3", "-q", *more)
    assert done.code == 0, done.err
    return done.out.strip()


def test_two_models_are_read_together_and_slips_refused(cli: Cli) -> None:
    only = ("--only", "binding-delayed-recall", "--only", "binding-goal-conflict")
    first, second = run(cli, STRONG, *only), run(cli, WEAK, *only)
    found = json.loads(cli("score", first, "--with", second, "--json").out)
    assert found["runs"] == [first, second]
    assert found["binding"]["records"]["scored"] == 2 * 48
    text = cli("score", first, "--with", second).out
    assert "structured over scrambled" in text
    again = cli("score", first, "--with", first)
    assert again.code == 2
    assert "runs of one suite by different models" in again.err
    other = cli("run", "hello", "--agent", "null", "--only", "extract", "-q").out.strip()
    assert cli("score", first, "--with", other).code == 2
