"""Effects of exchanged words: full for a reader, none for whoever answers without reading, none where nothing shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence

from proctor.instruments.binding.own_words import field_effects, has_own_words, words_gate, words_index
from proctor.instruments.binding.table import table_of

FIELDS = {"reason": ("reason_for", "reason_against"), "self": ("self_for", "self_against")}
DEFAULT = {"design": 2, "role": "again", "declared": 0}
Act = Callable[[dict[str, Any]], str]


def asked(act: Act, *, datasets: int = 7, **changes: Any) -> list[dict[str, Any]]:
    """Four events of each dataset, asked again both ways, of somebody who acts like this."""
    rows = []
    for dataset in range(datasets):
        for event in range(4):
            for probe, field, calls in _places(event):
                for condition in ("own-words", "exchanged-words"):
                    there = probe != "baseline" if condition == "own-words" else probe == "baseline"
                    row = DEFAULT | {"dataset": f"d{dataset}", "event": f"d{dataset}e{event}", "probe": probe}
                    row |= {"component": field, "condition": condition, "field_code": calls, "calls_now": there}
                    row |= {"before": "ACTION_A", "target": calls if there else _otherwise(calls), **changes}
                    row["code"] = act(row)
                    row.pop("calls_now")
                    rows.append(row)
    return rows


def _places(event: int) -> list[tuple[str, str, str]]:
    one, code = ("memory", "RECALL_PRIOR") if event % 2 else ("veto", "VETO")
    sides = [("for", "ACTION_A"), ("against", "ACTION_B")]
    graded = [(f"{field}_{side}", field, calls) for field in ("reason", "self") for side, calls in sides]
    return [*graded, (one, one, code), ("baseline", one, code)]


def _otherwise(calls: str) -> str:
    return {"ACTION_A": "ACTION_B"}.get(calls, "ACTION_A")


def reader(row: dict[str, Any]) -> str:
    return str(row["target"])


def leaning(row: dict[str, Any]) -> str:
    return "ACTION_A"


def test_a_reader_follows_the_words_in_every_field() -> None:
    table = table_of({"m": evidence(asked(reader))}).table
    assert has_own_words(table)
    effects = {one.term: one for one in field_effects(table)}
    assert {term: one.estimate.estimate for term, one in effects.items()} == dict.fromkeys(effects, 1.0)
    assert {term: one.pairs for term, one in effects.items()} == {"reason": 56, "self": 56, "memory": 28, "veto": 28}
    assert all(one.exchanged == one.pairs and one.spelled == 0 for one in effects.values())
    index = words_index(table)
    assert index is not None
    assert (index.estimate.estimate, index.unit, index.rows) == (1.0, "dataset", 168)
    assert gate(asked(reader)) == ("met", [])
    assert words_gate([("plain", False)], tuple(effects.values()), index).status == "not met"


def gate(rows: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """The status of the coupling gate, and what is not met beside the controls."""
    table = table_of({"m": evidence(rows)}).table
    found = words_gate([("plain", True)], field_effects(table), words_index(table))
    return found.status, [one.name.partition(":")[0] for one in found.boundary]


def test_whoever_leans_has_no_effect() -> None:
    index = words_index(table_of({"m": evidence(asked(leaning))}).table)
    assert index is not None
    assert index.estimate.estimate == 0.0
    assert gate(asked(leaning)) == ("not met", ["reason", "memory", "veto", "self"])


def test_every_field_has_to_act_by_itself() -> None:
    """Whoever remembers the rows of an event knows which commitment is the odd one, and no reason or self-state is."""

    def remembers(row: dict[str, Any]) -> str:
        return str(row["target"]) if row["component"] in ("memory", "veto") else "ACTION_A"

    index = words_index(table_of({"m": evidence(asked(remembers))}).table)
    assert index is not None
    assert index.estimate.low == 0.5
    assert gate(asked(remembers)) == ("not met", ["reason", "self"])


def test_four_corpora_of_seven_are_not_enough() -> None:
    """A t interval over corpora would call it above zero; the exact sign-flip test does not."""

    def at_times(row: dict[str, Any]) -> str:
        follows = row["component"] != "veto" or row["dataset"] in ("d0", "d1", "d2", "d3")
        return str(row["target"]) if follows else "ACTION_A"

    veto = next(one for one in field_effects(table_of({"m": evidence(asked(at_times))}).table) if one.term == "veto")
    assert veto.estimate.low is not None
    assert veto.estimate.low > 0
    assert gate(asked(at_times)) == ("not met", ["veto"])


def test_a_report_that_is_the_same_on_text_and_twin_has_no_effect() -> None:
    """Words in an order of the agent's own: it does what they say, and they say the same whatever the field says."""

    def coded(row: dict[str, Any]) -> str:
        own = row["condition"] == "own-words"
        return str(row["field_code"]) if own else "ACTION_A"

    effects = {one.term: one.estimate.estimate for one in field_effects(table_of({"m": evidence(asked(coded))}).table)}
    assert effects["memory"] == effects["veto"] == 0.0


def test_a_text_whose_twin_was_not_asked_about_counts_for_nothing() -> None:
    rows = [row for row in asked(reader) if row["probe"] != "baseline"]
    table = table_of({"m": evidence(rows)}).table
    assert {one.term for one in field_effects(table)} == {"reason", "self"}
    assert words_index(table) is None


def test_words_that_could_not_be_exchanged_weigh_as_no_effect() -> None:
    rows = asked(reader)
    for row in rows:
        if row["component"] == "self" and row["event"].endswith(("e0", "e1")):
            row |= {"field_code": "", "declared": int(row["event"].endswith("e0"))}
    table = table_of({"m": evidence(rows)}).table
    own = next(one for one in field_effects(table) if one.term == "self")
    assert (own.estimate.estimate, own.pairs, own.exchanged, own.spelled) == (0.5, 56, 28, 14)
    index = words_index(table)
    assert index is not None
    assert index.estimate.estimate == pytest.approx(0.875)


def test_a_field_that_never_could_be_exchanged_leaves_no_index() -> None:
    rows = asked(reader)
    for row in rows:
        if row["component"] == "veto":
            row["field_code"] = ""
    assert words_index(table_of({"m": evidence(rows)}).table) is None
    assert gate(rows) == ("not measured", [])


def test_a_row_without_its_other_side_is_left_out() -> None:
    rows = [row for row in asked(reader) if row["condition"] == "own-words"]
    table = table_of({"m": evidence(rows)}).table
    assert not has_own_words(table)
    both = table_of({"m": evidence([*rows, asked(reader)[1]])}).table
    assert field_effects(both) == ()


def test_with_few_corpora_events_are_the_units() -> None:
    index = words_index(table_of({"m": evidence(asked(reader, datasets=2))}).table)
    assert index is not None
    assert index.unit == "event"
