"""Episodes and calls a second where worlds are real: files, SQL, git, a shell in a sandbox; and a confined agent.

By difference between two sizes, like the trivial ones; every run is verified.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.examination import FAMILIES, examined, verify
from benchmarks.families import STEPS
from benchmarks.figure import Figure, missing
from benchmarks.rate import Pair, Timed, Two, middle, spread
from benchmarks.setting import Setting
from benchmarks.world_families import CALLS

SUBJECT = "worlds"
_WORLDS = Path(__file__).with_name("world_families.py")
_AGENT = Path(__file__).with_name("user_agent.py")
_MAX_ROUNDS = 3


@dataclass(frozen=True)
class Case:
    """One suite with one agent; sizes are multiples of the suite's and enlarged by the setting."""

    name: str
    suite: str
    calls: int
    sizes: Two
    needs: tuple[str, ...] = ()
    agent: str = "oracle"


CASES = (
    Case("files", f"{_WORLDS}@files", CALLS["files"], Two(10, 60)),
    Case("sql", f"{_WORLDS}@sql", CALLS["sql"], Two(10, 60)),
    Case("git", f"{_WORLDS}@git", CALLS["git"], Two(1, 5), ("git",)),
    Case("shell in a sandbox", f"{_WORLDS}@shell", CALLS["shell"], Two(1, 5), ("bubblewrap",)),
    Case("confined python: agent", f"{FAMILIES}@few_trivial", 0, Two(1, 5), ("bubblewrap",), f"python:{_AGENT}:make"),
    Case(
        "confined python: agent with calls",
        f"{FAMILIES}@few_steps",
        STEPS,
        Two(1, 5),
        ("bubblewrap",),
        f"python:{_AGENT}:make",
    ),
)


def measure(setting: Setting) -> list[Figure]:
    """Episodes a second for every case, and calls a second where there are any."""
    return [figure for case in CASES for figure in _figures(setting, case)]


def _figures(setting: Setting, case: Case) -> list[Figure]:
    why = "the time was up" if setting.time_is_up else _unusable(case.needs)
    if why is not None:
        return [missing(SUBJECT, f"{case.name}: episodes", "episodes/s", why)]
    sizes = _enlarged(case.sizes, setting.sizes.worlds)
    rounds = min(_MAX_ROUNDS, setting.sizes.rounds)
    pairs = [Pair.of(lambda scale: _time(setting, case, scale), sizes) for _ in range(rounds)]
    rates = [pair.rate for pair in pairs]
    rate = middle(rates)
    note = f"{pairs[0].how}; {spread(rates)}; 2 workers"
    figures = [Figure(SUBJECT, f"{case.name}: episodes", rate, "episodes/s", better="more", note=note)]
    if case.calls:
        calls = None if rate is None else rate * case.calls
        note = f"{case.calls} calls an episode"
        figures.append(Figure(SUBJECT, f"{case.name}: calls", calls, "calls/s", better="more", note=note))
    return figures


def _enlarged(two: Two, times: float) -> Two:
    small = max(1, round(two.small * times))
    return Two(small, max(small + 1, round(two.large * times)))


def _time(setting: Setting, case: Case, scale: int) -> Timed:
    with examined(case.suite, scale, setting.folder, agent=case.agent) as done:
        intact = verify(done)
        if intact.calls != case.calls * intact.episodes:
            message = f"{case.name}: {intact.calls} calls in {intact.episodes} episodes"
            raise RuntimeError(message)
        return done.timed()


def _unusable(needs: tuple[str, ...]) -> str | None:
    """Why it cannot be run on this machine."""
    from proctor.core.errors import NotEvaluable
    from proctor.worlds.requirements import require
    from proctor.worlds.sandbox import available

    try:
        require(needs)
    except NotEvaluable as error:
        return str(error)
    return available() if "bubblewrap" in needs else None
