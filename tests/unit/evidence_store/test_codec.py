"""Compression: any bytes come back; damage and bombs are named, not unpacked."""

from __future__ import annotations

import os

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.errors import IntegrityError
from proctor.evidence import codec
from proctor.evidence.codec import Compressor, Decompressor, train


@given(st.binary(max_size=2_000))
@settings(derandomize=True, deadline=None, database=None, max_examples=100)
def test_what_is_packed_is_unpacked(data: bytes) -> None:
    assert Decompressor({}).unpack(Compressor().pack(data)) == data


SAMPLES = [b'{"event":"say","text":"message %d, quite alike"}' % n * 5 for n in range(100)]


def test_with_a_dictionary() -> None:
    data = train(SAMPLES)
    assert data is not None
    packer = Compressor()
    packer.use(3, data)
    packed = packer.pack(SAMPLES[0])
    assert packer.dictionary == 3
    assert len(packed) < len(Compressor().pack(SAMPLES[0]))
    assert Decompressor({3: data}).unpack(packed, 3) == SAMPLES[0]
    with pytest.raises(IntegrityError, match="episode 5: was packed with dictionary 3, which is missing"):
        Decompressor({}).unpack(packed, 3, where="episode 5")


def test_too_little_to_learn_from() -> None:
    assert train([]) is None
    assert train([b"x"] * 100) is None
    assert train(SAMPLES[:10]) is None


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\x28\xb5\x2f\xfd", bytes(range(50))])
def test_damage_names_its_place(damage: bytes) -> None:
    with pytest.raises(IntegrityError, match="episode 9"):
        Decompressor({}).unpack(damage, where="episode 9")


def test_a_blob_cut_short_is_damage() -> None:
    packed = Compressor().pack(os.urandom(500))
    for end in range(4, len(packed), 37):
        with pytest.raises(IntegrityError):
            Decompressor({}).unpack(packed[:end])


def test_bombs_are_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_TRACE_BYTES", 1_000_000)
    bomb = zstandard.ZstdCompressor(level=3).compress(bytes(10_000_000))
    assert len(bomb) < 2_000
    with pytest.raises(IntegrityError, match="impossible size"):
        Decompressor({}).unpack(bomb)
    unsized = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(10_000_000))
    with pytest.raises(IntegrityError):
        Decompressor({}).unpack(unsized)
