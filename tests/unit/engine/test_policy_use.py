"""Caps of regimes are held against what attainable policies spend, when a run is frozen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, Spent
from proctor.engine.names import load_family
from proctor.engine.policy_use import measure_uses
from proctor.engine.run import freeze
from proctor.spec.frozen import FrozenRun
from proctor.spec.intensity import effective_intensity
from proctor.spec.regime import Intensity, Regime
from proctor.spec.suite import Suite
from proctor.suites.kit.ceiling import Policy

FOLDER = Path(__file__).parent
BESIDE = {
    "D5": {"D1": "thermostat", "D2": "file-sorting"},
    "S5": {"S1": "email-triage", "S2": "ticket-routing"},
    "M5": {"M1": "inventory", "M2": "account-transactions"},
    "M4": {"M1": "inventory"},
    "E3": {"E1": "file-creation"},
}
"""Families of the same dimension, so that a level is claimed with enough of them."""


def suite(family: str, cell: str, declared: dict[str, Any], **changes: Any) -> Suite:
    """A suite in which a family counts for a cell under a regime of its own."""
    entry = {"family": family, "n": 12, "cell": cell, "regimes": [declared["id"]], **changes}
    others = [{"family": name, "n": 12, "cell": other} for other, name in BESIDE.get(cell, {}).items()]
    return Suite.model_validate(
        {
            "name": "mine",
            "version": "1.0",
            "title": "Mine",
            "epoch": "2026-01-01T00:00:00Z",
            "regimes": [declared],
            "entries": [entry, *others],
        }
    )


def frozen(tested: Suite, folder: Path = FOLDER) -> FrozenRun:
    return freeze(suite=tested, agent="oracle", folder=folder)


def regime(intensity: str, **axes: Any) -> dict[str, Any]:
    return {"id": "own", "intensity": intensity, **axes}


# Each limits on paper what no task comes near.
UNEARNED: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "100,000 calls and ten minutes": (
        "project-plan",
        "D5",
        regime("severe", action={"cap": 100_000}, compute={"milliseconds": 600_000}),
        "a cap of 100000 calls is severe up to 30, since 20 are needed; a cap of 600000 ms is severe up to 429000",
    ),
    "a call and a millisecond too many": (
        "project-plan",
        "D5",
        regime("severe", action={"cap": 31}, compute={"milliseconds": 429_001}),
        "a cap of 31 calls is severe up to 30",
    ),
    "a second axis that limits nothing": (
        "project-plan",
        "D5",
        regime("severe", action={"cap": 25}, compute={"milliseconds": 86_400_000}),
        "it is moderate",
    ),
    "queries": (
        "document-questions",
        "S5",
        regime("severe", information={"queries": 5}, compute={"milliseconds": 40_000}),
        "a cap of 5 queries is severe up to 4, since 3 are needed; a cap of 40000 ms is severe up to 30000",
    ),
    "time": (
        "emergency-planning",
        "M5",
        regime("severe", compute={"milliseconds": 600_000}, stability={"failures": 0.2}),
        "a cap of 600000 ms is severe up to",
    ),
    "a strict cap where everything is shown at once": (
        "email-triage",
        "R",
        regime("severe", action={"cap": "strict"}, compute={"milliseconds": 3_600_000}),
        "it is mild",
    ),
    "hardly an injection": (
        "email-triage",
        "R",
        regime("severe", stability={"noise": {"share": 0.1}}, adversary={"injection": 0.001}),
        "it is moderate; its shares are too small",
    ),
    "moderate by a cap": ("code-deployment", "E3", regime("moderate", action={"cap": 100_000}), "it is mild"),
    "moderate by queries": ("api-drift", "M4", regime("moderate", information={"queries": 1_000}), "it is mild"),
    "moderate by time": ("api-drift", "M4", regime("moderate", compute={"milliseconds": 10**9}), "it is mild"),
    "moderate by a drift that never comes": (
        "api-drift",
        "M4",
        regime("moderate", stability={"drift": {"after_calls": 10_000, "tool": "send_order", "milliseconds": 15_000}}),
        "drift: it does not touch the attainable policy",
    ),
    "moderate by a scope of nearly everything": (
        "api-drift",
        "M4",
        regime("moderate", action={"scope": ["send_order", "reread", "passage"]}),
        "its scope leaves more than half of the tools",
    ),
    "moderate by tokens": (
        "api-drift",
        "M4",
        regime("moderate", compute={"tokens": 9}),
        "nobody knows how many tokens",
    ),
    "moderate by retries where nothing fails": (
        "api-drift",
        "M4",
        regime("moderate", action={"retries": 0}),
        "retries: it does not touch the attainable policy",
    ),
    "moderate by a wait of a millisecond": (
        "api-drift",
        "M4",
        regime("moderate", action={"rate": {"milliseconds_between": 1}}),
        "rate: it does not touch the attainable policy",
    ),
}


@pytest.mark.parametrize("name", UNEARNED)
def test_a_regime_that_only_says_it_is_hard_is_refused(name: str) -> None:
    family, cell, declared, says = UNEARNED[name]
    with pytest.raises(InputError, match="is called") as refused:
        frozen(suite(family, cell, declared))
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


EARNED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "calls and time": ("project-plan", "D5", regime("severe", action={"cap": 30}, compute={"milliseconds": 429_000})),
    "queries and time": (
        "document-questions",
        "S5",
        regime("severe", information={"queries": 4}, compute={"milliseconds": 30_000}),
    ),
    "a wider cap where calls fail": (
        "project-plan",
        "D5",
        regime("severe", action={"cap": 36}, stability={"failures": 0.2}),
    ),
    "moderate by a cap": ("code-deployment", "E3", regime("moderate", action={"cap": 21})),
    "moderate by a scope": ("code-deployment", "E3", regime("moderate", action={"scope": ["deploy"]})),
}


@pytest.mark.parametrize("name", EARNED)
def test_a_regime_that_is_hard_is_let_through(name: str) -> None:
    family, cell, declared = EARNED[name]
    run = frozen(suite(family, cell, declared))
    assert effective_intensity(run, f"{family}@1.0", "own") is Intensity(declared["intensity"])


def test_easier_settings_of_a_family_need_tighter_caps() -> None:
    declared = regime("severe", action={"cap": 25}, compute={"milliseconds": 240_000})
    tested = suite("project-plan", "D5", declared)
    assert [(use.calls, use.twice) for use in frozen(tested).uses] == [(20, 429_000)]
    with pytest.raises(InputError, match="a cap of 25 calls is severe up to 18, since 12 are needed"):
        frozen(
            suite(
                "project-plan",
                "D5",
                regime("severe", action={"cap": 25}, compute={"milliseconds": 300_000}),
                knobs={"steps": 12},
            )
        )
    easier = tested.entries[0].model_copy(update={"knobs": {"steps": 12}, "family": "project-plan@1.0"})
    both = frozen(tested.model_copy(update={"entries": (*tested.entries, easier)}))
    assert [(use.calls, use.twice) for use in both.uses] == [(12, 253_000)], "the easier of the two counts"


def test_a_step_with_a_regime_of_its_own_is_checked_too() -> None:
    declared = regime("severe", action={"cap": 100_000}, compute={"milliseconds": 600_000})
    program = [{"phase": "test", "regime": "own"}]
    with pytest.raises(InputError, match="a cap of 100000 calls"):
        frozen(suite("project-plan", "D5", declared, regimes=["severe-standard"], program=program))


def test_an_easy_phase_cannot_hide_under_the_name_of_training() -> None:
    declared = regime("severe", action={"cap": 25}, compute={"milliseconds": 300_000})
    program = [{"phase": "train", "episodes": 9, "knobs": {"steps": 12}}, {"phase": "test"}]
    with pytest.raises(InputError, match="since 12 are needed"):
        frozen(suite("project-plan", "D5", declared, program=program))


YARD = """
from proctor.conformance.practice import PracticeFamily

class Yard(PracticeFamily):
    spec = PracticeFamily.spec.model_copy(update={"id": "yard", "evidences": ("R",)})

class Saying(Yard):
    def attainable(self, instance, deliveries):
        for _ in instance.hidden["ship"]:
            deliveries.spend("read")
            deliveries.spend("write", milliseconds=900)
        return True

class Breaking(Yard):
    def attainable(self, instance, deliveries):
        raise KeyError("crates")

silent, saying, breaking = Yard(), Saying(), Breaking()
"""


def test_a_family_that_says_nothing_of_its_policy_cannot_rest_on_caps(tmp_path: Path) -> None:
    (tmp_path / "yard.py").write_text(YARD)
    declared = regime("severe", action={"cap": "strict"}, compute={"milliseconds": 4_000})
    with pytest.raises(InputError, match="cap: the family does not say what its attainable policy spends"):
        frozen(suite("yard.py:silent", "R", declared), tmp_path)
    use = frozen(suite("yard.py:saying", "R", declared), tmp_path).uses[0]
    assert use.strict is not None
    assert (use.calls, use.queries, use.strict.cap, use.strict.calls) == (6, 3, 8, 6)
    # Three crates, each weighed in 100 ms and stamped in 900: the last stamp begins 900 ms before the end.
    assert (use.twice, use.fourfold) == (5_100, 11_100)


def test_a_policy_that_breaks_is_named(tmp_path: Path) -> None:
    (tmp_path / "yard.py").write_text(YARD)
    declared = regime("severe", action={"cap": 5}, compute={"milliseconds": 4_000})
    with pytest.raises(InputError, match=r"family 'yard@1\.0': what is attainable cannot be worked out \(KeyError"):
        frozen(suite("yard.py:breaking", "R", declared), tmp_path)


def test_entries_without_a_cell_are_left_alone() -> None:
    tested = suite("project-plan", "D5", regime("severe", action={"cap": 10**6}, compute={"milliseconds": 600_000}))
    free = tested.model_copy(update={"entries": (tested.entries[0].model_copy(update={"cell": None}),)})
    assert frozen(free).uses == ()


def test_the_same_numbers_every_time() -> None:
    families = {"project-plan": load_family("project-plan", FOLDER)}
    declared = regime("severe", action={"cap": 25}, compute={"milliseconds": 240_000}, stability={"failures": 0.1})
    tested = suite("project-plan", "D5", declared)
    assert measure_uses(tested, families) == measure_uses(tested, families)
    assert measure_uses(tested, families)[0].failed > 0


def test_spare_readings_are_no_use() -> None:
    """A policy that reads on because calls are left must not make a roomy cap look tight."""
    family = load_family("file-sorting", FOLDER)
    noisy = regime("severe", action={"cap": 60}, compute={"milliseconds": 9_999}, stability={"noise": {"share": 0.05}})
    quiet = regime("severe", action={"cap": 60}, compute={"milliseconds": 9_999})
    calls = [
        measure_uses(suite("file-sorting", "R", declared), {"file-sorting": family})[0].calls
        for declared in (noisy, quiet)
    ]
    assert calls[0] == calls[1] > 5


def test_time_is_that_of_the_calls() -> None:
    instance = load_family("track", FOLDER).instance(Draw.of("one", operations=6))
    slow = Regime.parse(regime("moderate", stability={"timeouts": 1.0, "timeout_milliseconds": 5_000}), source="t")
    meter = Spent(reading=100, writing=200)
    assert not Policy(instance, Deliveries(slow, Stream.keyed("slow"), meter)).attempt("read")
    assert (meter.calls, meter.queries, meter.failed, meter.milliseconds) == (1, 1, 1, 5_000)
    paced = Spent(reading=100, writing=2_000, between=1_000)
    deliveries = Deliveries(slow, Stream.keyed("slow"), paced)
    deliveries.spend("read")
    deliveries.spend("write")
    assert (paced.milliseconds, paced.begins(2), paced.begins(4)) == (3_000, 4_000, 10_000)
