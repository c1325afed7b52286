"""Deciding about a part of the organisation: the part is named wherever the decision is, and compared with its like."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.pipeline.living import CLERK, accepted, gated, live, setting_of, store_of
from tests.unit.pipeline.small_quality import SUITE, scenario, write_agent, write_project, write_scenarios

from proctor.core.errors import InputError
from proctor.pipeline.baseline.accepted import find_baseline
from proctor.pipeline.decision import decisions
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.stages import Pipeline
from proctor.pipeline.watch import WatchRequest, WatchResult, look
from proctor.reports.markdown_text import plain
from proctor.spec.scope import Scope

ZONE = "G1.U1.P1.Z1.*"
MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def desk(project: Path) -> Path:
    """Ten scenarios in one zone, ten in another."""
    write_project(project)
    zones = [scenario(number, coordinate=f"G1.U1.P1.Z{1 + number // 10}.A1") for number in range(20)]
    write_scenarios(project, zones)
    return project


def parts(desk: Path, *seeds: int, scope: str = ZONE, **freezing: Any) -> list[str]:
    return live(desk, *seeds, scope=Scope.parse(scope), **freezing)


def report_of(desk: Path, pipeline: str) -> tuple[dict[str, Any], str]:
    folder = Pipeline(desk, pipeline).folder
    return msgspec.json.decode((folder / "report.json").read_bytes()), (folder / "report.md").read_text()


def test_a_scoped_run_can_be_the_first_and_stands_under_the_whole_oracle(desk: Path) -> None:
    said: list[str] = []
    found = gated(desk, parts(desk, 1)[0], watch=lambda stage, state, summary: said.append(summary))
    assert found.result == "escalate-to-human"
    assert said[1].startswith(
        f"scope {ZONE}: 10 of 20 scenarios of small-quality@1.0; rules and oracle are recorded for the first time"
    )
    (genesis,) = [entry for entry in Ledger(desk).entries() if entry.kind == "genesis"]
    assert sum(name.startswith("oracle.") for name in genesis.body["charter"]) == 20
    # So the whole suite is under the same rules afterwards, and an edit outside of the scope is found.
    assert gated(desk, live(desk, 2)[0]).result == "escalate-to-human"
    changed = [scenario(number, coordinate=f"G1.U1.P1.Z{1 + number // 10}.A1") for number in range(19)]
    write_scenarios(desk, [*changed, scenario(19, coordinate="G1.U1.P1.Z2.A1", weight=0.5)])
    with pytest.raises(InputError, match=r"oracle\.request-19"):
        gated(desk, parts(desk, 3)[0])


def test_the_part_is_named_by_decision_ledger_and_report(desk: Path) -> None:
    found = gated(desk, parts(desk, 1)[0])
    assert found.scope == ZONE
    assert found.sentence.startswith(f"escalate-to-human within {ZONE}: ")
    (entry,) = [entry for entry in Ledger(desk).entries() if entry.kind == "decision"]
    assert entry.body["scope"] == ZONE
    data, text = report_of(desk, found.pipeline)
    assert (data["scope"], data["partial"]) == (f"{ZONE}: 10 of 20 scenarios", True)
    extent = plain(f"small-quality@1.0, scope {ZONE}: 10 of 20 scenarios")
    assert text.splitlines()[0] == f"# escalate-to-human: oracle on {extent}"
    assert "Only some of the suite's scenarios were run." in text
    whole = gated(desk, live(desk, 2)[0])
    assert (whole.scope, whole.sentence[:19]) == (None, "escalate-to-human: ")


def test_the_baseline_of_the_whole_suite_decides_nothing_about_a_part(desk: Path) -> None:
    accepted(desk, *live(desk, 1, 2, 3, 4, 5))
    assert gated(desk, live(desk, 6)[0]).result == "deploy"
    found = gated(desk, parts(desk, 7)[0])
    assert found.result == "escalate-to-human"
    assert any("only 50 % of the scenarios are the same" in reason for reason in found.reasons)
    assert gated(desk, parts(desk, 8, scope="G1.U1.*.*.*")[0]).result == "deploy", "the same scenarios by another name"


def test_a_part_has_a_baseline_of_its_own_kind(desk: Path) -> None:
    own = accepted(desk, *parts(desk, 1, 2, 3, 4, 5))
    assert own.baseline.facts["scope"] == ZONE
    found = gated(desk, parts(desk, 6)[0])
    assert (found.result, found.sentence[:23]) == ("deploy", f"deploy within {ZONE}"[:23])
    whole = gated(desk, live(desk, 7)[0])
    assert any("only 50 % of the scenarios are the same" in reason for reason in whole.reasons)
    with pytest.raises(InputError, match=r"is of scope G1\.U1\.P1\.Z1\.\* and these runs are of the whole suite"):
        accepted(desk, *live(desk, 11, 12, 13, 14, 15))
    assert find_baseline(desk, "small-quality") == own
    accepted(desk, *parts(desk, 21, 22, 23, 24, 25))
    assert find_baseline(desk, "small-quality") != own


def test_runs_of_several_scopes_are_no_baseline(desk: Path) -> None:
    with pytest.raises(InputError, match="must have the same scope"):
        accepted(desk, *parts(desk, 1, 2, 3, 4), *live(desk, 5))
    assert find_baseline(desk, "small-quality") is None


def test_a_confirming_rerun_keeps_to_the_scope(desk: Path) -> None:
    accepted(desk, *parts(desk, 1, 2, 3, 4, 5, agent=CLERK))
    write_agent(desk, 1, 2, 3)
    found = gated(desk, parts(desk, 6, agent=CLERK)[0])
    assert found.result == "escalate-to-human"
    assert any(reason.endswith("confirmed by a rerun") for reason in found.reasons)
    assert any("turned wrong: request-" in reason for reason in found.reasons)
    with store_of(desk) as store:
        runs = store.runs()
        whole, repeats = runs[:7], runs[7:]
        assert [store.frozen(run.number).scope is not None for run in runs] == [True] * 8, "five, the one, two reruns"
        assert [run.episodes for run in whole] == [20] * 7
        assert [run.episodes for run in repeats] == [2 * 10], "each of three twice more, in company of seven"


def watched(desk: Path, scope: str | None, now: datetime = MORNING) -> WatchResult:
    wanted = None if scope is None else Scope.parse(scope)
    request = WatchRequest(suite=SUITE, agent="oracle", scope=wanted, every=timedelta(days=1), seed=7)
    with store_of(desk) as store:
        return look(setting_of(desk), store, request, now)


def test_a_watched_part_is_examined_alone_and_another_part_is_another_watch(desk: Path) -> None:
    first = watched(desk, ZONE)
    assert first.decision is not None
    assert first.decision.scope == ZONE
    assert watched(desk, ZONE) == WatchResult((), None)
    whole = watched(desk, None, MORNING + timedelta(hours=1))
    assert whole.decision is not None
    assert whole.decision.scope is None
    with store_of(desk) as store:
        assert [run.episodes for run in store.runs()] == [20, 40]
    ledger = Ledger(desk)
    assert len(decisions(ledger.entries(), ledger.keyring)) == 2
