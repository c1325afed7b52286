"""Load from end to end: the real command, a confined agent, an interrupted load, and 500 requests in flight over HTTP.

What is asserted are counts and identities; no test looks at how long anything took.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from proctor.evidence.load_record import read_load
from proctor.instruments.load_reading import read
from tests.e2e.command import PROCTOR, proctor, proctor_json

ROOT = Path(__file__).resolve().parents[2]
DESK = ROOT / "tests" / "unit" / "engine" / "load" / "desk_family.py"
PROFILE = """
name: little
degradations:
  partial: {delays: 0.2, delay_milliseconds: 5, failures: 0.1}
scenarios:
  - {id: single, concurrentRequests: 1, latencyBudgetMs: 60000}
  - {id: busy, concurrentRequests: 8, latencyBudgetMs: 60000}
  - {id: strained, concurrentRequests: 8, latencyBudgetMs: 60000, infrastructureDegradation: partial,
     expectedBehavior: graceful-degradation}
  - {id: arriving, concurrentRequests: 8, latencyBudgetMs: 60000, loop: open, rate: 500}
"""
IDS = ["single", "busy", "strained", "arriving"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "little.yaml").write_text(PROFILE)
    return tmp_path


def test_a_whole_profile(folder: Path) -> None:
    found = proctor_json("load", DESK, "--agent", "oracle", "--profile", "little.yaml", "--seed", "7", cwd=folder)
    assert [one["id"] for one in found["scenarios"]] == IDS
    assert [one["n"] for one in found["scenarios"]] == [200] * 4
    assert [one["peak_in_flight"] for one in found["scenarios"]][:3] == [1, 8, 8]
    assert found["behaviour_ok"] is True
    assert 0 < found["lul_minimum"] <= found["lul"] < 1
    assert found["complete"] is True
    assert found["dedicated"] is False
    assert found["label"] == "oracle, not a result"
    record = read_load(folder / found["record"])
    assert (folder / found["record"]).parent == folder / ".proctor" / "load"
    assert not (folder / ".proctor" / "store.db").exists(), "latency never enters a store"
    assert json.loads(json.dumps(found["lul"])) == read(record).lul
    strained = record.scenarios[2]
    assert {receipt.kind for request in strained.requests for receipt in request.receipts} == {"delay", "failure"}


def test_the_table_for_people(folder: Path) -> None:
    done = proctor("load", DESK, "--only", "desk", "--agent", "oracle", "--profile", "little.yaml", cwd=folder)
    for words in ("strained", "LUL ", "behaviour under load: as expected", "not declared dedicated", "record: "):
        assert words in done.stdout
    declared = proctor(
        "load", "route", "--agent", "null", "--profile", "little.yaml", "--dedicated", "-q", cwd=folder, code=1
    )
    record = read_load(folder / declared.stdout.strip())
    assert record.dedicated
    # The null agent calls no tool, so the declared degradation could not be delivered.
    assert "without a receipt" in str(read(record).reason)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hello", "--agent", "oracle", "--profile", "papre"], "--profile papre: there is paper; a file ends in .yaml"),
        (["hello", "--agent", "oracle", "--profile", "none.yaml"], "none.yaml: there is no such file"),
        (["hello", "--agent", "orakle", "--profile", "little.yaml"], "no agent is called 'orakle'"),
        (["helo", "--agent", "oracle", "--profile", "little.yaml"], "no suite is called 'helo'"),
        (["--agent", "oracle"], "name the suite to take requests from"),
        (["code-lock", "--agent", "oracle", "--profile", "bad.yaml"], "199 requests are too few"),
    ],
)
def test_bad_input_is_one_sentence(folder: Path, arguments: list[str], sentence: str) -> None:
    bad = PROFILE.replace("concurrentRequests: 1, ", "concurrentRequests: 1, requests: 199, ")
    (folder / "bad.yaml").write_text(bad)
    done = proctor("load", *arguments, cwd=folder, code=2)
    assert done.stdout == ""
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(
    os.environ.get("CI") != "true" and shutil.which("bwrap") is None,
    reason="confined agents need bubblewrap; on CI that is a failure",
)
def test_a_confined_agent_is_kept_warm(folder: Path) -> None:
    (folder / "agent.py").write_text(
        "import os\n"
        "from proctor import Submission\n"
        "class Mine:\n"
        "    async def run(self, task, session):\n"
        "        session.say(str(os.getpid()))\n"
        "        return Submission({'left': task.budget.milliseconds})\n"
        "make = Mine\n"
    )
    (folder / "two.yaml").write_text(
        "name: two\nscenarios:\n"
        "  - {id: single, concurrentRequests: 1, latencyBudgetMs: 60000}\n"
        "  - {id: busy, concurrentRequests: 4, latencyBudgetMs: 60000}\n"
    )
    found = proctor_json("load", "route", "--agent", "python:agent.py:make", "--profile", "two.yaml", cwd=folder)
    assert [one["fates"] for one in found["scenarios"]] == [{"answered": 200}] * 2
    record = read_load(folder / found["record"])
    assert [load.agents for load in record.scenarios] == [1, 4]
    assert found["lul"] > 0


def test_ctrl_c_leaves_what_was_measured(folder: Path) -> None:
    slow = PROFILE.replace("concurrentRequests: 8, latencyBudgetMs: 60000, loop: open, rate: 500", "").replace(
        "- {id: arriving, }",
        "- {id: arriving, concurrentRequests: 1, latencyBudgetMs: 60000, loop: open, rate: 2, arrivals: even}",
    )
    (folder / "slow.yaml").write_text(slow)
    load = subprocess.Popen(
        [*PROCTOR, "load", "route", "--agent", "oracle", "--profile", "slow.yaml", "--out", "kept.json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert load.stderr is not None
    for line in load.stderr:
        if line.startswith("arriving: "):
            break
    # Scenarios that were finished are on the disk already.
    assert [one.scenario["id"] for one in read_load(folder / "kept.json").scenarios] == IDS[:3]
    time.sleep(2)
    load.send_signal(signal.SIGINT)
    printed, _ = load.communicate(timeout=300)
    assert load.returncode == 130
    assert "LUL not measured" in printed
    record = read_load(folder / "kept.json")
    assert record.stopped == "stopped by the user"
    assert [one.scenario["id"] for one in record.scenarios] == IDS
    assert 0 < len(record.scenarios[3].requests) < 200


def test_five_hundred_requests_in_flight_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a server of its own process that takes half a second: it sees 500 at once, and nobody is lost."""
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.http_agent import HttpAgent, counts, serving
    from benchmarks.load import Size, enough_files, held

    if not enough_files(600):
        pytest.skip("too few open files are permitted")
    size = Size(500, 0.5, 5_000)
    with serving(size.seconds) as port:
        load = held(size, lambda: HttpAgent(port))
        seen: dict[str, Any] = asyncio.run(counts(port))
    assert load.peak_in_flight == load.agents == load.warm_up == 500
    assert seen["peak"] == 500
    assert seen["served"] == 5_500
    assert [request.number for request in load.requests] == list(range(5_000))
    assert {(request.fate, request.reason, request.wrong) for request in load.requests} == {
        ("answered", "correct", False)
    }
    # No answer is faster than the server, and at no moment are more in flight than declared.
    assert min(request.latency_us for request in load.requests) >= 500_000
    moments = sorted(
        [(request.intended_us, 1) for request in load.requests] + [(request.ended_us, -1) for request in load.requests]
    )
    now = most = 0
    for _, change in moments:
        now += change
        most = max(most, now)
    assert most <= 500
    assert load.requests == tuple(sorted(load.requests, key=lambda request: request.number))


def test_the_server_ends_with_whoever_started_it() -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.http_agent", "0.1"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert server.stdin is not None
    server.stdin.close()
    assert server.wait(timeout=300) == 0
