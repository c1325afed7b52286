"""`proctor predict` on tables and on runs: what it says, writes and draws, and what it refuses."""

from __future__ import annotations

import json
import sys
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
    assert "binding guard against the same notes without it: hits " in done.out
    assert "guard and notes against the task alone, which sees no notes: hits " in done.out
    assert "a reference file is among the files listed in " in done.out
    assert "lower bound of the gain of another issue's notes, not above 0: " in done.out
    assert done.out.startswith("planted retrieval agent: pipeline check, not evidence")
    assert done.out.rstrip().endswith("planted retrieval agent: pipeline check, not evidence")
    twice = cli("predict", *runs, "--run", names[0], "--store", "s.db")
    assert (twice.code, "would count twice" in twice.sentence) == (2, True)
    whole = cli("predict", *runs, "--store", "s.db", "--json").json
    assert whole["label"] == "planted retrieval agent: pipeline check, not evidence"
    assert whole["shown"]["issues"] == 30 >= whole["shown"]["listed"] >= whole["shown"]["noted"] > 0
    assert whole["note"] == ""


def test_the_first_version_makes_no_claim_and_is_not_mixed_with_the_second(cli: Cli, tmp_path: Path) -> None:
    data = repository.write(tmp_path / "data")
    runs = []
    for suite, agent in (
        ("binding-swebench@1.0", "retriever:state=.9,cue=.1"),
        ("binding-swebench@1.0", "retriever:state=.2,cue=.7"),
        ("binding-swebench", "retriever:state=.5,cue=.7"),
    ):
        done = cli("run", suite, "--data", data, "--agent", agent, "--seed", "3", "--store", "s.db", "-q")
        runs += ["--run", done.out.strip()]
    done = cli("predict", *runs[:4], "--store", "s.db")
    assert "overlap without the notes, taken off (binding-swebench 2.0): –, not measured" in done.out
    assert "no claim; run version 2.0 for one" in done.out
    mixed = cli("predict", *runs, "--store", "s.db")
    assert (mixed.code, "versions 1.0 and 2.0 are not comparable" in mixed.sentence) == (2, True)


def test_without_scikit_learn_the_records_are_written_and_the_extra_is_named(
    cli: Cli, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("sklearn.linear_model", "sklearn.model_selection"):
        monkeypatch.setitem(sys.modules, part, None)
    done = cli("predict", table, *COLUMNS, "-o", "study")
    assert done.code == 2
    assert "pip install 'proctor[stats]'" in done.sentence
    assert len((tmp_path / "study" / "records.csv").read_text(encoding="utf-8").splitlines()) == 121
    assert not (tmp_path / "study" / "study.json").exists()
    assert "pip install 'proctor[stats]'" in cli("predict", table, *COLUMNS).sentence


def test_without_matplotlib_the_study_is_written_and_the_extra_is_named(
    cli: Cli, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = cli("predict", table, *COLUMNS, "-o", "study", "--figures", "drawn")
    assert done.code == 0
    assert "drawn: 0 figures as SVG and PNG" in done.out
    assert "pip install 'proctor[figures]'" in done.out
    assert (tmp_path / "study" / "study.json").exists()
