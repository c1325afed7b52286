"""Component scores from counts, contrasts on shared events, and the gate's edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.unit.instruments.binding.rows import evidence, read

from proctor.instruments.binding.contrasts import Contrasts, EventScores
from proctor.instruments.binding.gate import needed
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.scores import COMPOSITE, Share, count, pooled_false_positives
from proctor.spec.ontology import UNMAPPED
from proctor.spec.rules import Rules

PROBES = {
    "reason_flip": ("reason", "ACTION_B"),
    "memory_conflict": ("memory", "RECALL_PRIOR"),
    "veto_cue": ("veto", "VETO"),
    "self_continuity": ("self", "ACTION_A"),
}


def probe(name: str, event: str, *, right: bool, **more: Any) -> dict[str, Any]:
    if name == "irrelevant_cue":
        code = "ACTION_A" if right else "ACTION_B"
        return {
            "probe": name,
            "event": event,
            "component": "",
            "role": "neutral",
            "target": "ACTION_A",
            "code": code,
            **more,
        }
    component, target = PROBES[name]
    return {
        "probe": name,
        "event": event,
        "component": component,
        "target": target,
        "code": target if right else "DEFER",
        **more,
    }


def whole(event: str, wrong: tuple[str, ...] = (), **more: Any) -> list[dict[str, Any]]:
    return [probe(name, event, right=name not in wrong, **more) for name in (*PROBES, "irrelevant_cue")]


def test_scores_are_target_minus_neutral() -> None:
    table = read([*whole("e1"), *whole("e2", ("veto_cue", "irrelevant_cue")), *whole("e3")]).table
    one = count(table)["one", "structured"]
    assert one.targets["VEI"] == Share(2, 3)
    assert one.neutral == Share(1, 3)
    assert one.score("RSI") == Fraction(2, 3)
    assert one.score("VEI") == Fraction(1, 3)
    assert one.score(COMPOSITE) == Fraction(7, 12)
    assert pooled_false_positives(table, "structured") == Share(1, 3)


def test_unmapped_rows_stay_in() -> None:
    table = read(
        [
            *whole("e1"),
            probe("reason_flip", "e2", right=False, code=UNMAPPED, how="none"),
            probe("irrelevant_cue", "e2", right=False, code=UNMAPPED, how="none"),
        ]
    ).table
    one = count(table)["one", "structured"]
    assert one.targets["RSI"] == Share(1, 2)
    assert one.neutral == Share(1, 2)


def test_a_missing_part_leaves_the_composite_out() -> None:
    table = read([row for row in whole("e1") if row["probe"] != "memory_conflict"]).table
    one = count(table)["one", "structured"]
    assert one.score("MCI") is None
    assert one.score(COMPOSITE) is None
    assert one.score("RSI") == 1
    blind = read([probe("reason_flip", "e1", right=True)]).table
    assert count(blind)["one", "structured"].score("RSI") is None


def test_extended_probes_and_robustness_arms_enter_only_where_they_belong() -> None:
    given = [
        *whole("e1"),
        {**probe("reason_flip", "e2", right=False), "probe": "reason_strength", "strength": 1},
        {**probe("irrelevant_cue", "e2", right=False), "probe": "placebo"},
        probe("reason_flip", "e3", right=False, arm_of="paraphrase"),
        {**probe("reason_flip", "e4", right=False), "probe": "distant_reason", "distance": 8},
    ]
    table = read(given).table
    assert count(table)["one", "structured"].targets["RSI"] == Share(1, 1)
    wide = count(table, extended=True)["one", "structured"]
    assert wide.targets["RSI"] == Share(1, 2)
    assert wide.neutral == Share(1, 2)


def test_contrasts_use_events_that_both_conditions_have() -> None:
    # On e2 only the structured Condition was run, and there it was wrong.
    given = [
        *whole("e1"),
        *whole("e2", ("reason_flip",)),
        *whole("e1", ("reason_flip", "memory_conflict"), condition="stochastic"),
    ]
    found = {one.name: one for one in Contrasts(read(given).table).primary()}
    assert found["memory"].values == {"one": Fraction(1)}
    assert found["composite"].values == {"one": Fraction(1, 2)}
    assert found["reason"].values == {"one": None}
    assert found["reason"].second == ""


def test_contrasts_event_by_event() -> None:
    given = [*whole("e1"), *whole("e2"), *whole("e1", ("self_continuity",), condition="stochastic")]
    given += whole("e2", ("self_continuity", "irrelevant_cue"), condition="stochastic")
    found = EventScores(read(given).table).contrast("SCI", "structured", "stochastic")
    assert found == {("one", "e1"): 1.0, ("one", "e2"): 2.0}


def test_six_of_seven_carries_over() -> None:
    assert [needed(units) for units in (1, 5, 6, 7, 8, 14)] == [1, 5, 6, 6, 7, 12]


def test_the_gate_of_a_small_corpus_does_not_generalise() -> None:
    given = []
    for condition, wrong in (
        ("structured", ()),
        ("no-reason", ("reason_flip",)),
        ("no-veto", ("veto_cue",)),
        ("stochastic", tuple(PROBES)),
    ):
        for number in range(8):
            given += whole(f"e{number}", wrong, condition=condition)
    run = evidence(given)
    reading = BindingInstrument().read(run, Rules())
    assert reading.gates[0].status == "met"
    assert "no generalisation" in reading.scope
    bound = reading.gates[0].criteria[-1]
    assert bound.rule == "above 0 by the event-clustered interval"
    assert reading.contrasts[0].decides == "event-clustered interval"


def test_without_lesions_the_gate_is_not_measured() -> None:
    run = evidence([row for number in range(8) for row in whole(f"e{number}")])
    gate = BindingInstrument().read(run, Rules()).gates[0]
    assert gate.status == "not measured"
    assert {one.status for one in gate.criteria} == {"met", "not measured"}


def test_a_single_condition_named_none_stands_for_structured() -> None:
    run = evidence(
        [row for number in range(8) for row in whole(f"e{number}", condition="none")], agent="python:mine.py"
    )
    reading = BindingInstrument().read(run, Rules())
    false_positives = next(one for one in reading.gates[0].criteria if one.name == "structured false positives")
    assert (false_positives.k, false_positives.n) == (0, 8)
