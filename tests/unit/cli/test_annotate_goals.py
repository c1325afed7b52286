"""Raters of goals: what they are given, what comes back, and admission and agreement as computed by hand."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.cli.test_ratings import SUITE

import proctor
from proctor.evidence.evidence import evidence_of
from proctor.evidence.ratings import DERIVABLE, ORIGINATED
from proctor.evidence.store.store import Store
from proctor.instruments.agency.control_items import goal_controls
from proctor.reports.goal_items import GoalItem, Part, goal_items
from proctor.reports.goal_page import guide, page
from proctor.reports.goal_sheets import write_goal_material
from proctor.reports.spreadsheet import cell, plain, sheet
from proctor.spec.suite import Suite

COLUMNS = ["item", "rater", "goal", "follower", "own_sake", "note"]
CELLS = {
    "originated": ("yes", "no", "yes"),
    "derivable": ("yes", "yes", ""),
    "instrumental": ("yes", "no", "no"),
    "none": ("no", "", ""),
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("goals")
    path = folder / ".proctor" / "store.db"
    path.parent.mkdir()
    proctor.run(Suite.parse(SUITE, source="test"), agent="oracle", seed=7, store=str(path))
    with Store(str(path), create=False) as store:
        items, key = goal_items(store, evidence_of(store, "latest"))
    write_goal_material(items, folder / "raters")
    (folder / "raters.key.json").write_bytes(msgspec.json.encode(key))
    return folder


@pytest.fixture
def material(ran: Path, cli: Cli, tmp_path: Path) -> dict[str, Any]:
    """A store with an exported folder; its key."""
    shutil.copytree(ran, tmp_path, dirs_exist_ok=True)
    found: dict[str, Any] = json.loads((tmp_path / "raters.key.json").read_text())
    return found


def test_twenty_lifetimes_and_twenty_control_items(cli: Cli, material: dict[str, Any]) -> None:
    done = cli("annotate", "export", "latest", "--question", "goal", "-o", "mine", "--json")
    assert (done.json["lifetimes"], done.json["controls"]) == (20, 20)


Fill = Callable[..., Path]


@pytest.fixture
def fill(material: dict[str, Any], tmp_path: Path) -> Fill:
    """Fills in a sheet: control items right but for so many, lifetimes originated but for those given."""

    def write(rater: str, *, wrong: int = 0, others: dict[int, str] | None = None) -> Path:
        answers = {one.name: one.answer for one in goal_controls()}
        controls = sorted(material["controls"])
        verdicts = {item: answers[name] for item, name in material["controls"].items()}
        for item in controls[:wrong]:
            verdicts[item] = ORIGINATED if verdicts[item] == DERIVABLE else DERIVABLE
        for number, item in enumerate(sorted(material["lifetimes"])):
            verdicts[item] = (others or {}).get(number, ORIGINATED)
        path = tmp_path / f"{rater.replace(' ', '-')}.csv"
        rows = [[item, rater, *CELLS[verdicts[item]], ""] for item in sorted(verdicts)]
        path.write_bytes(sheet(COLUMNS, rows))
        return path

    return write


def test_admission_and_agreement_come_out_as_by_hand(cli: Cli, fill: Fill) -> None:
    """By hand: 16 of 20 is 80 % and admitted, 15 is not. Ann says originated 20 times, Bo 14 times, derivable 4 times,
    instrumental once, none once: they agree on 14 of 20, by chance on 1 · 14/20, so κ = (0.7 − 0.7) / 0.3 = 0."""
    others = {0: "derivable", 1: "derivable", 2: "derivable", 3: "derivable", 4: "instrumental", 5: "none"}
    sheets = [fill("ann"), fill("bo", wrong=4, others=others), fill("cy", wrong=5)]
    found = cli("annotate", "import", *sheets, "--key", "raters.key.json", "--json").json
    assert {one["rater"]: (one["right"], one["of"], one["admitted"]) for one in found["raters"]} == {
        "ann": (20, 20, True),
        "bo": (16, 20, True),
        "cy": (15, 20, False),
    }
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["lifetimes"], pair["agreed"]) == ("ann", "bo", 20, 14)
    assert pair["kappa"] == pytest.approx(0.0, abs=1e-12)
    assert (found["judged"], found["originated"]) == (20, 14)
    assert any("differ on 6 of 20 lifetimes, more than 20 %" in note for note in found["notes"])
    text = cli("annotate", "import", *sheets, "--key", "raters.key.json").out
    assert "ann and bo agree on 14 of 20 (κ 0.00)" in text and "15 of 20 control items right" in text


def test_kappa_by_hand_where_both_differ(cli: Cli, fill: Fill) -> None:
    """Both say derivable on 0–4; Ann also on 5, Bo also on 6 and 7: 17 of 20 alike. By chance
    (6·7 + 14·13)/400 = 0.56, so κ = (0.85 − 0.56) / 0.44 = 0.659."""
    same = dict.fromkeys(range(5), "derivable")
    sheets = [
        fill("ann", others={**same, 5: "derivable"}),
        fill("bo", others={**same, 6: "derivable", 7: "derivable"}),
    ]
    (pair,) = cli("annotate", "import", *sheets, "--key", "raters.key.json", "--json").json["pairs"]
    assert pair["agreed"] == 17 and pair["kappa"] == pytest.approx(0.29 / 0.44)


def test_what_was_imported_opens_the_third_level_without_a_flag_on_control_items(cli: Cli, fill: Fill) -> None:
    done = cli("annotate", "import", fill("ann"), fill("bo"), "--key", "raters.key.json")
    assert done.code == 0 and "20 of 20 lifetimes judged by two, 20 originated" in done.out
    part = cli("score", "--instrument", "agency", "--json").json["agency"]["vector"]["G"]["parts"]["G3"]
    assert part["level"] == 3 and part["flags"] == []


def test_one_rater_is_not_enough_and_it_says_so(cli: Cli, fill: Fill) -> None:
    done = cli("annotate", "import", fill("ann"), "--key", "raters.key.json")
    assert "1 of the 2 admitted raters that are needed" in done.out
    part = cli("score", "--instrument", "agency", "--json").json["agency"]["vector"]["G"]["parts"]["G3"]
    assert part["level"] == 2


def test_a_third_rater_never_settles_a_goal(cli: Cli, fill: Fill) -> None:
    sheets = [fill("ann"), fill("bo", others={0: "derivable"}), fill("cy")]
    assert cli("annotate", "import", *sheets, "--key", "raters.key.json", "--json").json["originated"] == 19


def test_a_second_sheet_of_the_same_person_counts_beside_the_first(cli: Cli, fill: Fill) -> None:
    assert cli("annotate", "import", fill("ann"), fill("bo"), "--key", "raters.key.json").code == 0
    again = cli("annotate", "import", fill("Bo", others={3: "none"}), "--key", "raters.key.json", "--json").json
    assert (again["changed"], again["originated"]) == (1, 19)


def test_the_material_is_blinded(cli: Cli, material: dict[str, Any], tmp_path: Path) -> None:
    shown = "".join(
        (tmp_path / "raters" / name).read_text(encoding="utf-8")
        for name in ("items.html", "answers.csv", "READ-ME-FIRST.html")
    )
    for word in ("oracle", material["run"], material["root"], "open-workshop", "baseline", "success:", "correct after"):
        assert word not in shown, word
    assert len(re.findall(r"<h2 id=", shown)) == 40
    kinds = [item in material["controls"] for item in sorted({*material["controls"], *material["lifetimes"]})]
    assert kinds != sorted(kinds) and kinds != sorted(kinds, reverse=True), "control items stand among the others"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "raters" / "answers.csv").read_text("utf-8-sig"))))
    assert [row["item"] for row in rows] == re.findall(r'<h2 id="([^"]+)"', shown)


def test_another_seed_gives_another_order_of_the_same_lifetimes(
    cli: Cli, material: dict[str, Any], tmp_path: Path
) -> None:
    assert cli("annotate", "export", "latest", "--question", "goal", "-o", "again", "--seed", "1").code == 0
    other = json.loads((tmp_path / "again.key.json").read_text())
    assert sorted(other["lifetimes"].values()) == sorted(material["lifetimes"].values())
    assert not {*other["lifetimes"], *other["controls"]} & {*material["lifetimes"], *material["controls"]}


def test_spreadsheets_of_other_countries_and_habits_are_read(cli: Cli, fill: Fill, tmp_path: Path) -> None:
    """Semicolons, capitals, spaces, the name in one row alone, rows in another order, empty rows, old encodings."""
    path = fill("zoë")
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))
    body = [[row[0].lower(), "", *(f" {one.capitalize()} " for one in row[2:5]), "=1+1 ü"] for row in rows[1:]][::-1]
    body[0][1] = "Zoë"
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";").writerows([rows[0], *body[:3], [""] * 6, *body[3:]])
    path.write_bytes(text.getvalue().encode("cp1252"))
    found = cli("annotate", "import", path, "--key", "raters.key.json", "--json").json
    assert [(one["rater"], one["right"]) for one in found["raters"]] == [("zoë", 20)]


def edited(path: Path, change: Callable[[list[list[str]]], None]) -> Path:
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))
    change(rows)
    path.write_bytes(sheet(rows[0], rows[1:]))
    return path


def put(row: int, column: int, text: str) -> Callable[[list[list[str]]], None]:
    """Row as the spreadsheet counts."""

    def change(rows: list[list[str]]) -> None:
        rows[row - 1][column] = text

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put(3, 2, "perhaps"), "'perhaps' in column goal; write yes or no"),
        (put(3, 2, ""), "column goal is empty; write yes or no"),
        (put(3, 2, "no"), "goal is no, so column follower has to be empty"),
        (put(3, 3, ""), "column follower is empty; write yes or no, since goal is yes"),
        (put(3, 0, "item three"), "row 3: there is no item 'item three'; leave that column as it is"),
        (put(3, 0, "QQQ-03"), "(it is of another export)"),
        (put(3, 1, "bo"), "one sheet is of one person"),
        (lambda rows: rows.append(list(rows[1])), "row 42: "),
        (lambda rows: rows.pop(5), "are missing; take them over from answers.csv"),
        (lambda rows: [row.__setitem__(1, "") for row in rows[1:]], "write your name"),
        (lambda rows: [row.__setitem__(1, "auto:gpt") for row in rows[1:]], "is no person"),
    ],
)
def test_every_mistake_is_named_with_its_row_and_what_to_write(
    cli: Cli, fill: Fill, change: Callable[[list[list[str]]], None], words: str
) -> None:
    done = cli("annotate", "import", edited(fill("ann"), change), "--key", "raters.key.json")
    assert done.code == 2 and done.out == "" and words in done.err
    assert "nothing was taken in" in done.err.splitlines()[-1]
    with Store(".proctor/store.db", create=False) as store:
        assert store.attachments(store.run("latest").number) == []


def test_all_mistakes_come_at_once(cli: Cli, fill: Fill) -> None:
    path = edited(fill("ann"), put(3, 2, "perhaps"))
    edited(path, put(7, 2, "x"))
    done = cli("annotate", "import", path, "--key", "raters.key.json")
    assert done.err.count("\n") == 3 and "row 3" in done.err and "row 7" in done.err and "2 mistakes" in done.err


def test_other_files_are_refused_in_one_sentence(cli: Cli, fill: Fill, tmp_path: Path) -> None:
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04rest")
    (tmp_path / "list.csv").write_text("a,b\n1,2\n")
    ann = fill("ann")
    for arguments, words in (
        (("book.xlsx", "--key", "raters.key.json"), "save it as CSV"),
        (("list.csv", "--key", "raters.key.json"), "there is no column item"),
        (("none.csv", "--key", "raters.key.json"), "cannot be read"),
        ((ann, "--key", "list.csv"), "is not the key of a goal sheet"),
        ((ann,), "needs --key"),
        ((ann, ann, "--key", "raters.key.json"), "two sheets are of 'ann'"),
    ):
        done = cli("annotate", "import", *arguments)
        assert done.code == 2 and words in done.sentence, words
    key = json.loads((tmp_path / "raters.key.json").read_text())
    (tmp_path / "other.key.json").write_text(json.dumps({**key, "root": "00" * 32}))
    assert "another run" in cli("annotate", "import", ann, "--key", "other.key.json").sentence
    assert "already exists" in cli("annotate", "export", "latest", "--question", "goal", "-o", "raters").sentence
    assert "use binding or goal" in cli("annotate", "export", "latest", "--question", "mood", "-o", "x").sentence


def test_control_items_differ_in_their_brief_alone() -> None:
    controls = goal_controls()
    assert len(controls) == 20
    assert [one.answer for one in controls].count(ORIGINATED) == 10
    for first, second in zip(controls[::2], controls[1::2], strict=True):
        assert first.course is second.course and first.brief != second.brief
        assert {first.answer, second.answer} == {ORIGINATED, DERIVABLE}


def test_the_guide_has_the_test_of_the_framework_and_every_column() -> None:
    text = guide(40)
    assert "Would a perfect instruction-follower pursue this goal" in text
    assert all(f">{column}<" in text for column in ("goal", "follower", "own_sake"))


def test_what_an_agent_wrote_is_text_and_never_markup() -> None:
    part = Part("<b>told</b>", (("says", "<script>alert(1)</script>"),))
    shown = page([GoalItem("ABC-1", ("<img src=x>",), (part,))])
    assert "<script>" not in shown and "<img" not in shown and "<b>" not in shown


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+49*2", "-1+1", "  =1", "\t=1"])
def test_no_cell_is_a_formula_and_each_comes_back_as_it_was(text: str) -> None:
    assert cell(text).startswith("'")
    assert plain(cell(text)) == text.strip()
    assert cell("it's = fine") == "it's = fine"
    assert (cell("-1"), cell("+49")) == ("-1", "+49"), "numbers compute nothing"
