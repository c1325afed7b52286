"""Runs whose stages freeze codes, replies or states, and whose models leave latencies, verify like any other."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

AGENT = "structured:simulated,reason=.9,memory=.9,veto=.9,self=.9"
KEEPER = """
from proctor import Submission


class Keeper:
    async def run(self, task, session):
        for name, text in session.observations[0].fields["notes"].items():
            session.state.write(name if name != "cue" else "x-cue", text)
        question = (await session.call("question")).value
        session.state.read("memory")
        return Submission(question["actions"][0]["code"])


def make():
    return Keeper()
"""
FEW = """
from pathlib import Path

from proctor.engine.names import load_suite

whole = load_suite("binding-own-state", Path())
few = tuple(entry.model_copy(update={"n": 9}) for entry in whole.entries)
suite = whole.model_copy(update={"name": "binding-few", "streams": whole.streams or whole.name, "entries": few})
"""


@pytest.mark.parametrize(
    ("suite", "family", "stage", "agent"),
    [
        ("binding-controls", "twin-delayed-recall", "calibration", AGENT),
        ("binding-interface", "twin-narratives", None, AGENT),
        ("own.py@suite", "twin-own-state", None, "python:keeper.py:make,unconfined=yes"),
    ],
)
def test_what_a_stage_froze_is_worked_out_again(
    cli: Cli, tmp_path: Path, suite: str, family: str, stage: str | None, agent: str
) -> None:
    (tmp_path / "keeper.py").write_text(KEEPER, encoding="utf-8")
    (tmp_path / "own.py").write_text(FEW, encoding="utf-8")
    done = cli("run", suite, "--agent", agent, "--seed", "3", "--only", family, "-q")
    run = done.out.strip()
    assert run.startswith("binding-"), done.err
    assert cli("verify", run).code == 0
    assert cli("export", run, "-o", "run.proctor").code == 0
    assert cli("verify", "run.proctor").code == 0
    # A changed output is found, whatever its kind.
    with sqlite3.connect(tmp_path / ".proctor" / "store.db") as store:
        name, data = store.execute("select stage, data from stages where data != '{}' limit 1").fetchone()
        assert stage in (None, name)
        output = json.loads(data)
        group = next(key for key, found in output.items() if found)
        output[group].pop(next(iter(output[group])))
        changed = json.dumps(output, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        store.execute("update stages set data = ? where stage = ?", (changed, name))
    forged = cli("verify", run)
    assert forged.code == 1
    assert f"stage '{name}'" in forged.out + forged.err


def test_a_larger_scale_of_a_suite_in_stages_verifies(cli: Cli) -> None:
    """Its further rounds lie beyond all that the first took; who verifies has to count as the plan does."""
    asked = ("run", "binding-controls", "--agent", AGENT, "--only", "twin-delayed-recall", "--scale", "2", "-q")
    run = cli(*asked).out.strip()
    assert cli("verify", run).code == 0
    assert cli("export", run, "-o", "run.proctor").code == 0
    assert cli("verify", "run.proctor").code == 0
