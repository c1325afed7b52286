"""How large, how often, and beside which peer: what every benchmark is told.

`full` is the measurement that counts. `quick` is an indication within two minutes on an idle machine. `tiny` only shows
that everything runs; its numbers mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from benchmarks.inspect_peer import Peer
from benchmarks.rate import Two

WORKERS = 2


@dataclass(frozen=True)
class Sizes:
    """Everything that decides how long the benchmarks take."""

    name: str
    seconds: float
    """Subjects that have not begun by then are left out, and the report says so."""
    rounds: int
    """Alternating repeats, of which the median counts."""
    trivial: Two
    """Thousands of episodes."""
    steps: Two
    """Thousands of episodes of ten calls."""
    peer_trivial: Two
    """Samples."""
    peer_steps: Two
    stored: int
    """Thousands of episodes whose bytes are counted."""
    memory: Two
    """Thousands of episodes."""
    starts: int
    reference_draws: int
    """Draws that the slow reference of the bootstrap really makes; the rest is extrapolated."""
    worlds: float
    """Multiplies the sizes of the worlds."""
    quality: Two
    """Scales of the suite `quality`, which has 2,280 episodes at 1."""


FULL = Sizes(
    name="full",
    seconds=2400,
    rounds=5,
    trivial=Two(20, 120),
    steps=Two(4, 24),
    peer_trivial=Two(200, 800),
    peer_steps=Two(40, 140),
    stored=5,
    memory=Two(10, 100),
    starts=21,
    reference_draws=100,
    worlds=10,
    quality=Two(5, 44),
)
QUICK = Sizes(
    name="quick",
    seconds=100,
    rounds=1,
    trivial=Two(10, 40),
    steps=Two(2, 8),
    peer_trivial=Two(100, 300),
    peer_steps=Two(20, 60),
    stored=2,
    memory=Two(5, 40),
    starts=5,
    reference_draws=20,
    worlds=2,
    quality=Two(2, 9),
)
TINY = Sizes(
    name="tiny",
    seconds=600,
    rounds=1,
    trivial=Two(1, 2),
    steps=Two(1, 2),
    peer_trivial=Two(2, 4),
    peer_steps=Two(1, 2),
    stored=1,
    memory=Two(1, 2),
    starts=1,
    reference_draws=2,
    worlds=0.1,
    quality=Two(1, 2),
)
SIZES = {sizes.name: sizes for sizes in (FULL, QUICK, TINY)}


@dataclass(frozen=True)
class Setting:
    """What a benchmark is given."""

    sizes: Sizes
    folder: Path
    """Scratch space; stores are made here and removed when they have been looked at."""
    peer: Peer | None
    deadline: float

    @classmethod
    def of(cls, sizes: Sizes, folder: Path, peer: Peer | None) -> Setting:
        """A setting whose time begins now."""
        return cls(sizes, folder, peer, monotonic() + sizes.seconds)

    @property
    def time_is_up(self) -> bool:
        return monotonic() > self.deadline
