"""Honesty of the family checks: a sound family passes them all, and each mutant fails its own check and no other."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from proctor.conformance import FAMILY_CHECKS, check_family
from proctor.conformance.practice import PracticeFamily
from proctor.conformance.practice import family as practice
from proctor.core.errors import InputError, NotEvaluable
from proctor.engine.family import Draw, Family
from proctor.engine.names import load_family
from proctor.spec.regime import STANDARD_REGIMES, Action, Adversary, Intensity, Regime
from proctor.spec.task import Instance

INSTANCES = 9
REGIMES = (
    STANDARD_REGIMES["baseline"],
    STANDARD_REGIMES["moderate-standard"],
    Regime(id="tight", intensity=Intensity.MODERATE, action=Action(cap="strict")),
    Regime(id="spoken", intensity=Intensity.MODERATE, adversary=Adversary(injection=0.3)),
)
MUTANTS: dict[str, tuple[str, str]] = {
    "no_correct": ("declaration", "reasons lack 'correct'"),
    "ghost_template": ("declaration", "template 'lightest' did not occur"),
    "knob_default": ("declaration", "the default 3 of knob 'crates'"),
    "bad_schema": ("declaration", "type 'objekt' is none of"),
    "hidden_date": ("declaration", "/day is date"),
    "answer_misfit": ("declaration", "answer() does not fit answer_schema"),
    "impatient": ("oracle", "under 'moderate-standard', below its floor of 0.95"),
    "last_value_wins": ("baselines", "agent 'last'"),
    "first_value_wins": ("baselines", "agent 'first'"),
    "in_goal": ("leaks", "appears in the goal"),
    "in_error": ("leaks", "appears in the error message of tool 'weigh'"),
    "in_error_of_state": ("leaks", "the hidden value 'vault-"),
    "undeclared": ("leaks", "the field 'checksum'"),
    "in_result": ("leaks", "'answer' of hidden is shown under its own name in a result of tool 'weigh'"),
    "whole_hidden": ("leaks", "all of hidden is written out in a result of tool 'list_crates'"),
    "in_description": ("leaks", "appears in the description of tool 'weigh'"),
    "stream_key": ("leaks", "the key of the instance's stream appears in the answer format"),
    "counts": ("determinism", "the same draw gave two different instances"),
    "hash_order": ("determinism", "differ in a fresh process"),
    "few_instances": ("determinism", "repeat an earlier one"),
    "restless_world": ("determinism", "left two different traces"),
    "no_strict_cap": ("faults", "states no strict_actions"),
    "no_reader": ("faults", "no tool reads"),
    "no_room_for_injection": ("faults", "'injection' of regime 'spoken' was never delivered"),
    "other_answer": (
        "formats",
        "which ends in failure (wrong_weight); let answer() give what verify() takes",
    ),
    "pedantic": ("formats", "the right answer written as"),
    "lenient": ("formats", "the near miss"),
    "hopeless": ("ceiling", "an optimal policy reaches 0.000 under 'moderate-standard'"),
    "breaks_on_nan": ("verifier", "it broke on NaN (ValueError"),
    "invents_reasons": ("verifier", "undeclared reason 'that_is_no_number'"),
    "accepts_true": ("verifier", "true passes though nothing was done"),
    "evaluates": ("verifier", "something executed"),
    "runs_notes": ("verifier", "handed in or left behind"),
    "reading_writes": ("tools", "'weigh' is declared as reading"),
    "brittle": ("tools", "broke on the arguments"),
    "undescribed": ("tools", "'weigh' has no description"),
    "bad_parameters": ("tools", "type 'text' is none of"),
    "opaque_result": ("tools", "'inspect' broke on the arguments {} (TypeError: not a JSON value"),
    "large_numbers": ("any_calls", "raised OverflowError"),
    "long_labels": ("any_calls", "of processor, twice"),
    "follows_paths": ("any_calls", "read a file outside the world's folder"),
    "leaves_files": ("any_calls", "something outside the world's folder was changed"),
    "hoards": ("any_calls", "state() has"),
    "reversed_knob": ("knobs", "is easier than at"),
    "broken_value": ("knobs", "'crates' at 9 gives no instance"),
    "ignores_knob": ("knobs", "states 3"),
}
# These break under wild calls too: the check that names the cause is theirs.
ALSO_WILD = {"brittle", "opaque_result", "restless_world", "breaks_on_nan", "broken_value"}


FILES = {
    "declared": ("declaration", "oracle", "baselines", "ceiling", "knobs"),
    "shown": ("leaks",),
    "lived": ("determinism", "faults", "tools", "any_calls"),
    "judged": ("formats", "verifier"),
}


def mutant(name: str, check: str) -> Family:
    file = next(file for file, checks in FILES.items() if check in checks)
    return load_family(f"mutants/{file}.py:{name}", Path(__file__).parent)


def test_the_practice_family_passes_everything() -> None:
    report = check_family(practice, regimes=REGIMES, instances=INSTANCES)
    assert report.findings == ()
    assert [result.status for result in report.results] == ["passed"] * len(FAMILY_CHECKS)
    assert report.result("determinism").measured["made_elsewhere"] == 20
    assert report.subject == "practice@1.0"


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_fails_its_own_check_and_no_other(name: str) -> None:
    check, words = MUTANTS[name]
    family = mutant(name, check)
    report = check_family(family, regimes=REGIMES, instances=INSTANCES, fresh_process=name == "hash_order")
    failed = [name for name in report.failed if name != "any_calls"] if name in ALSO_WILD else list(report.failed)
    assert failed == [check], [finding.detail for finding in report.findings]
    assert any(words in finding.detail for finding in report.findings), [f.detail for f in report.findings]


@pytest.mark.parametrize("name", ["offers_options", "fixed_answer"])
def test_what_only_looks_like_a_leak_is_none(name: str) -> None:
    report = check_family(mutant(name, "leaks"), instances=INSTANCES, fresh_process=False, only=["leaks", "oracle"])
    assert report.ok, [finding.detail for finding in report.findings]


def test_every_check_has_a_mutant() -> None:
    assert {check for check, _ in MUTANTS.values()} == {check.id for check in FAMILY_CHECKS}


def test_a_leak_is_seen_in_the_smallest_sample() -> None:
    report = check_family(mutant("in_goal", "leaks"), instances=3, fresh_process=False, only=["leaks"])
    assert not report.ok


def test_findings_say_what_to_do() -> None:
    report = check_family(mutant("in_error", "leaks"), instances=INSTANCES, fresh_process=False, only=["leaks"])
    assert all(
        finding.detail.startswith("leak: the answer '")
        and finding.detail.endswith("error messages must not contain hidden values")
        for finding in report.findings
    )


def test_the_report_is_json_and_repeats_itself() -> None:
    reports = [
        check_family(practice, instances=3, fresh_process=False, only=["declaration", "oracle", "leaks", "knobs"])
        for _ in range(2)
    ]
    plain = [json.loads(json.dumps(report.as_json())) for report in reports]
    assert plain[0]["results"] == plain[1]["results"]
    assert plain[0]["ok"] is True
    assert plain[0]["results"][0]["check"]["id"] == "declaration"
    assert plain[0]["notes"]["microseconds_per_instance"] > 0


def test_other_seeds_show_the_same() -> None:
    for seed in (1, 2):
        assert check_family(practice, instances=INSTANCES, seed=seed, fresh_process=False).failed == ()


def test_a_family_that_raises_is_a_finding_not_a_crash() -> None:
    class Raises(PracticeFamily):
        def instance(self, draw: Draw) -> Instance:
            raise RuntimeError("out of order")

    report = check_family(Raises(), instances=3, fresh_process=False)
    assert not report.ok
    assert "RuntimeError: out of order" in report.findings[0].detail


def test_what_the_machine_lacks_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(names: tuple[str, ...]) -> None:
        raise NotEvaluable("bubblewrap is not installed")

    monkeypatch.setattr("proctor.conformance.family.require", lacking)
    report = check_family(practice, instances=3)
    assert {result.status for result in report.results} == {"not measured"}
    assert "bubblewrap is not installed" in report.results[0].detail


def test_a_family_that_no_other_process_can_find_says_so() -> None:
    report = check_family(PracticeFamily(), instances=3, only=["determinism"])
    assert report.ok
    assert report.results[0].measured["elsewhere"] == "not measured: the family is no top-level name of a module"


def test_a_running_event_loop_is_refused() -> None:
    async def within() -> None:
        check_family(practice, instances=3)

    with pytest.raises(InputError, match="inside an event loop"):
        asyncio.run(within())


@pytest.mark.parametrize(
    ("options", "words"),
    [({"instances": 1}, "at least 3"), ({"only": ["leak"]}, "no family check 'leak'"), ({"regimes": ["x"]}, "'x'")],
)
def test_bad_requests_are_one_sentence(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_family(practice, **options)  # type: ignore[arg-type]
