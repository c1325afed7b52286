"""No cell that we write is computed by a spreadsheet, wherever we write CSV; numbers stay numbers."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from proctor.reports.spreadsheet import cell, plain, sheet
from proctor.reports.tables import csv_of

SOURCE = Path(__file__).parents[3] / "src" / "proctor"
HOSTILE = (
    *("=1+1", "@SUM(A1)", "+1+1", "-1+1", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1"),
    *("=cmd|' /C calc'!A0", "\uff0d1+1", "%0A=1", "-"),
)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_would_be_computed_is_text(text: str) -> None:
    quoted = f"'{text}".replace("\r", "\n")
    assert cell(text) == quoted
    assert plain(cell(text)).strip() == text.strip()
    table = csv_of({text: [text, "fine", -1, -0.25]})
    rows = list(csv.reader(io.StringIO(table.decode(), newline="")))
    assert rows == [[quoted], [quoted], ["fine"], ["-1"], ["-0.25"]]
    assert [quoted, "-3"] in list(
        csv.reader(io.StringIO(sheet(["a", "b"], [[text, -3]]).decode("utf-8-sig"), newline=""))
    )


@pytest.mark.parametrize("number", [-1, -1.5, "-1.5", "+3", -1e-300, float("-inf"), 0, "12", ""])
def test_numbers_stay_numbers(number: object) -> None:
    assert not cell(number).startswith("'")


def test_everybody_who_writes_a_table_writes_its_cells_so() -> None:
    writing = [path for path in SOURCE.rglob("*.py") if re.search(r"csv\.(writer|DictWriter)\(", path.read_text())]
    assert writing
    assert [path for path in writing if not re.search(r"\bcell\(", path.read_text())] == []
