"""Coupling: provenance weights, measured suppression, contrasts with both bounds, and asking again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence

from proctor.instruments.binding.content import content_index, content_only, coupling_gate
from proctor.instruments.binding.coupling import Coupling, couplings, summarise_coupling
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.table import table_of
from proctor.instruments.binding.variants import TERMS, named, paper_name, provenance_weights
from proctor.spec.condition import Condition, Scaffold

BARE = Scaffold(self_state=False, memory=False, reason=False, veto=False)
CONDITIONS = {
    "coupled": Condition(id="coupled", scaffold=Scaffold()),
    "compressed": Condition(id="compressed", scaffold=Scaffold(fields="compressed")),
    "plain": Condition(id="plain", scaffold=BARE),
    "posthoc-fields": Condition(id="posthoc-fields", scaffold=Scaffold(fields="posthoc")),
}
ALIGNED = {"t_reason": "0.5", "t_memory": "0.5", "t_veto": "1", "t_self": "0"}


def rows(condition: str, dataset: str = "one", **more: Any) -> list[dict[str, Any]]:
    base = {"condition": condition, "dataset": dataset, **ALIGNED, **more}
    return [
        {**base, "probe": "baseline", "role": "baseline", "component": "", "target": "ACTION_A", "code": "ACTION_A"},
        {
            **base,
            "probe": "irrelevant_cue",
            "role": "neutral",
            "component": "",
            "target": "ACTION_A",
            "code": "ACTION_A",
        },
    ]


@pytest.mark.parametrize(
    ("scaffold", "weights"),
    [
        (Scaffold(), (1.0, 1.0, 1.0, 1.0)),
        (Scaffold(fields="compressed"), (1.0, 1.0, 1.0, 1.0)),
        (Scaffold(reason=False), (0.5, 1.0, 1.0, 1.0)),
        (Scaffold(veto=False), (1.0, 1.0, 0.5, 1.0)),
        (BARE, (0.5, 0.5, 0.5, 0.5)),
        (Scaffold(fields="posthoc"), (0.0, 0.0, 0.0, 0.0)),
        (Scaffold(fields="scrambled"), (0.0, 0.0, 0.0, 0.0)),
        (Scaffold(fields="random"), (0.0, 0.0, 0.0, 0.0)),
        (Scaffold(fields="scratchpad"), (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_weights_follow_from_how_fields_came_about(scaffold: Scaffold, weights: tuple[float, ...]) -> None:
    found = provenance_weights(Condition(id="x", scaffold=scaffold), scaffolded=True)
    assert tuple(found[term] for term in TERMS) == weights


def test_an_agent_of_unknown_making_weighs_half() -> None:
    assert set(provenance_weights(Condition(id="x"), scaffolded=False).values()) == {0.5}
    assert set(provenance_weights(Condition(id="x"), scaffolded=True).values()) == {1.0}
    assert set(provenance_weights(None, scaffolded=False).values()) == {0.5}


def test_terms_are_alignment_times_weight() -> None:
    given = [row for name in CONDITIONS for row in rows(name)]
    found = {
        one.condition: one for one in couplings(table_of({"m": evidence(given)}).table, CONDITIONS, scaffolded=True)
    }
    assert found["coupled"].terms == {"reason": 0.5, "memory": 0.5, "veto": 1.0, "self": 0.0}
    assert found["coupled"].afci == 0.5
    assert found["coupled"].with_suppression == 0.6
    assert found["plain"].afci == 0.25
    assert found["posthoc-fields"].afci == 0.0
    assert {one.rows for one in found.values()} == {2}


def test_suppression_compares_with_the_same_event_without_the_cue() -> None:
    given = rows("coupled")
    given[0]["code"] = "ACTION_B"
    given[1]["code"] = "ACTION_B"
    kept = couplings(table_of({"m": evidence(given)}).table, CONDITIONS, scaffolded=True)
    # Wrong both times, and not moved by the cue.
    assert kept[0].suppression == 1.0
    moved = [{**given[0], "code": "ACTION_A"}, given[1]]
    assert couplings(table_of({"m": evidence(moved)}).table, CONDITIONS, scaffolded=True)[0].suppression == 0.0
    alone = couplings(table_of({"m": evidence(given[1:])}).table, CONDITIONS, scaffolded=True)
    assert alone[0].suppression == 0.0
    without = couplings(table_of({"m": evidence(given[:1])}).table, CONDITIONS, scaffolded=True)
    assert without[0].suppression is None
    assert without[0].with_suppression is None


def test_rows_without_fields_are_left_out_and_counted() -> None:
    given = [*rows("coupled"), {**rows("coupled", event="e2")[0], "t_self": None}]
    (found,) = couplings(table_of({"m": evidence(given)}).table, CONDITIONS, scaffolded=True)
    assert (found.rows, found.missing) == (2, 1)


def test_contrasts_leave_the_compressed_variant_out_of_the_controls() -> None:
    given = [row for name in CONDITIONS for place in range(7) for row in rows(name, f"d{place}")]
    found = summarise_coupling(couplings(table_of({"m": evidence(given)}).table, CONDITIONS, scaffolded=True))
    assert found is not None
    assert {one.comparator: one.control for one in found.contrasts} == {
        "compressed": False,
        "plain": True,
        "posthoc-fields": True,
    }
    assert found.weakest == "posthoc-fields"
    assert found.pooled is not None
    assert found.clustered is not None
    assert (found.pooled.n, found.clustered.clusters) == (14, 7)
    assert found.clustered.low == 0.375


def test_without_the_structured_interface_there_is_no_contrast() -> None:
    given = rows("plain")
    assert summarise_coupling(couplings(table_of({"m": evidence(given)}).table, CONDITIONS, scaffolded=True)) is None


def test_asking_again_counts_following_of_the_exchanged_field() -> None:
    asked = {"condition": "reask-reason", "component": "reason", "field_code": "ACTION_A"}
    given = [
        *rows("coupled"),
        {**asked, "event": "e1", "code": "ACTION_A"},
        {**asked, "event": "e2", "code": "ACTION_B"},
        {**asked, "event": "e3", "code": "ACTION_B", "field_code": ""},
    ]
    table = table_of({"m": evidence(given)}).table
    (found,) = content_only(table)
    assert (found.term, found.followed) == ("reason", Share(1, 3))
    assert {one.condition for one in couplings(table, CONDITIONS, scaffolded=True)} == {"coupled"}


def asked_again(
    code: str | None, *, datasets: int = 1, events: int = 8, fields: tuple[str, ...] = TERMS
) -> list[dict[str, Any]]:
    """Fields that call for one action or another; the model follows them, or takes one action always."""
    called = ("ACTION_A", "ACTION_B")
    return [
        {
            "condition": f"reask-{field}",
            "component": field,
            "role": "again",
            "dataset": f"d{dataset}",
            "event": f"e{event}",
            "field_code": called[event % 2],
            "code": code or called[event % 2],
        }
        for field in fields
        for dataset in range(datasets)
        for event in range(events)
    ]


def test_content_only_coupling_is_the_mean_of_four_fields() -> None:
    followed = table_of({"m": evidence(asked_again(None, datasets=7))}).table
    index = content_index(followed)
    assert index is not None
    assert (index.estimate.estimate, index.unit, index.estimate.n) == (1.0, "dataset", 7)
    assert index.beyond_chance.estimate == 0.5, "each of the two actions is taken in every second event anyway"
    few = content_index(table_of({"m": evidence(asked_again(None, datasets=2))}).table)
    assert few is not None
    assert (few.unit, few.estimate.n) == ("event", 16)
    part = table_of({"m": evidence(asked_again(None, fields=("reason", "memory")))}).table
    assert content_index(part) is None
    assert [one.interval.clusters for one in content_only(part)] == [8, 8]


@pytest.mark.parametrize(
    ("code", "decided", "status"),
    [
        (None, [("plain", True), ("random-fields", True)], "met"),
        ("VETO", [("plain", True), ("random-fields", True)], "not met"),
        ("ACTION_A", [("plain", True), ("random-fields", True)], "not met"),
        (None, [("plain", True), ("random-fields", False)], "not met"),
        (None, [("plain", True), ("random-fields", None)], "not measured"),
        (None, [], "not measured"),
    ],
)
def test_fluent_fields_nobody_goes_by_are_not_coupled(
    code: str | None, decided: list[tuple[str, bool | None]], status: str
) -> None:
    """Declared provenance alone lifts a decorating model above every control: content that acts is asked for, too."""
    index = content_index(table_of({"m": evidence(asked_again(code, datasets=7))}).table)
    assert coupling_gate(decided, index).status == status


def test_events_decide_where_datasets_are_few() -> None:
    given = [{**row, "event": f"e{event}"} for name in ("coupled", "plain") for event in range(8) for row in rows(name)]
    table = table_of({"m": evidence(given)}).table
    one, events = (couplings(table, CONDITIONS, scaffolded=True, by=by) for by in ("", "event"))
    assert len(events) == 16
    (without,) = summarise_coupling(one, CONDITIONS).contrasts  # type: ignore[union-attr]
    assert without.inference.above_zero is None
    (found,) = summarise_coupling(one, CONDITIONS, events=events).contrasts  # type: ignore[union-attr]
    assert found.inference.above_zero is True
    assert found.inference.events is not None
    assert found.inference.events.n == 8


def test_an_unmapped_action_did_not_survive_a_cue() -> None:
    lost = {"code": "INVALID_OR_UNMAPPED", "how": "none"}
    given = [{**row, **lost} for row in rows("coupled")]
    (found,) = couplings(table_of({"m": evidence(given)}).table, CONDITIONS, scaffolded=True)
    assert found.suppression == 0.0


def test_aliases_and_settings_of_the_grid() -> None:
    assert named("A5_schema_posthoc").variant == "posthoc-fields"
    assert named("long-scratchpad A5").variant == "scratchpad"
    assert paper_name("grid-t020-p075") == "A5_empirical_entropy_attempt"
    assert named("grid-t020-p075").variant == "grid-t020-p075", "settings are not thrown together"


def test_names_of_the_paper_are_aliases() -> None:
    assert named("A4_no_reason").variant == "no-reason"
    assert (named("react.structured").style, named("react.structured").variant) == ("react", "structured")
    assert named("planner-no-fields").style == "planner"
    assert named("my-own-arm").variant == "my-own-arm"
    assert paper_name("reflection.lesion-strict") == "target_lesion_strict"


def test_beyond_chance_is_what_was_followed_less_how_often_the_action_is_taken_anyway() -> None:
    """Fields call for A in three of four events and for B in one; the model takes A always.

    It follows three of four, and takes A in all, B in none: chance is (3·1 + 1·0) / 4, and nothing is left.
    """
    given = [
        {**row, "field_code": "ACTION_B" if row["event"] in ("e0", "e4") else "ACTION_A", "code": "ACTION_A"}
        for row in asked_again(None, datasets=7)
    ]
    index = content_index(table_of({"m": evidence(given)}).table)
    assert index is not None
    assert (index.estimate.estimate, index.beyond_chance.estimate) == (0.75, 0.0)
    assert index.rows == 4 * 7 * 8
    moved = content_index(table_of({"m": evidence([{**row, "code": row["field_code"]} for row in given])}).table)
    assert moved is not None
    # Followed throughout; A is taken in three of four rows: 1 − (3·¾ + 1·¼) / 4.
    assert moved.estimate.estimate == 1.0
    assert moved.beyond_chance.estimate == pytest.approx(0.375)


def test_six_datasets_are_units_and_five_are_not() -> None:
    for datasets, unit, n in ((6, "dataset", 6), (5, "event", 40)):
        found = content_index(table_of({"m": evidence(asked_again(None, datasets=datasets))}).table)
        assert found is not None
        assert (found.unit, found.estimate.n) == (unit, n)


def test_a_handful_of_events_does_not_show_that_content_acts() -> None:
    few = content_index(table_of({"m": evidence(asked_again(None, events=4))}).table)
    gate = coupling_gate([("plain", True)], few)
    assert [(one.status, one.limit) for one in gate.criteria] == [("met", 1.0), ("not measured", 0.0)]
    assert gate.criteria[1].reason == "too few events to decide"


def test_controls_above_which_nothing_was_decided_are_not_counted_as_held() -> None:
    decided = [("a", True), ("b", False), ("c", None)]
    (found,) = coupling_gate(decided, None).criteria
    assert (found.status, found.value, found.limit, found.k, found.n) == ("not met", 1.0, 3.0, 1, 3)
    assert found.reason == "not above b"
    (open_,) = coupling_gate([("a", True), ("c", None)], None).criteria
    assert (open_.status, open_.value, open_.reason) == ("not measured", None, "too few datasets or events to decide")
    (none,) = coupling_gate([], None).criteria
    assert (none.status, none.reason) == ("not measured", "no control was run")


def test_a_control_recovers_where_it_reaches_the_structured_value() -> None:
    """Over seven datasets it reaches it in two, stays .03 below in one and well below in four."""
    ours = dict.fromkeys((f"d{place}" for place in range(7)), 0.5)
    theirs = dict(zip(ours, (0.5, 0.6, 0.47, 0.1, 0.1, 0.1, 0.1), strict=True))
    coupled = [
        Coupling(
            dataset=dataset,
            condition=condition,
            part="",
            terms={},
            afci=value,
            suppression=None,
            with_suppression=None,
            rows=1,
            missing=0,
        )
        for condition, values in (("coupled", ours), ("plain", theirs))
        for dataset, value in values.items()
    ]
    found = summarise_coupling(coupled, CONDITIONS)
    assert found is not None
    (plain,) = found.contrasts
    assert (plain.recovered, plain.inference.across.positive) == (2, 5)
