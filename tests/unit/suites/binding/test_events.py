"""Events of one's own: three kinds of files, clear refusals, and probes built around the text."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.suites.binding.drawn import drawn, instances, options_of

from proctor.api import run
from proctor.cli.main import main
from proctor.core.errors import InputError
from proctor.engine.names import load_family, load_suite
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.models.simulated.rules_benchmark import implied
from proctor.suites.binding.events.family import EventsFamily, source
from proctor.suites.binding.events.reading import read_events
from proctor.suites.binding.twins.events import source as twins

ROWS: list[dict[str, Any]] = [
    {"event_id": "p1", "text": "The pump, they say, stopped twice", "dataset": "plant", "onset": 12.5, "run": 2},
    {"event_id": "p2", "text": "A valve leaks.", "dataset": "plant", "onset": 3},
    {"event_id": "p2", "text": "A valve leaks.", "dataset": "plant", "onset": 40},
    {"event_id": "d1", "text": 'A caller asks {for} "Basil".', "dataset": "Front desk", "onset": None},
]


def written(folder: Path, kind: str, rows: list[dict[str, Any]] | None = None) -> Path:
    path = folder / f"events.{kind}"
    rows = ROWS if rows is None else rows
    if kind == "jsonl":
        path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8")
        return path
    names = list(dict.fromkeys(name for row in rows for name in row))
    mark = "\t" if kind == "tsv" else ","
    cells = [[str("" if row.get(name) is None else row[name]).replace('"', '""') for name in names] for row in rows]
    lines = [mark.join(names), *(mark.join(f'"{cell}"' for cell in line) for line in cells)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_three_kinds_of_files_say_the_same(tmp_path: Path, kind: str) -> None:
    events = read_events(written(tmp_path, kind))
    assert [(one.event_id, one.text, one.dataset) for one in events] == [
        (row["event_id"], row["text"], row["dataset"]) for row in ROWS
    ]
    assert events[0].columns == {"onset": "12.5", "run": "2"}
    assert "onset" not in events[3].columns


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", "text,dataset\nx,y\n", "has no event_id"),
        ("a.csv", "event_id,dataset\nx,y\n", "has no text"),
        ("a.csv", "event_id,text,dataset\n,x,y\n", "line 2: the event_id is empty"),
        ("a.csv", "event_id,text,dataset\ne1,x,y\ne1,z,y\n", "two different texts"),
        ("a.csv", "event_id,text,dataset\ne1,x,y,z\n", "more values than columns"),
        ("a.csv", 'event_id,text,dataset\ne1,"x,y\n', "line"),
        ("a.csv", "", "holds no event"),
        ("a.csv", "\n\n", "holds no event"),
        ("a.jsonl", "\n", "holds no event"),
        ("a.csv", "event_id;text;dataset\ne1;x;y\n", "it has: event_id;text;dataset"),
        ("a.csv", "Event_ID,Text,Dataset\ne1,x,y\n", "it has: Event_ID, Text, Dataset"),
        ("a.csv", '"event\n_id",text,dataset\ne1,x,y\n', "it has: event _id, text, dataset"),
        ("a.csv", "event_id,text,text,dataset\ne1,x,z,y\n", "has 2 columns text"),
        ("a.csv", "event_id,text,dataset\ne1,x\n", "line 2: the dataset is empty"),
        ("a.csv", "\nevent_id,text,dataset\ne1,,d\n", "line 3: the text is empty"),
        ("a.csv", "event_id,text,dataset\ne1,\u200b,d\n", "line 2: the text is empty"),
        ("a.csv", f"event_id,text,dataset\ne1,{'long ' * 5_000},d\n", "line 2: the text has 24,999 characters"),
        ("a.csv", f"event_id,text,dataset\ne1,{'long ' * 50_000},d\n", "keep texts below 20,000 characters"),
        ("a.csv", f"event_id,text,dataset\n{'e' * 201},x,d\n", "line 2: the event_id has 201 characters"),
        ("a.jsonl", '{"event_id": true, "text": "x", "dataset": "y"}\n', "line 1: the event_id is neither text nor"),
        ("a.jsonl", '{"event_id": 1, "text": ["x"], "dataset": "y"}\n', "line 1: the text is neither text nor"),
        ("a.jsonl", '{"event_id": 1, "text": "x", "dataset": "y", "run": {}}\n', "line 1: the run is neither text nor"),
        ("a.jsonl", '\n{"event_id": 1, "text": "x"}\n', "line 2, has no dataset"),
        ("a.csv", "event_id,text,dataset\n", "holds no event"),
        ("a.jsonl", '{"text": "x", "dataset": "y"}\n', "has no event_id"),
        ("a.jsonl", "{\n", "no JSON"),
        ("a.jsonl", "[1]\n", "not an object"),
        ("a.txt", "x", "is no event file"),
        ("a.tsv", "event_id\ttext\tdataset\ne1\tx\tA b\ne2\tx\ta-B\n", "differ in spelling alone"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(tmp_path: Path, name: str, content: str, says: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=says) as refusal:
        source.families_of(tmp_path / name)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("kept", ["utf-16", "latin-1"])
def test_other_encodings_are_refused_in_one_sentence(tmp_path: Path, kept: str) -> None:
    (tmp_path / "a.csv").write_bytes("event_id,text,dataset\ne1,caf\u00e9,y\n".encode(kept))
    with pytest.raises(InputError, match="is not UTF-8 text; save it as UTF-8"):
        read_events(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", "\ufeffevent_id,text,dataset\r\ne1,x,y\r\n", ("e1", "x", "y")),
        ("a.csv", "\n\nevent_id , text,dataset,mood\n\ne1, x ,y,fine\n", ("e1", "x", "y")),
        ("a.csv", "event_id,text,dataset\re1,x,y\r", ("e1", "x", "y")),
        (
            "a.csv",
            'event_id,text,dataset\n💥,"\u03a9\x00\u2248\nsecond line",日本\n',
            ("💥", "Ω ≈ second line", "日本"),
        ),
        ("a.jsonl", '{"event_id": 7, "text": "a\u2028b\x85c", "dataset": "d"}\r\n', ("7", "a b c", "d")),
    ],
)
def test_what_differs_in_form_alone_is_read(
    tmp_path: Path, name: str, content: str, expected: tuple[str, str, str]
) -> None:
    (tmp_path / name).write_bytes(content.encode())
    (event,) = read_events(tmp_path / name)
    assert (event.event_id, event.text, event.dataset) == expected
    (family,) = source.families_of(tmp_path / name).values()
    assert drawn(family, 0).state["x-situation"]["text"].startswith(f"{expected[1]}. ")


def test_an_event_is_asked_about_in_its_own_words(tmp_path: Path) -> None:
    plant = source.families_of(written(tmp_path, "csv"))["plant"]
    assert isinstance(plant, EventsFamily)
    assert plant.instances == 3 * 6
    names = [one.hidden["base_event"] for one in instances(plant)][::6]
    assert names == ["p2", "p1", "p2"], "by onset, as far as it is known"
    duplicates = [one.hidden["duplicate"] for one in instances(plant)][::6]
    assert duplicates == [0, 0, 1]
    for instance in instances(plant):
        text = instance.state["x-situation"]["text"]
        expected = "A valve leaks." if instance.hidden["base_event"] == "p2" else "The pump, they say, stopped twice."
        assert text.startswith(expected)
        assert instance.observation["dataset"] == "plant"
        read = {name: implied(name, field["text"], options_of(instance)) for name, field in instance.state.items()}
        assert {name: code for name, code in read.items() if code} == instance.hidden["implied"]


@pytest.mark.parametrize(
    ("text", "shown"), [("He said “stop.”", "He said “stop.” "), ("A (small) leak (twice)", "A (small) leak (twice). ")]
)
def test_a_text_ends_like_a_sentence(tmp_path: Path, text: str, shown: str) -> None:
    (family,) = source.families_of(
        written(tmp_path, "jsonl", [{"event_id": "e", "text": text, "dataset": "d"}])
    ).values()
    assert drawn(family, 0).state["x-situation"]["text"].startswith(shown)


def test_braces_in_a_text_are_only_text(tmp_path: Path) -> None:
    desk = source.families_of(written(tmp_path, "jsonl"))["Front desk"]
    assert drawn(desk, 0).state["x-situation"]["text"].startswith('A caller asks {for} "Basil".')
    assert desk.spec.id == "binding-events-front-desk"


def test_the_content_is_part_of_what_a_run_freezes(tmp_path: Path) -> None:
    path = written(tmp_path, "jsonl")
    before = load_family(f"binding-events#{path}#plant", Path()).spec
    (tmp_path / "later").mkdir()
    other = written(tmp_path / "later", "jsonl", [{**ROWS[1], "text": "Another text."}])
    after = load_family(f"binding-events#{other}#plant", Path()).spec
    assert before.description != after.description
    with pytest.raises(InputError, match="no dataset 'ship'"):
        load_family(f"binding-events#{path}#ship", Path())


@pytest.mark.parametrize(("suite_name", "an_event"), [("binding", 9 * 4 * 2), ("binding@1.0", 6 * 4 * 3)])
def test_a_run_over_two_datasets(tmp_path: Path, suite_name: str, an_event: int) -> None:
    path = written(tmp_path, "csv")
    suite = load_suite(f"{suite_name}#{path}", Path())
    store = str(tmp_path / "store.db")
    result = run(suite, agent="oracle", store=store)
    with Store(store, create=False) as opened:
        rows = evidence_of(opened, result.run).rows
    found = [msgspec.json.decode(row.measures or "") for row in rows]
    assert len(found) == 4 * an_event
    assert {one["dataset"] for one in found} == {"plant", "Front desk"}
    assert all(one["c"] == 1 for one in found)


def test_a_file_has_no_more_events_than_it_has(tmp_path: Path) -> None:
    path = written(tmp_path, "csv")
    suite = load_suite(f"binding#{path}", Path())
    with pytest.raises(InputError, match="would repeat them; leave --scale out or give more data"):
        run(suite, agent="null", store=str(tmp_path / "store.db"), scale=2)


@pytest.mark.parametrize(("suite", "says"), [("binding", "has no event_id"), ("hello", "takes no data")])
def test_the_command_refuses_in_one_sentence(
    tmp_path: Path, suite: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("events.csv").write_text("text,dataset\nx,y\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["proctor", "run", suite, "--events", "events.csv", "--agent", "null"])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out, len(printed.err.splitlines())) == (2, "", 1)
    assert says in printed.err


def test_twins_take_the_same_names_of_datasets(tmp_path: Path) -> None:
    families = twins.families_of(written(tmp_path, "jsonl"))
    assert families["Front desk"].spec.id == "twin-events-front-desk"
