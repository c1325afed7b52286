"""Logical time: one way to read it, one way to write it, and it never runs backwards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from proctor.core.clock import Clock, format_timestamp, parse_timestamp
from proctor.core.errors import InputError


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-01-23T00:00:00Z", "2026-01-23T00:00:00Z"),
        ("2026-01-23", "2026-01-23T00:00:00Z"),
        ("2026-01-23T00:00:00", "2026-01-23T00:00:00Z"),
        ("2026-01-23T05:30:00+05:30", "2026-01-23T00:00:00Z"),
        ("2026-01-22T23:00:00-01:00", "2026-01-23T00:00:00Z"),
        ("2026-01-23T00:00:00.250Z", "2026-01-23T00:00:00.250Z"),
        ("2026-01-23T00:00:00.000400Z", "2026-01-23T00:00:00Z"),
    ],
)
def test_one_instant_is_written_in_one_way(text: str, written: str) -> None:
    assert format_timestamp(parse_timestamp(text)) == written
    assert format_timestamp(parse_timestamp(written)) == written


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "2026-13-01", "2026-01-23T25:00:00Z", "1", "0001-01-01T00:00:00+14:00", "2026-01-23T00:00:00Zz"],
)
def test_anything_else_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError, match="ISO 8601; write it like 2026-01-23T00:00:00Z") as caught:
        parse_timestamp(text)
    assert "\n" not in str(caught.value)


def test_the_machine_time_zone_plays_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    seen = set()
    try:
        for zone in ("UTC", "Asia/Kolkata", "America/St_Johns"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            seen.add((parse_timestamp("2026-01-23"), format_timestamp(datetime(2026, 1, 23, tzinfo=UTC))))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert len(seen) == 1


def test_a_clock_moves_only_when_told_to() -> None:
    clock = Clock(datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1))))
    assert clock.now == datetime(2025, 12, 31, 23, tzinfo=UTC)
    clock.advance(1_500)
    clock.advance(0)
    assert clock.elapsed == 1_500
    assert clock.now - clock.start == timedelta(seconds=1.5)
    with pytest.raises(ValueError):
        clock.advance(-1)
    assert clock.elapsed == 1_500
