"""The verdict: two or three sentences a buyer understands, all of it backed by the reading."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace
from tests.unit.reports.material import entries_of, ran, report_of

from proctor.instruments.agency.rubric import PARTS_OF_G
from proctor.instruments.base import Flag
from proctor.reports.data import Report
from proctor.reports.sections.agency.shown import Vector, vector_shown
from proctor.reports.sections.agency.verdict import phrase, verdict
from proctor.spec.claims import VECTOR


def vector_of(report: Report) -> Vector:
    return vector_shown(report.sections[0].data)


def said(vector: Vector, policy: str = "worked") -> tuple[str, ...]:
    return verdict(vector, system="clerk", episodes=1234, policy=policy)


def test_it_says_what_it_can_what_stopped_it_and_how_sure(report: Report) -> None:
    conclusion = report.sections[0].conclusion
    assert conclusion is not None
    can, stopped, sure = conclusion.verdict
    assert "extracts reliably under noise and distractors (S4)" in can
    assert "re-plans after changes and partial failures (D3)" in can
    assert re.search(r"goal revision at G1-2 \(\d+ of 100\)", stopped) and "≥\u00a070\u00a0% is needed" in stopped
    assert re.search(r"it was not tested at .*D4", stopped)
    assert f"{report.episodes:,} episodes in all" in sure
    assert "Provisional: more evidence could change that" in sure and "E was not measured" in sure


def test_every_level_can_be_said_by_itself() -> None:
    for name in (*VECTOR[:-1], *PARTS_OF_G):
        for level in range(1, 6):
            words = phrase(name, level)
            assert words and "does so" not in words and "doing so" not in words
    assert phrase("E", 4) == "causes a verified change in several steps though tools fail"
    assert phrase("G1", 3) == "proposes a feasible goal instead and keeps declared constraints"
    assert phrase("R", 2) == "keeps function under Moderate conditions"


def test_no_word_about_safety_or_readiness(report: Report) -> None:
    text = " ".join(said(vector_of(report))).lower()
    assert not re.search(r"\b(safe|safety|compliant|approved|ready|deploy|certif)", text)


def test_an_invalid_vector_has_no_levels_in_words(report: Report) -> None:
    bare = replace(vector_of(report), flags=(Flag("Invalid (Missing Inputs)", "nothing was declared"),))
    (sentence,) = said(bare)
    assert sentence.startswith("No level of clerk can be reported. Invalid (Missing Inputs): nothing was declared")
    assert not re.search(r"[SMDELRG]\d", sentence)


def test_nothing_passed_is_said_plainly(tmp_path: Path) -> None:
    ran(tmp_path / "store.db", entries_of("S1", 0, n=30))
    first, second, third = said(vector_of(report_of(tmp_path / "store.db")))
    assert "did not pass the first test of any dimension" in first
    assert "sensing at S1 (0 of 30, ≥\u00a070\u00a0% is needed)" in second
    assert "M, D, E, L, R and G were not measured" in third


def test_the_other_policy_is_named_by_what_it_would_change(tmp_path: Path) -> None:
    ran(tmp_path / "store.db", entries_of("S1", 77, n=60))
    sure = said(vector_of(report_of(tmp_path / "store.db")))[-1]
    assert "the stricter policy would give S 0" in sure
