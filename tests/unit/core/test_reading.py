"""What a stranger's file may weigh before it is read at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.audit.published import read_published
from proctor.core.errors import InputError
from proctor.core.hashing import file_hash
from proctor.core.numbers import real_number, whole_number
from proctor.core.reading import MiB, open_file, open_lines, read_at_most, read_text
from proctor.evidence.load_record import read_load
from proctor.evidence.ratings import read_sheet
from proctor.models.scripted import read_script
from proctor.pipeline.baseline.file import read_baseline
from proctor.pipeline.ledger import LEDGER, Ledger
from proctor.spec.documents import read_document
from proctor.spec.preregistration import read_preregistration


def test_one_byte_too_many_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * MiB)
    assert read_at_most(path, MiB) == b"x" * MiB
    with pytest.raises(InputError, match="larger than 0 MiB"):
        read_at_most(path, MiB - 1)


@pytest.mark.parametrize(
    "read",
    [read_load, read_baseline, lambda path: Ledger(path.parent.parent).entries()],
    ids=["load", "baseline", "ledger"],
)
def test_an_enormous_file_is_refused_before_it_is_parsed(read: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / LEDGER
    path.parent.mkdir()
    with path.open("wb") as file:
        file.truncate(400 * MiB)  # Takes no room on the disk.
    with pytest.raises(InputError, match="larger than 256 MiB"):
        read(path)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_what_is_no_file_is_a_sentence_at_once(tmp_path: Path, pipe: Path) -> None:
    for path, what in ((pipe, "a pipe or a device"), (Path("/dev/zero"), "a pipe or a device"), (tmp_path, "a folder")):
        for read in (open_file, read_text, file_hash, lambda path: read_at_most(path, MiB)):
            with pytest.raises(InputError, match=f"this is not a file but {what}"):
                read(path)
        with pytest.raises(InputError, match="this is not a file"), open_lines(path):
            pass


def test_lines_are_read_without_the_mark_of_spreadsheets_and_within_a_bound(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(b"\xef\xbb\xbfa,b\n1,2\n")
    with open_lines(path) as lines:
        assert list(lines) == ["a,b\n", "1,2\n"]
    with pytest.raises(InputError, match="larger than"), open_lines(path, 5):
        pass


@pytest.mark.parametrize(
    "read",
    [read_load, read_baseline, read_document, read_preregistration, read_published, read_sheet, read_script],
)
def test_whoever_reads_a_named_file_waits_for_no_pipe(read: Callable[[Path], Any], pipe: Path) -> None:
    with pytest.raises(InputError, match="this is not a file but a pipe or a device"):
        read(pipe)


@pytest.mark.parametrize("text", ["9" * 5000, "nan", "inf", "-1", "1e3", "\u0663", "", "11"])
def test_whole_numbers_of_options_have_bounds(text: str) -> None:
    assert whole_number(text, 0, 10) is None
    assert whole_number("10", 0, 10) == 10


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "x", "", "2"])
def test_numbers_of_options_are_finite_and_have_bounds(text: str) -> None:
    assert real_number(text, 0, 1) is None
    assert real_number(".5", 0, 1) == 0.5
