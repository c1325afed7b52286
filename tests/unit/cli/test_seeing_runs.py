"""Seeing what a store holds: runs, selections of episodes, grouped help, and what a typo is answered with."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

from proctor.cli.main import COMMANDS, GROUPS
from proctor.cli.runs import duration
from proctor.evidence.listing import list_runs
from proctor.evidence.store.store import Store


@pytest.fixture
def ran(cli: Cli, small: str) -> str:
    """A finished run of nine episodes, three of them wrong; its name."""
    name: str = cli("run", small, "--agent", "oracle", "--seed", "7", "--json").json["run"]
    return name


def _change(statement: str, *values: object) -> None:
    with sqlite3.connect(".proctor/store.db") as connection:
        connection.execute(statement, values)


def test_a_run_is_listed_with_what_it_reached(cli: Cli, ran: str) -> None:
    (listed,) = cli("runs", "--json").json
    assert (listed["outcomes"]["success"], listed["scored"], listed["rate"]) == (6, 9, 6 / 9)
    assert listed["tokens"] is None and listed["cost"] is None, "nobody counted is not zero"
    assert listed["started"] is not None and listed["seconds"] is not None
    line = next(line for line in cli("runs").out.splitlines() if line.startswith(ran))
    assert "6/9  67 %" in line and listed["started"][:10] in line


def test_what_real_time_ended_counts_in_a_list_as_in_a_reading(cli: Cli, ran: str) -> None:
    _change("UPDATE episodes SET outcome = 'limit', reason = 'wall_clock' WHERE outcome = 'failure'")
    (listed,) = cli("runs", "--json").json
    read = cli("score", ran, "--json").json["rates"]["values"]
    counted = sum(value["successes"] for value in read), sum(value["estimate"]["n"] for value in read)
    assert (listed["outcomes"]["success"], listed["scored"]) == counted == (6, 9)


def test_what_the_bench_broke_does_not_count_towards_the_rate(cli: Cli, ran: str) -> None:
    _change("UPDATE episodes SET outcome = 'infrastructure' WHERE outcome = 'failure'")
    (listed,) = cli("runs", "--json").json
    assert (listed["scored"], listed["rate"], listed["stored"]) == (6, 1.0, 9)


def test_a_run_without_an_episode_that_counts_has_no_rate(cli: Cli, ran: str) -> None:
    _change("UPDATE episodes SET outcome = 'infrastructure'")
    (listed,) = cli("runs", "--json").json
    assert listed["rate"] is None
    assert "0 %" not in cli("runs").out


def test_costs_are_added_as_decimals(cli: Cli, ran: str) -> None:
    _change("UPDATE episodes SET tokens = 10, cost = '0.1' WHERE id % 3 = 0")
    with Store(".proctor/store.db") as store:
        (listed,) = list_runs(store)
    assert (listed.tokens, listed.cost) == (30, "0.3")
    assert " 0.3 " in cli("runs").out


def test_an_amount_that_is_none_is_one_sentence(cli: Cli, ran: str) -> None:
    _change("UPDATE episodes SET cost = 'free'")
    done = cli("runs")
    assert done.code == 1
    assert "'free' stands where an amount is expected" in done.sentence


@pytest.mark.parametrize("execution", ["{}", '{"started": [5], "finished": "x"}', '{"started": "x"}'])
def test_moments_of_a_strange_run_are_left_out(cli: Cli, ran: str, execution: str) -> None:
    _change("UPDATE runs SET execution = ?", execution)
    assert cli("runs", "--json").json[0]["seconds"] is None


def test_durations_read_well() -> None:
    assert [duration(seconds) for seconds in (0, 59, 60, 200, 3600, 7500)] == [
        "0 s",
        "59 s",
        "1 min 00 s",
        "3 min 20 s",
        "1 h 00 min",
        "2 h 05 min",
    ]


def test_filters_select_the_episodes_that_fit_all(cli: Cli, ran: str) -> None:
    every = cli("show", ran, "--outcome", "success", "--json").json
    wrong = cli("show", ran, "--failed", "--json").json
    assert (every["matched"], wrong["matched"], every["of"]) == (6, 3, 9)
    assert {one["outcome"] for one in every["episodes"]} == {"success"}
    reason = wrong["episodes"][0]["reason"]
    family = wrong["episodes"][0]["family"]
    both = cli("show", ran, "--reason", reason, "--family", family.partition("@")[0], "--json").json
    assert {one["reason"] for one in both["episodes"]} == {reason}
    assert cli("show", ran, "--failed", "--outcome", "success", "--json").json["matched"] == 0
    text = cli("show", ran, "--reason", reason).out
    assert f"{both['matched']} of 9 episodes fit" in text and f"proctor show {ran} " in text


def test_a_filter_that_nothing_fits_says_so(cli: Cli, ran: str) -> None:
    done = cli("show", ran, "--outcome", "invalid")
    assert (done.code, done.out.strip()) == (0, "0 of 9 episodes fit")


@pytest.mark.parametrize("filter", ["family", "cell", "regime", "outcome", "reason"])
def test_a_mistyped_filter_is_not_an_empty_result(cli: Cli, ran: str, filter: str) -> None:
    done = cli("show", ran, f"--{filter}", "zzz")
    assert done.code == 2
    assert f"no episode of this run has that {filter}; there are: " in done.sentence


def test_a_near_miss_is_named(cli: Cli, ran: str) -> None:
    assert "did you mean 'baseline'?" in cli("show", ran, "--regime", "basline").sentence


def test_an_episode_and_a_filter_exclude_each_other(cli: Cli, ran: str) -> None:
    assert "not both" in cli("show", ran, "0", "--failed").sentence


def test_help_groups_every_command_once(cli: Cli) -> None:
    text = cli("--help").out
    assert sorted(COMMANDS) == sorted(name for group in GROUPS.values() for name in group)
    places = [text.index(f"{title}:") for title in GROUPS]
    assert places == sorted(places)
    assert all(line in " ".join(text.split()) for line in COMMANDS.values()), "whole help lines"


def test_a_mistyped_command_is_answered_with_the_one_meant(cli: Cli) -> None:
    done = cli("rnu", "hello")
    assert (done.code, done.sentence) == (2, "proctor: there is no command 'rnu'; did you mean `proctor run`?")
    assert "`proctor --help` lists them" in cli("xyzzy").sentence


def test_agents_come_in_three_groups(cli: Cli, tmp_path: Path) -> None:
    kinds = {kind["name"]: kind["group"] for kind in cli("agents", "--json").json}
    assert (kinds["python"], kinds["chat"], kinds["clerk"], kinds["oracle"]) == (
        "yours",
        "models",
        "built-in",
        "built-in",
    )
    text = cli("agents").out
    assert text.index("Yours") < text.index("python ") < text.index("Chat models") < text.index("Built in")
