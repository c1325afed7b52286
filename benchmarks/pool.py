"""Confined one-episode lifetimes a second: forked from a warm interpreter, and each in a sandbox of its own.

Two workers live lifetimes of the same agent, some in the one way, some in the other, in turns: whatever else the
machine does falls on both. The ratio is taken within a round, and the median counts.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import defaultdict
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import perf_counter

from benchmarks.examination import FAMILIES
from benchmarks.figure import Figure, missing
from benchmarks.rate import middle, spread
from benchmarks.setting import WORKERS, Setting

SUBJECT = "pool"
_AGENT = Path(__file__).with_name("user_agent.py")
_LIMIT = 6.0
_ROUNDS = 2
"""Rounds of this benchmark for every round of the setting: they are short."""
_OWN, _FORKED = 10, 60
"""Lifetimes a worker lives in one turn."""


def measure(setting: Setting) -> list[Figure]:
    """Both rates and their ratio."""
    from proctor.worlds.bubblewrap import privileged
    from proctor.worlds.sandbox import available

    name = "warm pool, times a sandbox for every lifetime"
    why = available() or (None if privileged() else "only root can fork agents from a warm interpreter")
    if why is not None:
        return [missing(SUBJECT, name, "×", why, limit=_LIMIT, better="more")]
    own, forked = _rates(setting.folder, max(1, round(_ROUNDS * setting.sizes.rounds)))
    ratios = [fast / slow for slow, fast in zip(own, forked, strict=True)]
    how = f"{WORKERS} workers, one-episode lifetimes of a small agent with asyncio"
    return [
        Figure(
            SUBJECT, "a sandbox for every lifetime", middle(own), "lifetimes/s", None, "more", f"{how}; {spread(own)}"
        ),
        Figure(SUBJECT, "forked from a warm interpreter", middle(forked), "lifetimes/s", None, "more", spread(forked)),
        Figure(SUBJECT, name, middle(ratios), "×", _LIMIT, "more", f"in turns, within a round; {spread(ratios)}"),
    ]


def _rates(folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    context = multiprocessing.get_context("spawn")
    turn, told = context.Barrier(WORKERS), context.Queue()
    workers = [context.Process(target=_work, args=(turn, told, folder, rounds)) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    rates: defaultdict[tuple[bool, int], list[float]] = defaultdict(list)
    for _ in range(2 * rounds * WORKERS):
        forks, number, rate = told.get(timeout=600)
        rates[forks, number].append(rate)
    for worker in workers:
        worker.join()
    # Workers start a turn together, and it is over when the last one is done.
    return tuple([WORKERS * min(rates[forks, number]) for number in range(rounds)] for forks in (False, True))  # type: ignore[return-value]


def _work(turn: Barrier, told: Queue[tuple[bool, int, float]], folder: Path, rounds: int) -> None:
    from proctor.agents.process.pool import pool
    from proctor.engine.build import Bench
    from proctor.engine.lifetime import live
    from proctor.engine.names import load_suite
    from proctor.engine.run import freeze

    forking = [True]
    pool.may_fork = lambda: forking[0]  # type: ignore[assignment]
    suite = load_suite(f"{FAMILIES}@few_trivial", folder)
    bench = Bench(freeze(suite=suite, agent=f"python:{_AGENT}:make", folder=folder, seed=7), folder)

    async def lives(count: int) -> None:
        for index in range(count):
            await live(bench, bench.plan.lifetime(index % bench.plan.lifetimes))

    async def turns() -> None:
        await lives(2)
        for number in range(rounds):
            for forks, count in ((False, _OWN), (True, _FORKED)):
                forking[0] = forks
                turn.wait()
                began = perf_counter()
                await lives(count)
                turn.wait()
                told.put((forks, number, count / (perf_counter() - began)))
        await bench.release()

    asyncio.run(turns())
