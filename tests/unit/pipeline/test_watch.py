"""Looks of the continuous pipeline: what fires, and one decision for it whatever is killed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.unit.pipeline.living import Killed, Silent, setting_of, store_of
from tests.unit.pipeline.small_quality import FAMILY, SUITE, scenario, write_agent, write_project, write_scenarios

from proctor.core.errors import InputError
from proctor.evidence.row import EpisodeRecord
from proctor.pipeline.decision import decisions
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.stages import STAGES, Pipeline
from proctor.pipeline.triggers import WatchState, fired_triggers, load_state, parse_interval, save_state
from proctor.pipeline.watch import WatchRequest, WatchResult, look

MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def desk(project: Path) -> Path:
    write_project(project, scenarios=5)
    return project


def looked(
    project: Path,
    now: datetime = MORNING,
    *,
    agent: str = "oracle",
    paths: tuple[str, ...] = (),
    watch: Any = None,
    progress: Any = None,
    seed: int | str = 7,
) -> WatchResult:
    request = WatchRequest(suite=SUITE, agent=agent, paths=tuple(map(Path, paths)), every=timedelta(days=1), seed=seed)
    with store_of(project) as store:
        return look(setting_of(project, progress=progress), store, request, now, watch)


def runs(project: Path) -> list[str]:
    with store_of(project) as store:
        return [record.name for record in store.runs()]


def test_the_first_look_examines_and_the_second_rests(desk: Path) -> None:
    first = looked(desk)
    assert first.triggers == ("onAgentUpdate",)
    assert first.decision is not None
    assert first.decision.result == "escalate-to-human"
    assert looked(desk, MORNING + timedelta(hours=23)) == WatchResult((), None)
    assert len(runs(desk)) == 1


def test_a_day_later_it_is_time_again_on_other_streams(desk: Path) -> None:
    (desk / "desk.py").write_text(FAMILY.replace("2026-03-01T00:00:00Z", "today"))
    looked(desk)
    assert looked(desk, MORNING + timedelta(days=1)).triggers == ("scheduled",)
    with store_of(desk) as store:
        frozen = [store.frozen(record.number) for record in store.runs()]
    assert frozen[0].seed != frozen[1].seed
    assert [one.timestamp for one in frozen] == ["2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"]


def test_declared_paths_count_by_content(desk: Path) -> None:
    (desk / "prompts").mkdir()
    prompt = desk / "prompts" / "system.txt"
    prompt.write_text("be careful")
    looked(desk, paths=("prompts",))
    prompt.write_text("be careful")
    assert looked(desk, paths=("prompts",)).triggers == ()
    prompt.write_text("be quick")
    assert looked(desk, paths=("prompts",)).triggers == ("onAgentUpdate",)
    with pytest.raises(InputError, match="does not exist"):
        looked(desk, paths=("nowhere",))


def test_the_files_an_agent_string_names_count_too(desk: Path) -> None:
    clerk = "python:agent.py:make"
    looked(desk, agent=clerk)
    assert looked(desk, agent=clerk).triggers == ()
    write_agent(desk, 1)
    assert looked(desk, agent=clerk).triggers == ("onAgentUpdate",)


def test_a_changed_oracle_fires_and_is_refused_until_approved(desk: Path) -> None:
    looked(desk)
    write_scenarios(desk, [scenario(number, weight=0.5) for number in range(5)])
    for _ in range(2):
        with pytest.raises(InputError, match="5 places"):
            looked(desk)
    assert len(runs(desk)) == 1, "nothing was run under unapproved rules"


def test_an_incident_fires(desk: Path) -> None:
    looked(desk)
    Ledger(desk).append("incident", {"incident": "INC-1", "file": "x"})
    assert looked(desk).triggers == ("onIncident",)
    assert looked(desk).triggers == ()


@pytest.mark.parametrize("state", ["begins", "done"])
@pytest.mark.parametrize("boundary", STAGES)
def test_killed_at_any_boundary_there_is_one_run_and_one_decision(desk: Path, boundary: str, state: str) -> None:
    def killer(stage: str, now: str, _summary: str) -> None:
        if (stage, now) == (boundary, state):
            raise Killed

    with pytest.raises(Killed):
        looked(desk, watch=killer)
    # Hours later, and on another day: it is still the same look.
    again = looked(desk, MORNING + timedelta(hours=20))
    assert again.triggers == ("onAgentUpdate",)
    assert again.decision is not None
    ledger = Ledger(desk)
    assert decisions(ledger.entries(), ledger.keyring) == [again.decision]
    assert runs(desk) == [again.decision.run]
    assert looked(desk, MORNING + timedelta(hours=20)).triggers == ()


def test_killed_while_the_agent_is_at_work_the_run_goes_on(desk: Path) -> None:
    class Dying(Silent):
        def advance(self, records: list[EpisodeRecord]) -> None:
            raise Killed

    with pytest.raises(Killed):
        looked(desk, progress=Dying())
    again = looked(desk)
    assert again.decision is not None
    assert runs(desk) == [again.decision.run]


def test_a_hidden_seed_stands_in_no_file_of_the_pipeline(desk: Path) -> None:
    """People are told to keep these files as artifacts; whoever reads them must not know the next run."""

    def killer(stage: str, now: str, _summary: str) -> None:
        if (stage, now) == ("oracle-comparison", "begins"):
            raise Killed

    hidden = "5e" * 32
    with pytest.raises(Killed):
        looked(desk, seed=hidden, watch=killer)
    with pytest.raises(InputError, match="was begun on another hidden seed; give that one with --seed"):
        looked(desk, seed="5f" * 32)
    assert looked(desk, seed=hidden).decision is not None, "the same look goes on"
    with store_of(desk) as store:
        (record,) = store.runs()
        used = store.frozen(record.number).seed
    assert isinstance(used, str)
    for path in (desk / ".proctor").rglob("*"):
        assert not path.is_file() or not any(one.encode() in path.read_bytes() for one in (hidden, used)), path


def test_killed_before_the_look_was_remembered_nothing_is_decided_twice(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying(*_: object) -> None:
        raise Killed

    monkeypatch.setattr("proctor.pipeline.watch.save_state", dying)
    with pytest.raises(Killed):
        looked(desk)
    monkeypatch.undo()
    looked(desk)
    ledger = Ledger(desk)
    assert len(decisions(ledger.entries(), ledger.keyring)) == 1
    assert len(runs(desk)) == 1


def test_an_agent_edited_while_it_was_down_is_another_look(desk: Path) -> None:
    clerk = "python:agent.py:make"

    def killer(stage: str, now: str, _summary: str) -> None:
        if (stage, now) == ("agent-execution", "begins"):
            raise Killed

    with pytest.raises(Killed):
        looked(desk, agent=clerk, watch=killer)
    write_agent(desk, 0, 1, 2)
    again = looked(desk, agent=clerk)
    assert again.decision is not None
    assert again.decision.result == "block"
    unfinished = [p for p in (desk / ".proctor" / "pipeline").iterdir() if not Pipeline(desk, p.name).finished]
    assert len(unfinished) == 1


def test_what_fires() -> None:
    before = WatchState("s@1", "a", "o", 1, "2026-03-02T09:00:00Z")
    assert fired_triggers(None, before) == ("onAgentUpdate",)
    assert fired_triggers(before, before) == ()
    after = WatchState("s@1", "b", "p", 2, "2026-03-03T09:00:00Z")
    assert fired_triggers(before, after) == ("onAgentUpdate", "onOracleUpdate", "scheduled", "onIncident")
    assert fired_triggers(before, WatchState("s@1", "a", "o", 1, "2026-03-02T10:00:00Z"), every=timedelta(hours=1)) == (
        "scheduled",
    )


def test_what_was_seen_is_kept(project: Path) -> None:
    seen = WatchState("s@1", "a", "o", 1, "2026-03-02T09:00:00Z")
    assert load_state(project) is None
    save_state(project, seen)
    assert load_state(project) == seen
    (project / ".proctor" / "watch.json").write_text("{")
    with pytest.raises(InputError, match="delete it"):
        load_state(project)


@pytest.mark.parametrize(("text", "hours"), [("30m", 0.5), ("12h", 12), ("1d", 24)])
def test_intervals(text: str, hours: float) -> None:
    assert parse_interval(text) == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["", "1", "0h", "1w", "-1d"])
def test_no_intervals(text: str) -> None:
    with pytest.raises(InputError, match="not an interval"):
        parse_interval(text)
