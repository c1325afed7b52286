"""The suite `agency` on the oracle: its in-memory part, the families with files and sandboxes, scoring, memory.

Whole commands, timed from outside, as users start them; scoring is also timed inside a process that has its imports.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from benchmarks.examination import environment, proctor
from benchmarks.figure import Figure
from benchmarks.setting import WORKERS, Setting

SUBJECT = "agency"
_LONGEST = 1800
_SCORE = """
import json, resource, sys
from time import perf_counter
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.agency.instrument import AgencyInstrument
with Store(sys.argv[1], create=False) as store:
    evidence = evidence_of(store, "latest")
rules = evidence.frozen.rules
AgencyInstrument().read(evidence, rules)
began = perf_counter()
AgencyInstrument().read(evidence, rules)
print(json.dumps({
    "episodes": len(evidence.rows),
    "seconds": perf_counter() - began,
    "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def measure(setting: Setting) -> list[Figure]:
    """Everything the issue of speed asks of the suite."""
    from proctor.suites.agency import agency, quick

    # Only to show that everything runs: the small suite.
    tiny = setting.sizes.name == "tiny"
    suite = quick() if tiny else agency()
    entries = suite.entries
    acting = sorted({entry.family for entry in entries if (entry.cell or "").startswith("E")})
    others = sorted({entry.family for entry in entries} - set(acting))
    few = setting.sizes.rounds < 2
    seconds, episodes, store = run_suite(setting.folder, suite.name, others, 1, "memory")
    figures = [
        Figure(
            SUBJECT,
            "in-memory families",
            seconds * 5_000 / episodes,
            "s per 5,000 episodes",
            60,
            note=f"{episodes:,} episodes of {len(others)} families in {seconds:.1f} s, {WORKERS} workers, oracle",
        )
    ]
    for family in acting[:1] if tiny else acting:
        seconds, episodes, _ = run_suite(setting.folder, suite.name, [family], 1, family)
        note = f"{episodes} episodes in {seconds:.1f} s, start of the command included"
        figures.append(Figure(SUBJECT, family, 1000 * seconds / episodes, "ms an episode", note=note))
    scored = _scored(store)
    figures.append(
        Figure(
            SUBJECT,
            "scoring",
            scored["seconds"] * 5_000 / scored["episodes"],
            "s per 5,000 episodes",
            1,
            note=f"after imports, {scored['episodes']:,} episodes in {scored['seconds']:.2f} s",
        )
    )
    scale = 1 if few else 5
    _, episodes, store = run_suite(setting.folder, suite.name, others, scale, "large")
    large = _scored(store)
    note = f"reading the vector of {episodes:,} episodes, evidence included"
    figures.append(Figure(SUBJECT, "peak memory of scoring", large["mib"], "MiB", 400, note=note))
    return figures


def run_suite(folder: Path, suite: str, families: list[str], scale: int, name: str) -> tuple[float, int, Path]:
    """Seconds, episodes and store of a run of these families by the oracle."""
    store = folder / f"agency-{name}.db"
    only = [part for family in families for part in ("--only", family)]
    arguments = ["run", suite, "--agent", "oracle", "--seed", "1", "--workers", str(WORKERS), "--json"]
    began = perf_counter()
    done = subprocess.run(
        [*proctor(), *arguments, *only, "--scale", str(scale), "--store", str(store)],
        capture_output=True,
        text=True,
        timeout=_LONGEST,
        check=False,
        env=environment(),
    )
    seconds = perf_counter() - began
    if done.returncode != 0:
        message = f"agency ended with {done.returncode}: {done.stderr.strip()[-400:]}"
        raise RuntimeError(message)
    return seconds, int(json.loads(done.stdout)["episodes"]), store


def _scored(store: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _SCORE, str(store)],
        capture_output=True,
        text=True,
        timeout=_LONGEST,
        check=True,
        env=environment(),
    )
    rates: dict[str, float] = json.loads(done.stdout)
    return rates
