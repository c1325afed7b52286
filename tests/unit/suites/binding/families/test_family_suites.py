"""The suites of the four-code families: what they plan, and that a run of each reads as it was planted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.api import run
from proctor.conformance import check_suite
from proctor.engine.names import load_suite
from proctor.engine.plan import Plan
from proctor.engine.run import freeze
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.binding.instrument import instrument
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.variants import named
from proctor.spec.rules import Rules
from proctor.spec.suite import Suite

STYLES = ("react", "planner", "reflection")
VARIANTS = (
    *("structured", "stochastic-full", "no-fields", "scrambled", "matched-family", "matched-global", "lesion"),
    *("lesion-strict", "entropy-prior"),
)
ALIKE = "structured:simulated,reason=.9,memory=.9,veto=.9,self=.9"


def suite_of(name: str) -> Suite:
    return load_suite(name, Path())


def planned(suite: Suite) -> Counter[str]:
    """Episodes by stage."""
    plan = Plan(freeze(suite=suite, agent="null", folder=Path(), seed=3))
    return Counter({stage.id: stage.stop - stage.first for stage in plan.stages})


def evidence(suite: Suite, agent: str, place: Path) -> Evidence:
    store = str(place / "store.db")
    result = run(suite, agent=agent, seed=3, store=store)
    with Store(store, create=False) as opened:
        return evidence_of(opened, result.run)


def measured(found: Evidence) -> list[tuple[str, dict[str, Any]]]:
    return [(found.arms[row.arm].condition, msgspec.json.decode(row.measures or "{}")) for row in found.rows]


def reading(found: Evidence) -> BindingReading:
    read = instrument.read(found, Rules())
    assert isinstance(read, BindingReading)
    return read


@pytest.mark.parametrize(
    "name",
    [
        "binding-families@1.0",
        "binding-controls@1.0",
        "binding-sufficiency@1.0",
        "binding-interface@1.0",
        "binding-budget@1.0",
    ],
)
def test_suites_are_sound(name: str) -> None:
    report = check_suite(suite_of(name))
    assert report.ok, report.failed


def test_how_much_is_planned() -> None:
    assert planned(suite_of("binding-families@1.0")) == {"calibration": 20 * 3 * 12, "main": 20 * 3 * 9 * 3 * 15}
    assert planned(suite_of("binding-controls@1.0")) == {"calibration": 60, "main": 420}
    assert planned(suite_of("binding-sufficiency@1.0")) == {"calibration": 60, "main": 720}
    interface = planned(suite_of("binding-interface@1.0"))
    assert interface["reports"] + interface["interface"] == 7 * 30 * 9 * 3 + 20 * 6 * 3
    assert interface["again"] == 7 * 30 * 4
    assert sum(interface.values()) == 6_930
    assert planned(suite_of("binding-budget@1.0")) == {"calibration": 60, "interface": 20 * 2 * 3}


def test_every_style_has_every_condition_and_the_registry_knows_them() -> None:
    conditions = suite_of("binding-families@1.0").all_conditions
    for style in STYLES:
        for variant in VARIANTS:
            one = conditions[f"{style}-{variant}"]
            assert named(one.id) == named(f"{style}.{variant}")
            assert (named(one.id).style, named(one.id).variant) == (style, variant)
            assert one.scaffold is None or one.scaffold.style == style
    assert len(conditions) == 1 + 3 * 9


def test_calibration_events_are_no_test_events() -> None:
    for name in ("binding-families@1.0", "binding-controls@1.0", "binding-sufficiency@1.0", "binding-interface@1.0"):
        taken: dict[tuple[str, str], set[int]] = {}
        for entry in suite_of(name).entries:
            numbers = taken.setdefault((entry.family, "early" if entry.stage == "calibration" else "late"), set())
            numbers.update(range(entry.first, entry.first + entry.n))
        for family, when in taken:
            if when == "early":
                assert not taken[family, "early"] & taken[family, "late"]


def test_the_control_rows_fall_to_the_prior(tmp_path: Path) -> None:
    found = evidence(suite_of("binding-controls@1.0"), ALIKE, tmp_path)
    read = reading(found)
    assert len(found.rows) == 480
    summaries = {one.control: one for one in read.cells}
    assert set(summaries) == {"stochastic-full", "no-fields", "scrambled", "matched-family", "lesion", "lesion-strict"}
    assert all(one.cells == 20 for one in summaries.values())
    for name in ("no-fields", "scrambled", "matched-family", "lesion", "lesion-strict"):
        assert summaries[name].mean_delta > 0.4, name
    # The same state at another temperature is no lesion: a simulant does not mind.
    assert abs(summaries["stochastic-full"].mean_delta) < 0.15
    for name, row in measured(found):
        if name in ("no-fields", "lesion-strict", "matched-family"):
            assert name == "matched-family" or row["field_event"] == "none"
        elif name == "scrambled":
            assert row["field_event"] != row["event"]
            assert row["field_code"] != row["target"]
        else:
            assert row["field_event"] == row["event"]


def test_sufficiency_comes_back_as_planted(tmp_path: Path) -> None:
    found = evidence(suite_of("binding-sufficiency@1.0"), ALIKE, tmp_path)
    one = reading(found).sufficiency[0]
    assert {name: share.n for name, share in one.accuracy.items()} == dict.fromkeys(one.accuracy, 120)
    assert one.gate.status == "met"
    shares = {name: float(share.value or 0) for name, share in one.accuracy.items()}
    assert min(shares["full"], shares["only-decisive"], shares["irrelevant-cue"]) > 0.85
    assert max(shares["surface-only"], shares["prior-only"]) < 0.5
    assert shares["scrambled-field"] < 0.1
    followed = one.following
    assert followed.raw.k / followed.raw.n > 0.85
    assert followed.guarded_acts.k == 0
    for name, row in measured(found):
        assert row["declared"] == (0 if row["field_event"] == "none" else 1)
        if name == "irrelevant-cue":
            assert row["cue_code"] != row["target"]


def test_who_follows_nothing_fails_sufficiency(tmp_path: Path) -> None:
    agent = "structured:simulated,reason=0,memory=0,veto=0,self=0,prior=A:.5|B:.5"
    one = reading(evidence(suite_of("binding-sufficiency@1.0"), agent, tmp_path)).sufficiency[0]
    assert one.gate.status == "not met"


def test_a_few_cells_of_the_matrix(tmp_path: Path) -> None:
    whole = suite_of("binding-families@1.0")
    few = whole.entries[0].family, whole.entries[7].family
    entries = tuple(
        entry.model_copy(update={"replicates": 1, "n": 12}) for entry in whole.entries if entry.family in few
    )
    read = reading(evidence(whole.model_copy(update={"entries": entries}), ALIKE, tmp_path))
    assert {one.control for one in read.cells} == set(VARIANTS) - {"structured"}
    assert all(one.cells == 6 and one.missing == 0 for one in read.cells)
    bounds = [bound for one in read.cells for bound in one.bounds]
    assert {bound.kind: bound.bootstrap.low is not None for bound in bounds} == {
        "model": False, "scaffold": True, "family": True,
    }, "one model gives no bound"  # fmt: skip
