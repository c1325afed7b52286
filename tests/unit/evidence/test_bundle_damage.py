"""Damage of every kind is found, named and never raised."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from proctor.evidence.bundle import LIMITS, VerifyReport, verify_bundle
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.report import ARCHIVE, BUNDLE_CHECKS, CHECKSUMS, Findings
from proctor.evidence.bundle.verify import check_outside


def found_outside(path: Path) -> int:
    """How many problems archive and checksums alone show."""
    findings = Findings(BUNDLE_CHECKS)
    with Source(path) as source:
        check_outside(source, LIMITS, findings)
    return findings.count(ARCHIVE) + findings.count(CHECKSUMS)


def failed(report: VerifyReport) -> list[str]:
    return [check.name for check in report.checks if not check.ok]


def test_every_single_byte_counts(made: Any, tmp_path: Path) -> None:
    data = bytearray(made("tiny").path.read_bytes())
    path = tmp_path / "flipped.proctor"
    path.write_bytes(data)
    assert found_outside(path) == 0
    generator = random.Random(1)
    with path.open("r+b", buffering=0) as file:
        for at, byte in enumerate(data):
            file.seek(at)
            file.write(bytes([byte ^ generator.randrange(1, 256)]))
            assert found_outside(path) > 0, f"byte {at} can be changed unnoticed"
            file.seek(at)
            file.write(bytes([byte]))
    assert verify_bundle(path).ok


@pytest.mark.parametrize("name", ["small", "wide", "unstable"])
def test_a_flipped_bit_is_reported_and_nothing_is_raised(made: Any, tmp_path: Path, name: str) -> None:
    data = made(name).path.read_bytes()
    path = tmp_path / "flipped.proctor"
    generator = random.Random(name)
    for at in sorted(generator.sample(range(len(data)), 100)):
        damaged = bytearray(data)
        damaged[at] ^= 1 << generator.randrange(8)
        path.write_bytes(damaged)
        report = verify_bundle(path)
        assert not report.ok and report.found >= 1 and report.problems[0].place and report.problems[0].message


def test_a_file_cut_off_anywhere_is_found(made: Any, tmp_path: Path) -> None:
    data = made("small").path.read_bytes()
    path = tmp_path / "short.proctor"
    for size in (*range(0, len(data), 307), *range(len(data) - 100, len(data))):
        path.write_bytes(data[:size])
        report = verify_bundle(path)
        assert failed(report)[0] == ARCHIVE and report.found == 1


@pytest.mark.parametrize("extra", [b"\n", b"\x00", b"PK\x05\x06" + bytes(18), b"x" * 5000])
def test_bytes_after_the_end_or_before_the_beginning_are_found(made: Any, tmp_path: Path, extra: bytes) -> None:
    data = made("small").path.read_bytes()
    (tmp_path / "after.proctor").write_bytes(data + extra)
    report = verify_bundle(tmp_path / "after.proctor")
    assert failed(report) == [ARCHIVE]
    assert report.problems[0].place == f"byte {len(data)}" and str(len(extra)) in report.problems[0].message
    (tmp_path / "before.proctor").write_bytes(extra + data)
    assert failed(verify_bundle(tmp_path / "before.proctor"))[0] == ARCHIVE


def test_bytes_in_a_gap_are_found(made: Any, tmp_path: Path) -> None:
    data = made("small").path.read_bytes()
    for name in (b"arms.json", b"rows.parquet", b"SHA256SUMS"):
        at = data.find(name) - 30
        (tmp_path / "gap.proctor").write_bytes(data[:at] + b"smuggled" + data[at:])
        assert failed(verify_bundle(tmp_path / "gap.proctor"))[0] == ARCHIVE


@pytest.mark.parametrize("content", [b"", b"PK", b"hello" * 100, b"\x89PNG\r\n", bytes(100_000)])
def test_another_file_is_no_bundle(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.proctor"
    path.write_bytes(content)
    report = verify_bundle(path)
    assert [(problem.place, problem.message) for problem in report.problems] == [
        ("other.proctor", "not a Proctor bundle")
    ]
    assert failed(report) == list(BUNDLE_CHECKS)


def test_the_place_of_damage_is_named(made: Any, tmp_path: Path) -> None:
    data = made("wide").path.read_bytes()
    for name in ("declarations.json", "events/00000.zst", "rows.parquet", "statement.json"):
        at = data.find(name.encode()) + len(name) + 5
        damaged = bytearray(data)
        damaged[at] ^= 4
        (tmp_path / "damaged.proctor").write_bytes(damaged)
        report = verify_bundle(tmp_path / "damaged.proctor")
        assert report.problems[0].place == name
        assert {ARCHIVE, CHECKSUMS} <= set(failed(report))
