"""Engine runs of the four-code suites, read: a simulant that follows everything, and one that follows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor import api
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.scores import Share
from proctor.spec.suite import Suite
from proctor.suites.binding.families.suites import families, sufficiency
from tests.validity.binding_rows import Plant

FOLLOWS = Plant(reason=1.0, memory=1.0, veto=1.0, self=1.0, cue=0.0, noise=0.0)
IGNORES = Plant(reason=0.0, memory=0.0, veto=0.0, self=0.0, cue=0.0, noise=0.0)
CORE = ("no-fields", "scrambled", "matched-family", "lesion-strict")


def lived(folder: Path, suite: Suite, plant: Plant) -> BindingReading:
    place = str(folder / "store.db")
    result = api.run(suite, agent=plant.text(), seed=4, store=place, folder=folder)
    with Store(place, create=False) as opened:
        run = evidence_of(opened, result.run)
    return BindingInstrument().read(run, run.frozen.rules)


def short(suite: Suite) -> Suite:
    """Three events a family and stage, once each."""
    entries = tuple(
        entry.model_copy(update={"n": 3, "first": 0 if entry.stage == "calibration" else 3, "replicates": 1})
        for entry in suite.entries
    )
    return suite.model_copy(update={"entries": entries})


def test_the_decisive_field_is_enough_for_one_that_follows(tmp_path: Path) -> None:
    found = lived(tmp_path, sufficiency(), FOLLOWS)
    (one,) = found.sufficiency
    assert one.accuracy["full"] == one.accuracy["only-decisive"] == Share(120, 120)
    assert one.recovery == 1.0
    assert one.gate.status == "met"
    # It follows whatever field it is shown; the guard stops that, deferring throughout.
    assert one.following.raw == Share(120, 120)
    assert one.following.guarded_acts == Share(0, 120)
    assert one.guard_changes["scrambled-field"] == Share(120, 120)
    audits = {audit.item: (audit.status, audit.k, audit.n) for audit in found.audits}
    assert audits["controls do not expose the current decisive state"] == ("pass", 360, 360)
    assert audits["the decisive field names its action"] == ("scope", 360, 360)
    assert audits["completeness"][0] == "pass"


def test_nothing_is_recovered_by_one_that_ignores(tmp_path: Path) -> None:
    (one,) = lived(tmp_path, sufficiency(), IGNORES).sufficiency
    assert one.gate.status == "not met"
    assert one.recovery is None or one.recovery < 0.75


@pytest.mark.parametrize(("plant", "status"), [(FOLLOWS, "met"), (IGNORES, "not met")])
def test_the_boundary_gate_over_sixty_cells(tmp_path: Path, plant: Plant, status: str) -> None:
    found = lived(tmp_path, short(families()), plant)
    summaries = {one.control: one for one in found.cells}
    assert {summaries[name].cells for name in CORE} == {60}
    gate = next(gate for gate in found.gates if gate.name == "state boundary")
    assert gate.status == status
    assert len(gate.criteria) == len(CORE)
    clusters = {bound.kind: bound.clusters for one in found.cells for bound in one.bounds}
    assert set(clusters) == {"model", "scaffold", "family"}
    assert clusters["model"] == 1
    assert {one.lowest_kind for one in found.cells} <= {"scaffold", "family"}, "one model gives no bound"
    if plant is FOLLOWS:
        assert {one.structured_mean for one in found.cells} == {1.0}
