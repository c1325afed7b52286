"""Compressing traces: zstandard, one blob an episode, with a dictionary trained on the run's first episodes.

The chain runs over uncompressed bytes, so compression never changes a digest. Blobs from strangers are decompressed
under a size limit.
"""

from __future__ import annotations

import zstandard

from proctor.core.errors import IntegrityError

LEVEL = 3
DICTIONARY_BYTES = 16 * 1024
TRAIN_ON = 200
"""Episodes seen before a dictionary is made."""
MAX_TRACE_BYTES = 256 * 2**20
"""No single blob unpacks to more than this."""

NO_DICTIONARY = 0


class Compressor:
    """Compresses with the newest dictionary it was given."""

    __slots__ = ("_compressor", "dictionary")

    def __init__(self) -> None:
        self.dictionary = NO_DICTIONARY
        self._compressor = zstandard.ZstdCompressor(level=LEVEL, write_content_size=True, write_checksum=False)

    def use(self, dictionary: int, data: bytes) -> None:
        """From now on compress with this dictionary."""
        self.dictionary = dictionary
        trained = zstandard.ZstdCompressionDict(data)
        trained.precompute_compress(level=LEVEL)
        self._compressor = zstandard.ZstdCompressor(
            level=LEVEL, dict_data=trained, write_content_size=True, write_dict_id=False, write_checksum=False
        )

    def pack(self, data: bytes) -> bytes:
        """The compressed bytes."""
        return self._compressor.compress(data)


class Decompressor:
    """Unpacks blobs, whichever dictionary they were packed with."""

    def __init__(self, dictionaries: dict[int, bytes]) -> None:
        self._by_dictionary = {NO_DICTIONARY: zstandard.ZstdDecompressor()}
        for number, data in dictionaries.items():
            self._by_dictionary[number] = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(data))

    def unpack(self, data: bytes, dictionary: int = NO_DICTIONARY, *, where: str = "blob") -> bytes:
        """The original bytes; damage and bombs are an `IntegrityError` that names the place."""
        if type(data) is not bytes:
            raise IntegrityError("cannot be unpacked (it is not bytes)", where=where)
        try:
            size = zstandard.frame_content_size(data)
            if not 0 <= size <= MAX_TRACE_BYTES:
                raise IntegrityError("claims an impossible size", where=where)
            return self._by_dictionary[dictionary].decompress(data, max_output_size=MAX_TRACE_BYTES)
        except zstandard.ZstdError as error:
            raise IntegrityError(f"cannot be unpacked ({error})", where=where) from None
        except (KeyError, TypeError):
            raise IntegrityError(f"was packed with dictionary {dictionary}, which is missing", where=where) from None


def train(samples: list[bytes]) -> bytes | None:
    """A dictionary for traces like these; None when they are too few or too alike to gain from one."""
    if len(samples) < 20 or sum(map(len, samples)) < 8 * 1024:
        return None
    size = min(DICTIONARY_BYTES, max(1024, sum(map(len, samples)) // 8))
    try:
        return zstandard.train_dictionary(size, list(samples), level=LEVEL).as_bytes()
    except zstandard.ZstdError:
        return None
