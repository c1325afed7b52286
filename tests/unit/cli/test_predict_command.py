"""`proctor predict` on tables and on runs: what it says, writes and draws, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.suites.binding.swebench import repository

from proctor.core.seeds import Stream

COLUMNS = ("--outcome", "solved", "--cluster", "ticket", "--baseline", "length,kind,length", "--add", "binding")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Sixty tickets of two models; success goes with the score."""
    lines = ["ticket,model,length,kind,binding,solved"]
    for ticket in range(60):
        draw = Stream.keyed("table", ticket)
        for model in ("1", "2"):
            binding = draw.random()
            solved = int(draw.chance(0.1 + 0.8 * binding))
            lines.append(f"{ticket:03},{model},{draw.random():.3f},{'ab'[ticket % 2]},{binding:.3f},{solved}")
    path = tmp_path / "records.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_table_is_studied_written_and_drawn(cli: Cli, table: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = cli("predict", table, *COLUMNS, "--within", "model", "-o", "study", "--figures", "drawn")
    assert done.code == 0
    assert "120 records" in done.out and "60 clusters (ticket); 0 records lacked something" in done.out
    assert "beyond length, kind?" in done.out
    assert "read as categories: kind (2); everything else as numbers" in done.out
    assert "gain within model (primary)" in done.out
    assert "drawn: 4 figures as SVG and PNG" in done.out
    drawn = {path.name for path in (tmp_path / "drawn").iterdir()}
    assert {"auc-gain.svg", "reliability-curve.png", "thresholds.svg", "figures.csv"} < drawn
    whole = json.loads((tmp_path / "study" / "study.json").read_text(encoding="utf-8"))
    assert whole["studies"]["study"]["gain"]["estimate"] > 0.1
    written = (tmp_path / "study" / "records.csv").read_text(encoding="utf-8").splitlines()
    assert (len(written), written[1][:6]) == (121, "000,1,")


def test_json_is_the_whole_study(cli: Cli, table: Path) -> None:
    study = cli("predict", table, *COLUMNS, "--json").json["studies"]["study"]
    assert study["n"] == 120
    assert study["categories"] == {"kind": 2}
    assert study["passed"] is True


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "give TABLE, --outcome, --cluster, --baseline, --add"),
        (("records.csv", "--outcome", "solved"), "give --cluster, --baseline, --add"),
        (("records.csv", *COLUMNS, "--within", "nowhere"), "there is no column 'nowhere'"),
        (("nowhere.csv", *COLUMNS), "there is no such file"),
        (("records.csv", *COLUMNS, "-o", "records.csv"), "is a file; give a folder"),
        (("records.csv", *COLUMNS, "--figures", "records.csv"), "is a file; give a folder"),
        (("records.csv", "--run", "latest"), "give either runs, or a table"),
    ],
)
def test_a_refusal_is_one_sentence(cli: Cli, table: Path, arguments: tuple[str, ...], says: str) -> None:
    done = cli("predict", *arguments)
    assert done.code == 2
    assert says in done.sentence


def test_runs_are_studied_once_each_and_labelled(cli: Cli, tmp_path: Path) -> None:
    data = repository.write(tmp_path / "data")
    names = []
    for agent in ("retriever:state=.9,cue=.1", "retriever:state=.2,cue=.7"):
        done = cli("run", "binding-swebench", "--data", data, "--agent", agent, "--seed", "3", "--store", "s.db", "-q")
        names.append(done.out.strip())
    runs = [part for name in names for part in ("--run", name)]
    done = cli("predict", *runs, "--store", "s.db")
    assert done.code == 0
    assert "60 records" in done.out
    assert "binding guard against the task alone: hits " in done.out
    assert done.out.rstrip().endswith("planted retrieval agent: pipeline check, not evidence")
    twice = cli("predict", *runs, "--run", names[0], "--store", "s.db")
    assert (twice.code, "would count twice" in twice.sentence) == (2, True)
