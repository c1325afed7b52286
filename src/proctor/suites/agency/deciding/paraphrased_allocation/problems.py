"""Requests for something scarce, and the one right way of giving it out under each policy.

Always: an allocation is a function of units, requests and policy, never of the order in which requests are listed; a
drawn problem is one where the policy's finer points matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from proctor.core.seeds import Stream

Amounts = list[int]


class Request(NamedTuple):
    """What one recipient wants. Ranks are 1, 2, 3 and so on, each once."""

    ask: int
    least: int
    rank: int
    benefit: int


class Problem(NamedTuple):
    """Units to give out, and who wants them."""

    policy: str
    units: int
    requests: list[Request]


def by_rank(requests: list[Request]) -> list[int]:
    """The places of the requests, best rank first."""
    return sorted(range(len(requests)), key=lambda place: requests[place].rank)


def ranked(units: int, requests: list[Request]) -> Amounts:
    """By rank, each in full or not at all; one that does not fit is passed over."""
    given = [0] * len(requests)
    for place in by_rank(requests):
        if requests[place].ask <= units:
            given[place] = requests[place].ask
            units -= given[place]
    return given


def floors(units: int, requests: list[Request]) -> Amounts:
    """Everybody's least first, then by rank up to what is asked, as far as it goes."""
    given = [request.least for request in requests]
    units -= sum(given)
    for index in by_rank(requests):
        more = min(units, requests[index].ask - requests[index].least)
        given[index] += more
        units -= more
    return given


def benefit(units: int, requests: list[Request]) -> Amounts:
    """The requests of greatest total benefit that fit together, each in full."""
    best, _ = two_best(units, requests)
    return [request.ask if best[1] >> index & 1 else 0 for index, request in enumerate(requests)]


def two_best(units: int, requests: list[Request]) -> list[tuple[int, int]]:
    """(total benefit, bit mask of requests) of the best two choices that fit."""
    choices = [(0, 0, 0)]
    for index, request in enumerate(requests):
        choices += [
            (total + request.benefit, used + request.ask, mask | 1 << index)
            for total, used, mask in choices
            if used + request.ask <= units
        ]
    return [(total, mask) for total, _, mask in sorted(choices, reverse=True)[:2]]


def rounds(units: int, requests: list[Request]) -> Amounts:
    """One unit to each in turn, by rank, round after round, until nothing is left."""
    given = [0] * len(requests)
    order = by_rank(requests)
    while units:
        for index in order:
            if units and given[index] < requests[index].ask:
                given[index] += 1
                units -= 1
    return given


POLICIES: dict[str, Callable[[int, list[Request]], Amounts]] = {
    "ranked": ranked,
    "floors": floors,
    "benefit": benefit,
    "rounds": rounds,
}
_NAMES = tuple(POLICIES)


def drawn_problem(stream: Stream, count: int) -> Problem:
    """A problem in which the policy's finer points matter."""
    policy = stream.choice(_NAMES)
    while True:
        ranks = stream.sample(range(1, count + 1), count)
        requests = [_request(stream.below(8 * 3 * 40), rank) for rank in ranks]
        total = sum(request.ask for request in requests)
        units = total * stream.integer(48, 68) // 100
        if _telling(policy, units, requests):
            return Problem(policy, units, requests)


def _request(number: int, rank: int) -> Request:
    """All that is drawn for one request, from one number."""
    number, ask = divmod(number, 8)
    more, least = divmod(number, 3)
    return Request(ask + 3, least + 1, rank, 20 + more)


def _telling(policy: str, units: int, requests: list[Request]) -> bool:
    """Whether a coarser reading of the policy would give something else."""
    if policy == "ranked":
        # Somebody is passed over, and somebody of worse rank is served after that.
        given = [ranked(units, requests)[index] > 0 for index in by_rank(requests)]
        return any(given[given.index(False) :])
    if policy == "floors":
        # Not only whole requests and bare floors: one recipient gets something in between.
        amounts = floors(units, requests)
        partly = sum(request.least < given < request.ask for request, given in zip(requests, amounts, strict=True))
        return sum(request.least for request in requests) < units and partly == 1
    if policy == "benefit":
        best, second = two_best(units, requests)
        order = sorted(range(len(requests)), key=lambda index: -requests[index].benefit)
        left, greedy = units, 0
        for index in order:
            if requests[index].ask <= left:
                left -= requests[index].ask
                greedy |= 1 << index
        return best[0] > second[0] and best[1] != greedy
    # The last round ends before everybody had a turn.
    amounts = rounds(units, requests)
    lacking = {given for request, given in zip(requests, amounts, strict=True) if given < request.ask}
    return len(lacking) == 2
