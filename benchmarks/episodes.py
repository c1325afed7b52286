"""Episodes and tool steps a second through `proctor run`, with Inspect in between.

A round runs each shape here and there, small and large; rounds alternate, so that whatever else the machine does falls
on both. Ratios are taken within a round, and their median counts. Every store is verified afterwards, untimed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from benchmarks.examination import FAMILIES, examined, verify
from benchmarks.families import EPISODES, STEPS
from benchmarks.figure import Figure, missing
from benchmarks.inspect_peer import Peer, Shape, run_peer
from benchmarks.rate import Pair, Timed, middle, spread
from benchmarks.setting import Setting

SUBJECT = "episodes"
NO_PEER = "inspect-ai is not installed here; set PROCTOR_BENCH_INSPECT_PYTHON to a Python that has it"


@dataclass(frozen=True)
class Work:
    """What is counted, and how many of it an episode has."""

    suite: str
    name: str
    unit: str
    each: int


@dataclass(frozen=True)
class Comparison:
    """A shape of Inspect's that is held against one of ours."""

    work: Work
    shape: Shape
    title: str
    how: str
    limit: float | None
    """How many times its rate ours has to be."""


TRIVIAL = Work("trivial", "trivial episodes", "episodes/s", 1)
STEP = Work("steps", "tool steps, ten calls an episode", "steps/s", STEPS)
COMPARISONS = (
    Comparison(TRIVIAL, "trivial", "trivial episodes", "no model", 300),
    Comparison(STEP, "agent", "tool steps", "its agent loop, mock model", 400),
    Comparison(STEP, "solver", "tool steps without any model", "a solver that calls tools itself", None),
)


def measure(setting: Setting) -> list[Figure]:
    """Trivial episodes and tool steps, ours and theirs."""
    ours: defaultdict[Work, list[Pair]] = defaultdict(list)
    theirs: defaultdict[Comparison, list[Pair]] = defaultdict(list)
    _warm_up(setting)
    for number in range(setting.sizes.rounds):
        if number and setting.time_is_up:
            break
        for work in (TRIVIAL, STEP):
            ours[work].append(_ours(setting, work))
            for comparison in COMPARISONS:
                if comparison.work == work and setting.peer is not None and not setting.time_is_up:
                    theirs[comparison].append(_theirs(setting, setting.peer, comparison))
    figures: list[Figure] = []
    for work in (TRIVIAL, STEP):
        figures += [*_our_figures(work, ours[work]), _observed(setting, work)]
    for comparison in COMPARISONS:
        why = NO_PEER if setting.peer is None else "the time was up"
        figures += _beside(comparison, ours[comparison.work], theirs[comparison], why)
    return figures


def _warm_up(setting: Setting) -> None:
    """One small run of everything, not counted: byte-code, file caches."""
    for work in (TRIVIAL, STEP):
        with examined(f"{FAMILIES}@{work.suite}", 1, setting.folder):
            pass
    if setting.peer is not None:
        run_peer(setting.peer, "agent", 1, setting.folder)


def _ours(setting: Setting, work: Work) -> Pair:
    def run(thousands: int) -> Timed:
        with examined(f"{FAMILIES}@{work.suite}", thousands, setting.folder) as done:
            verify(done)
            return done.timed(work.each)

    return Pair.of(run, setting.sizes.trivial if work.each == 1 else setting.sizes.steps)


def _theirs(setting: Setting, peer: Peer, comparison: Comparison) -> Pair:
    def run(samples: int) -> Timed:
        done = run_peer(peer, comparison.shape, samples, setting.folder)
        return Timed(done.calls or done.samples, done.seconds, done.cpu)

    sizes = setting.sizes.peer_trivial if comparison.work.each == 1 else setting.sizes.peer_steps
    return Pair.of(run, sizes)


def _our_figures(work: Work, pairs: list[Pair]) -> list[Figure]:
    rates = [pair.rate for pair in pairs]
    once = middle([pair.paid_once for pair in pairs])
    paid = "" if once is None else f", of which {once:.1f} s are paid once"
    whole = middle([pair.large.count / pair.large.seconds for pair in pairs])
    note = f"{pairs[0].how}; {spread(rates)}; every event recorded, chained and committed; verified afterwards"
    count = f"{pairs[0].large.count:,}"
    return [
        Figure(SUBJECT, work.name, middle(rates), work.unit, better="more", note=note),
        Figure(
            SUBJECT,
            f"{work.name}, whole command",
            whole,
            work.unit,
            better="more",
            note=f"{count} divided by all of `proctor run`{paid}",
        ),
        _cpu(work.name, pairs, "parent and workers together"),
    ]


def _observed(setting: Setting, work: Work) -> Figure:
    """The same rate by another method: looking at the store from outside while the run goes on."""
    thousands = setting.sizes.trivial.large if work.each == 1 else setting.sizes.steps.large
    with examined(f"{FAMILIES}@{work.suite}", thousands, setting.folder, watched=True) as done:
        value = None if done.lived is None else done.lived * work.each
    note = f"{thousands * EPISODES:,} episodes, the store looked at from outside every 10 ms; 1 round"
    return Figure(SUBJECT, f"{work.name}, first to last commit", value, work.unit, better="more", note=note)


def _beside(comparison: Comparison, ours: list[Pair], theirs: list[Pair], why: str) -> list[Figure]:
    name, limit = f"{comparison.title}, times Inspect", comparison.limit
    if not theirs:
        return [missing(SUBJECT, name, "×", why, limit=limit, better="more")]
    rates = [pair.rate for pair in theirs]
    ratios = [_ratio(mine.rate, rate) for mine, rate in zip(ours, rates, strict=False)]
    note = f"tuned; {comparison.how}; {theirs[0].how}; {spread(rates)}"
    return [
        Figure(SUBJECT, f"{comparison.title}, Inspect", middle(rates), comparison.work.unit, better="more", note=note),
        _cpu(f"{comparison.title}, Inspect", theirs, comparison.how),
        Figure(SUBJECT, name, middle(ratios), "×", limit, "more", f"rate by rate within a round; {spread(ratios)}"),
        Figure(
            SUBJECT,
            f"{name} by processor time",
            middle([its.cpu_each / mine.cpu_each for mine, its in zip(ours, theirs, strict=False)]),
            "×",
            better="more",
            note="what one core does; here two are used",
        ),
    ]


def _cpu(name: str, pairs: list[Pair], how: str) -> Figure:
    """Steadier than rates, and blind to how well cores are used: for comparing versions on a busy machine."""
    each = [pair.cpu_each * 1e6 for pair in pairs]
    return Figure(SUBJECT, f"{name}, processor time of one", middle(each), "µs", note=f"{how}; {spread(each)}")


def _ratio(mine: float | None, theirs: float | None) -> float | None:
    return None if mine is None or theirs is None else mine / theirs
