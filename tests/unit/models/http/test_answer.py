"""Waiting as asked, and unpacking no further than allowed."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from tests.fake_models.server import packed

from proctor.models.http.answer import Answer, asked_to_wait, unpacked


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("30", 30.0), ("0", 0.0), ("1e9", 120.0), ("-5", None), ("nan", None), ("soon", None), ("", None)],
)
def test_a_server_is_asked_again_when_it_wants_but_cannot_make_us_wait_for_ever(
    said: str, seconds: float | None
) -> None:
    assert asked_to_wait(said) == seconds


def test_a_date_to_wait_for_is_read() -> None:
    wait = asked_to_wait(format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True))
    assert wait is not None and 20 < wait <= 30
    assert asked_to_wait("Mon, 99 Foo 2026") is None
    assert asked_to_wait(format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)) is None


def test_what_is_compressed_all_the_same_is_unpacked_within_bounds() -> None:
    body = b"{}" * 100
    raw = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    assert unpacked(body, "", 10) == body, "what came as it is was bounded while it was read"
    assert unpacked(gzip.compress(body), "gzip", 200) == body
    assert unpacked(zlib.compress(body), "deflate", 200) == body
    assert unpacked(raw.compress(body) + raw.flush(), "deflate", 200) == body
    assert unpacked(gzip.compress(body), "gzip", 199) is None
    assert unpacked(gzip.compress(body)[:-9], "gzip", 1000) is None, "cut off"
    assert unpacked(body, "gzip", 1000) is None
    assert unpacked(body, "br", 1000) is None


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_bomb_is_not_unpacked(encoding: str) -> None:
    assert unpacked(packed(1 << 26, encoding), encoding, 1 << 20) is None


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_none(body: bytes) -> None:
    assert Answer(200, body).json() is None
