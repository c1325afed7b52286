"""Entropies in four layers, gaps on shared events, the grid, the entropy prior and the forced budget."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence

from proctor.instruments.binding.calibration import (
    GridPoint,
    PriorCell,
    calibrate,
    calibration_of,
    grid_settings,
    prior_cells,
    prior_gate,
    select,
)
from proctor.instruments.binding.entropy import LAYERS, EntropyGap, Layered, make_gap
from proctor.instruments.binding.table import table_of
from proctor.spec.condition import Condition, Sampling
from proctor.spec.ontology import ONTOLOGIES
from proctor.stats.semantic import MAX_TEXTS, semantic_clusters

CODES = ("ACTION_A", "ACTION_B", "VETO", "DEFER")


def rows(condition: str, codes: tuple[str, ...], **more: Any) -> list[dict[str, Any]]:
    return [
        {"condition": condition, "event": f"e{place}", "code": code, "raw": code, **more}
        for place, code in enumerate(codes)
    ]


def test_four_layers() -> None:
    given = rows("structured", ("ACTION_A", "ACTION_B", "ACTION_B", "VETO"))
    given[1]["raw"], given[2]["raw"] = "I take option B now", "I take option B now!"
    (found,) = Layered(table_of({"m": evidence(given)}).table).entropies()
    assert found.bits["raw"] == 2.0
    assert found.bits["rule"] == 1.5
    assert found.bits["semantic"] == 1.5
    assert found.bits["family"] == pytest.approx(0.8112781244591328)
    assert found.rows == 4


def test_clusters_do_not_depend_on_order() -> None:
    texts = ["choose the left door", "choose the left door.", "postpone everything", "stop", "STOP"]
    found = semantic_clusters(texts)
    turned = semantic_clusters(texts[::-1])
    assert found is not None
    assert turned is not None
    same = found[:, None] == found[None, :]
    assert (same == (turned[::-1][:, None] == turned[::-1][None, :])).all()
    assert same[0, 1]
    assert same[3, 4]
    assert len(set(found.tolist())) == 3


def test_too_many_texts_are_no_layer() -> None:
    assert semantic_clusters([f"{number:x}" for number in range(MAX_TEXTS + 1)]) is None
    assert semantic_clusters([]) is not None
    assert semantic_clusters(["one"]) is not None


def test_bare_codes_are_clusters_of_their_own() -> None:
    """What is taken without vectors is what vectors give."""
    for ontology in ONTOLOGIES.values():
        found = semantic_clusters([*ontology.codes, ""])
        assert found is not None
        assert len(set(found.tolist())) == len(ontology.codes) + 1


def test_gaps_are_taken_on_shared_events() -> None:
    given = [
        *rows("structured", ("ACTION_A", "ACTION_A", "VETO", "DEFER")),
        *rows("cooler", ("ACTION_A", "ACTION_A")),
    ]
    layered = Layered(table_of({"m": evidence(given)}).table)
    found = layered.gap("cooler", "structured")
    assert found is not None
    assert found.max_gap == 0.0
    assert layered.gap("absent", "structured") is None


def grid() -> list[Condition]:
    return [
        Condition(id=f"grid-t{t}-p{p}", sampling=Sampling(temperature=t / 10, top_p=p / 10))
        for t in (2, 9)
        for p in (5, 10)
    ]


def test_settings_of_the_grid_stand_in_order_and_equal_ones_by_name() -> None:
    settings = {"late": (0.9, 0.5), "zeta": (0.2, 0.5), "alpha": (0.2, 0.5), "wide": (0.2, 1.0)}
    conditions = {
        name: Condition(id=name, sampling=Sampling(temperature=temperature, top_p=top_p))
        for name, (temperature, top_p) in settings.items()
    }
    given = [row for name in ("structured", *settings) for row in rows(name, CODES)]
    found = calibration_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    assert [one.condition for one in found.grid] == ["alpha", "zeta", "wide", "late"]


def calibrated(held_out: tuple[str, ...]) -> list[dict[str, Any]]:
    """The grid's second setting fits on the calibration split."""
    given: list[dict[str, Any]] = []
    for stage, own in (("calibration", CODES), ("held-out", held_out)):
        events = {"stage": stage, "dataset": "one"}
        for name, codes in (
            ("structured", CODES),
            ("grid-t2-p5", ("VETO",) * 4),
            ("grid-t2-p10", own),
            ("grid-t9-p5", ("VETO", "VETO", "DEFER", "DEFER")),
            ("grid-t9-p10", ("VETO", "VETO", "VETO", "DEFER")),
        ):
            for row in rows(name, codes, **events):
                given.append({**row, "event": f"{stage}-{row['event']}"})
    # Rows of the structured Condition elsewhere belong to neither split.
    return [*given, *rows("structured", ("VETO",) * 4, stage="main", dataset="one")]


def test_selection_on_one_split_and_gate_on_the_other() -> None:
    conditions = {one.id: one for one in grid()}
    matched = calibration_of(table_of({"m": evidence(calibrated(CODES))}).table, conditions)
    assert matched is not None
    assert len(matched.grid) == 4
    assert matched.selected == "grid-t2-p10"
    assert matched.gate.status == "met"
    assert matched.wording == "entropy-matched on the held-out split"
    missed = calibration_of(table_of({"m": evidence(calibrated(("VETO",) * 4))}).table, conditions)
    assert missed is not None
    assert missed.selected == "grid-t2-p10"
    assert missed.gate.status == "not met"
    assert missed.gate.criteria[0].value == 2.0
    assert "nothing is called matched" in missed.wording


def test_settings_declare_both_temperature_and_top_p() -> None:
    plain = Condition(id="stochastic", sampling=Sampling(temperature=0.9))
    assert set(grid_settings({one.id: one for one in (*grid(), plain)})) == {one.id for one in grid()}
    assert calibration_of(table_of({"m": evidence(rows("structured", CODES))}).table, {}) is None


def test_the_entropy_prior_by_scaffold() -> None:
    given = [
        *rows("react.structured", CODES),
        *rows("react.entropy-prior", CODES),
        *rows("planner.structured", CODES),
        *rows("planner.entropy-prior", ("VETO",) * 4),
    ]
    found = {one.scaffold: one for one in prior_cells(table_of({"m": evidence(given)}).table)}
    assert (found["react"].met, found["react"].gap) == (True, 0.0)
    assert (found["planner"].met, found["planner"].gap) == (False, 2.0)


def test_a_layer_that_could_not_be_made_is_no_gap_of_zero() -> None:
    """Three layers within the limit say nothing about the fourth; one beyond it is enough to miss."""
    near = dict.fromkeys(("raw", "rule", "family"), 0.1)
    point = GridPoint(condition="g", temperature=0.2, top_p=1.0, gap=make_gap("g", near, 7))
    found = calibrate([point], point.gap)
    assert found.gate.status == "not measured"
    assert "semantic" in (found.gate.criteria[0].reason or "")
    assert "not measured" in found.wording
    assert "nothing is called matched" in found.wording
    assert calibrate([point], make_gap("g", {**near, "raw": 0.2}, 7)).gate.status == "not met"
    assert calibrate([point], make_gap("g", {**near, "semantic": 0.1}, 7)).gate.status == "met"


def test_the_entropy_prior_gate_counts_its_cells() -> None:
    def cell(gap: float) -> PriorCell:
        bits = {"structured_bits": 1.0, "prior_bits": 1.0 - gap}
        return PriorCell(model="m", scaffold="react", gap=gap, met=gap <= 0.10, **bits)

    gate = prior_gate([cell(0.05), cell(0.2)])
    assert gate.status == "not met"
    assert (gate.criteria[0].k, gate.criteria[0].n) == (1, 2)
    assert "0.200" in (gate.criteria[0].reason or "")
    assert prior_gate([cell(0.1)]).status == "met"


def test_the_smallest_mean_gap_is_selected_not_the_smallest_largest_one() -> None:
    def point(name: str, temperature: float, gaps: tuple[float, ...]) -> GridPoint:
        found = EntropyGap(
            condition=name,
            gaps=dict(zip(LAYERS, gaps, strict=True)),
            mean_gap=sum(gaps) / len(gaps),
            max_gap=max(gaps),
            datasets=7,
        )
        return GridPoint(condition=name, temperature=temperature, top_p=1.0, gap=found)

    even, uneven = point("even", 0.2, (0.3, 0.3, 0.3, 0.3)), point("uneven", 0.4, (0.0, 0.0, 0.1, 0.5))
    assert select([even, uneven]) is uneven
    warmer = point("warmer", 0.6, (0.5, 0.0, 0.0, 0.1))
    assert select([warmer, uneven]) is uneven, "of equals the cooler one"


@pytest.mark.parametrize(("count", "met"), [(10, True), (9, False)])
def test_the_entropy_prior_is_met_within_a_tenth_of_a_bit(count: int, met: bool) -> None:
    """Half and half of thirty is one bit; 10 to 20 is .918 and 9 to 21 is .881."""
    given = [
        *rows("structured", ("ACTION_A",) * 15 + ("ACTION_B",) * 15),
        *rows("entropy-prior", ("ACTION_A",) * count + ("ACTION_B",) * (30 - count)),
    ]
    (found,) = prior_cells(table_of({"m": evidence(given)}).table)
    assert found.met == met


@pytest.mark.parametrize(("gap", "status"), [(0.15, "met"), (0.151, "not met"), (0.19, "not met")])
def test_the_largest_gap_may_be_fifteen_hundredths_of_a_bit(gap: float, status: str) -> None:
    point = GridPoint(condition="g", temperature=0.2, top_p=1.0, gap=make_gap("g", dict.fromkeys(LAYERS, 0.0), 7))
    found = calibrate([point], make_gap("g", {**dict.fromkeys(LAYERS, 0.0), "rule": gap}, 7))
    assert (found.gate.status, found.gate.criteria[0].limit, found.gate.criteria[0].n) == (status, 0.15, 7)


def test_with_one_stage_every_other_event_calibrates() -> None:
    """The grid's setting `good` fits on events 0 and 2, `bad` on events 1 and 3."""
    conditions = {
        name: Condition(id=name, sampling=Sampling(temperature=0.5, top_p=top_p))
        for name, top_p in (("good", 0.5), ("bad", 0.9))
    }
    given = [
        *rows("structured", ("ACTION_A", "ACTION_A", "ACTION_B", "ACTION_B")),
        *rows("good", ("ACTION_A", "VETO", "ACTION_B", "VETO")),
        *rows("bad", ("VETO", "ACTION_A", "VETO", "ACTION_B")),
    ]
    found = calibration_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    assert found.selected == "good"
    assert {one.condition: one.gap.max_gap for one in found.grid} == {"good": 0.0, "bad": 1.0}
    assert found.held_out is not None
    assert found.held_out.max_gap == 1.0
    alone = {"good": conditions["good"]}
    assert calibration_of(table_of({"m": evidence(given)}).table, alone) is None, "one setting is no grid"
