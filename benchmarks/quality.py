"""The suite `quality` on the oracle: 100,000 decision episodes, and how memory grows on the way there.

Whole commands, timed from outside, start of the command and of its workers included.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from time import perf_counter

from benchmarks.examination import run_arguments
from benchmarks.figure import Figure
from benchmarks.memory import Peaks, peaks_of
from benchmarks.rate import middle, spread
from benchmarks.setting import WORKERS, Setting

SUBJECT = "quality"
EPISODES = 2_280
"""Of the suite at `--scale 1`."""
_ROUNDS = 3


@dataclass(frozen=True)
class _Lived:
    seconds: float
    peaks: Peaks


def measure(setting: Setting) -> list[Figure]:
    """Time and memory at two scales."""
    two = setting.sizes.quality
    rounds = min(_ROUNDS, setting.sizes.rounds)
    pairs = [(_lived(setting, two.small), _lived(setting, two.large)) for _ in range(rounds)]
    few, many = EPISODES * two.small, EPISODES * two.large
    times = [large.seconds for _, large in pairs]
    sizes = f"from {few:,} to {many:,} episodes, median of {rounds}"
    last = pairs[-1][1].peaks
    return [
        Figure(
            SUBJECT,
            "decision episodes",
            middle([seconds * 100_000 / many for seconds in times]),
            "s per 100,000 episodes",
            90,
            note=f"{many:,} episodes with the oracle, {WORKERS} workers, start included; seconds: {spread(times)}",
        ),
        Figure(
            SUBJECT,
            "growth of peak memory",
            middle([large.peaks.together - small.peaks.together for small, large in pairs]),
            "MiB",
            5,
            note=f"`proctor run` and its two workers together, {sizes}",
        ),
        Figure(
            SUBJECT,
            "growth of peak memory, parent alone",
            middle([large.peaks.parent - small.peaks.parent for small, large in pairs]),
            "MiB",
            note=sizes,
        ),
        Figure(
            SUBJECT,
            "peak memory",
            last.together,
            "MiB",
            note=f"at {many:,} episodes, of which the parent {last.parent:.0f}; shared pages counted in each",
        ),
    ]


def _lived(setting: Setting, scale: int) -> _Lived:
    home = setting.folder / "quality"
    home.mkdir()
    try:
        began = perf_counter()
        peaks = peaks_of(run_arguments("quality", scale, home / "store.db"), home)
        return _Lived(perf_counter() - began, peaks)
    finally:
        shutil.rmtree(home, ignore_errors=True)
