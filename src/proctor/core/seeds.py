"""Where chance comes from: keyed streams, and mulberry32 where a source prescribes it.

A `Stream` is a function of its key alone: no global generator, no order of creation, no sharing. Keys are SHA-256
over what is declared (suite, seed, family, instance, replicate, purpose …), so the same declaration draws the same
values on any machine, worker count or day. `child` derives an independent stream without consuming anything.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")
Part = str | int

_QUAD = Struct(">QQQQ").unpack
_encode_parts = msgspec.json.Encoder().encode
_TWO_64 = 1 << 64
_TWO_53 = 1.0 / (1 << 53)


class Stream:
    """Deterministic draws from SHA-256(key ‖ counter): 64 bits at a time, in order, for ever."""

    __slots__ = ("_counter", "_pool", "key")

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._counter = 0
        self._pool: list[int] = []

    @classmethod
    def keyed(cls, *parts: Part) -> Stream:
        """The stream that belongs to these words and numbers."""
        return cls(sha256(_encode_parts(parts)).digest())

    def child(self, *parts: Part) -> Stream:
        """An independent stream named by `parts`; drawing from it never changes this one."""
        return Stream(sha256(self.key + _encode_parts(parts)).digest())

    def bits64(self) -> int:
        """A uniform integer in [0, 2**64)."""
        if not self._pool:
            block = sha256(self.key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            self._pool = list(_QUAD(block))
        return self._pool.pop()

    def random(self) -> float:
        """A uniform float in [0, 1) with 53 bits."""
        return (self.bits64() >> 11) * _TWO_53

    def below(self, n: int) -> int:
        """A uniform integer in [0, n), without modulo bias."""
        if not 0 < n <= _TWO_64:
            message = f"below({n}): " + ("there is nothing to choose from" if n <= 0 else "64 bits do not reach so far")
            raise ValueError(message)
        limit = _TWO_64 - _TWO_64 % n
        while True:
            value = self.bits64()
            if value < limit:
                return value % n

    def integer(self, low: int, high: int) -> int:
        """A uniform integer in [low, high], both ends included."""
        return low + self.below(high - low + 1)

    def chance(self, p: float) -> bool:
        """True with probability p; never for 0, always for 1."""
        return self.random() < p

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One of the items, likely in proportion to its weight."""
        mark = self.random() * sum(weights)
        for item, weight in zip(items, weights, strict=True):
            mark -= weight
            if mark < 0:
                return item
        return items[-1]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Fisher–Yates from the end, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """k different positions of `items`, in random order."""
        if not 0 <= k <= len(items):
            message = f"cannot take {k} of {len(items)} items"
            raise ValueError(message)
        pool = list(items)
        for i in range(k):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def gauss(self, mean: float = 0.0, deviation: float = 1.0) -> float:
        """A normal draw by inversion, so that one draw costs one number."""
        from statistics import NormalDist

        return NormalDist(mean, deviation).inv_cdf(max(self.random(), 2.0**-60)) if deviation else mean

    def hex(self, digits: int) -> str:
        """That many random hex digits."""
        text = ""
        while len(text) < digits:
            text += f"{self.bits64():016x}"
        return text[:digits]

    def numpy(self) -> np.random.Generator:
        """A NumPy generator seeded by this stream's key, for vectorised draws."""
        import numpy as np

        return np.random.Generator(np.random.PCG64(int.from_bytes(self.key, "big")))


class Mulberry32:
    """mulberry32, bit-exact with its usual JavaScript form.

    Thirty-two bits of state: used only where the harness paper defines a result by it (the quality suite's generator
    and shuffle). Everything else uses `Stream`, since 32-bit streams collide at about 10**5 episodes.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & 0xFFFFFFFF

    def next_uint32(self) -> int:
        """The next 32 bits."""
        self._state = (self._state + 0x6D2B79F5) & 0xFFFFFFFF
        a = self._state
        t = ((a ^ (a >> 15)) * (a | 1)) & 0xFFFFFFFF
        t ^= (t + ((t ^ (t >> 7)) * (t | 61))) & 0xFFFFFFFF
        return (t ^ (t >> 14)) & 0xFFFFFFFF

    def random(self) -> float:
        """A float in [0, 1), the next 32 bits divided by 2**32."""
        return self.next_uint32() / 4294967296.0

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Fisher–Yates from the end, as `Math.floor(random() * (i + 1))` does it."""
        for i in range(len(items) - 1, 0, -1):
            j = int(self.random() * (i + 1))
            items[i], items[j] = items[j], items[i]
