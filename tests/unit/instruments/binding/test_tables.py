"""What tables hold, against counts and means taken by hand; what is not there is None, and never zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nan, sqrt
from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence, read
from tests.unit.instruments.binding.test_scores import whole
from tests.unit.instruments.binding.twin_rows import prudent, twin_rows

from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.tables import Tables, plain
from proctor.instruments.binding.tables_behaviour import add_metadata

Columns = Mapping[str, Sequence[Any]]


def tables(given: list[dict[str, Any]], **more: Any) -> Mapping[str, Columns]:
    run = evidence(given, **more)
    return BindingInstrument().read(run, run.frozen.rules).tables()


def row(columns: Columns, **where: Any) -> dict[str, Any]:
    """The one row that these values are in."""
    size = len(next(iter(columns.values())))
    found = [
        {name: values[place] for name, values in columns.items()}
        for place in range(size)
        if all(columns[name][place] == value for name, value in where.items())
    ]
    assert len(found) == 1, f"{len(found)} rows with {where}"
    return found[0]


def coupled(condition: str, dataset: str, reason: str, **more: Any) -> dict[str, Any]:
    terms = {"t_reason": reason, "t_memory": "1", "t_veto": "0", "t_self": "0.5"}
    return {"condition": condition, "dataset": dataset, "event": f"{dataset}e", **terms, **more}


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, None), ("a", "a"), (True, "yes"), (False, "no"), (Fraction(1, 4), 0.25), (3, 3), (0.5, 0.5), (nan, None)],
)
def test_values_as_they_stand_in_a_table(value: object, shown: object) -> None:
    found = plain(value)
    assert found == shown
    assert type(found) is type(shown)


def test_components_by_condition_are_means_and_deviations_over_datasets() -> None:
    given = [
        *whole("a1", dataset="a"),
        *whole("b1", ("veto_cue",), dataset="b"),
        *whole("c1", dataset="c"),
        *whole("a1", ("reason_flip",), dataset="a", condition="stochastic"),
    ]
    given = [one for one in given if (one["dataset"], one["probe"]) != ("c", "veto_cue")]
    found = tables(given)["components_by_condition"]
    structured = row(found, condition="structured")
    assert structured["datasets"] == 3
    assert structured["B_RSI_mean"] == 1.0
    assert structured["B_RSI_sd"] == 0.0
    assert structured["B_VEI_mean"] == 0.5, "c has no veto probe, which is not zero"
    assert structured["B_VEI_sd"] == pytest.approx(sqrt(0.5))
    assert structured["composite_mean"] == 0.875
    assert structured["false_positive_mean"] == 0.0
    stochastic = row(found, condition="stochastic")
    assert (stochastic["datasets"], stochastic["B_RSI_mean"]) == (1, 0.0)
    assert stochastic["B_RSI_sd"] is None, "one dataset has no spread"


def test_components_have_their_counts() -> None:
    given = [*whole("a1", dataset="a"), *whole("a2", ("irrelevant_cue", "reason_flip"), dataset="a", replicate=1)]
    found = tables(given)
    one = row(found["components"], dataset="a", condition="structured")
    assert (one["k_RSI"], one["n_RSI"], one["c_RSI"], one["B_RSI"]) == (1, 2, 0.5, 0.0)
    assert (one["k_changed"], one["n_neutral"], one["false_positive"]) == (1, 2, 0.5)
    assert found["components_by_replicate"]["replicate"] == [0, 1]
    assert found["components_by_replicate"]["B_RSI"] == [1.0, -1.0]
    rates = row(found["probe_rates"], replicate=1, probe="reason_flip")
    assert (rates["correct"], rates["unmapped"], rates["rows"]) == (0.0, 0.0, 1)


def test_with_twins_waiting_and_drift_stand_beside() -> None:
    one = row(tables(twin_rows(prudent, datasets=1))["components"], condition="structured")
    assert (one["twin_MCI"], one["k_drift"], one["n_drift"]) == (0.0, 0, 4)
    assert (one["k_named"], one["k_named_baseline"], one["n_named"]) == (0, 0, 16)
    assert (one["deferred_target"], one["deferred_baseline"], one["deferred_cue"]) == (0.0, 1.0, 1.0)


def test_contrasts_are_shown_dataset_by_dataset() -> None:
    given = [
        *whole("a1", dataset="a"),
        *whole("a1", ("reason_flip",), dataset="a", condition="no-reason"),
        *whole("b1", dataset="b"),
    ]
    found = tables(given)["contrasts"]
    assert found["dataset"] == ["a", "b"]
    assert found["structured"] == [1.0, 1.0]
    assert found["reason_lesion"] == [0.75, None]
    assert found["reason_contrast"] == [1.0, None]
    assert found["veto_contrast"] == [None, None]


def test_coupling_is_averaged_over_what_is_there() -> None:
    given = [
        coupled("coupled", "a", "1"),
        coupled("coupled", "b", "0"),
        coupled("coupled", "b", "0", probe="irrelevant_cue", role="neutral", component="", target="ACTION_A")
        | {"code": "ACTION_A", "event": "b2"},
        coupled("plain", "a", "0.5"),
    ]
    found = tables(given)
    one = row(found["coupling_by_condition"], condition="coupled")
    assert (one["reason"], one["memory"], one["veto"], one["self"]) == (0.5, 1.0, 0.0, 0.5)
    assert one["afci"] == 0.5
    # Only b has a cue to survive: (0 + 1 + 0 + .5 + 1) / 5.
    assert (one["irrelevant_suppression"], one["afci_with_suppression"], one["units"]) == (1.0, 0.5, 2)
    plainly = row(found["coupling_by_condition"], condition="plain")
    assert (plainly["irrelevant_suppression"], plainly["afci_with_suppression"]) == (None, None)
    contrast = row(found["coupling_contrasts"], dataset="a", comparator="plain")
    # Nobody declared a scaffold, and the agent is one of ours: every field weighs 1.
    assert (contrast["structured_afci"], contrast["comparator_afci"]) == (0.625, 0.5)
    assert (contrast["difference"], contrast["control"]) == (0.125, "yes")


def exchanged(event: str, **details: Any) -> dict[str, Any]:
    return {"event": event, "aside": [["model", {"model": "m", "attempts": 1, **details}]]}


def test_exchanges_are_counted_where_somebody_counted() -> None:
    given = [
        exchanged("e1", prompt_tokens=10, completion_tokens=3, latency_ms=5, temperature="0.9"),
        exchanged("e2", prompt_tokens=20, completion_tokens=3, temperature="0.2") | {"parse": "not_json"},
        exchanged("e3", temperature="0.9") | {"parse": "text"},
        exchanged("e4") | {"parse": "empty"},
    ]
    made = Tables()
    add_metadata(made, read(given).table)
    one = row(made["metadata"].columns, condition="structured")
    assert (one["run"], one["model"], one["rows"], one["mean_requests"]) == ("model", "m", 4, 1.0)
    assert (one["mean_prompt_tokens"], one["mean_latency_ms"], one["mean_attempts"]) == (15.0, 5.0, 1.0)
    assert (one["temperature"], one["top_p"]) == ("0.2 0.9", "")
    assert {name: one[f"parse_{name}"] for name in ("ok", "text", "not_json", "empty", "none")} == {
        "ok": 1,
        "text": 1,
        "not_json": 1,
        "empty": 1,
        "none": 0,
    }
    assert one["read"] == 0.5
