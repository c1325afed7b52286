"""Reports: the page, the Agency Card and the Technical Report of a run, as whole commands timed from outside.

The page is measured on 50,000 episodes or more; the PDFs on the same run, which has credited outcomes by the thousand
where families that act can run.
"""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.agency import run_suite
from benchmarks.examination import environment, proctor
from benchmarks.figure import Figure, missing
from benchmarks.setting import Setting

SUBJECT = "reports"
_LONGEST = 600


def measure(setting: Setting) -> list[Figure]:
    """How long a reader waits for each form."""
    from proctor.suites.agency import agency, quick

    few = setting.sizes.rounds < 2
    tiny = setting.sizes.name == "tiny"
    suite = quick() if tiny else agency()
    acting = {entry.family for entry in suite.entries if (entry.cell or "").startswith("E")}
    others = sorted({entry.family for entry in suite.entries} - acting)
    _, episodes, store = run_suite(setting.folder, suite.name, others, 1 if tiny else 5, "reports")
    rounds = 1 if few else setting.sizes.rounds
    figures = [
        Figure(
            SUBJECT,
            "page",
            _seconds(store, ["-o", "report.html"], setting.folder, rounds),
            "s",
            5,
            note=f"`proctor report -o report.html` of {episodes:,} episodes, start of the command included",
        )
    ]
    for name, option in (("card", "--card"), ("Technical Report", "--technical-report")):
        for kind in ("html", "pdf"):
            label = f"{name}, {kind.upper()}"
            if kind == "pdf" and find_spec("typst") is None:
                figures.append(missing(SUBJECT, label, "s", "typst is not installed", limit=10))
                continue
            seconds = _seconds(store, [option, f"document.{kind}"], setting.folder, rounds)
            limit = 10 if kind == "pdf" else None
            figures.append(Figure(SUBJECT, label, seconds, "s", limit, note=f"of the same {episodes:,} episodes"))
    return figures


def _seconds(store: Path, options: list[str], folder: Path, rounds: int) -> float:
    """The median of whole commands."""
    return median(_once(store, options, folder) for _ in range(rounds))


def _once(store: Path, options: list[str], folder: Path) -> float:
    began = perf_counter()
    done = subprocess.run(
        [*proctor(), "report", *options, "--store", str(store)],
        capture_output=True,
        text=True,
        timeout=_LONGEST,
        check=False,
        env=environment(),
        cwd=folder,
    )
    seconds = perf_counter() - began
    if done.returncode != 0:
        message = f"report ended with {done.returncode}: {done.stderr.strip()[-400:]}"
        raise RuntimeError(message)
    return seconds
