"""The canonical archive: one file for given members, beyond 4 GiB too."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from proctor.evidence.bundle.archive import ArchiveWriter, Member, directory, first_name, local_header, walk
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import allowed_next, block_name
from proctor.evidence.bundle.report import Damage

FAR = 5 * 2**30


def test_members_beyond_four_gib_use_zip64_and_nothing_else_does(tmp_path: Path) -> None:
    path = tmp_path / "far.zip"
    near = Member("near", 0, 3, 0x352441C2, "")
    with path.open("wb") as file:
        file.write(local_header("near", 3, near.crc) + b"abc")
        file.seek(FAR)
        file.write(local_header("far", 3, near.crc) + b"abc")
        far = Member("far", FAR, 3, near.crc, "")
        file.seek(far.stop)
        file.write(directory([near, far], far.stop))
    with zipfile.ZipFile(path) as archive:
        assert archive.read("near") == archive.read("far") == b"abc"
        assert [len(info.extra) for info in archive.infolist()] == [0, 12]
    assert b"PK\x06\x06" not in directory([near], near.stop)


def test_more_members_than_an_old_archive_can_count(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with path.open("wb") as file:
        archive = ArchiveWriter(file)
        for number in range(65_600):
            archive.add(block_name("events", number), b"")
        archive.close()
    with zipfile.ZipFile(path) as opened:
        assert len(opened.infolist()) == 65_600
    with Source(path) as source:
        assert sum(member.intact for member in walk(source, 70_000)) == 65_600
        assert first_name(source) == "events/00000.zst"
        with pytest.raises(Damage, match="more than 100 members"):
            list(walk(source, 100))


def test_the_order_of_members_is_fixed() -> None:
    name: str | None = None
    order = []
    for _ in range(12):
        following = allowed_next(name)
        if not following:
            break
        name = following[-1]
        order.append(name)
    assert order == [
        "declarations.json",
        "arms.json",
        "execution.json",
        "stages.json",
        "rows.parquet",
        "manifest.json",
        "statement.json",
        "SHA256SUMS",
    ]
    assert allowed_next("stages.json")[0] == "events/00000.zst"
    assert allowed_next("events/99999.zst") == ("events/100000.zst", "contents/00000.zst", "rows.parquet")
    assert allowed_next("contents/00007.zst") == ("contents/00008.zst", "rows.parquet")
