"""A packed reply unpacks no further than its limit, and ends where it ends."""

from __future__ import annotations

import base64
import gzip
import zlib

from proctor.agents.model_proxy.reading import MAX_COPY, unpacked
from proctor.agents.model_proxy.upstream import _unpacking
from proctor.models.http.answer import unpacked as answer_unpacked

BOMB = gzip.compress(bytes(64 << 20), 9)


def test_pieces_of_a_bomb_are_small() -> None:
    pieces = _unpacking("gzip")(BOMB)
    assert all(len(next(pieces)) <= 1 << 16 for _ in range(50))


def test_what_follows_the_end_is_not_kept() -> None:
    unpack = _unpacking("gzip")
    assert b"".join(unpack(gzip.compress(b"reply"))) == b"reply"
    assert list(unpack(b"x" * 100_000)) == []


def test_an_answer_and_a_recorded_reply_have_a_limit() -> None:
    assert answer_unpacked(BOMB, "gzip", 1 << 20) is None
    packed = base64.b64encode(zlib.compress(bytes(MAX_COPY + 1))).decode()
    assert unpacked({"packed": packed}) is None
    assert unpacked({"packed": "no base64 at all"}) is None
    assert unpacked({"packed": base64.b64encode(zlib.compress(b"reply")).decode()}) == b"reply"
