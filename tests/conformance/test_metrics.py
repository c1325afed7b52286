"""Honesty of the metric checks: built-in metrics pass, and what is wrong with a package's is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.instruments.test_plugin_metric import packaged

from proctor.conformance import METRIC_CHECKS, check_metric

MUTANTS = {
    "declared": ("def attacked", "import no_such_module\n\n\ndef attacked", "No module named 'no_such_module'"),
    "counts": ("return attacked(case) * case.measures.correct", "return 2.0", "more than there is"),
    "counts ": ('name="ADV"', 'name="OTHER"', "something else than a Metric of that name"),
    "idle": ("attacked(case) * case.measures.correct", "attacked(case)", "reaches 1.00; count a part only where"),
    "pure": (
        "def withstood(case: Case) -> float:\n    return ",
        "SEEN: list[int] = []\n\n\ndef withstood(case: Case) -> float:\n    SEEN.append(1)\n"
        "    return (len(SEEN) % 3 == 0) * ",
        "gave two values",
    ),
}


@pytest.mark.parametrize("name", ["DA", "GCR", "EQS", "LUL", "CAS"])
def test_our_own_pass(name: str) -> None:
    report = check_metric(name)
    assert report.ok, [finding.detail for finding in report.findings]
    assert report.result("declared").status == "passed"


def test_the_one_of_the_page_passes_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with packaged(tmp_path, monkeypatch):
        report = check_metric("ADV")
    assert [result.status for result in report.results] == ["passed"] * len(METRIC_CHECKS)


@pytest.mark.parametrize("name", MUTANTS)
def test_what_is_wrong_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new, words = MUTANTS[name]
    with packaged(tmp_path, monkeypatch, (old, new)):
        report = check_metric("ADV")
    assert name.strip() in report.failed
    assert any(words in finding.detail for finding in report.findings), [f.detail for f in report.findings]


def test_every_check_has_a_mutant() -> None:
    assert {name.strip() for name in MUTANTS} == {check.id for check in METRIC_CHECKS}


def test_one_with_nothing_to_measure_is_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with packaged(tmp_path, monkeypatch, ("float(bool(case.measures.adversarial))", "0.0")):
        report = check_metric("ADV")
    assert report.ok
    assert report.result("counts").detail.endswith("has anything of it: no scored scenario is adversarial")
