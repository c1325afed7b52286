"""What a stranger's file may weigh before it is read at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.core.reading import MiB, read_at_most
from proctor.evidence.load_record import read_load
from proctor.pipeline.baseline.file import read_baseline
from proctor.pipeline.ledger import LEDGER, Ledger


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
