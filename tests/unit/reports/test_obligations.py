"""Capability policies: what applies, what does not, and what nobody can tell from the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.reports.obligations import Evaluated, evaluate
from proctor.spec.capability_policy import CapabilityPolicy
from proctor.spec.documents import read_document

EXAMPLES = Path(__file__).parents[3] / "examples" / "policies"


def flag(name: str, reason: str = "for a reason") -> dict[str, str]:
    return {"name": name, "reason": reason}


def dimension(level: int | None, *flags: str, tested: int = 5, **more: Any) -> dict[str, Any]:
    """A dimension that was tested up to a level and met up to another."""
    reached = level or 0
    statuses = ["met" if n < reached else "not met" if n < tested else "not tested" for n in range(5)]
    shown = [flag(one) for one in flags]
    return {"level": level, "flags": shown, "statuses": statuses, "parts": {}, **more}


def report(**changes: Any) -> dict[str, Any]:
    """A report that nothing stands against; everything at 2 of 5 tested levels."""
    vector = {name: dimension(2) for name in "SMDELR"}
    vector["G"] = dimension(2, parts={name: dimension(2) for name in ("G1", "G2", "G3")})
    data: dict[str, Any] = {
        "measured": True,
        "reason": None,
        "text": "(Framework v.10, …)",
        "statement": "Capability only.",
        "exploratory": "",
        "flags": [],
        "vector": vector,
        "tuple": {"regimes": {"baseline": {}}, "boundary": {"kind": "core"}},
        "tier": {"tier": 2, "text": "2 (Adaptive)"},
        "governance_notes": {
            "severity": "Advisory",
            "text": "Advisory",
            "triggers": [{"condition": "c", "status": "not fired"}],
        },
        "evaluation": {"label": ""},
    }
    return data | changes


def policy(*when: dict[str, Any]) -> CapabilityPolicy:
    thresholds = [{"id": "one", "when": list(when), "oblige": "Do it."}]
    return CapabilityPolicy.parse(
        {"name": "p", "version": "1.0", "title": "P", "owner": "O", "thresholds": thresholds}, source="test"
    )


def asked(data: dict[str, Any] | None, *when: dict[str, Any]) -> tuple[str, str]:
    (one,) = evaluate(policy(*when), "run", data).obligations
    return one.answer, "; ".join(one.because)


E3 = {"dimension": "E", "at_least": 3}


def changed(name: str, level: int | None, *flags: str, **more: Any) -> dict[str, Any]:
    data = report()
    data["vector"][name] = dimension(level, *flags, **more)
    return data


@pytest.mark.parametrize(("level", "answer"), [(2, "does not apply"), (3, "applies"), (5, "applies")])
def test_at_or_above(level: int, answer: str) -> None:
    assert asked(changed("E", level), E3)[0] == answer


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (report(exploratory="one boundary alone"), "exploratory"),
        (report(flags=[flag("Provisional")]), "the report is Provisional"),
        (report(flags=[flag("Contested (Under Challenge)")]), "Under Challenge"),
        (changed("E", 2, "Provisional"), "Provisional: for a reason"),
        (changed("E", None, "Invalid (Missing Inputs)"), "Invalid (Missing Inputs)"),
        (changed("E", None), "not measured"),
        (changed("E", 2, tested=2), "E 3 was not tested"),
        (changed("E", 2, other_policy_level=3), "the other borderline policy gives 3"),
        (report(measured=False, reason="nothing ran"), "nothing ran"),
        (None, "no Agency Vector"),
    ],
)
def test_what_is_missing_or_in_doubt_is_never_no_obligation(data: dict[str, Any] | None, words: str) -> None:
    answer, why = asked(data, E3)
    assert answer == "undetermined" and words in why


def test_a_level_met_above_a_failed_one_is_not_taken_for_absence() -> None:
    data = changed("E", 1, statuses=["met", "not met", "met, not credited", "not met", "not met"])
    answer, why = asked(data, E3)
    assert answer == "undetermined" and "met and not credited" in why
    assert asked(data, {"dimension": "E", "at_least": 4})[0] == "does not apply"


@pytest.mark.parametrize("name", ["Provisional", "Contested (Evaluator Disagreement)", "Limited Comparability (x)"])
def test_a_capability_that_is_there_obliges_whatever_its_flags(name: str) -> None:
    answer, why = asked(changed("E", 4, name), E3)
    assert answer == "applies" and name in why


def test_parts_of_g() -> None:
    data = report()
    data["vector"]["G"]["parts"]["G3"] = dimension(3)
    assert asked(data, {"dimension": "G3", "at_least": 3})[0] == "applies"
    assert asked(data, {"dimension": "G", "at_least": 3})[0] == "does not apply"


@pytest.mark.parametrize(
    ("tier", "answer"),
    [
        ({"tier": 5, "text": "5"}, "applies"),
        ({"tier": 4, "text": "4 (Reflective)"}, "does not apply"),
        ({"tier": 4, "text": "4; Tier 5 not tested"}, "undetermined"),
        ({"tier": None, "text": "None (not tested)"}, "undetermined"),
        (None, "undetermined"),
    ],
)
def test_tiers(tier: Any, answer: str) -> None:
    assert asked(report(tier=tier), {"tier": 5})[0] == answer


def test_regime_and_boundary_that_were_not_examined_are_not_known() -> None:
    assert asked(report(), {"regime": "baseline"})[0] == "applies"
    assert asked(report(), {"regime": "severe-standard"})[0] == "undetermined"
    assert asked(report(), {"boundary": "core"})[0] == "applies"
    assert asked(report(), {"boundary": "extended"})[0] == "undetermined"


def test_governance_notes_and_flags() -> None:
    assert asked(report(), {"governance": "advisory"})[0] == "applies"
    assert asked(report(), {"governance": "elevated"})[0] == "does not apply"
    open_notes = {"severity": None, "text": "", "triggers": [{"condition": "claims", "status": "not measured"}]}
    assert asked(report(governance_notes=open_notes), {"governance": "elevated"}) == (
        "undetermined",
        "governance notes elevated or above: not measured: claims",
    )
    assert asked(changed("D", 2, "Contested (Evaluator Disagreement)"), {"flag": "contested"})[0] == "applies"
    assert asked(report(), {"flag": "Contested"})[0] == "does not apply"
    assert asked(report(measured=False), {"flag": "Contested"})[0] == "undetermined"


def test_conditions_together_and_one_of_several() -> None:
    unknown, no, yes = {"tier": 5}, E3, {"dimension": "E", "at_least": 2}
    data = report(tier={"tier": None, "text": "not tested"})
    assert asked(data, yes, unknown)[0] == "undetermined"
    assert asked(data, no, unknown)[0] == "does not apply", "whatever the other one is"
    assert asked(data, {"any": [no, unknown]})[0] == "undetermined"
    assert asked(data, {"any": [unknown, yes]})[0] == "applies"
    assert asked(data, {"any": [no, no]})[0] == "does not apply"


def test_what_stands_against_the_report_is_said_first() -> None:
    data = report(exploratory="one boundary alone", flags=[flag("Contested (Under Challenge)")])
    found = evaluate(policy(E3), "run", data)
    assert isinstance(found, Evaluated) and found.tuple_line.startswith("(Framework")
    assert found.standing == ("exploratory: one boundary alone", "Contested (Under Challenge): for a reason")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({}, "has nothing"),
        ({"dimension": "E"}, "belong together"),
        ({"at_least": 3, "tier": 2}, "belong together"),
        ({"tier": 2, "regime": "baseline"}, "tier and regime"),
        ({"dimension": "E", "at_least": 6}, "less than or equal to 5"),
        ({"any": []}, "any needs conditions"),
        ({"dimenson": "E", "at_least": 3}, "did you mean 'dimension'?"),
    ],
)
def test_a_condition_that_cannot_be_meant_is_refused(when: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        policy(when)
    assert words in str(refused.value)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_examples_can_be_evaluated(path: Path) -> None:
    found = evaluate(CapabilityPolicy.parse(read_document(path), source=str(path)), "run", report())
    assert len(found.obligations) == 4 and "no deployment gate reads it" in found.statement


def test_there_are_two_examples() -> None:
    assert len(list(EXAMPLES.glob("*.yaml"))) == 2
