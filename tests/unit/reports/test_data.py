"""The report as data: complete, the same every time, bounded, and without what must stay hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.reports.material import FAMILIES, entries_of, ran, report_of, whole_vector

from proctor.evidence.store.store import Store
from proctor.reports import build
from proctor.reports.data import STATEMENT, Report, from_json, to_json
from proctor.reports.html.page import render
from proctor.reports.trace import shorten


def test_it_says_what_was_examined(report: Report) -> None:
    assert (report.suite, report.agent, report.system.boundary["kind"]) == ("graded@1.0", "oracle", "core")
    assert report.label == "oracle, not a result"
    assert (report.statement, report.profile, report.policy) == (STATEMENT, "default", "worked")
    assert report.seed.value == 7 and "anyone with the package can regenerate these tasks" in report.seed.text
    assert report.timestamp == "2026-01-01T00:00:00Z"
    assert all((report.digests.config_hash, report.digests.root, report.digests.seal))
    assert report.episodes == report.planned == sum(report.outcomes.values()) == sum(s.episodes for s in report.samples)
    assert [regime.id for regime in report.regimes] == ["baseline", "moderate-standard", "severe-standard"]
    assert report.regimes[2].parameters["information"] == {"context_cut": 0.75}


def test_sections_stand_in_order_with_the_tuple_first(report: Report) -> None:
    names = [section.instrument for section in report.sections if section.measured]
    assert names[:2] == ["agency", "rates"]
    assert report.sections[0].headline.startswith("(Framework v.10, Core Boundary, [")


def test_json_reads_back_as_the_same_report_and_page(report: Report) -> None:
    again = from_json(to_json(report))
    assert again == report
    assert to_json(again) == to_json(report)
    assert render(again) == render(report)


def test_the_same_evidence_gives_the_same_bytes(vector_store: Path, report: Report) -> None:
    assert to_json(report_of(vector_store)) == to_json(report)


def test_failing_episodes_belong_to_what_stopped_the_agent(report: Report) -> None:
    cells = [episode.about for episode in report.failures]
    assert {"S5", "R3", "G1-2", "G2-2"} <= set(cells)
    assert max(map(cells.count, cells)) <= 3
    for episode in report.failures:
        assert episode.outcome != "success"
        assert episode.goal.startswith("Find the value") and episode.steps[-1].kind == "end"
        assert len(episode.head) == 64
    first, second = [episode for episode in report.failures if episode.about == "S5"][:2]
    assert (first.reason, first.family) != (second.reason, second.family), "one of each kind before a second"


def test_a_report_is_bounded(vector_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MAX_EPISODES", 2)
    monkeypatch.setattr(build, "MAX_STEPS", 4)
    monkeypatch.setattr(build, "MAX_CHARACTERS", 8)
    small = report_of(vector_store)
    assert len(small.failures) == 2
    for episode in small.failures:
        assert len(episode.steps) == 4 and episode.left_out > 0
        assert [step.kind for step in episode.steps][-1] == "end"
        assert all(len(step.text) < 60 for step in episode.steps)
    assert "in the middle left out" in render(small).decode()


def test_shortened_texts_say_how_much_is_missing() -> None:
    assert shorten("short", 10) == "short"
    assert shorten("a" * 80 + "b" * 20, 20) == f"{'a' * 15}\n[… 80 characters left out …]\n{'b' * 5}"


def test_a_hidden_seed_stays_hidden(tmp_path: Path) -> None:
    seed = "5eed" * 16
    ran(tmp_path / "store.db", entries_of("S1", 50, n=12), seed=seed)
    report = report_of(tmp_path / "store.db")
    assert (report.seed.public, report.seed.value) == (False, None)
    assert seed not in to_json(report).decode() and seed not in render(report).decode()
    assert "regenerate" not in render(report).decode()


def test_an_unfinished_run_says_so_first(tmp_path: Path) -> None:
    ran(tmp_path / "store.db", entries_of("S1", 90, n=12))
    with Store(str(tmp_path / "store.db")) as store:
        store.update_run(1, status="interrupted", root=None, seal=None)
    report = report_of(tmp_path / "store.db")
    page = render(report).decode()
    assert not report.complete
    assert "the run is interrupted: everything below is of 12 of 12 episodes" in page
    assert "available when the run is finished" in page


def test_an_episode_that_could_not_begin_is_no_example(tmp_path: Path) -> None:
    """`null` keeps nothing that could be put back: what comes after that has no task to show."""
    program = [{"phase": "first"}, {"phase": "second", "before": "snapshot"}, {"phase": "again", "before": "restore"}]
    ran(tmp_path / "store.db", [{"family": FAMILIES[0], "n": 2, "program": program}], agent="null")
    found = report_of(tmp_path / "store.db")
    assert found.failures
    assert {episode.phase for episode in found.failures} <= {"first", "second"}


def test_what_could_not_be_evaluated_is_listed(report: Report) -> None:
    from msgspec.structs import replace

    page = render(replace(report, skipped={"files@1.0": "bubblewrap is missing"})).decode()
    assert "files@1.0" in page and "not evaluable here: bubblewrap is missing" in page


def test_the_vector_the_tests_rely_on() -> None:
    assert {entry["cell"] for entry in whole_vector()} >= {"S5", "M3", "L2", "R", "G1-1", "G2-2"}
