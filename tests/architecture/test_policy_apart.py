"""A capability policy stands apart: it cannot change a measurement, and no gate can read it."""

from __future__ import annotations

from tests.architecture.test_imports import ALL, imports_of
from tests.architecture.test_no_bare_scores import AGENCY, DECIDES, reachable

POLICY = ("proctor.spec.capability_policy", "proctor.reports.obligations", "proctor.cli.policy")
GATE = ("proctor.pipeline", "proctor.instruments.quality", "proctor.reports.gate", "proctor.cli.gate")


def test_there_is_a_policy() -> None:
    assert set(POLICY) <= set(ALL)


def test_nothing_that_decides_a_deployment_can_reach_a_policy() -> None:
    assert not reachable(*DECIDES) & set(POLICY)


def test_no_instrument_and_no_engine_can_reach_a_policy() -> None:
    assert not reachable("proctor.instruments", "proctor.engine", "proctor.evidence") & set(POLICY)


def test_evaluating_a_policy_reaches_neither_gate_nor_instrument() -> None:
    """It sees a reading as data. Only its command asks for one, as `score` does."""
    found = reachable("proctor.reports.obligations", "proctor.spec.capability_policy")
    assert not [name for name in found if name.startswith((*GATE, AGENCY, "proctor.engine"))]
    own = imports_of(ALL["proctor.cli.policy"], at_import_time=False)
    assert {name for name in own if name.startswith("proctor.pipeline")} == {
        "proctor.pipeline.reading",
        "proctor.pipeline.reading.readings_of",
    }
