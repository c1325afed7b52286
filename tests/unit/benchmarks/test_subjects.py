"""Every benchmark runs in its smallest size. What it measures then means nothing and is not looked at."""

import json
from pathlib import Path

import pytest
from benchmarks.inspect_peer import Shape, find_peer, run_peer
from benchmarks.run import SUBJECTS, main

SLOW = {"agency", "episodes", "load", "quality", "worlds"}
"""A dozen whole commands each; their families are tried below."""


@pytest.mark.parametrize(
    "subject", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in SUBJECTS]
)
def test_runs(subject: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "figures.json"
    arguments = ["--size", "tiny", "--no-peer", "--only", subject, "--json", str(target), "--folder", str(tmp_path)]
    assert main(arguments) == 0
    found = json.loads(target.read_text())
    assert found["sizes"] == "tiny"
    assert found["figures"]
    assert "| figure" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["figures.json"]


def test_a_peer_that_is_not_there_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PROCTOR_BENCH_INSPECT_PYTHON", "/nowhere/python")
    assert main(["--size", "tiny", "--only", "startup"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "benchmarks: PROCTOR_BENCH_INSPECT_PYTHON=/nowhere/python: no Python with inspect-ai there; "
        "install it or unset the variable"
    ]


@pytest.mark.parametrize(("shape", "calls"), [("trivial", 0), ("agent", 20), ("solver", 20)])
def test_inspect_runs_the_same_instances(shape: Shape, calls: int, tmp_path: Path) -> None:
    peer = find_peer()
    if peer is None:
        pytest.skip("inspect-ai is not installed")
    done = run_peer(peer, shape, 2, tmp_path)
    assert (done.samples, done.calls) == (2, calls)
    assert done.log_bytes > 0
