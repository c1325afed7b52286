"""What each acting family promises about its rules, tools and verdicts, and what does not get past it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.suites.agency.examined import declared_regime

from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries
from proctor.spec.task import Instance
from proctor.suites.agency.acting.code_deployment import family as deployments
from proctor.suites.agency.acting.code_deployment.releases import inputs, release
from proctor.suites.agency.acting.code_deployment.tariff import charge, source
from proctor.suites.agency.acting.data_pipeline import family as pipelines
from proctor.suites.agency.acting.data_pipeline.texts import SUBJECTS
from proctor.suites.agency.acting.database_transaction import family as bookings
from proctor.suites.agency.acting.database_transaction.texts import HOUSES
from proctor.suites.agency.acting.file_creation import family as filings
from proctor.suites.agency.acting.forms import TEMPLATES, Fact, Part, compose, corrected, head
from proctor.suites.agency.acting.lab_experiment import family as experiments
from proctor.suites.agency.acting.plant_recovery import family as recoveries
from proctor.suites.agency.acting.plant_recovery.plant import Unit, starting_order
from proctor.suites.kit.words import day
from proctor.worlds.tool import tools_of

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive, Driver

LAB_70 = declared_regime("lab-70")

Sample = Callable[..., list[Instance]]


def solved(driver: Driver, instance: Instance, **changes: Any) -> None:
    """Let the oracle act on the instance, with some of its hidden values replaced."""
    import msgspec

    twisted = msgspec.structs.replace(instance, hidden={**instance.hidden, **changes})
    asyncio.run(driver.family.oracle(twisted).run(driver.task, driver.session))


# --- forms


@pytest.mark.parametrize("form", TEMPLATES)
def test_a_corrected_value_stands_beside_the_one_that_holds(form: str) -> None:
    stream = Stream.keyed("forms")
    parts = corrected(
        [Part("the cart", (Fact("length", "314"), Fact("colour", "grey")))], {("the cart", "length"): "271"}
    )
    text = compose(form, head(stream, "a cart", "X-1", day(stream)), parts, stream)
    assert text.count("314") == 1
    assert text.count("271") >= 1
    assert text.count("grey") == 1


# --- file-creation


def test_one_file_with_the_right_name_and_lines(sample: Sample, drive: Drive) -> None:
    instance = sample(filings, 1)[0]
    name, content = instance.hidden["expected"]["name"], instance.hidden["expected"]["content"]
    assert drive(filings, instance).verify().reason == "nothing_created"
    cases = {
        "correct": [(name, content.replace("\n", "  \n") + "\n")],
        "wrong_name": [(f"x{name}", content)],
        "wrong_content": [(name, content.lower())],
        "wrong_name_and_content": [(f"x{name}", content[1:])],
        "several_files": [(name, content), ("notes.txt", content)],
    }
    for reason, files in cases.items():
        driver = drive(filings, instance)
        for one, text in files:
            driver.call("create_file", name=one, content=text)
        assert driver.verify().reason == reason
    assert "exists already" in driver.error("create_file", name=name, content="")
    assert "without a folder" in driver.error("create_file", name="a/b", content="")
    old = instance.observation["files"][0]
    assert "exists already" in driver.error("create_file", name=old, content="")


def test_the_highest_number_is_not_told_by_its_place(sample: Sample) -> None:
    places: Counter[int] = Counter()
    for instance in sample(filings, 200):
        numbers = [int(name[-7:-4]) for name in instance.observation["files"]]
        places[numbers.index(max(numbers))] += 1
        assert f"{max(numbers) + 1:03d}" in instance.hidden["expected"]["name"]
    assert max(places.values()) < 100


# --- database-transaction


def test_what_is_not_committed_does_not_count(sample: Sample, drive: Drive) -> None:
    for instance in sample(bookings, 4):
        driver = drive(bookings, instance)
        house = HOUSES[instance.hidden["house"]]
        driver.call("execute", sql=f"UPDATE {house.accounts} SET {house.balance} = 0")
        assert driver.verify().reason == "not_committed"
        driver = drive(bookings, instance)
        driver.call("execute", sql=f"UPDATE {house.accounts} SET {house.balance} = 0")
        driver.call("execute", sql="ROLLBACK")
        assert driver.verify().reason == "nothing_done"


def test_each_table_is_compared(sample: Sample, drive: Drive) -> None:
    for instance in sample(bookings, 4):
        house = HOUSES[instance.hidden["house"]]
        number = f"(SELECT max(id) FROM {house.headers})"
        some = f"(SELECT code FROM {house.lines} WHERE booking_id = {number} LIMIT 1)"
        spoiled = {
            "wrong_record": f"UPDATE {house.headers} SET total_cents = total_cents + 1 WHERE id = {number}",
            "wrong_lines": f"DELETE FROM {house.lines} WHERE booking_id = {number} AND code = {some}",
            "wrong_account": f"UPDATE {house.accounts} SET {house.last} = '2026-01-01'",
            "wrong_stock": f"UPDATE {house.items} SET {house.stock} = {house.stock} + 1 WHERE code = {some}",
            "wrong_state": f"UPDATE {house.items} SET state = 'gone' WHERE code = {some}",
            "other_change": f"UPDATE {house.grades} SET percent = percent + 1",
            "missing_record": f"DELETE FROM {house.lines} WHERE booking_id = {number}",
            "damaged_tables": f"ALTER TABLE {house.lines} ADD COLUMN note TEXT",
        }
        for reason, sql in spoiled.items():
            driver = drive(bookings, instance)
            solved(driver, instance)
            driver.call("execute", sql=sql)
            if reason == "missing_record":
                driver.call("execute", sql=f"DELETE FROM {house.headers} WHERE id = {number}")
            driver.call("execute", sql="COMMIT")
            assert driver.verify().reason == reason


def test_another_id_for_the_new_record_is_as_good(sample: Sample, drive: Drive) -> None:
    instance = sample(bookings, 1)[0]
    house = HOUSES[instance.hidden["house"]]
    driver = drive(bookings, instance)
    solved(driver, instance)
    for sql in (
        f"INSERT INTO {house.headers} SELECT 900, account_id, reference, {house.day}, total_cents FROM {house.headers} "
        f"WHERE id = (SELECT max(id) FROM {house.headers})",
        f"UPDATE {house.lines} SET booking_id = 900 WHERE booking_id = (SELECT max(booking_id) FROM {house.lines})",
        f"DELETE FROM {house.headers} WHERE id = (SELECT max(id) FROM {house.headers} WHERE id < 900)",
        "COMMIT",
    ):
        driver.call("execute", sql=sql)
    assert driver.verify().success


# --- code-deployment


def test_the_source_says_what_the_reference_says() -> None:
    for number in range(40):
        stream = Stream.keyed("tariff", number)
        made = release(stream, 1 + number % 7)
        for tariff in (made.old, made.new):
            scope: dict[str, Any] = {}
            exec(source(tariff, "a thing"), scope)
            for units, category in inputs(stream, tariff):
                assert scope["charge"](units, category) == charge(tariff, units, category)
        asked = inputs(stream, made.new)
        assert [charge(made.old, *pair) for pair in asked] != [charge(made.new, *pair) for pair in asked]


def _deployed(driver: Driver, instance: Instance, module: str | None = None, *, branch: bool = True) -> None:
    hidden = instance.hidden
    driver.call("write_file", path=hidden["module"], text=module or hidden["solution"])
    driver.call("write_file", path="VERSION", text=hidden["version"])
    driver.call("append_file", path="CHANGES.md", text=hidden["line"])
    if branch:
        driver.call("git_branch", name=hidden["way_back"], revision="production")
    driver.call("git_commit", message="Release")
    driver.call("deploy")


def test_deployments_are_judged_by_what_runs(sample: Sample, drive: Drive) -> None:
    instance = sample(deployments, 1)[0]
    hidden = instance.hidden
    quoted = hidden["solution"].replace("charge", "_inner", 1)
    modules = {
        # Another way of writing it, and noisy: only the prices count.
        "correct": quoted
        + "\n\nprint('hello')\n\n\ndef charge(units, category):\n    return _inner(units, category)\n",
        "wrong_prices": hidden["files"][hidden["module"]],
        "ci_crashed": hidden["solution"] + "\n\nraise SystemExit(0)\n",
    }
    for reason, module in modules.items():
        driver = drive(deployments, instance)
        _deployed(driver, instance, module)
        found = driver.verify()
        assert found.reason == reason
        assert {name for name, _ in found.artifacts} == set(hidden["files"])


def test_deployments_need_a_way_back_and_nothing_else_changed(sample: Sample, drive: Drive) -> None:
    instance = sample(deployments, 1)[0]
    assert drive(deployments, instance).verify().reason == "nothing_deployed"
    driver = drive(deployments, instance)
    _deployed(driver, instance, branch=False)
    assert driver.verify().reason == "no_way_back"
    driver.call("rollback")
    assert driver.verify().reason == "nothing_deployed"
    assert "nothing was deployed" in driver.error("rollback")
    driver = drive(deployments, instance)
    driver.call("write_file", path="ci.sh", text="#!/bin/sh\nexit 0\n")
    _deployed(driver, instance)
    assert driver.verify().reason == "other_change"


def test_the_deployment_has_ten_operations_and_counts_all_of_them(sample: Sample, drive: Drive) -> None:
    for instance in sample(deployments, 20):
        assert instance.budget.actions == instance.strict_actions == 10
        assert set(instance.observation) == {"material", "files"}
        shown = f"{instance.goal}{instance.observation['material']}"
        assert instance.hidden["solution"] not in shown
        assert "10 operations" in instance.goal


# --- data-pipeline


def _steps(driver: Driver, instance: Instance, *, skip: str = "", blind: bool = False) -> None:
    """The ordered steps, one of them left out, or with every broken ingest simply repeated."""
    hidden = instance.hidden
    subject, expected = SUBJECTS[hidden["subject"]], hidden["expected"]
    state, measure, missing, how = hidden["order"]
    facts, register, code = subject.facts, subject.register, subject.code

    def call(tool: str, **arguments: Any) -> Any:
        if tool == skip:
            return None
        result = asyncio.run(driver.session.call(tool, **arguments))
        if not result.ok and "some of them may be staged" in (result.error or ""):
            shown = driver.call("tables")["staged"]
            staged = sum(table["rows"] for table in shown if table["table"] == arguments["source"])
            arguments["first_row"] = 1 if blind else staged + 1
            return driver.call(tool, **arguments)
        if not result.ok and "may be incomplete" in (result.error or "") and not blind:
            return driver.call(tool, **arguments)
        return result.value

    call("ingest", source=facts)
    call("ingest", source=register)
    call("normalise", table=facts, column=code)
    call("drop_rows", table=facts, column="state", value=state)
    if missing is None:
        driver.call("drop_rows", table=facts, column=measure, value="")
    else:
        driver.call("fill_missing", table=facts, column=measure, value=missing)
    call("keep_latest", table=register, key=code, by="edition")
    call("join", left=facts, right=register, column=code, target="joined")
    call("multiply", table="joined", column=measure, by=subject.factor, target="product")
    column = measure if skip == "multiply" else "product"
    names = {"group_by": expected["group"], "column": column, "how": how, "column_name": expected["column"]}
    call("aggregate", table="joined", target="result", **names)
    call("export", table="result", file_name=expected["file"])


def test_every_step_of_the_pipeline_matters(sample: Sample, drive: Drive) -> None:
    skipped: dict[str, list[str]] = {
        name: [] for name in ("", "normalise", "drop_rows", "keep_latest", "multiply", "export")
    }
    for instance in sample(pipelines, 12, breaks=0):
        for skip, reasons in skipped.items():
            driver = drive(pipelines, instance)
            _steps(driver, instance, skip=skip)
            reasons.append(driver.verify().reason)
    assert set(skipped.pop("")) == {"correct"}
    assert set(skipped["export"]) == {"no_file"}
    for reasons in skipped.values():
        assert reasons.count("correct") <= 1


def test_broken_steps_have_to_be_taken_up_with_care(sample: Sample, drive: Drive) -> None:
    for instance in sample(pipelines, 8, breaks=1):
        driver = drive(pipelines, instance)
        _steps(driver, instance)
        assert driver.verify().success
        driver = drive(pipelines, instance)
        _steps(driver, instance, blind=True)
        assert driver.verify().reason in ("wrong_total", "wrong_values")
    reasons = Counter[str]()
    for instance in sample(pipelines, 8, breaks=3):
        driver = drive(pipelines, instance)
        _steps(driver, instance)
        assert driver.verify().success
        driver = drive(pipelines, instance)
        _steps(driver, instance, blind=True)
        reasons[driver.verify().reason] += 1
    assert set(reasons) <= {"wrong_row_count", "wrong_total", "wrong_values"}


def test_the_result_is_a_real_parquet_file(sample: Sample, drive: Drive) -> None:
    import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

    instance = sample(pipelines, 1)[0]
    driver = drive(pipelines, instance)
    solved(driver, instance)
    expected = instance.hidden["expected"]
    read: Any = pq
    table = read.read_table(driver.place.directory / "work" / "out" / f"{expected['file']}.parquet")
    assert table.to_pydict() == {
        expected["group"]: [row[0] for row in expected["rows"]],
        expected["column"]: [row[1] for row in expected["rows"]],
    }
    solved(driver, instance, expected={**expected, "column": "other"})
    assert driver.verify().reason == "wrong_schema"
    driver = drive(pipelines, instance)
    solved(driver, instance, expected={**expected, "file": "other"})
    assert driver.verify().reason == "wrong_file_name"


# --- lab-experiment and plant-recovery


def test_one_run_and_one_result(sample: Sample, drive: Drive) -> None:
    for instance in sample(experiments, 10):
        run, value = instance.hidden["run"], instance.hidden["value"]
        other = next(name for name in instance.hidden["cards"] if name != run["instrument"])
        wrong = {
            "wrong_instrument": {"instrument": other},
            "wrong_dilution": {"dilution": 99},
            "wrong_setting": {"setting": run["setting"] + 1},
            "wrong_integration_seconds": {"integration_seconds": 55 - run["integration_seconds"]},
        }
        for reason, change in wrong.items():
            driver = drive(experiments, instance)
            driver.call("measure", **{**run, **change})
            assert "used up" in driver.error("measure", **run)
            driver.call("file_result", run=1, micrograms_per_litre=value)
            assert driver.verify().reason == reason
        driver = drive(experiments, instance)
        assert driver.verify().reason == "nothing_measured"
        assert driver.call("measure", **run)["reading"] > 0
        assert driver.verify().reason == "no_result"
        driver.call("file_result", run=1, micrograms_per_litre=value + 1)
        assert "filed already" in driver.error("file_result", run=1, micrograms_per_litre=value)
        assert driver.verify().reason == "wrong_result"


def test_the_result_follows_from_reading_and_card(sample: Sample, drive: Drive) -> None:
    for instance in sample(experiments, 40):
        run = instance.hidden["run"]
        card = instance.hidden["cards"][run["instrument"]]
        reading = drive(experiments, instance).call("measure", **run)["reading"]
        value = (reading - card["blank"]) * run["dilution"] * 1000 // card["slope"]
        assert value == instance.hidden["value"]


@pytest.mark.parametrize("family", [experiments, recoveries], ids=["lab", "plant"])
def test_five_actions_fit_into_ten_minutes(family: Any, sample: Sample, drive: Drive) -> None:
    instance = sample(family, 1)[0]
    tools = tools_of(type(drive(family, instance).world))
    assert instance.budget.actions == 5
    slowest = max(tools[name].milliseconds for name in drive(family, instance).world.tools)
    assert 5 * slowest < (LAB_70.compute.milliseconds or 0)
    reached = sum(family.attainable(instance, Deliveries(LAB_70, Stream.keyed("five", n))) for n in range(3000))
    # At least two of five at 70 %: 0.969.
    assert 0.955 <= reached / 3000 <= 0.98


def test_the_plant_is_judged_by_its_files(sample: Sample, drive: Drive) -> None:
    for instance in sample(recoveries, 10):
        hidden = instance.hidden
        order, load = hidden["order"], hidden["load"]
        driver = drive(recoveries, instance)
        assert "restore them first" in driver.error("restart", order=order, load_percent=load)
        assert driver.verify().reason == "nothing_restored"
        driver.call("restore", snapshot=next(name for name in hidden["snapshots"] if name != hidden["right"]))
        assert driver.verify().reason == "wrong_snapshot"
        driver.call("restore", snapshot=hidden["right"])
        assert driver.verify().reason == "not_restarted"
        spelled = [unit.upper().replace("_", " ") for unit in order]
        cases = {
            "correct": (spelled, load),
            "missing_unit": (order[1:], load),
            "wrong_order": ([*order[1:], order[0]], load),
            "wrong_load": (order, load + 1),
        }
        for reason, (names, percent) in cases.items():
            driver = drive(recoveries, instance)
            driver.call("restore", snapshot=hidden["right"])
            driver.call("restart", order=names, load_percent=percent)
            assert driver.verify().reason == reason
            assert "restarted already" in driver.error("restart", order=order, load_percent=load)


def test_starting_order_by_needs_then_power() -> None:
    units = [Unit("a", ("b",), 90, 1), Unit("b", (), 10, 1), Unit("c", (), 50, 1), Unit("d", ("c",), 20, 1)]
    assert starting_order(units) == ["c", "d", "b", "a"]
    units = [Unit("a", (), 30, 1), Unit("b", ("a",), 90, 1), Unit("c", (), 50, 1)]
    assert starting_order(units) == ["c", "a", "b"]
