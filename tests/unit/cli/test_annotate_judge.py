"""An automated judge fills in a sheet like a rater, and never counts as one."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import msgspec
import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.models.loopback import serving

from proctor.reports.blinded import DIMENSIONS, Key
from proctor.reports.judging import request_of

ITEMS = ("aa", "bb", "cc", "dd")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Items of an audit, its key, and the sheets of two people who disagree on one item."""
    place = tmp_path / "audit"
    place.mkdir()
    lines = [{"item": item, "event": {"reason": f"text of {item}"}, "actions": [], "output": "A"} for item in ITEMS]
    (place / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    known = {item: {"position": at, "family": "f", "condition": "one"} for at, item in enumerate(ITEMS)}
    (tmp_path / "key.json").write_bytes(msgspec.json.encode(Key("run", "hash", known, "digest")))
    for rater, yes in (("ann", "ab"), ("ben", "abc")):
        with (tmp_path / f"{rater}.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["item", "rater", *DIMENSIONS])
            writer.writerows([item, rater, *["yes" if item[0] in yes else "no"] * 7] for item in ITEMS)
    return place


def judge(cli: Cli, tmp_path: Path, script: list[object]) -> list[dict[str, str]]:
    (tmp_path / "script.json").write_text(json.dumps(script), encoding="utf-8")
    done = cli("annotate", "judge", "audit", "--model", "scripted:script.json", "-o", "judge.csv")
    assert done.code == 0 and "automated, auxiliary only" in done.out
    with (tmp_path / "judge.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_model_s_answers_become_a_sheet_and_what_it_did_not_answer_stays_empty(
    cli: Cli, folder: Path, tmp_path: Path
) -> None:
    rows = judge(
        cli,
        tmp_path,
        [
            {"when": "text of aa", "reply": dict.fromkeys(DIMENSIONS, "Yes")},
            {"when": "text of bb", "reply": "I would rather not say."},
            {"when": "text of cc", "reply": {**dict.fromkeys(DIMENSIONS, "no"), "verbose_without_control": "maybe"}},
            {"error": "timeout"},
        ],
    )
    assert {row["rater"] for row in rows} == {"auto:scripted:script.json"}
    assert [[row[name] for name in DIMENSIONS].count("") for row in rows] == [0, 7, 1, 7]
    assert rows[0]["veto_was_appropriate"] == "yes" and rows[2]["veto_was_appropriate"] == "no"


def test_people_s_agreement_is_the_same_with_and_without_a_judge(cli: Cli, folder: Path, tmp_path: Path) -> None:
    alone = cli("annotate", "read", "ann.csv", "ben.csv", "--key", "key.json", "--json").json
    judge(cli, tmp_path, [{"reply": dict.fromkeys(DIMENSIONS, "no")}])
    sheets = ("ann.csv", "ben.csv", "judge.csv")
    together = cli("annotate", "read", *sheets, "--key", "key.json", "--json").json
    beside = together.pop("automated")
    assert together == alone and alone["agreement"]["mean_kappa"] == pytest.approx(0.5)
    assert beside["raters"] == ["auto:scripted:script.json"]
    assert {row["agreement"] for row in beside["rows"] if "ann" in (row["first"], row["second"])} == {0.5}
    assert len(beside["rows"]) == 2 * len(DIMENSIONS)
    text = cli("annotate", "read", *sheets, "--key", "key.json").out
    assert "automated judges, auxiliary: they count neither in the mean nor in the shares above" in text


def test_one_person_and_a_judge_agree_on_nothing_that_counts(cli: Cli, folder: Path, tmp_path: Path) -> None:
    judge(cli, tmp_path, [{"reply": dict.fromkeys(DIMENSIONS, "no")}])
    done = cli("annotate", "read", "ann.csv", "judge.csv", "--key", "key.json")
    assert done.code == 0 and "mean κ – (agreement is between people, and 1 rated)" in done.out


def test_a_judge_sees_what_raters_see_and_not_the_item_s_name() -> None:
    request = request_of({"item": "opaque", "event": {"reason": "because"}, "actions": [], "output": {"a": 1}})
    asked = " ".join(message.content for message in request.messages)
    assert "because" in asked and "opaque" not in asked
    assert all(name in asked and question in asked for name, question in DIMENSIONS.items())
    assert request.form is not None and request.form["required"] == list(DIMENSIONS)


def test_what_cannot_be_judged_is_one_sentence(cli: Cli, folder: Path, tmp_path: Path) -> None:
    assert "takes one folder" in cli("annotate", "judge", "audit").sentence
    assert "cannot be read as items" in cli("annotate", "judge", ".", "--model", "simulated", "-o", "s.csv").sentence
    (folder / "items.jsonl").write_text("[]\n", encoding="utf-8")
    assert "holds no items" in cli("annotate", "judge", "audit", "--model", "simulated", "-o", "s.csv").sentence
    sheet = cli("annotate", "judge", "audit", "--model", "simulated", "-o", "ann.csv").sentence
    assert "never overwritten" in sheet


def test_a_judge_whose_key_is_refused_is_asked_once_and_leaves_no_sheet(
    cli: Cli, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-that-is-refused")
    with serving(lambda *_: (401, {"error": {}})) as served:
        done = cli("annotate", "judge", "audit", "--model", f"openai:m,base_url={served.base_url}", "-o", "judge.csv")
    assert done.code != 0 and "refuses the key" in done.sentence
    assert len(served.bodies) == 1 and not (tmp_path / "judge.csv").exists()
