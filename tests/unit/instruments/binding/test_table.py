"""Rows into columns: one per key, the first wins, what is missing stays missing, and everything left out is counted."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from tests.unit.instruments.binding.rows import evidence, read

from proctor.core.errors import InputError
from proctor.evidence.row import INFRASTRUCTURE
from proctor.instruments.binding.audits import (
    completeness,
    diagnostics,
    leakage,
    parse_errors,
    unmapped,
)
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.table import table_of
from proctor.spec.ontology import UNMAPPED


def test_one_row_per_key_and_the_first_wins() -> None:
    found = read(
        [
            {"event": "e1", "code": "ACTION_A", "duplicate": 1},
            {"event": "e1", "code": "ACTION_B"},
            {"event": "e1", "code": "VETO"},
            {"event": "e1", "replicate": 1},
            {"event": "e2"},
            {"event": "e1", "condition": "no-reason"},
            {"event": "e1", "probe": "veto_cue", "component": "veto"},
            {"event": "e1", "dataset": "two"},
        ]
    )
    # A source event met for the first time comes before its repetition, wherever that was presented.
    first = found.table.of("event", "e1").of("condition", "structured").of("dataset", "one").of("probe", "reason_flip")
    assert first.of("replicate", "000000").values("code") == ["ACTION_B"]
    assert found.table.size == found.collapsed.scored == 6
    assert (found.collapsed.source, found.collapsed.duplicate_events, found.collapsed.repeated) == (8, 1, 1)


def test_places_of_a_curve_and_robustness_arms_are_keys_of_their_own() -> None:
    found = read([{"strength": 1}, {"strength": 2}, {"distance": 4}, {"arm_of": "paraphrase"}, {"arm_of": "flip"}])
    assert found.table.size == 5


def test_lost_silent_and_unplaced_episodes() -> None:
    found = read(
        [
            {"event": "e1"},
            {"event": "e1", "replicate": 1, "unverified": True, "c": 0},
            {"event": "e9", "unverified": True, "c": 0},
            {"event": "e2", "outcome": INFRASTRUCTURE},
            {"event": "e3", "probe": "irrelevant_cue", "role": "neutral", "component": ""},
            {"event": "e3", "probe": "irrelevant_cue", "replicate": 1, "unverified": True, "c": 0},
        ]
    )
    kept = found.collapsed
    assert (kept.observed, kept.lost, kept.silent, kept.unplaced, kept.scored) == (6, 1, 2, 1, 4)
    broken = found.table.of("how", "missing")
    assert set(broken.values("code")) == {UNMAPPED}
    assert broken.numbers["c"].tolist() == [0.0, 0.0]
    assert broken.numbers["declared"].tolist() == [0.0, 0.0], "no field of theirs names an action"
    assert set(broken.values("field_event")) == {"none"}
    # Nothing done where nothing should have changed counts as a change.
    assert broken.of("probe", "irrelevant_cue").numbers["u"].tolist() == [1.0]
    assert unmapped(found.table) == Share(2, 4)
    assert parse_errors(found.table) == Share(2, 4)


def test_absent_measures_are_not_zero() -> None:
    found = read([{"sci": "0.25", "strength": 2}, {"event": "e2"}]).table
    assert found.numbers["sci"].tolist()[0] == 0.25
    assert np.isnan(found.numbers["sci"][1])
    assert np.isnan(found.numbers["aci"]).all()
    assert found.numbers["strength"][0] == 2.0


def test_rows_of_other_families_are_left_alone() -> None:
    mixed = evidence([{"event": "e1"}, {"event": "e2", "family": "other", "unverified": True, "c": 0}])
    found = table_of({"model": mixed})
    assert (found.collapsed.observed, found.collapsed.planned, found.table.size) == (1, 1, 1)


def test_conditions_share_the_trials_that_all_of_them_have() -> None:
    found = read(
        [
            {"event": event, "condition": condition}
            for condition, events in (("a", "123"), ("b", "23"))
            for event in events
        ]
    ).table
    shared = found.shared("condition", ("a", "b"), "event")
    assert sorted(zip(shared.values("condition"), shared.values("event"), strict=True)) == [
        ("a", "2"),
        ("a", "3"),
        ("b", "2"),
        ("b", "3"),
    ]
    assert found.shared("condition", ("a", "absent"), "event").size == 0
    assert found.shared("condition", ("absent", "gone"), "event").size == 0


def test_nothing_at_all() -> None:
    found = read([{"unverified": True, "c": 0}])
    assert found.table.size == 0
    assert found.collapsed.planned == 0


def test_a_model_that_says_invalid_is_wrong_and_not_unmapped() -> None:
    found = read([{"code": UNMAPPED, "how": "exact"}, {"event": "e2", "code": UNMAPPED, "how": "conflict"}])
    assert unmapped(found.table) == Share(1, 2)


def test_measures_that_lack_something_are_refused_in_a_sentence() -> None:
    run = evidence([{"event": "e1"}])
    row = msgspec.structs.replace(run.rows[0], measures='{"kind":"binding","probe":"reason_flip"}')
    with pytest.raises(InputError, match="lacks what one has"):
        table_of({"model": msgspec.structs.replace(run, rows=(row,))})


def test_order_of_rows_changes_nothing() -> None:
    given = [
        {"event": f"e{number % 7}", "replicate": number // 7, "code": f"ACTION_{'AB'[number % 2]}"}
        for number in range(21)
    ]
    first, turned = (table_of({"model": evidence(rows)}).table for rows in (given, given[::-1]))
    assert first.groups("event", "code").keys == turned.groups("event", "code").keys
    assert first.groups("event", "code").total().tolist() == turned.groups("event", "code").total().tolist()


def test_model_exchanges_stand_beside_rows() -> None:
    aside = [["model", {"model": "m-1", "prompt_tokens": 10, "completion_tokens": 3, "latency_ms": {"$num": "2.5"}}]]
    twice = [*aside, ["model", {"model": "m-1", "prompt_tokens": 5, "completion_tokens": 1, "error": "timeout"}]]
    found = read([{"aside": aside}, {"event": "e2", "aside": twice}, {"event": "e3", "parse": "not_object"}])
    assert found.table.numbers["prompt_tokens"].tolist()[:2] == [10.0, 15.0]
    assert found.table.numbers["latency_ms"][0] == 2.5
    assert np.isnan(found.table.numbers["latency_ms"][1])
    assert np.isnan(found.table.numbers["prompt_tokens"][2])
    assert found.table.numbers["requests"].tolist() == [1.0, 2.0, 0.0]
    kinds = {(one.source, one.type): one.rows for one in diagnostics(found)}
    assert kinds == {("reply", "payload_not_object"): 1, ("request", "timeout"): 1}


def test_completeness_says_what_is_missing() -> None:
    found = read([{"event": "e1"}, {"event": "e1"}])
    items = {one.item: one for one in completeness(found.collapsed)}
    assert items["completeness"].status == "pass"
    assert items["deduplication"].k == 1
    partial = table_of({"model": evidence([{"event": "e1"}])})
    short = completeness(partial.collapsed.__class__(**{**_fields(partial.collapsed), "planned": 5}))
    assert short[0].status == "fail"
    assert "1 of 5" in short[0].evidence


def test_leakage_has_five_rows_and_finds_a_leak() -> None:
    sufficient = {"ontology": "four-codes", "target": "ACT_A", "before": "ACT_A", "code": "ACT_A"}
    given: list[dict[str, object]] = [
        {"condition": "surface-only", **sufficient},
        {"condition": "prior-only", **sufficient},
        {"condition": "scrambled-field", "field_event": "e7", "field_code": "ACT_B", **sufficient},
        {"condition": "only-decisive", "field_event": "e1", "field_code": "ACT_A", "declared": 1, **sufficient},
    ]
    run = evidence(given)
    found = leakage(table_of({"model": run}), [run])
    assert [one.status for one in found] == ["pass", "pass", "pass", "scope", "pass"]
    assert (found[2].k, found[2].n) == (3, 3)
    assert (found[3].k, found[3].n) == (1, 1)
    given[2]["field_event"] = "e1"
    leaking = evidence(given)
    assert leakage(table_of({"model": leaking}), [leaking])[2].status == "fail"
    wrong = evidence([{"code": "ACTION_A", "c": 1}])
    assert leakage(table_of({"model": wrong}), [wrong])[1].status == "fail"
    assert leakage(table_of({"model": wrong}), [wrong])[2].status == "not measured"


def _fields(value: object) -> dict[str, int]:
    import msgspec

    fields: dict[str, int] = msgspec.structs.asdict(value)  # type: ignore[arg-type]
    return fields
