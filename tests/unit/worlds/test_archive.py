"""Archives: what goes in comes out, real tar understands it, and damage is refused rather than believed."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.worlds.archive import MAX_DEPTH, ArchiveError, PlainFile, Tree, Unpacked, pack, unpack

_CHARACTERS = st.characters(codec="utf-8", exclude_characters="/\0")
_NAMES = st.text(_CHARACTERS, min_size=1, max_size=60).filter(lambda name: name not in (".", ".."))
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)
_TREES = st.dictionaries(_PATHS, st.none() | st.builds(PlainFile, st.binary(max_size=1200), st.booleans()), max_size=6)


@given(_TREES)
def test_what_goes_in_comes_out(tree: Tree) -> None:
    assert unpack(pack(tree), max_entries=100) == Unpacked(tree, ())


@given(_TREES, st.data())
def test_damage_is_refused_or_harmless(tree: Tree, data: st.DataObject) -> None:
    archive = bytearray(pack(tree))
    for _ in range(3):
        archive[data.draw(st.integers(0, len(archive) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(archive)))
    try:
        unpacked = unpack(bytes(archive[:cut]), max_entries=100)
    except ArchiveError:
        return
    for path in unpacked.tree:
        assert not path.startswith("/")
        assert ".." not in path.split("/")


def test_real_tar_reads_ours_and_we_read_its(tmp_path: Path) -> None:
    tree: Tree = {
        "d": None,
        "d/a.txt": PlainFile(b"hello" * 300),
        "d/run": PlainFile(b"x", executable=True),
        "n" * 150: PlainFile(b"long"),
    }
    (tmp_path / "in.tar").write_bytes(pack(tree))
    (tmp_path / "out").mkdir()
    subprocess.run(["tar", "-xf", tmp_path / "in.tar", "-C", tmp_path / "out"], check=True)
    assert (tmp_path / "out/d/a.txt").read_bytes() == b"hello" * 300
    for form in ("gnu", "ustar", "v7"):
        names = ["."] if form == "gnu" else ["d"]
        made = subprocess.run(
            ["tar", f"--format={form}", "-cf", "-", "-C", tmp_path / "out", *names], check=True, capture_output=True
        )
        expected = tree if form == "gnu" else {path: entry for path, entry in tree.items() if path.startswith("d")}
        assert unpack(made.stdout, max_entries=100) == Unpacked(expected, ())


def _tar(*entries: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for entry in entries:
            archive.addfile(entry, io.BytesIO(b"x" * entry.size))
    return buffer.getvalue()


def _info(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info


@pytest.mark.parametrize("name", ["../a", "/etc/passwd", "a/../../b", "d/" * (MAX_DEPTH + 1) + "x"])
def test_names_that_lead_out_are_left_out(name: str) -> None:
    unpacked = unpack(_tar(_info(name, size=3), _info("fine")), max_entries=10)
    assert unpacked == Unpacked({"fine": PlainFile(b"")}, (name,))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"Z"])
def test_only_plain_files_and_directories(kind: bytes) -> None:
    assert unpack(_tar(_info("odd", kind, "fine")), max_entries=10) == Unpacked({}, ("odd",))


def test_a_second_name_is_a_second_file() -> None:
    archive = _tar(_info("a", size=2), _info("b", tarfile.LNKTYPE, "a"), _info("c", tarfile.LNKTYPE, "/etc/passwd"))
    assert unpack(archive, max_entries=10) == Unpacked({"a": PlainFile(b"xx"), "b": PlainFile(b"xx")}, ("c",))


def test_too_many_entries_are_refused() -> None:
    tree: Tree = {str(number): None for number in range(11)}
    with pytest.raises(ArchiveError, match="too many"):
        unpack(pack(tree), max_entries=10)


@pytest.mark.parametrize("archive", [b"", b"x" * 511, b"x" * 512, b"forged\n" * 400])
def test_no_archive_at_all(archive: bytes) -> None:
    with pytest.raises(ArchiveError):
        unpack(archive, max_entries=10)
