"""The reading as a whole: what it holds, that it is plain JSON, and that nothing measured is nothing said."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.test_cells import matrix
from tests.unit.instruments.binding.test_entropy import calibrated, grid
from tests.unit.instruments.binding.test_own_words import asked, reader
from tests.unit.instruments.binding.test_scores import whole
from tests.unit.instruments.binding.test_sufficiency import own, row
from tests.unit.instruments.binding.twin_rows import perfect, twin_rows

from proctor.conformance import check_instrument
from proctor.core.canonical import canonical, jsonable
from proctor.evidence.row import INFRASTRUCTURE
from proctor.instruments.binding import benchmark as benchmark_module
from proctor.instruments.binding import tables as documented
from proctor.instruments.binding.instrument import BindingInstrument, instrument
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.versions import OLD
from proctor.plugins import registry
from proctor.reports.data import plain
from proctor.spec.condition import Condition, Sampling
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.frozen import FrozenFamily
from proctor.spec.rules import Rules
from proctor.stats.mixed import mixed_mean


def benchmark() -> list[dict[str, Any]]:
    given: list[dict[str, Any]] = []
    for place in range(7):
        for condition, wrong in (
            ("structured", ()),
            ("no-reason", ("reason_flip",)),
            ("no-veto", ("veto_cue",)),
            ("stochastic", ("reason_flip", "memory_conflict", "veto_cue", "self_continuity")),
        ):
            for event in range(3):
                given += whole(f"e{event}", wrong, condition=condition, dataset=f"d{place}", family=f"d{place}")
    return given


def traced() -> list[dict[str, Any]]:
    terms = {"t_reason": "1", "t_memory": "0.5", "t_veto": "1", "t_self": "0"}
    parts = {"rsi": 1, "vei": 0, "sci": "0.5", "aci": "0.1", **terms}
    return [
        {"condition": condition, "dataset": f"d{place}", "event": "e1", **parts}
        for condition in ("coupled", "plain")
        for place in range(7)
    ]


def along() -> list[dict[str, Any]]:
    return [
        {"event": f"e{event}", "probe": "reason_strength", "strength": strength}
        for event in range(3)
        for strength in (1, 2)
    ]


def sufficient() -> list[dict[str, Any]]:
    given: list[dict[str, Any]] = []
    for event in range(4):
        given += [row(name, event, "ACT_A", **own(event)) for name in ("full", "only-decisive", "irrelevant-cue")]
        given += [row(name, event, "ACT_B") for name in ("surface-only", "prior-only")]
        given.append(row("scrambled-field", event, "ACT_B", field_event="e90", field_code="ACT_B", declared=1))
    return given


def reworded() -> list[dict[str, Any]]:
    return [{"event": f"e{event}", "arm_of": arm} for event in range(3) for arm in ("", "paraphrase")]


def asked_again() -> list[dict[str, Any]]:
    aside = [["model", {"model": "m", "error": "timeout", "attempts": 2}]]
    return [{"condition": "reask-reason", "field_code": "ACTION_B", "aside": aside}]


def equal_budgets() -> list[dict[str, Any]]:
    aside = [["model", {"model": "m", "prompt_tokens": 9, "completion_tokens": 2, "latency_ms": 3, "attempts": 1}]]
    return [{"condition": name, "event": "e1", "aside": aside} for name in EXACT]


EXACT = {
    "structured": Condition(id="structured", sampling=Sampling(tokens=2, exact=True)),
    "token-matched": Condition(id="token-matched", sampling=Sampling(tokens=2, exact=True)),
}
CONDITIONS: dict[str, Sequence[Condition]] = {"grid": tuple(grid()), "budget": tuple(EXACT.values())}


RUNS: dict[str, list[dict[str, Any]]] = {
    "benchmark": benchmark(),
    "extended": [*benchmark(), {**whole("e9", dataset="d0", family="d0")[0], "probe": "reason_strength"}],
    "families": [*matrix(1), *({**one, "condition": "react.entropy-prior"} for one in matrix(1)[:8])],
    "sufficiency": sufficient(),
    "interface": [*traced(), *asked_again()],
    "grid": calibrated(("VETO",) * 4),
    "curve": along(),
    "robustness": reworded(),
    "budget": equal_budgets(),
    "twins": twin_rows(perfect, events=2),
    "words": asked(reader, datasets=2),
}


def reading(name: str, **more: Any) -> BindingReading:
    run = evidence(RUNS[name], conditions=CONDITIONS.get(name, ()), **more)
    return BindingInstrument().read(run, run.frozen.rules)


@pytest.mark.parametrize("name", RUNS)
def test_a_reading_is_plain_json_and_pure(name: str) -> None:
    run = evidence(RUNS[name], conditions=CONDITIONS.get(name, ()))
    report = check_instrument(BindingInstrument(), evidence=run)
    assert report.failed == (), [finding.detail for finding in report.findings]
    assert canonical(reading(name))


@pytest.mark.parametrize("name", RUNS)
def test_tables_are_rectangular_and_hold_no_nan(name: str) -> None:
    for table, columns in reading(name).tables().items():
        lengths = {len(values) for values in columns.values()}
        assert len(lengths) == 1, table
        assert lengths != {0}, table
        values = [value for column in columns.values() for value in column]
        assert all(value is None or isinstance(value, (str, int, float)) for value in values), table
        assert not any(isinstance(value, float) and not math.isfinite(value) for value in values), table


def test_every_table_is_documented_and_every_documented_table_exists() -> None:
    listed = [line.split("|")[1] for line in (documented.__doc__ or "").splitlines() if line.startswith("| `")]
    names = {name for cell in listed for name in re.findall(r"`([a-z_]+)`", cell)}
    assert names == {name for run in RUNS for name in reading(run).tables()}


def test_the_benchmark_reading() -> None:
    found = reading("benchmark")
    assert found.gates[0].status == "met"
    assert [one.contrast for one in found.contrasts] == ["composite", "reason", "veto", "memory", "self"]
    assert found.tables()["contrasts"]["dataset"] == [f"d{place}" for place in range(7)]
    assert found.tables()["inference"]["units"] == [7] * 5
    names = {value.name for value in found.values}
    assert {"binding composite", "contrast: composite", "reason binding (B_RSI)"} <= names
    assert (found.claims[0].supported, found.claims[0].contrary) == ("", OLD)
    assert found.claims[0].excluded
    paper = reading("benchmark", rules=Rules(profile="paper"))
    assert paper.claims[0].supported
    assert paper.claims[0].contrary == ""
    assert {flag.reason for flag in paper.flags} == {OLD}


def test_what_is_not_met_is_a_boundary_condition() -> None:
    wrong = [{**one, "code": "DEFER"} for one in benchmark()]
    run = evidence(wrong)
    found = BindingInstrument().read(run, Rules())
    assert found.gates[0].status == "not met"
    assert found.claims[0].supported == ""
    assert "structured false positives" in found.claims[0].contrary
    assert {flag.name for flag in found.flags} == {"Boundary", "Version"}
    assert ("behaviour", "structured false positives") in {(gate, one.name) for gate, one in found.boundary_conditions}


def test_profiles_differ_in_what_decides() -> None:
    paper = reading("benchmark", rules=Rules(profile="paper"))
    assert {one.decides for one in paper.contrasts} == {"percentile bootstrap"}
    assert {one.decides for one in reading("benchmark").contrasts} == {"t interval and sign-flip test"}


def test_nothing_measured_is_nothing_said() -> None:
    run = evidence([{"unverified": True, "c": 0}])
    found = BindingInstrument().read(run, Rules())
    assert not found.measured
    assert found.reason
    assert found.values == ()
    assert found.tables() == {}
    assert found.gates == ()


def test_what_broke_everywhere_is_told_apart_from_what_is_no_probe() -> None:
    """A family is known by what its verification may say, even where nothing was verified."""
    spec = FamilySpec(
        id="probes",
        title="Probes",
        description="Probes.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="the action is the target",
        verification="comparison",
        reasons=("correct", "wrong_action", "unmapped", "nothing_submitted"),
        templates=("t",),
        observation_schema={},
        answer_schema={},
    )
    run = evidence([{"unverified": True, "c": 0}, {"event": "e2", "outcome": INFRASTRUCTURE, "unverified": True}])
    known = FrozenFamily(reference="probes", spec=spec, source_hash="0" * 64, actions=())
    run = msgspec.structs.replace(run, frozen=run.frozen.model_copy(update={"families": (known,)}))
    found = BindingInstrument().read(run, Rules())
    assert not found.measured
    assert found.reason is not None
    assert found.reason.startswith("2 of 2 episodes ended without a verification: the agent broke in 1, the bench in 1")
    assert found.records is not None
    assert found.records.planned == 2


def test_several_models_are_read_together() -> None:
    runs = {"first": evidence(sufficient()), "second": evidence(sufficient())}
    found = BindingInstrument().together(runs, Rules())
    assert [one.model for one in found.sufficiency] == ["first", "second"]
    assert found.tables()["sufficiency_summary"]["model"] == ["first", "second"]


def test_datasets_of_several_models_are_units_of_their_own() -> None:
    wrong = [{**one, "code": "DEFER"} if one["condition"] == "structured" else one for one in benchmark()]
    runs = {"bound": evidence(benchmark()), "loose": evidence(wrong)}
    found = BindingInstrument().together(runs, Rules())
    composite = found.contrasts[0]
    assert composite.across.n == 14
    assert composite.across.positive == 7
    assert {unit.partition(": ")[0] for unit, value in composite.units.items() if value > 0} == {"bound"}
    assert len(found.tables()["components"]["dataset"]) == 2 * 7 * 4


def test_an_unfinished_run_is_provisional() -> None:
    assert "Provisional" in {flag.name for flag in reading("benchmark", complete=False).flags}


def test_it_is_behind_the_door() -> None:
    assert registry.load("instruments", "binding") is instrument
    assert "binding" in jsonable(reading("benchmark"))["instrument"]


def test_tables_are_made_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = []

    def fit(*given: Any, **more: Any) -> Any:
        fits.append(given)
        return mixed_mean(*given, **more)

    monkeypatch.setattr(benchmark_module, "mixed_mean", fit)
    asked = reading("benchmark")
    assert asked.gates and asked.values and not fits
    names = list(asked.data)
    assert len(fits) == 5 and "mixed_effects" in names
    assert asked.tables()["mixed_effects"]["contrast"] and len(fits) == 5, "made once"
    assert list(plain(asked)["data"]) == names, "in their order"
    assert jsonable(asked)["data"] == plain(asked)["data"]
    assert msgspec.convert(plain(asked), BindingReading).data == asked.data
