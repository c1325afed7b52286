"""`proctor run --replay RUN`: the same root without a model, and a clear failure for what is not on record."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.agents.structured.conftest import HERE
from tests.unit.agents.structured.probe_family import suite_of
from tests.unit.cli.conftest import Cli, cli

from proctor.models.contract import Reply
from proctor.models.recorded import RECORDING, Recording
from proctor.models.scripted import Scripted

__all__ = ["cli"]
SCRIPT = "structured:scripted:replies.json"


@pytest.fixture
def recorded(cli: Cli, tmp_path: Path) -> str:
    """The root of a run with planner calls, votes and exact budgets, whose script is then gone."""
    shutil.copy(HERE / "probe_family.py", tmp_path)
    suite = suite_of(
        {"id": "planner", "scaffold": {"style": "planner"}, "sampling": {"samples": 2}},
        {"id": "exact", "sampling": {"exact": True, "tokens": 8}},
        n=6,
        replicates=2,
    )
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    codes = ["ACTION_A", "ACTION_B", "VETO", "nothing at all"]
    entries = [{"when": "Keys: plan\n", "reply": {"plan": ["one"]}}, {"when": "e5", "error": "timeout"}]
    (tmp_path / "replies.json").write_text(json.dumps([*entries, {"reply": [{"final_action": c} for c in codes]}]))
    done = cli("run", "suite.json", "--agent", SCRIPT, "--json")
    assert done.code == 0, done.err
    root: str = done.json["root"]
    assert len(done.json["outcomes"]) > 0 and done.json["outcomes"]["success"] > 0
    (tmp_path / "replies.json").unlink()
    return root


@pytest.mark.parametrize("how", [(), ("--workers", "2")])
def test_a_replay_has_the_same_root_and_asks_nobody(
    cli: Cli, recorded: str, how: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(Scripted, "ask")
    done = cli("run", "suite.json", "--agent", SCRIPT, "--replay", "latest", "--json", *how)
    assert done.code == 0, done.err
    assert done.json["root"] == recorded
    assert RECORDING not in os.environ, "nothing is left behind"


def test_a_replay_says_whether_it_came_out_the_same(cli: Cli, recorded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "it was lived again to the letter" in cli("run", "suite.json", "--agent", SCRIPT, "--replay", "latest").out
    monkeypatch.setattr(Recording, "reply", lambda *_: Reply('{"final_action": "VETO"}'))
    done = cli("run", "suite.json", "--agent", SCRIPT, "--replay", "latest")
    assert (done.code, "has another root than" in done.out) == (0, True)


def test_a_damaged_record_is_one_sentence(cli: Cli, recorded: str) -> None:
    with closing(sqlite3.connect(".proctor/store.db")) as store:
        store.execute("UPDATE episodes SET aside = CAST('{broken' AS BLOB) WHERE id = (SELECT min(id) FROM episodes)")
        store.commit()
    done = cli("run", "suite.json", "--agent", SCRIPT, "--replay", "latest")
    assert (done.code, "the store is damaged" in done.sentence) == (1, True)


def test_without_the_record_the_run_is_refused(cli: Cli, recorded: str) -> None:
    done = cli("run", "suite.json", "--agent", SCRIPT, "--json")
    assert done.code == 2 and "no such file" in done.sentence


def test_what_is_replayed_says_so_and_keeps_what_was_counted(cli: Cli, recorded: str) -> None:
    import msgspec

    from proctor.evidence.store.store import Store

    assert cli("run", "suite.json", "--agent", SCRIPT, "--replay", "latest", "-q").code == 0
    with Store(".proctor/store.db", create=False) as store:
        first, again = (list(store.rows(run.number)) for run in store.runs())
    for before, after in zip(first, again, strict=True):
        assert before.tokens == after.tokens
        old, new = (msgspec.json.decode(row.aside or b"[]") for row in (before, after))
        was = [{**entry[1], "replayed": True} if entry[0] == "model" else entry[1] for entry in old]
        assert was == [entry[1] for entry in new]


def test_a_request_that_is_not_on_record_is_a_clear_failure(cli: Cli, recorded: str, tmp_path: Path) -> None:
    suite = tmp_path / "suite.json"
    suite.write_text(suite.read_text().replace('"tokens": 8', '"tokens": 9'))
    done = cli("run", "suite.json", "--agent", SCRIPT, "--replay", "latest", "-q")
    assert done.code == 1
    assert "12 episodes of" in done.err and "has not on record" in done.err, "those of one condition"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--agent", SCRIPT, "--seed", "9"), "its seed is 0, not 9"),
        (("--agent", "structured:simulated"), "its agent is"),
    ],
)
def test_a_run_of_which_nothing_can_be_on_record_is_refused(
    cli: Cli, recorded: str, arguments: tuple[str, ...], complaint: str
) -> None:
    done = cli("run", "suite.json", *arguments, "--replay", "latest")
    assert done.code == 2 and complaint in done.sentence


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("name", "streams"), "its suite is 'plain-probes', not 'streams'"),
        (("family", "elsewhere"), "it has no episodes of family 'elsewhere'"),
    ],
)
def test_another_suite_or_family_is_refused_before_anything_is_written(
    cli: Cli, recorded: str, tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    suite = json.loads((tmp_path / "suite.json").read_text())
    what, name = change
    if what == "name":
        suite |= {"name": name, "streams": suite["name"]}
    else:
        source = (tmp_path / "probe_family.py").read_text()
        (tmp_path / "other_family.py").write_text(source.replace('id="plain-probes"', f'id="{name}"'))
        suite = json.loads(json.dumps(suite).replace("probe_family.py", "other_family.py"))
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    done = cli("run", "suite.json", "--agent", SCRIPT, "--replay", "latest")
    assert done.code == 2 and complaint in done.sentence
    assert len(cli("runs", "--json").json) == 1


def test_a_run_without_exchanges_cannot_be_replayed(cli: Cli, recorded: str) -> None:
    assert cli("run", "suite.json", "--agent", "null", "-q").code == 0
    done = cli("run", "suite.json", "--agent", "null", "--replay", "latest")
    assert done.code == 2 and "nothing to replay" in done.sentence


def test_an_unknown_run_is_one_sentence(cli: Cli, recorded: str) -> None:
    done = cli("run", "suite.json", "--agent", SCRIPT, "--replay", "nobody")
    assert done.code == 2 and "no run called 'nobody'" in done.sentence
