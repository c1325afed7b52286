"""Reading tables of records: names stay names, what is missing stays missing, what is no table is one sentence."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.instruments.predictive.records import read_records


def test_reading_tables(tmp_path: Path) -> None:
    text = "success,issue,score,kind\ntrue,i1,0.5,a\nfalse,i2,,b\n1,i3,NA,c\n"
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    (tmp_path / "t.tsv").write_text(text.replace(",", "\t"), encoding="utf-8")
    (tmp_path / "t.jsonl").write_text(
        '{"success": true, "issue": "i1", "score": 0.5, "kind": "a"}\n{"success": false, "issue": "i2", "kind": "b"}\n'
        '{"success": 1, "issue": "i3", "score": null, "kind": "c"}\n',
        encoding="utf-8",
    )
    for name in ("t.csv", "t.tsv", "t.jsonl"):
        table = read_records(tmp_path / name)
        assert table["success"] == [1, 0, 1]
        assert table["score"] == [0.5, None, None]
        assert table["kind"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("no.csv", None, "there is no such file"),
        ("t.csv", "a,b\n1\n", "another number of cells"),
        ("t.csv", "a,b\n", "holds no records"),
        ("t.txt", "a", "tables are read from"),
        ("t.jsonl", "{", "cannot be read as a table"),
        ("t.jsonl", "[1]\n", "record 1 has no named columns"),
        ("t.jsonl", "[" * 100_000, "cannot be read as a table"),
        ("t.csv", "a,b,a\n1,2,3\n", "column 'a' is there twice"),
        ("t.parquet", "PAR1 and no more", "cannot be read as a table"),
    ],
)
def test_tables_that_are_none(tmp_path: Path, name: str, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        read_records(tmp_path / name)


def test_names_stay_as_they_are_written(tmp_path: Path) -> None:
    """Read as numbers, two customers would become one."""
    (tmp_path / "t.csv").write_text("who,score\n007,007\n7,7\n1e1,1e1\n,2\n", encoding="utf-8")
    table = read_records(tmp_path / "t.csv", ["who"])
    assert table["who"] == ["007", "7", "1e1", None]
    assert table["score"] == [7, 7, 10, 2]
    (tmp_path / "t.jsonl").write_text('{"who": "01"}\n{"who": 1}\n{"who": null}\n', encoding="utf-8")
    assert read_records(tmp_path / "t.jsonl", ["who"])["who"] == ["01", "1", None]


def test_what_spreadsheets_write_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("\ufeffsuccess, issue\n1,a\n\n0,b\n", encoding="utf-8")
    table = read_records(tmp_path / "t.csv")
    assert (list(table.columns), table["success"], table["issue"]) == (["success", "issue"], [1, 0], ["a", "b"])


def test_what_no_arithmetic_can_be_done_with_is_missing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\ninf\n-inf\n1e999\n1\n", encoding="utf-8")
    assert read_records(tmp_path / "t.csv")["a"] == [None, None, None, 1]
    lines = [json.dumps({"a": 10**400}), '{"a": NaN}', '{"a": Infinity}', '{"b": 2}', '{"a": 1}']
    (tmp_path / "t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    table = read_records(tmp_path / "t.jsonl")
    assert table["a"] == [None, None, None, None, 1]
    assert table["b"] == [None, None, None, 2, None]


def test_parquet_is_read(tmp_path: Path) -> None:
    arrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    rows = [{"who": "01", "ok": True, "x": 0.5}, {"who": "1", "ok": False, "x": None}]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "t.parquet")
    table = read_records(tmp_path / "t.parquet", ["who"])
    assert (table["who"], table["ok"], table["x"]) == (["01", "1"], [1, 0], [0.5, None])


def test_a_table_that_brings_its_reader_down_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = tmp_path / "pyarrow"
    stand_in.mkdir()
    (stand_in / "__init__.py").write_text("import os\nos.abort()\n")
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(InputError, match="cannot be read as a table"):
        read_records(tmp_path / "t.parquet")
