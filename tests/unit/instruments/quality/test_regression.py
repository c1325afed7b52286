"""One run against accepted runs: the deciding test, the reported ones, pairing and re-scoring."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from tests.unit.instruments.quality.made import evidence, kept, row

from proctor.core.errors import InputError
from proctor.instruments.quality.baseline import Decided, RunSummary, accept, rescored
from proctor.instruments.quality.composite import parts_of
from proctor.instruments.quality.detectable_drop import chance_variance
from proctor.instruments.quality.instrument import instrument
from proctor.instruments.quality.regression import STILL_SCENARIO, compare, tolerance
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.runs import run_metrics, shared
from proctor.spec.rules import Rules
from proctor.stats.differences import prediction_test
from proctor.stats.prediction_power import detectable_drops

RULES = QualityRules()
RUNS = [kept(f"run-{seed}", da=0.93, gcr=0.97, seed=seed) for seed in range(20)]


def test_a_clear_drop_is_found_and_none_is_not() -> None:
    worse = compare(kept("new", da=0.85, gcr=0.97, seed=99), RUNS, RULES, against="baseline")
    assert worse.lower("DA") and worse.lower("CAS") and not worse.lower("EQS")
    same = compare(kept("new", da=0.93, gcr=0.97, seed=98), RUNS, RULES, against="baseline")
    assert not any(same.lower(metric) or same.higher(metric) for metric in same.tests)
    assert compare(kept("new", da=1.0, gcr=1.0), RUNS, RULES, against="baseline").higher("CAS")


def test_the_tolerance_is_where_the_prediction_test_turns() -> None:
    values = np.random.default_rng(1).normal(0.93, 0.006, 20)
    reach = float(tolerance(float(values.std(ddof=1)), 20, 0.01))
    for drop, expected in ((reach * 1.001, True), (reach * 0.999, False)):
        p = prediction_test(float(values.mean()) - drop, values).p_value
        assert p is not None
        assert (p <= 0.01) is expected


def test_power_and_tolerance_are_printed() -> None:
    test = compare(RUNS[0], RUNS[1:], RULES, against="baseline").tests["DA"]
    assert test.tolerance is not None and test.detectable is not None and test.deviation is not None
    assert test.detectable_blocked is not None
    assert test.deviation < test.tolerance < test.detectable < test.detectable_blocked < 6 * test.deviation


def test_printed_drops_take_the_worse_agent_for_less_predictable() -> None:
    test = compare(RUNS[0], RUNS[1:], RULES, against="baseline").tests["DA"]
    assert test.deviation is not None and test.detectable is not None
    as_before = detectable_drops(test.deviation, 19, largest=1.0).once
    assert as_before is not None
    assert as_before < test.detectable < 1.2 * as_before
    # One replicate cannot tell chance in episodes from the rest: all of the spread is taken for it.
    single = [kept(f"r{n}", da=0.93, gcr=0.97, replicates=1, seed=n) for n in range(20)]
    parts = parts_of(RULES, lul=False)
    assert chance_variance("DA", [run_metrics(run, run.scenarios, parts) for run in single]) is None
    assert chance_variance("DA", [run_metrics(run, run.scenarios, parts) for run in RUNS]) == pytest.approx(
        0.93 * 0.07 / 400, rel=0.4
    )


def test_a_drop_no_run_can_make_is_not_printed() -> None:
    # Accuracies around 0.05 cannot fall far enough.
    low = [kept(f"run-{n}", da=0.05 + 0.01 * (n % 5)) for n in range(5)]
    test = compare(low[0], [*low, kept("run-6", da=0.06)], RULES, against="baseline").tests["DA"]
    assert test.tolerance is not None
    assert (test.detectable, test.detectable_blocked) == (None, None)


def test_holm_stands_beside_and_is_never_smaller() -> None:
    tests = compare(kept("new", da=0.88, gcr=0.95, seed=5), RUNS, RULES, against="baseline").tests
    for test in tests.values():
        assert test.p_lower is not None and test.p_lower_holm is not None
        assert test.p_lower_holm >= test.p_lower


def test_runs_that_never_vary_allow_one_stray_scenario() -> None:
    """Replicates of an agent that repeats itself are one observation: a scenario that turned is named, not blocked."""
    same = [kept(f"run-{n}", da=1.0) for n in range(20)]
    for wrong, declined in ((0, False), (1, False), (4, False), (12, True)):
        found = compare(kept("new", da=1.0 - wrong / 400), same, RULES, against="baseline")
        assert found.lower("DA") is declined, wrong
        assert found.tests["DA"].reason == STILL_SCENARIO


def test_the_stray_episode_may_be_the_weightiest() -> None:
    def weighted(name: str, *wrong: str) -> RunSummary:
        run = kept(name, da=1.0, replicates=1)
        records = {
            key: replace(
                one,
                weight=1.0 if key == "s-0000" else 0.05,
                gates=4 if key == "s-0001" else 0,
                decided=tuple(
                    replace(done, correct=int(key not in wrong), gates_ok=3 if key in wrong else 4)
                    if key in ("s-0000", "s-0001")
                    else replace(done, gates_ok=0)
                    for done in one.decided
                ),
            )
            for key, one in run.scenarios.items()
        }
        records["s-0000"] = replace(
            records["s-0000"], decided=tuple(replace(one, gates_ok=0) for one in records["s-0000"].decided)
        )
        return replace(run, scenarios=records)

    same = [weighted(f"run-{n}") for n in range(20)]
    for wrong in ("s-0000", "s-0001"):
        found = compare(weighted("new", wrong), same, RULES, against="baseline")
        assert not any(found.lower(metric) for metric in ("DA", "GCR", "CAS")), wrong
    assert found.tests["DA"].reason == STILL_SCENARIO


def test_welch_decides_under_the_profile_of_the_paper() -> None:
    new = kept("new", da=0.85, gcr=0.97, seed=99)
    assert compare(new, RUNS, RULES, against="baseline").deciding_test == "prediction"
    found = compare(new, RUNS, RULES, against="baseline", profile="paper")
    assert found.deciding_test == "welch"
    assert found.lower("CAS")
    single = compare(kept("one", replicates=1), [kept(f"r{n}", replicates=1) for n in range(5)], RULES, against="b")
    assert single.tests["DA"].welch_lower is None


def test_paired_tests_name_the_scenarios_that_turned() -> None:
    runs = [kept(f"run-{n}", da=1.0) for n in range(5)]
    found = compare(kept("new", da=0.9), runs, RULES, against="baseline").paired
    assert found is not None
    assert found.worse == tuple(f"s-{n:04d}" for n in range(90, 100))
    assert found.better == ()
    assert found.mcnemar.p_value == pytest.approx(0.5**10)
    assert found.bootstrap.estimate == pytest.approx(-0.1)
    assert found.bootstrap.clusters == 20


def test_runs_pair_on_ids_of_equal_content() -> None:
    new = RUNS[0]
    changed = {name: replace(one, hash="x") if name < "s-0015" else one for name, one in new.scenarios.items()}
    partly = replace(new, run="partly", scenarios=changed)
    assert shared(partly, RUNS[1:]).overlap == pytest.approx(0.85)
    found = compare(partly, RUNS[1:], RULES, against="baseline")
    assert (found.scenarios, found.reason) == (85, None)
    parts = parts_of(RULES, lul=False)
    names = shared(partly, RUNS[1:]).scenarios
    assert found.tests["DA"].current == run_metrics(new, names, parts).whole["DA"]


def test_little_overlap_or_few_runs_are_no_baseline() -> None:
    other = kept("other", scenarios=100, prefix="z")
    found = compare(other, RUNS, RULES, against="baseline")
    assert found.tests == {}
    assert "0 % of the scenarios" in (found.reason or "")
    # A narrower scope is another examination, not the same one with fewer questions.
    assert compare(kept("narrow", scenarios=79), RUNS, RULES, against="baseline").tests == {}
    assert "needs 5" in (compare(RUNS[0], RUNS[1:4], RULES, against="baseline").reason or "")


def test_a_kept_run_gives_the_metrics_of_its_reading() -> None:
    rows = [
        row(n, replicate=r, correct=int((n + r) % 7 > 0), gates_ok=int(n % 9 > 0), true="0.25", weight=str(n % 3 / 2))
        for n in range(60)
        for r in range(2)
    ]
    examined = instrument.examine(evidence(*rows), Rules())
    found = run_metrics(examined.summary, examined.summary.scenarios, parts_of(RULES, lul=False)).whole
    for name in ("DA", "GCR", "EQS", "CAS"):
        assert found[name] == pytest.approx(examined.reading.metrics[name].value, abs=1e-12)


def test_one_id_with_two_contents_is_refused() -> None:
    with pytest.raises(InputError, match="scenario 's-1' has two contents"):
        instrument.examine(evidence(row(1), row(1, hash="ff" * 8)), Rules())


def test_a_changed_oracle_judges_old_runs_again() -> None:
    def judge(scenario: str, one: Decided) -> bool | None:
        return None if scenario == "s-0001" else one.action != "approve"

    found = rescored(RUNS[0], judge, {"s-0000": "new", "s-0001": "new", "gone": "new"})
    assert found.scenarios["s-0000"].hash == "new"
    assert all(one.correct == 0 for one in found.scenarios["s-0000"].decided)
    assert found.scenarios["s-0001"] == RUNS[0].scenarios["s-0001"]


def refused(words: str, *runs: RunSummary) -> None:
    with pytest.raises(InputError, match=words):
        accept(runs, at="2026-01-01T00:00:00Z", release="r1", governed=RULES)


def test_what_cannot_be_accepted() -> None:
    refused("at least 5 runs; there are 4", *RUNS[:4])
    refused("given twice", *RUNS[:4], RUNS[0])
    refused("run bad is not complete", *RUNS[:4], replace(RUNS[5], run="bad", complete=False))
    refused("run bad has an S1", *RUNS[:4], replace(RUNS[5], run="bad", s1=1))
    found = accept(RUNS[:5], at="2026-01-01T00:00:00Z", release="r1", governed=RULES)
    assert found.anchor.runs == found.runs
