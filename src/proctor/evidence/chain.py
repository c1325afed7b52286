"""The hash chain: events chained within an episode, episodes joined in a tree, two digests for a run.

- An episode's `head` is SHA-256 folded over its events' canonical bytes, starting from the configuration hash and the
  episode's position. Change, drop, swap or add an event and the head changes.
- `root` is the Merkle tree hash (RFC 6962) over the configuration hash and all heads in presentation order: the
  deterministic content, identical on every machine, executor and worker count.
- `seal` adds what is real but not reproducible: times, attempts, usage, executor, code version.

This proves that nothing was changed since. It does not prove that whoever made it was honest; hidden seeds,
preregistration and running it again are for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from time import monotonic

from proctor.core.canonical import canonical, encode
from proctor.core.secrecy import Veil
from proctor.evidence.events import Event

SEGMENT_BYTES = 1 << 20
SEGMENT_SECONDS = 3.0
"""A long episode hands over what it has when either is exceeded. Where a trace is cut never changes a digest."""

_LOOK_EVERY = 15
"""A mask: on virtual time every sixteenth event looks at the clock, since that costs as much as hashing. An agent on
real time may take minutes for sixteen events, so there every event does."""
_EPISODE = b"proctor.episode.1\x00"
_LEAF = b"\x00"
_NODE = b"\x01"


def genesis(config_hash: str, position: int) -> bytes:
    """Where the chain of the episode at this position starts."""
    return sha256(_EPISODE + bytes.fromhex(config_hash) + position.to_bytes(8, "big")).digest()


class Genesis:
    """The same for many positions of one run, with the common part hashed once."""

    __slots__ = ("_common",)

    def __init__(self, config_hash: str) -> None:
        self._common = sha256(_EPISODE + bytes.fromhex(config_hash))

    def at(self, position: int) -> bytes:
        """`genesis(config_hash, position)`."""
        hashed = self._common.copy()
        hashed.update(position.to_bytes(8, "big"))
        return hashed.digest()


def extend(head: bytes, event: bytes) -> bytes:
    """The head after one more event."""
    return sha256(head + event).digest()


def replay(config_hash: str, position: int, trace: bytes) -> bytes:
    """The head that these stored lines really have."""
    head = genesis(config_hash, position)
    for line in trace.split(b"\n"):
        head = sha256(head + line).digest()
    return head


class Recorder:
    """Collects the events of one episode: each is encoded once, and the same bytes are hashed and stored."""

    __slots__ = (
        "_flushed_at",
        "_look_every",
        "_sink",
        "_size",
        "_veil",
        "contents",
        "head",
        "lines",
        "segments",
        "unreproducible",
    )

    def __init__(
        self,
        start: bytes,
        sink: Callable[[int, bytes], None] | None = None,
        *,
        on_real_time: bool = False,
        veil: Veil | None = None,
    ) -> None:
        """`veil` hides what must not be recorded."""
        self._veil = veil
        self.head = start
        self.lines: list[bytes] = []
        self.segments = 0
        """How many earlier parts of this trace were handed to the sink."""
        self._sink = sink
        self._size = 0
        self._look_every = 0 if on_real_time else _LOOK_EVERY
        self._flushed_at = monotonic()
        self.contents: dict[str, bytes] = {}
        """Large or repeated values of this episode, by SHA-256; stored once in the store."""
        self.unreproducible: list[object] = []
        """Values that cannot be reproduced; they enter `seal`, not `root`."""

    def add(self, event: Event) -> None:
        """Append an event."""
        data = encode(event)
        if self._veil is not None:
            data = self._veil.document(data)
        self.head = sha256(self.head + data).digest()
        self.lines.append(data)
        if self._sink is not None:
            self._size += len(data)
            looks = not len(self.lines) & self._look_every
            if self._size > SEGMENT_BYTES or (looks and monotonic() - self._flushed_at > SEGMENT_SECONDS):
                self._flush(self._sink)

    def _flush(self, sink: Callable[[int, bytes], None]) -> None:
        sink(self.segments, self.trace())
        self.segments += 1
        self.lines.clear()
        self._size = 0
        self._flushed_at = monotonic()

    def keep(self, data: bytes) -> str:
        """Store a value by content and give its SHA-256."""
        if self._veil is not None:
            data = self._veil.document(data)
        name = sha256(data).hexdigest()
        self.contents[name] = data
        return name

    def trace(self) -> bytes:
        """The events since the last segment, one canonical JSON object a line."""
        return b"\n".join(self.lines)


class Merkle:
    """An incremental RFC 6962 tree hash: memory grows with the logarithm of the leaves."""

    __slots__ = ("_stack", "count")

    def __init__(self) -> None:
        self._stack: list[tuple[int, bytes]] = []
        self.count = 0

    def add(self, leaf: bytes) -> None:
        """Append a leaf."""
        self._push(1, sha256(_LEAF + leaf).digest())

    def extend(self, leaves: Sequence[bytes]) -> None:
        """Append many leaves: the same tree as adding one by one, worked out a level at a time."""
        done, total = 0, len(leaves)
        while done < total:
            # The largest whole subtree that fits here: a power of two, aligned with what is there already.
            size = 1 << ((total - done).bit_length() - 1)
            while self.count % size:
                size >>= 1
            level = [sha256(_LEAF + leaf).digest() for leaf in leaves[done : done + size]]
            while len(level) > 1:
                level = [sha256(_NODE + a + b).digest() for a, b in zip(level[::2], level[1::2], strict=True)]
            self._push(size, level[0])
            done += size

    def _push(self, size: int, node: bytes) -> None:
        """Append a whole subtree of `size` leaves; `size` is a power of two that divides the count so far."""
        self.count += size
        while self._stack and self._stack[-1][0] == size:
            _, left = self._stack.pop()
            node = sha256(_NODE + left + node).digest()
            size *= 2
        self._stack.append((size, node))

    def digest(self) -> bytes:
        """The tree hash of the leaves so far."""
        if not self._stack:
            return sha256(b"").digest()
        _, node = self._stack[-1]
        for _, left in reversed(self._stack[:-1]):
            node = sha256(_NODE + left + node).digest()
        return node


def run_root(config_hash: str, heads: Iterable[bytes]) -> str:
    """`root`: over the configuration hash and the heads in presentation order."""
    tree = Merkle()
    tree.add(bytes.fromhex(config_hash))
    for head in heads:
        tree.add(head)
    return tree.digest().hex()


class RealTime:
    """What is real but not reproducible of all episodes, hashed as it comes: the variable part of `seal`."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        self._hash = sha256(b"proctor.realtime.1\x00")

    def add(
        self, head: bytes, elapsed_us: int, attempts: int, tokens: int | None, cost: str | None, aside: bytes | None
    ) -> None:
        """One episode, in presentation order: how long it took, how often it was tried, what it used, what is aside."""
        # One line of JSON with the length of what follows: no two sequences of episodes give the same bytes.
        facts = encode([elapsed_us, attempts, tokens, cost, -1 if aside is None else len(aside)])
        self._hash.update(head + facts + (aside or b""))

    def digest(self) -> bytes:
        """The hash of the episodes so far."""
        return self._hash.digest()


def run_seal(root: str, run: dict[str, object], real_time: bytes) -> str:
    """`seal`: root, the facts of this execution, and what was real in each episode."""
    return seal_over(bytes.fromhex(root), canonical(run), real_time)


def seal_over(root: bytes, run: bytes, real_time: bytes) -> str:
    """`run_seal` of parts that are bytes already."""
    return sha256(b"proctor.seal.1\x00" + root + sha256(run).digest() + real_time).hexdigest()
