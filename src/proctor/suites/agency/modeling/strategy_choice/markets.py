"""Sites where chance decides: how often each kind of day is on record, and what each strategy earns on it.

Always: one strategy is clearly best on average. One of the three earns nearly all of its mean on a rare kind of day,
one earns much on some days and little on another, one earns nearly the same on all; each of them is the best equally
often, so that neither the greatest, the safest nor the most usual earning tells which it is.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.strategy_choice.texts import DAYS, ROUNDS, SITES, STRATEGIES

RARE, MIXED, EVEN = "rare", "mixed", "even"
SHAPES = (RARE, MIXED, EVEN)
_AT_ONCE = 10
"""Rounds drawn from one number; with at most 84 days on record they fit into 64 bits."""


class Strategy(Struct, frozen=True):
    """What it earns on each kind of day, in the order of the site's kinds."""

    name: str
    shape: str
    earns: list[int]
    best: bool
    """Whether it earns most on average."""


class Site(Struct, frozen=True):
    """One place where one of three strategies is run."""

    name: str
    days: dict[str, int]
    """How often each kind of day is on record."""
    strategies: list[Strategy]
    key: str
    """Where the season draws from."""


def site(stream: Stream, name: str, strategies: list[str], kinds: int, close: int) -> Site:
    """A site with so many kinds of day, whose second best strategy earns at most `close` per cent of the best."""
    days = {kind: stream.integer(7, 14) for kind in stream.sample(stream.choice(DAYS), kinds)}
    rare = stream.choice(list(days))
    days[rare] = 3
    best = stream.integer(24, 40)
    means = [best, best * stream.integer(close - 10, close) / 100, best * stream.integer(close - 25, close - 10) / 100]
    stream.shuffle(means)
    drawn = [
        Strategy(one, shape, _earnings(stream, days, rare, shape, mean), mean == best)
        for one, shape, mean in zip(strategies, SHAPES, means, strict=True)
    ]
    stream.shuffle(drawn)
    return Site(name, days, drawn, stream.hex(32))


def _earnings(stream: Stream, days: dict[str, int], rare: str, shape: str, mean: float) -> list[int]:
    """Earnings of this shape with this mean, as nearly as whole numbers allow."""
    total = sum(days.values())
    if shape == RARE:
        earns = {kind: stream.integer(1, 4) for kind in days}
        spent = sum(count * earns[kind] for kind, count in days.items() if kind != rare)
        earns[rare] = round((mean * total - spent) / days[rare])
        return list(earns.values())
    weights = [stream.integer(19, 21) if shape == EVEN else stream.integer(14, 22) for _ in days]
    if shape == MIXED:
        weights[stream.below(len(weights))] = stream.integer(2, 4)
    level = sum(count * weight for count, weight in zip(days.values(), weights, strict=True)) / total
    return [max(1, round(mean * weight / level)) for weight in weights]


def sites(stream: Stream, count: int, kinds: int, close: int) -> list[Site]:
    """Independent sites; no strategy is open to two of them."""
    names = stream.sample(STRATEGIES, 3 * count)
    return [
        site(stream, name, names[3 * index : 3 * index + 3], kinds, close)
        for index, name in enumerate(stream.sample(SITES, count))
    ]


def season(at: Site) -> list[int]:
    """How often each kind of day comes up in the rounds to come: simulated, the same whenever it is asked for."""
    stream = Stream(bytes.fromhex(at.key))
    counts = list(at.days.values())
    total = sum(counts)
    drawn = [0] * total
    for _ in range(ROUNDS // _AT_ONCE):
        number = stream.below(total**_AT_ONCE)
        for _ in range(_AT_ONCE):
            number, day = divmod(number, total)
            drawn[day] += 1
    days: list[int] = []
    start = 0
    for count in counts:
        days.append(sum(drawn[start : start + count]))
        start += count
    return days


def reward(strategy: Strategy, came_up: list[int]) -> int:
    """What a strategy earns in such a season."""
    return sum(count * earned for count, earned in zip(came_up, strategy.earns, strict=True))
