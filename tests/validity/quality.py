"""What the gate does in simulated projects, as numbers. `python -m tests.validity.quality` prints them as tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import stats

from proctor.instruments.quality.composite import parts_of
from proctor.instruments.quality.detectable_drop import smallest_drops
from proctor.instruments.quality.regression import confirmations
from proctor.stats.turning import few_wrong, repeats
from tests.validity.projects import CAS, DA, RULES, Bools, Floats, Projects, Reference, draw

RUN_SDS = (0.0, 0.0025, 0.005)
SIZES = (RULES.least_runs, RULES.runs)
NAMES = {DA: "DA", CAS: "CAS"}


class Promise(NamedTuple):
    """The drop a metric's test prints with 90 % power, the mean over projects, and how often it is found in truth."""

    drop: float
    found: float


class Printed(NamedTuple):
    """Every project prints its own drops, and its agent falls by as much."""

    caught: Promise
    blocked: Promise


def printed(
    metric: int,
    run_sd: float,
    runs: int,
    *,
    seed: int,
    anywhere: bool = False,
    projects: int = 3_000,
    days: int = 10,
) -> Printed:
    """What one metric's test prints against what happens; a lower composite comes from lower accuracy."""
    rng = np.random.default_rng(seed)
    baseline = draw(rng, (runs, projects), run_sd=run_sd, replicates=True)
    reference = Reference(baseline.pair)
    chance = baseline.chance.mean(axis=1)
    found = [
        smallest_drops(mean, deviation, part, runs, alpha=RULES.alpha, power=RULES.power)
        for mean, deviation, part in zip(
            reference.mean[metric].tolist(),
            reference.deviation[metric].tolist(),
            chance[metric].tolist(),
            strict=True,
        )
    ]
    times = 1 + confirmations(runs)
    names = ("once", "twice" if times == 2 else "thrice")
    once, every = (np.array([getattr(one, name) for one in found], dtype=np.float64) for name in names)
    true = baseline.pair.mean(axis=(1, 2))

    def seen(drop: Floats) -> Bools:
        lost = _in_accuracy(metric, drop, true)
        pair = draw(rng, (days, projects), run_sd=run_sd, drop=lost, anywhere=anywhere).pair
        return np.asarray((pair <= (reference.mean - reference.reach)[:, None])[metric])

    return Printed(
        Promise(float(once.mean()), float(seen(once).mean())),
        Promise(float(every.mean()), float(np.all([seen(every) for _ in range(times)], axis=0).mean())),
    )


def _in_accuracy(metric: int, drop: Floats, true: Floats) -> Floats:
    """The drop of DA that makes this drop of the metric."""
    if metric == DA:
        return drop
    weight = parts_of(RULES, lul=False).weights["DA"]
    return np.asarray(true[DA] * (1.0 - (1.0 - drop / true[CAS]) ** (1.0 / weight)))


class Caught(NamedTuple):
    """Shares of projects in which the gate, that is, DA or CAS, does this."""

    caught: float
    blocked: float


def start(rng: np.random.Generator, projects: int, run_sd: float, runs: int = RULES.runs) -> Projects:
    return Projects(draw(rng, (runs, projects), run_sd=run_sd).pair)


def worse(run_sd: float, runs: int, *, drop: float, seed: int, projects: int = 20_000) -> Caught:
    """An agent that is worse by this much from one day to the next."""
    rng = np.random.default_rng(seed)
    begun = start(rng, projects, run_sd, runs)
    days = [draw(rng, (projects,), run_sd=run_sd, drop=drop).pair for _ in range(3)]
    return Caught(float(begun.alarmed(days[0]).mean()), float(begun.blocked(*days).mean()))


def slide(run_sd: float, runs: int, *, seed: int, projects: int = 5_000) -> list[float]:
    """Shares of projects blocked by the end of each of twelve weeks, half a point worse every week."""
    rng = np.random.default_rng(seed)
    begun = start(rng, projects, run_sd, runs)
    blocked, shares = np.zeros(projects, dtype=bool), []
    for week in range(1, 13):
        days = [draw(rng, (projects,), run_sd=run_sd, drop=0.005 * week).pair for _ in range(3)]
        blocked |= begun.blocked(*days)
        begun.ratchet(*days[:2])
        shares.append(float(blocked.mean()))
    return shares


class Year(NamedTuple):
    """A year of daily runs of unchanged agents."""

    blocked: float
    """Share of runs."""
    worst: float
    """The share of blocked runs that 95 % of the projects stay under."""
    raised: float
    """Rises of the baseline a project, each of them a mistake."""


def year(run_sd: float, runs: int, *, seed: int, projects: int = 2_000, days: int = 365) -> Year:
    """How often agents that do not change are blocked, and how often their baselines rise."""
    rng = np.random.default_rng(seed)
    begun = start(rng, projects, run_sd, runs)
    blocks = np.zeros(projects)
    for _ in range(days):
        drawn = [draw(rng, (projects,), run_sd=run_sd).pair for _ in range(3)]
        blocks += begun.blocked(*drawn)
        begun.ratchet(*drawn[:2])
    share = blocks / days
    return Year(float(share.mean()), float(np.quantile(share, 0.95)), float(begun.raised.mean()))


def unchanged(run_sd: float, runs: int, *, seed: int, projects: int = 100_000, baselines: int = 3) -> float:
    """The share of runs of an unchanged agent that are blocked against freshly accepted baselines.

    Six runs a baseline, and every choice of as many of them as a block needs: steadier than one block at most each.
    """
    rng = np.random.default_rng(seed)
    shares = []
    for _ in range(baselines):
        reference = Reference(draw(rng, (runs, projects), run_sd=run_sd).pair)
        lower = [reference.lower(draw(rng, (projects,), run_sd=run_sd).pair) for _ in range(6)]
        chosen = combinations(lower, 1 + confirmations(runs))
        shares += [float(np.all(group, axis=0).any(axis=0).mean()) for group in chosen]
    return float(np.mean(shares))


AGENTS = {
    "deterministic": np.repeat([0.0, 1.0], [25, 475]),
    "like the simulated one": np.repeat([0.64, 0.90, 0.995], [50, 100, 350]),
    "nearly deterministic": np.repeat([0.5, 0.999], [10, 490]),
}
"""Rates of 500 scenarios."""


def falsely_turned(rates: Floats, runs: int, replicates: int, *, anchor: bool = False) -> float:
    """The exact share of runs of an unchanged agent in which some scenario is named as turned wrong.

    With an `anchor` of as many other runs, from which scenarios can turn as well.
    """
    eligible = _eligible(rates, runs, replicates, anchor=anchor)
    s = _times(len(rates), runs, replicates, anchor=anchor)
    return float(1.0 - np.prod(1.0 - eligible * (1.0 - rates) ** s))


def worst_rates(runs: int, replicates: int, scenarios: int = 500, *, anchor: bool = False) -> Floats:
    """The agent that is falsely accused most often: every scenario at the rate at which that happens most easily."""
    grid = np.linspace(0.001, 0.999, 999)
    s = _times(scenarios, runs, replicates, anchor=anchor)
    chances = _eligible(grid, runs, replicates, anchor=anchor) * (1.0 - grid) ** s
    return np.full(scenarios, grid[int(np.argmax(chances))])


def _times(scenarios: int, runs: int, replicates: int, *, anchor: bool) -> int:
    return max(repeats(scenarios * (2 if anchor else 1), runs * replicates), replicates)


def _eligible(rates: Floats, runs: int, replicates: int, *, anchor: bool) -> Floats:
    episodes = runs * replicates
    once = stats.binom.cdf(few_wrong(episodes), episodes, 1.0 - rates)
    return np.asarray(1.0 - (1.0 - once) ** (2 if anchor else 1))


ANCHORS = (False, True)
"""Whether the accepted runs have an anchor of other runs beside them."""
CASES = tuple((run_sd, runs) for runs in SIZES for run_sd in RUN_SDS)


def _printed_table() -> Iterator[str]:
    yield "| metric | lost | run SD | K | caught: printed drop | found | blocked: printed drop | found |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    usual = [(run_sd, RULES.runs) for run_sd in RUN_SDS]
    for metric, anywhere, cases in ((DA, False, CASES), (DA, True, usual), (CAS, False, usual)):
        for run_sd, runs in cases:
            kinds = printed(metric, run_sd, runs, seed=32, anywhere=anywhere)
            found = (f"{100 * kind.drop:.2f} | {100 * kind.found:.1f} %" for kind in kinds)
            where = "anywhere" if anywhere else "where it was hard"
            yield f"| {NAMES[metric]} | {where} | {100 * run_sd:g} | {runs} | {' | '.join(found)} |"


def _gate_table() -> Iterator[str]:
    yield (
        "| run SD | K | 3 points: caught | blocked | slide: blocked by week 12 | unchanged: blocked runs "
        "| in 95 % of projects at most | false rises a year |"
    )
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for run_sd, runs in CASES:
        three, weeks = worse(run_sd, runs, drop=0.03, seed=31), slide(run_sd, runs, seed=33)
        still = year(run_sd, runs, seed=35)
        shown = " | ".join(f"{100 * share:.2f} %" for share in (*three, weeks[-1], still.blocked, still.worst))
        yield f"| {100 * run_sd:g} | {runs} | {shown} | {still.raised:.3f} |"


def _unchanged_table() -> Iterator[str]:
    yield "| run SD | K = 5 | 9 | 10 | 13 | 14 | 20 |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for run_sd in RUN_SDS:
        shares = (f"{100 * unchanged(run_sd, runs, seed=41):.3f} %" for runs in (5, 9, 10, 13, 14, 20))
        yield f"| {100 * run_sd:g} | {' | '.join(shares)} |"


def _turned_table() -> Iterator[str]:
    yield "| agent, 500 scenarios | K = 5, 1 replicate | 5, 4 | 10, 1 | 20, 1 | 20, 4 |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    sizes = ((5, 1), (5, 4), (10, 1), (20, 1), (20, 4))
    # Actions alone, and with required gates, their level and evidence, which turn by themselves: the larger of both.
    # Against accepted runs that are the anchor's, and against others: the larger again.
    for name, rates in AGENTS.items():
        parts = (rates, np.tile(rates, 4))
        shares = (
            f"{100 * max(falsely_turned(one, *size, anchor=anchor) for one in parts for anchor in ANCHORS):.3f} %"
            for size in sizes
        )
        yield f"| {name} | {' | '.join(shares)} |"
    worst = (
        max(
            falsely_turned(worst_rates(*size, number, anchor=anchor), *size, anchor=anchor)
            for number in (500, 2_000)
            for anchor in ANCHORS
        )
        for size in sizes
    )
    yield f"| the worst conceivable | {' | '.join(f'{100 * share:.2f} %' for share in worst)} |"


if __name__ == "__main__":
    for table in (_printed_table(), _gate_table(), _unchanged_table(), _turned_table()):
        for line in table:
            print(line, flush=True)
        print()
