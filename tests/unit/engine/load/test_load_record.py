"""Declarations, records, percentiles and readings, apart from any load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.load.desk import SINGLE, frozen, loaded, profile

from proctor.core.errors import InputError
from proctor.core.hashing import file_hash
from proctor.evidence.load_record import LoadRecord, Request, load_folder, load_of, load_records, read_load, write_load
from proctor.instruments.load_reading import LoadReading, read
from proctor.spec.performance import PAPER, LoadProfile, PerformanceScenario
from proctor.stats.quantiles import nearest_rank, quantile_interval


def test_the_profile_of_the_paper() -> None:
    assert [
        (s.concurrent_requests, s.latency_budget_ms, s.infrastructure_degradation, s.expected_behavior)
        for s in PAPER.scenarios
    ] == [
        (1, 500, "none", "normal"),
        (50, 2000, "none", "normal"),
        (200, 5000, "partial", "graceful-degradation"),
        (500, 10000, "severe", "escalation"),
    ]
    assert [scenario.measured for scenario in PAPER.scenarios] == [200, 500, 2000, 5000]
    assert PAPER.reference.id == "single"
    assert LoadProfile.parse(PAPER.model_dump(mode="json"), source="test") == PAPER


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"requests": 199}, "199 requests are too few for a p95 with 1 in flight; at least 200 are needed"),
        ({"concurrentRequests": 50, "requests": 499}, "at least 500 are needed"),
        ({"loop": "open"}, "an open loop needs a rate"),
        ({"rate": 10}, "only an open loop has one"),
        ({"timeoutMs": 499}, "is shorter than the latency budget"),
        ({"agents": 2}, "2 agents for 1 requests in flight"),
        ({"expectedBehavior": "escalation"}, "nothing is degraded"),
        ({"expectedBehaviour": "normal"}, "'expectedBehaviour' is not a field"),
        ({"infrastructureDegradation": "bad"}, "none"),
        ({"concurrentRequests": 0}, "greater than 0"),
    ],
)
def test_a_mistake_in_a_scenario_is_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as raised:
        PerformanceScenario.parse({**SINGLE, **change}, source="load.yaml")
    assert "\n" not in str(raised.value)


def test_a_profile_needs_what_behaviour_is_compared_with() -> None:
    with pytest.raises(InputError, match="compared with that one, so add it"):
        LoadProfile.parse(
            {"name": "x", "scenarios": [{"id": "busy", "concurrentRequests": 5, "latencyBudgetMs": 5}]}, source="x"
        )
    with pytest.raises(InputError, match="'single' is declared twice"):
        profile(SINGLE)
    with pytest.raises(InputError, match="'severe' does nothing"):
        profile(degradations={"severe": {}})
    with pytest.raises(InputError, match="go together"):
        profile(degradations={"severe": {"delays": 0.5}})


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=300), st.integers(1, 100))
def test_nearest_rank_is_what_numpy_calls_inverted_cdf(values: list[int], percent: int) -> None:
    found = nearest_rank(values, percent)
    assert found in values
    assert 100 * sum(value <= found for value in values) >= percent * len(values)
    assert 100 * sum(value < found for value in values) < percent * len(values)
    exact = len(values) * percent % 100 == 0
    if not exact:  # There NumPy's own arithmetic in floats may land on either side.
        assert found == np.quantile(values, percent / 100, method="inverted_cdf")


def test_p95_of_two_hundred_is_the_190th() -> None:
    assert nearest_rank(list(range(1, 201)), 95) == 190
    with pytest.raises(ValueError, match="no values"):
        nearest_rank([], 95)
    with pytest.raises(ValueError, match="percentage"):
        nearest_rank([1], 0)


def test_the_interval_of_a_percentile_covers_it() -> None:
    rng = np.random.default_rng(7)
    truth = -np.log(0.05)
    covered = 0
    for _ in range(2000):
        found = quantile_interval(rng.exponential(size=200).tolist(), 95)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert 0.94 <= covered / 2000 <= 0.98
    few = quantile_interval([1.0, 2.0], 95)
    assert (few.estimate, few.high) == (2.0, None)
    assert quantile_interval([], 95).estimate is None


@pytest.fixture(scope="module")
def record() -> LoadRecord:
    return loaded(profile({"id": "busy", "concurrentRequests": 2, "latencyBudgetMs": 100}))


def test_a_record_is_read_back_as_it_was_written(record: LoadRecord, tmp_path: Path) -> None:
    store = str(tmp_path / "store.db")
    path = load_folder(store) / "one.json"
    write_load(path, record)
    assert read_load(path) == record
    assert record.hash == file_hash(path)
    assert read(read_load(path)) == read(record)
    assert load_records(store) == [path]
    assert [file.name for file in path.parent.iterdir()] == ["one.json"]
    assert load_folder("postgresql://host/base") == Path(".proctor/load")
    assert record.machine["processors"]


@pytest.mark.parametrize(
    ("data", "sentence"), [(b"{", "not a load record"), (b"\xff", "not a load record"), (b"[]", "not a load record")]
)
def test_what_is_no_record_is_one_sentence(data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match=sentence):
        read_load(path)
    with pytest.raises(InputError, match="no such file"):
        read_load(tmp_path / "y.json")
    with pytest.raises(InputError, match="not a file but a folder"):
        read_load(tmp_path)


def test_another_format_is_refused(record: LoadRecord, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_load(path, msgspec.structs.replace(record, format="proctor-load/9"))
    with pytest.raises(InputError, match="this version reads proctor-load/1"):
        read_load(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"wrong":false', '"wrong":true '), ('"agent":"oracle"', '"agent":"other"'), ('"digest":"', '"digest":"0')],
)
def test_a_record_that_was_edited_by_hand_is_refused(record: LoadRecord, old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_load(path, record)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match="was changed after it was written") as raised:
        read_load(path)
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError, match="was changed after it was written"):
        load_of(frozen(), store=str(tmp_path / "none.db"), given=path)


def test_a_record_from_before_digests_is_refused_with_what_to_do(record: LoadRecord, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(msgspec.json.encode(record))
    with pytest.raises(InputError, match=r"without a digest of its content, as .* run `proctor load` again"):
        read_load(path)


def test_the_record_of_a_run_is_the_newest_complete_one_of_its_agent(record: LoadRecord, tmp_path: Path) -> None:
    store, mine = str(tmp_path / "store.db"), frozen()
    assert load_of(mine, store=store) is None
    others = {
        "1": record,
        "2": msgspec.structs.replace(record, began="2"),
        "3": msgspec.structs.replace(record, stopped="stopped by the user"),
        "4": msgspec.structs.replace(record, suite="other@1.0"),
        "5": msgspec.structs.replace(record, agent_source="of files that were changed"),
        "6": msgspec.structs.replace(record, agent="null"),
    }
    for name, one in others.items():
        write_load(load_folder(store) / f"{name}.json", one)
    assert load_of(mine, store=store) == others["2"]
    named = load_folder(store) / "1.json"
    assert load_of(mine, store=store, given=named) == record
    for name in ("5", "6"):
        with pytest.raises(InputError, match="or of another state of its files; run the load again"):
            load_of(mine, store=store, given=load_folder(store) / f"{name}.json")
    with pytest.raises(InputError, match=r"the load record is of suite other@1\.0 and the run of "):
        load_of(mine, store=store, given=load_folder(store) / "4.json")


def changed(record: LoadRecord, place: int, **changes: Any) -> LoadRecord:
    """The record with other requests in one scenario: `changes` may be functions of the request's number."""
    load = record.scenarios[place]

    def one(request: Request) -> Request:
        values = {name: value(request.number) if callable(value) else value for name, value in changes.items()}
        return msgspec.structs.replace(request, **values)

    loads = list(record.scenarios)
    loads[place] = msgspec.structs.replace(load, requests=tuple(one(request) for request in load.requests))
    return msgspec.structs.replace(record, scenarios=tuple(loads))


@pytest.mark.parametrize(("wrong", "ok"), [(6, True), (7, False)])
def test_wrong_acts_are_judged_at_one_percent(record: LoadRecord, wrong: int, ok: bool) -> None:
    """Of pairs that differ all worse: 1/2⁶ is above one percent, 1/2⁷ below."""
    reading = read(changed(record, 1, wrong=lambda number: number < wrong))
    assert reading.scenarios[1].behaviour.newly_wrong == wrong
    assert reading.scenarios[1].behaviour.ok is ok
    assert reading.behaviour_ok is ok


def test_an_agent_that_errs_by_chance_is_not_said_to_be_worse(record: LoadRecord) -> None:
    """Wrong in 5 % of requests, drawn anew each time: at α = 0.01 the exact test accuses at most that often."""
    rng = np.random.default_rng(11)
    accused = 0
    for _ in range(400):
        alone, busy = (rng.random(200) < 0.05).tolist(), (rng.random(200) < 0.05).tolist()
        planted = changed(changed(record, 0, wrong=alone.__getitem__), 1, wrong=busy.__getitem__)
        accused += read(planted).behaviour_ok is False
    # Binomial(400, 0.01) exceeds 10 in 0.3 % of seeds; the exact test stays below its level besides.
    assert accused <= 10


@pytest.mark.parametrize(("escalated", "ok"), [(90, True), (89, False)])
def test_nine_in_ten_have_to_be_handed_over(record: LoadRecord, escalated: int, ok: bool) -> None:
    planted = changed(
        record, 1, unreadable=lambda number: int(number < 100), escalated=lambda number: number < escalated
    )
    assert read(planted).behaviour_ok is ok


@pytest.mark.parametrize("fate", ["timeout", "unanswered"])
@pytest.mark.parametrize(("silent", "ok"), [(6, True), (7, False), (200, False)])
def test_silence_is_no_expected_behaviour(record: LoadRecord, fate: str, silent: int, ok: bool) -> None:
    planted = changed(record, 1, fate=lambda number: fate if number < silent else "answered")
    reading = read(planted)
    assert reading.behaviour_ok is ok
    if not ok:
        assert (
            f"{silent} tasks decided with one request in flight and not here" in reading.scenarios[1].behaviour.reason
        )
    assert read(changed(planted, 1, wrong=True)).behaviour_ok is False


def test_who_leaves_everything_to_people_as_soon_as_it_is_busy_is_not_as_expected(record: LoadRecord) -> None:
    """However fast: with one request in flight it decides the same tasks."""
    reading = read(changed(record, 1, escalated=True))
    assert reading.behaviour_ok is False
    assert reading.lul is not None and reading.lul > 0
    assert (
        "200 tasks decided with one request in flight and not here, 0 the reverse, of 200 in which everything was "
        in (reading.scenarios[1].behaviour.reason)
    )
    # Where a source could not be read there is nothing to compare: leaving it to people is right.
    assert read(changed(record, 1, escalated=True, unreadable=1)).behaviour_ok is True


def test_who_is_right_less_often_when_it_is_busy_is_not_as_expected(record: LoadRecord) -> None:
    fewer = changed(record, 1, right=lambda number: number >= 10)
    assert "10 tasks right with one request in flight and not here" in read(fewer).scenarios[1].behaviour.reason
    unknown = changed(changed(record, 0, right=None), 1, right=None)
    assert read(unknown).behaviour_ok is True, "a record from before this was kept"


def test_a_gate_or_evidence_that_is_missing_only_under_load_is_newly_wrong(record: LoadRecord) -> None:
    """Thin evidence as well: a bundle that is filed and false satisfies no one."""
    for changes in ({"wrong": lambda number: number < 32}, {"thin": lambda number: number < 32}):
        found = read(changed(record, 1, **changes)).scenarios[1].behaviour
        assert (found.ok, found.newly_wrong) == (False, 32)
    both = read(changed(changed(record, 0, thin=True), 1, thin=True))
    assert both.behaviour_ok is True, "what is so alone, too, is not newly wrong"


def test_where_most_tasks_are_wrong_alone_nothing_is_as_expected(record: LoadRecord) -> None:
    def wrong_in(count: int) -> LoadReading:
        planted = changed(record, 0, wrong=lambda number: number < count)
        return read(changed(planted, 1, wrong=lambda number: number < count))

    half, more = wrong_in(100), wrong_in(101)
    assert half.behaviour_ok is True
    assert half.alone is not None
    assert half.alone.sentence() == "100 of 200 tasks wrong with one request in flight (single)"
    assert more.behaviour_ok is None
    said = "cannot be said: 101 of 200 tasks wrong with one request in flight (single)"
    assert [one.behaviour.reason for one in more.scenarios] == [said, said]


def test_stale_scenarios_and_what_the_bench_lost_are_not_among_those_alone(record: LoadRecord) -> None:
    planted = changed(record, 0, reason=lambda number: "stale_scenario" if number < 5 else "correct", right=True)
    planted = changed(planted, 0, fate=lambda number: "infrastructure" if number >= 190 else "answered")
    alone = read(planted).alone
    assert alone is not None
    assert (alone.n, alone.right, alone.wrong) == (185, 185, 0)


def test_too_much_broken_by_the_bench_says_nothing(record: LoadRecord) -> None:
    few = read(changed(record, 1, fate=lambda number: "infrastructure" if number < 10 else "answered"))
    assert few.lul is None
    assert few.scenarios[1].reason == (
        "190 requests count, and 200 are needed (10 were lost by the bench: declare some more)"
    )
    broken = read(changed(record, 1, fate=lambda number: "infrastructure" if number < 11 else "answered"))
    assert broken.lul is None
    assert broken.scenarios[1].reason == "the bench broke 11 of 200 requests"
    more = loaded(profile({"id": "busy", "concurrentRequests": 2, "latencyBudgetMs": 100, "requests": 210}))
    fine = read(changed(more, 1, fate=lambda number: "infrastructure" if number < 10 else "answered"))
    assert fine.lul is not None
    assert fine.scenarios[1].n == 200
    assert fine.scenarios[1].fates == {"answered": 200, "infrastructure": 10}


def test_missing_is_never_zero(record: LoadRecord) -> None:
    reading = read(msgspec.structs.replace(record, scenarios=record.scenarios[1:]))
    assert reading.lul is None
    assert reading.behaviour_ok is None
    assert reading.scenarios[0].behaviour.p_value is None
    assert reading.reason == "not run: single"
    low = msgspec.structs.replace(record.scenarios[1], peak_in_flight=1)
    reading = read(msgspec.structs.replace(record, scenarios=(record.scenarios[0], low)))
    assert reading.reason == "busy: at most 1 of 2 requests were in flight"


@pytest.mark.parametrize("fate", ["timeout", "unanswered"])
def test_no_answer_counts_as_its_budget_or_more(record: LoadRecord, fate: str) -> None:
    """Ten of 200 are beyond the 95th percentile, eleven are it, however soon they were given up."""
    for late, lul in ((10, 0.99), (11, 0.0)):
        planted = changed(
            record,
            1,
            intended_us=0,
            ended_us=1_000,
            fate=lambda number, late=late: fate if number < late else "answered",
        )
        found = read(planted).scenarios[1]
        assert found.lul == pytest.approx(lul)
        assert found.p99 == 100


def test_the_mean_is_unweighted_and_the_smallest_stands_beside_it(record: LoadRecord) -> None:
    """Another number of requests, or in flight, gives a scenario no more say."""
    longer = loaded(profile({"id": "busy", "concurrentRequests": 30, "latencyBudgetMs": 100}))
    for made in (record, longer):
        planted = changed(made, 0, intended_us=0, ended_us=100_000)
        planted = changed(planted, 1, intended_us=0, ended_us=60_000)
        found = read(planted)
        assert [one.lul for one in found.scenarios] == [pytest.approx(0.8), pytest.approx(0.4)]
        assert found.lul == pytest.approx(0.6)
        assert found.lul_minimum == pytest.approx(0.4)


@given(st.lists(st.integers(0, 3_000_000), min_size=200, max_size=200))
def test_lul_is_the_formula(record: LoadRecord, micros: list[int]) -> None:
    planted = changed(record, 1, intended_us=0, ended_us=lambda number: micros[number])
    found = read(planted).scenarios[1]
    p95 = sorted(micros)[189] / 1000
    assert found.lul == 1 - min(1, p95 / 100)
    assert 0 <= found.lul <= 1


def test_a_record_of_a_part_of_the_suite_does_not_stand_for_the_whole(record: LoadRecord, tmp_path: Path) -> None:
    mine, store = frozen(), str(tmp_path / "store.db")
    part = msgspec.structs.replace(record, only=("easy",))
    path = load_folder(store) / "1.json"
    write_load(path, part)
    assert load_of(mine, store=store) is None
    with pytest.raises(InputError, match="took its requests from easy and the run from all families"):
        load_of(mine, store=store, given=path)
    assert load_of(mine.model_copy(update={"only": ("easy",)}), store=store) == part


def test_percentiles_that_no_request_has_are_not_shown_as_measured(record: LoadRecord) -> None:
    """Eleven of 200 crashed: the median was measured, the 95th percentile is the budget by rule."""
    crashed = read(changed(record, 1, fate=lambda number: "unanswered" if number < 11 else "answered")).scenarios[1]
    assert (crashed.untimed, crashed.unanswered) == ((95, 99), {"correct": 11})
    assert (crashed.p95.estimate, crashed.lul) == (100, 0.0), "what counts stays as it was"
    assert crashed.latencies == (crashed.p50, None, None)
    assert crashed.p50 is not None and crashed.p50 < 100
    late = read(changed(record, 1, fate="timeout", intended_us=0, ended_us=200_000)).scenarios[1]
    assert (late.untimed, late.unanswered, late.latencies) == ((), {}, (200, 200, 200)), "so long it did take"


def test_what_was_not_answered_is_neither_wrong_nor_right(record: LoadRecord) -> None:
    silent = read(changed(record, 0, fate="unanswered", right=False))
    assert silent.alone is not None
    assert (silent.alone.wrong, silent.alone.undecided, silent.alone.right) == (0, 200, 0)
    said = "0 of 200 tasks wrong and 200 without a decision with one request in flight (single)"
    assert silent.alone.sentence() == said
    assert silent.scenarios[0].wrong_acts is None
    assert silent.scenarios[1].behaviour.reason == f"cannot be said: {said}"
    # A task that is wrong alone and ends in a crash here has not become right.
    wrong = changed(changed(record, 0, wrong=lambda number: number < 20), 1, fate=lambda n: _crashes(n < 20))
    found = read(wrong).scenarios[1].behaviour
    assert (found.pairs, found.newly_right, found.newly_wrong) == (180, 0, 0)


def _crashes(yes: bool) -> str:
    return "unanswered" if yes else "answered"
