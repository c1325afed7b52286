"""A frozen run: the nine required inputs, and a hash of exactly what determines it."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.evaluation import Evaluation
from proctor.spec.family import FamilySpec
from proctor.spec.frozen import BESIDE, FrozenFamily, FrozenRun, beside_hash
from proctor.spec.probe import Probe
from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Step, Suite
from proctor.spec.system import System

# White paper, §11.2, "Required Inputs (Ex Ante)".
NINE = {
    "system_identifier",
    "boundary_type",
    "environment_class",
    "constraint_regime",
    "observation_schema",
    "action_schema",
    "task_instances",
    "success_criteria",
    "verification_method",
}

SPEC = FamilySpec(
    id="fam",
    title="t",
    description="d",
    environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
    criterion="the answer is right",
    verification="comparison",
    reasons=("correct",),
    templates=("one",),
    observation_schema={"type": "object"},
    answer_schema={"type": "integer"},
)
SUITE = Suite(
    name="mine",
    version="1.0",
    title="Mine",
    epoch="2026-01-01T00:00:00Z",
    entries=(Entry(family="fam", n=3, regimes=("baseline", "mild"), program=(Step(), Step(regime="severe-standard"))),),
)
PROBE = Probe(instances="00" * 32, tools="01" * 32, verdicts="02" * 32)
FAMILY = FrozenFamily(reference="fam", spec=SPEC, probe=PROBE, actions=({"name": "look"},))
FACTS: dict[str, Any] = {
    "suite": SUITE,
    "rules": SUITE.rules,
    "system": System(name="ours", configuration={"model": "m"}),
    "agent": "clerk",
    "seed": 7,
    "timestamp": "2026-01-01T00:00:00Z",
    "bench": "1.0",
    "families": (FAMILY,),
}


def frozen(**changes: Any) -> FrozenRun:
    return FrozenRun(**{**FACTS, **changes})


@pytest.mark.parametrize(
    "change",
    [
        {"suite": SUITE.model_copy(update={"title": "Other"})},
        {"suite": SUITE.model_copy(update={"version": "1.1"})},
        {"rules": Rules(confidence=0.9)},
        {"rules": Rules(fail_fast=True)},
        {"system": System(name="ours", configuration={"model": "n"})},
        {"system": System(name="ours", version="2", configuration={"model": "m"})},
        {"agent": "null"},
        {"seed": 8},
        {"seed": "7"},
        {"timestamp": "2026-01-02T00:00:00Z"},
        {"scale": 2},
        {"only": ("fam",)},
        {"bench": "1.1"},
        *(
            {"families": (FAMILY.model_copy(update={"probe": PROBE.model_copy(update={part: "11" * 32})}),)}
            for part in ("instances", "tools", "verdicts")
        ),
        {"families": (FAMILY.model_copy(update={"actions": ({"name": "look", "description": "reworded"},)}),)},
        {"families": ()},
        {"skipped": {"other@1.0": "bubblewrap is missing"}},
    ],
    ids=lambda change: "-".join(f"{name}" for name in change),
)
def test_config_hash_changes_with_everything_that_determines_a_run(change: dict[str, Any]) -> None:
    assert frozen(**change).config_hash != frozen().config_hash


def test_where_a_familys_file_lies_plays_no_part() -> None:
    """A suite that names the same source by another path is the same configuration."""
    hashes = set()
    for reference in ("fam", "fam@1.0", "/somewhere/else/fam.py"):
        entries = (SUITE.entries[0].model_copy(update={"family": reference}),)
        family = FAMILY.model_copy(update={"reference": reference})
        hashes.add(frozen(suite=SUITE.model_copy(update={"entries": entries}), families=(family,)).config_hash)
    assert hashes == {frozen().config_hash}


def test_where_a_file_lies_that_is_left_out_plays_no_part() -> None:
    hashes = set()
    for reference in ("here/other.py", "/somewhere/else/other.py"):
        entries = (*SUITE.entries, SUITE.entries[0].model_copy(update={"family": reference}))
        suite = SUITE.model_copy(update={"entries": entries})
        hashes.add(frozen(suite=suite, only=("fam",), left_out={reference: "other@1.0"}).config_hash)
    assert len(hashes) == 1


def test_runs_from_before_probes_keep_their_configuration_hash() -> None:
    """Neither field that came later is written where it is not stated."""
    old = frozen(bench=None, families=(FrozenFamily(reference="fam", spec=SPEC, source_hash="00" * 32, actions=()),))
    data = old.model_dump(mode="json")
    assert "bench" not in data and "left_out" not in data
    assert data["families"][0].keys() == {"reference", "spec", "source_hash", "actions"}
    assert FrozenRun.model_validate_json(old.model_dump_json()).config_hash == old.config_hash
    assert old.families[0].behaviour == "00" * 32


def test_order_of_families_and_of_keys_plays_no_part() -> None:
    other = FAMILY.model_copy(update={"reference": "b", "spec": SPEC.model_copy(update={"id": "b"})})
    assert frozen(families=(FAMILY, other)).config_hash == frozen(families=(other, FAMILY)).config_hash
    nested = {"a": 1, "b": {"c": 2, "d": 3}}
    turned = {"b": {"d": 3, "c": 2}, "a": 1}
    systems = [System(name="ours", configuration=configuration) for configuration in (nested, turned)]
    assert len({frozen(system=system).config_hash for system in systems}) == 1


def test_why_a_family_is_skipped_is_a_machines_business() -> None:
    reasons = ("bubblewrap is missing", "bubblewrap does not work here")
    assert len({frozen(skipped={"other@1.0": why}).config_hash for why in reasons}) == 1


def test_config_hash_survives_the_way_to_a_worker() -> None:
    for run in (frozen(), frozen(seed="ab" * 32), frozen(seed="123")):
        again = FrozenRun.model_validate_json(run.model_dump_json())
        assert again == run
        assert again.config_hash == run.config_hash
        assert type(again.seed) is type(run.seed)


def test_the_nine_inputs_are_there_under_their_names() -> None:
    inputs = frozen().inputs()
    assert set(inputs) == NINE | {"protocol", "evaluation"}
    assert all(inputs[name] for name in NINE), "none is empty"
    assert inputs["system_identifier"]["name"] == "ours"
    assert len(inputs["system_identifier"]["configuration_hash"]) == 64
    assert inputs["boundary_type"]["type"] == "not declared"
    assert inputs["environment_class"] == {"fam@1.0": {"kind": "static", "interaction": None}}
    assert inputs["success_criteria"] == {"fam@1.0": "the answer is right"}
    assert inputs["verification_method"]["instruments"] == {"fam@1.0": "comparison"}
    assert inputs["action_schema"]["families"] == {"fam@1.0": [{"name": "look"}]}
    assert inputs["task_instances"]["seed"] == 7


def test_every_regime_that_is_used_is_there_with_its_parameters() -> None:
    regimes = frozen().inputs()["constraint_regime"]["regimes"]
    assert set(regimes) == {"baseline", "mild", "severe-standard"}, "also the one a step of the program names"
    assert regimes["mild"]["stability"]["noise"]["share"] == 0.05
    assert regimes["severe-standard"]["action"]["cap"] == "strict"


def test_a_declared_schema_is_used_even_if_it_is_empty() -> None:
    inputs = frozen(system=System(name="ours", observation_schema={}, action_schema={"type": "array"})).inputs()
    assert inputs["observation_schema"]["declared"] == {}
    assert inputs["action_schema"]["declared"] == {"type": "array"}


@pytest.mark.parametrize(
    "beside",
    [
        {"evaluation": Evaluation(organisation="Example Ltd")},
        {"preregistration": "ab" * 32},
        {"agent_identity": "clerk of proctor 9"},
        {"companion_source": "cd" * 32},
    ],
    ids=lambda change: next(iter(change)),
)
def test_who_asks_and_for_what_does_not_determine_a_run(beside: dict[str, Any]) -> None:
    """Whoever repeats a run under another name gets the same root; what is declared is under the seal instead."""
    declared = frozen(**beside)
    assert declared.config_hash == frozen().config_hash
    data, bare = (run.model_dump(mode="json") for run in (declared, frozen()))
    assert beside_hash(data) is not None
    assert beside_hash(bare) is None
    assert not set(BESIDE) & bare.keys(), "configurations that do not use it are written as before"
    assert FrozenRun.model_validate(data) == declared
