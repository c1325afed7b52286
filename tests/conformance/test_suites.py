"""Honesty of the suite checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.conformance import SUITE_CHECKS, check_suite, regimes_used
from proctor.spec.condition import Condition, Read
from proctor.spec.regime import Action, Adversary, Compute, Intensity, Regime
from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Step, Suite

FOLDER = Path(__file__).parent
NO_CAP = "mutants/lived.py:no_strict_cap"
TIGHT = Regime(id="tight", intensity=Intensity.MODERATE, action=Action(cap="strict"))
CRAMPED = Regime(id="cramped", intensity=Intensity.MODERATE, action=Action(cap=8))
INJECTED = Regime(id="injected", intensity=Intensity.MODERATE, adversary=Adversary(injection=0.2))
NARROW = Regime(id="narrow", intensity=Intensity.MODERATE, action=Action(scope=("weigh", "fly")))
ROOMY = Regime(id="roomy", intensity=Intensity.SEVERE, action=Action(cap=31), compute=Compute(milliseconds=430_000))


def suite(*entries: Entry) -> Suite:
    return Suite(
        name="tested",
        version="1.0",
        title="For testing",
        epoch="2026-01-01T00:00:00Z",
        entries=entries,
        regimes=(TIGHT, NARROW, CRAMPED, INJECTED, ROOMY),
    )


SOUND = Entry(family="mutants/judged.py:lenient", n=20, regimes=("baseline", "tight"), knobs={"crates": 5})
MUTANTS = {
    "families": (Entry(family="no-such-family", n=20), "'no-such-family' cannot be loaded"),
    "regimes": (Entry(family=NO_CAP, n=20, regimes=("tight",)), "states no strict_actions"),
    "regimes ": (Entry(family=NO_CAP, n=20, regimes=("narrow",)), "names fly"),
    "regimes  ": (
        Entry(family="project-plan", n=20, cell="D5", regimes=("roomy",)),
        "it is moderate; a cap of 31 calls",
    ),
    "knobs": (Entry(family=NO_CAP, n=20, knobs={"crates": 4}), "use one of 2, 3, 5"),
    "knobs ": (Entry(family=NO_CAP, n=20, program=(Step(knobs={"boxes": 4}),)), "has no knob 'boxes'"),
    "ceiling": (
        Entry(family="mutants/judged.py:lenient", n=20, regimes=("cramped",), knobs={"crates": 5}),
        "reaches 0.00 of family 'mutants/judged.py:lenient' with crates=5 under 'cramped' (100 draws), below",
    ),
    "faults": (
        Entry(family="mutants/lived.py:no_room_for_injection", n=20, regimes=("injected",)),
        "family 'mutants/lived.py:no_room_for_injection': 'injection' of regime 'injected' was never delivered",
    ),
    "cells": (Entry(family=NO_CAP, n=20, cell="E1"), "does not evidence E1"),
    "samples": (Entry(family=NO_CAP, n=5), "even a perfect agent's interval begins at 0.57"),
}


def test_a_sound_suite_passes_everything() -> None:
    report = check_suite(suite(SOUND), folder=FOLDER)
    assert [result.status for result in report.results] == ["passed"] * len(SUITE_CHECKS)
    assert report.subject == "tested@1.0"


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_fails_its_own_check_and_no_other(name: str) -> None:
    entry, words = MUTANTS[name]
    report = check_suite(suite(SOUND, entry), folder=FOLDER)
    assert report.failed == (name.strip(),), [finding.detail for finding in report.findings]
    assert any(words in finding.detail for finding in report.findings), [f.detail for f in report.findings]


def test_every_check_has_a_mutant() -> None:
    assert {name.strip() for name in MUTANTS} == {check.id for check in SUITE_CHECKS}


def test_the_ceiling_is_that_of_the_knobs_that_are_set() -> None:
    """Two crates can be weighed and stamped within eight calls, five cannot."""
    family = "mutants/judged.py:lenient"
    entries = [Entry(family=family, n=20, regimes=("cramped",), knobs={"crates": crates}) for crates in (2, 5)]
    assert check_suite(suite(entries[0]), folder=FOLDER, only=["ceiling"]).ok
    found = check_suite(suite(*entries), folder=FOLDER, only=["ceiling"]).findings
    assert [f"family '{family}' with crates=5" in finding.detail for finding in found] == [True]


def test_a_family_that_raises_costs_its_own_cells() -> None:
    report = check_suite(suite(SOUND, Entry(family="mutants/judged.py:unattainable", n=20)), folder=FOLDER)
    assert report.failed == ("ceiling",)
    assert "raised ZeroDivisionError" in report.findings[0].detail
    assert any("lenient" in name for name in report.result("ceiling").measured)


def test_whoever_watches_is_told_what_is_looked_at() -> None:
    told: list[str] = []
    check_suite(suite(SOUND), folder=FOLDER, watch=told.append)
    assert told == [f"{what} of {SOUND.family}, 1 of 1" for what in ("ceiling", "faults")]


def test_another_confidence_is_a_finding_where_levels_are_read() -> None:
    declared = suite(SOUND.model_copy(update={"cell": "R"})).model_copy(update={"rules": Rules(confidence=0.9)})
    found = check_suite(declared, folder=FOLDER, only=["cells"])
    assert [finding.detail.partition(";")[0] for finding in found.findings][1:] == [
        "cells: suite 'tested': rules.confidence is 0.9, but cell R of the Agency Vector is always read at 0.95"
    ]


def test_the_same_arm_twice_is_counted_twice() -> None:
    report = check_suite(suite(SOUND, SOUND), folder=FOLDER)
    assert report.failed == ("samples",)
    assert "listed 2 times" in report.findings[0].detail


def test_other_instances_of_a_family_are_not_the_same_arm() -> None:
    beyond = SOUND.model_copy(update={"first": SOUND.n})
    assert check_suite(suite(SOUND, beyond), folder=FOLDER).ok
    overlapping = SOUND.model_copy(update={"first": SOUND.n - 1})
    assert check_suite(suite(SOUND, overlapping), folder=FOLDER).failed == ("samples",)


@pytest.mark.parametrize(("conditions", "sound"), [(("lesioned", "whole"), True), (("none", "lesioned"), False)])
def test_arms_of_interventions_are_read_over_their_families_together(conditions: tuple[str, ...], sound: bool) -> None:
    few = [Entry(family=f"mutants/judged.py:{name}", n=6, conditions=conditions) for name in ("lenient", "pedantic")]
    tested = Suite(
        name="tested",
        version="1.0",
        title="For testing",
        epoch="2026-01-01T00:00:00Z",
        conditions=(Condition(id="lesioned", reads={"memory": Read(do="remove")}), Condition(id="whole")),
        entries=tuple(few),
    )
    assert check_suite(tested, folder=FOLDER).failed == (() if sound else ("samples",))


def test_regimes_of_a_family_are_those_of_its_entries_and_steps() -> None:
    stepped = Entry(family=NO_CAP, n=20, program=(Step(regime="mild"), Step()))
    found = regimes_used(suite(SOUND, stepped), NO_CAP)
    assert [regime.id for regime in found] == ["baseline", "mild"]
