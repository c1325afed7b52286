"""Scenarios that were right and are wrong now: how often each must be wrong, and how unlikely so many are.

`repeats` answers the first. A scenario counts as right before when at most a few of its n accepted episodes were wrong;
whatever its true rate p, an unchanged agent passes that and is then wrong s times running with probability
P(Bin(n, p) ≥ n − few)·(1 − p)^s at most. Over N scenarios the smallest s that keeps N times the worst of these under α
keeps false alarms under α whatever the agent is like, deterministic or not, and however its scenarios depend on each
other: a sum of probabilities is a bound without independence.

`beyond_chance` is the reverse, for runs that are to be accepted: none of N scenarios that are still right in 95 % of
their episodes is wrong so often by chance.

`still_p` answers the second, where accepted runs never differed: Fisher's exact test of D wrong scenario-runs, all of
them in the newest of K + 1 runs of M scenarios. It takes scenarios for independent.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from proctor.stats.sample import FloatArray

MOST_WRONG = 0.05
"""Share of accepted episodes that may be wrong in a scenario that counts as right."""
_MOST_REPEATS = 200
_RATES = np.linspace(0.0, 1.0, 4001)[1:-1]


def few_wrong(episodes: int) -> int:
    """How many of so many accepted episodes may be wrong: ⌊0.05 n⌋."""
    # In whole numbers: 0.05 · 60 is 3, and rounding must not make it 2.
    return episodes // round(1 / MOST_WRONG)


@lru_cache(maxsize=256)
def beyond_chance(scenarios: int, episodes: int, *, alpha: float = 0.01) -> int:
    """The smallest m with N·P(Bin(n, 0.05) ≥ m) ≤ α; n + 1 where no number of n episodes is so unlikely."""
    from scipy import stats

    if scenarios < 1 or episodes < 1:
        raise ValueError("there must be a scenario with an episode")
    chances = stats.binom.sf(np.arange(episodes + 1) - 1, episodes, MOST_WRONG)
    unlikely = np.flatnonzero(scenarios * chances <= alpha)
    return int(unlikely[0]) if unlikely.size else episodes + 1


@lru_cache(maxsize=256)
def repeats(scenarios: int, episodes: int, *, alpha: float = 0.01) -> int:
    """The smallest s with N·max_p P(Bin(n, p) ≥ n − ⌊0.05 n⌋)·(1 − p)^s ≤ α."""
    if scenarios < 1 or episodes < 1:
        raise ValueError("there must be a scenario with an accepted episode")
    low, high = 0, _MOST_REPEATS
    # The product falls with s, so the smallest can be looked for by halving.
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if scenarios * false_turn(episodes, middle) <= alpha else (middle, high)
    return high


def false_turn(episodes: int, times: int) -> float:
    """The largest chance, over all true rates, that a scenario counts as right and is then wrong so many times."""
    from scipy import special

    few = few_wrong(episodes)

    def chance(rates: FloatArray) -> FloatArray:
        # P(at most `few` wrong of n) as an incomplete beta: exact for any n.
        eligible = special.betainc(episodes - few, few + 1, rates)
        return np.asarray(eligible * (1.0 - rates) ** times)

    found = chance(_RATES)
    best = int(np.argmax(found))
    # Once more between the neighbours of the best: the grid alone may miss the top by a fourth digit.
    near = np.linspace(_RATES[max(best - 1, 0)], _RATES[min(best + 1, _RATES.size - 1)], 401)
    return float(max(found[best], chance(near).max()))


def still_p(right: int, wrong_now: int, runs: int) -> float:
    """C(M, D) / C((K + 1)·M, D): that all D wrong of (K + 1)·M scenario-runs fall into the newest run by chance."""
    from scipy import stats

    if not 0 <= wrong_now <= right or runs < 1:
        raise ValueError("the wrong ones are some of those that were right in every accepted run")
    # Of (K + 1)·M scenario-runs D are wrong; M belong to the newest run, and all D are among them.
    return float(stats.hypergeom.pmf(wrong_now, (runs + 1) * right, wrong_now, right)) if wrong_now else 1.0
