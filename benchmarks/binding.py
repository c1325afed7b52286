"""The suite `binding` on a simulated model: the whole run, its statistics, and the gain in AUC over clusters.

The run is a whole command in a process of its own; the statistics are timed in this process, on the rows of that run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from time import perf_counter

from benchmarks.examination import environment, proctor
from benchmarks.figure import Figure
from benchmarks.memory import peaks_of
from benchmarks.rate import middle, spread
from benchmarks.setting import WORKERS, Setting

SUBJECT = "binding"
AGENT = "structured:simulated,reason=.9,memory=.8,veto=.95,self=.9,cue=.05"
RECORDS = 57_816
"""Scored records after duplicates are collapsed."""
_ROUNDS = 3


def measure(setting: Setting) -> list[Figure]:
    """The run, its reading, and the bootstrap of a gain in AUC."""
    folder = setting.folder / "binding"
    folder.mkdir()
    rounds = min(_ROUNDS, setting.sizes.rounds)
    try:
        store = folder / "store.db"
        began = perf_counter()
        peaks = peaks_of(_arguments(store, setting.sizes.name == "tiny"), folder)
        seconds = perf_counter() - began
        readings = [_read(store) for _ in range(rounds)]
        records = readings[-1][1]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    gains = [_gain() for _ in range(rounds)]
    return [
        Figure(
            SUBJECT,
            "records of a simulated model",
            seconds * RECORDS / max(1, records),
            f"s per {RECORDS:,} scored records",
            60,
            note=f"{records:,} scored records, {WORKERS} workers, start included; peak {peaks.together:.0f} MiB",
        ),
        Figure(
            SUBJECT,
            "all statistics of the run",
            middle([taken for taken, _ in readings]),
            "s",
            2,
            note=f"{records:,} records, 10,000 draws, median of {rounds}; {spread([taken for taken, _ in readings])}",
        ),
        Figure(
            SUBJECT,
            "gain in AUC",
            middle(gains),
            "s",
            1,
            note=f"1,800 rows, 300 clusters, 10,000 draws, median of {rounds}; seconds: {spread(gains)}",
        ),
    ]


def _arguments(store: Path, tiny: bool) -> list[str]:
    only = ["--only", "twin-narratives"] if tiny else []
    workers = ["--executor", "processes", "--workers", str(WORKERS)]
    return [
        *proctor(), "run", "binding", "--agent", AGENT, "--seed", "3", *workers, *only, "--store", str(store), "--json",
    ]  # fmt: skip


def _read(store: Path) -> tuple[float, int]:
    """Seconds the instrument takes on rows that are read already, and how many records it scored."""
    done = subprocess.run(
        [*_python(), "-c", _READING, str(store)], capture_output=True, text=True, check=True, env=environment()
    )
    result = json.loads(done.stdout)
    return float(result["seconds"]), int(result["records"])


def _python() -> list[str]:
    import sys

    return [sys.executable]


_READING = """
import json, sys
from time import perf_counter
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.binding.instrument import instrument
import numpy, scipy.stats, statsmodels.stats.api
with Store(sys.argv[1]) as store:
    evidence = evidence_of(store, "latest")
began = perf_counter()
reading = instrument.read(evidence, evidence.frozen.rules)
tables = reading.tables()
print(json.dumps({"seconds": perf_counter() - began, "records": reading.records.scored}))
"""


def _gain() -> float:
    import numpy as np

    from proctor.stats.bootstrap_auc import bootstrap_delta_auc

    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(300), 6)
    labels = (rng.random(1800) < 0.4).astype(float)
    first, second = labels + rng.normal(size=1800), labels + rng.normal(size=1800) * 1.5
    began = perf_counter()
    bootstrap_delta_auc(labels.tolist(), first.tolist(), second.tolist(), clusters.tolist(), draws=10_000, rng=rng)
    return perf_counter() - began
