"""Blinded items: nothing tells the condition, everybody sees the same event, and sheets are read strictly."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from proctor import api
from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex
from proctor.engine.names import load_suite
from proctor.evidence.store.store import Store
from proctor.reports.blinded import (
    DIMENSIONS,
    Item,
    Key,
    _judged,
    _output,
    blinded_items,
    read_key,
    read_labels,
    shares_by_condition,
    write_material,
)
from proctor.spec.condition import Condition

AGENT = "structured:simulated,reason=.9,memory=.8,veto=.95,self=.9,cue=.05"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Item], Key]:
    place = str(tmp_path_factory.mktemp("store") / "store.db")
    whole = load_suite("binding@1.0", Path())
    entry = next(entry for entry in whole.entries if entry.family.startswith("binding-narratives"))
    small = whole.model_copy(update={"entries": (entry.model_copy(update={"n": 12, "replicates": 1}),)})
    result = api.run(small, agent=AGENT, seed=3, store=place)
    with Store(place) as store:
        return blinded_items(store, store.run(result.run), Path(), count=24, seed=5)


def test_the_sample_is_balanced_over_conditions(exported: tuple[list[Item], Key]) -> None:
    items, key = exported
    conditions = [key.items[item.item]["condition"] for item in items]
    assert len(items) == 24
    assert {name: conditions.count(name) for name in set(conditions)} == {
        "structured": 6, "no-reason": 6, "no-veto": 6, "stochastic": 6,
    }  # fmt: skip
    assert conditions != sorted(conditions), "the order tells nothing"


def test_nothing_shown_names_the_condition(exported: tuple[list[Item], Key], tmp_path: Path) -> None:
    items, key = exported
    write_material(items, tmp_path / "raters")
    shown = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "raters").iterdir())
    for word in (
        "structured",
        "no-reason",
        "no-veto",
        "stochastic",
        "unusable",
        "provenance",
        "stage_vector",
        "target",
    ):
        assert word not in shown
    assert not any(str(found["position"]) == item for item, found in key.items.items())


def test_items_of_one_event_show_the_same_event(exported: tuple[list[Item], Key]) -> None:
    """Whatever the condition took away, raters see what was to be known."""
    items, _ = exported
    assert all({"x-situation", "reason", "memory", "self", "veto"} <= set(item.event) for item in items)
    assert all("final_action" in item.output for item in items)


def test_the_shape_of_an_output_tells_nothing(exported: tuple[list[Item], Key]) -> None:
    items, _ = exported
    assert len({tuple(item.output) for item in items}) == 1


def test_a_source_named_anywhere_is_left_out() -> None:
    answer = {"reason_graph": {"nodes": [{"provenance": "posthoc", "text": "so"}]}, "provenance": "random"}
    assert _output(answer) == {"reason_graph": {"nodes": [{"text": "so"}]}}


def test_items_cannot_be_traced_by_root_and_seed(exported: tuple[list[Item], Key]) -> None:
    """Reports print the root, and positions are few: names must not follow from them."""
    items, key = exported
    guessed = {
        sha256_hex(f"{known}/5/{found['position']}".encode())[:12]
        for found in key.items.values()
        for known in (key.run, key.config_hash, key.root)
    }
    assert not guessed & {item.item for item in items}


def test_actions_nobody_was_asked_for_are_no_outputs(tmp_path: Path) -> None:
    place = str(tmp_path / "store.db")
    whole = load_suite("binding-controls@1.0", Path())
    few = tuple(entry for entry in whole.entries if entry.family.startswith("binding-goal-conflict"))
    result = api.run(whole.model_copy(update={"entries": few}), agent=AGENT, seed=3, store=place)
    with Store(place) as store:
        items, key = blinded_items(store, store.run(result.run), Path(), count=100, seed=5)
    conditions = {found["condition"] for found in key.items.values()}
    assert len(items) == 21
    assert "matched-family" not in conditions
    assert {"structured", "no-fields", "lesion"} <= conditions
    asked_again = Condition(id="reask-reason")
    assert not _judged("reask-reason", asked_again)
    assert _judged("coupled", Condition(id="coupled"))


@pytest.mark.parametrize(("mark", "between"), [("\ufeff", ","), ("\ufeff", ";"), ("", "\t")])
def test_sheets_of_spreadsheets_are_read(tmp_path: Path, mark: str, between: str) -> None:
    paths = []
    for rater in ("r1", "r2"):
        lines = [["item", "rater", *DIMENSIONS], ["ITEM", rater, *["Yes"] * 7]]
        paths.append(tmp_path / f"{rater}.csv")
        paths[-1].write_text(mark + "".join(between.join(line) + "\n" for line in lines), encoding="utf-8")
    labels = read_labels(paths, ["ITEM"])
    assert labels.raters == ("r1", "r2")
    assert labels.by_dimension["reason_looks_posthoc"] == {"r1": ["yes"], "r2": ["yes"]}


def sheet(path: Path, rater: str, items: list[str], answer: Any) -> Path:
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["item", "rater", *DIMENSIONS])
        writer.writerows([item, rater, *[answer(item, name) for name in DIMENSIONS]] for item in items)
    return path


def test_labels_are_lined_up_and_missing_stays_missing(exported: tuple[list[Item], Key], tmp_path: Path) -> None:
    _, key = exported
    names = list(key.items)
    one = sheet(tmp_path / "one.csv", "r1", names, lambda *_: "yes")
    two = sheet(tmp_path / "two.csv", "r2", names[:20], lambda item, _: "unscorable" if item == names[0] else "No")
    labels = read_labels([one, two], key.items)
    first = labels.by_dimension["veto_was_appropriate"]
    assert first["r1"] == ["yes"] * 24
    assert first["r2"] == [None, *["no"] * 19, *[None] * 4]
    assert labels.unscorable == len(DIMENSIONS)
    shares = shares_by_condition(labels, key)
    assert sum(row["labels"] for row in shares) == len(DIMENSIONS) * (24 + 19)
    assert all(0 < row["yes"] <= 1 for row in shares)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([["nobody", "r1", *["yes"] * 7]], "is no item of this audit"),
        ([["ITEM", "", *["yes"] * 7]], "has answers and no rater"),
        ([["ITEM", "r1", *["perhaps"] * 7]], "is none of yes, no, unscorable"),
        ([["ITEM", "r1", *["yes"] * 7], ["ITEM", "r1", *["no"] * 7]], "has judged 'ITEM' already"),
        ([["ITEM", "r1", *["yes"] * 7]], "agreement needs two raters"),
        ([["ITEM", "r1", *[""] * 7]], "the sheets hold 0"),
    ],
)
def test_bad_sheets_are_one_sentence(tmp_path: Path, rows: list[list[str]], says: str) -> None:
    path = tmp_path / "sheet.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([["item", "rater", *DIMENSIONS], *rows])
    with pytest.raises(InputError, match=says):
        read_labels([path], ["ITEM"])


def test_a_sheet_without_its_columns_and_a_key_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text("item,rater\n", encoding="utf-8")
    with pytest.raises(InputError, match="there is no column"):
        read_labels([tmp_path / "sheet.csv"], [])
    (tmp_path / "key.json").write_text(json.dumps({"run": 1}), encoding="utf-8")
    with pytest.raises(InputError, match="is not the key of an audit"):
        read_key(tmp_path / "key.json")
