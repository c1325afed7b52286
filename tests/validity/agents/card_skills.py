"""What to do next in tasks whose facts stand on cards, from what was seen so far in the episode.

Every skill is a function of the task, the results so far and, for the assay room, of what earlier episodes taught. It
reads on from the card that it saw last, and where something is unknown it guesses: so the same function also says what
somebody would do who sees only the last result.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from tests.validity.agents.cards import NUMBERS, Read, numbers, read_card

Memory = dict[str, Any]


class Call(Struct, frozen=True):
    """A call to be made."""

    tool: str
    arguments: dict[str, Any]


class Seen(Struct, frozen=True):
    """What there is to go by."""

    goal: str
    first: dict[str, Any]
    """The first observation."""
    results: list[Any]
    """What calls gave back, oldest first; None for a refused one."""

    @property
    def last(self) -> Any:
        return self.results[-1] if self.results else {}

    @property
    def cards(self) -> list[Read]:
        """Every card that was seen, in order."""
        return [card for result in self.results if (card := read_card(result)) is not None]


_GUESSED_WEEK = 5
Skill = Callable[[Seen, Memory], Call | None]


def _next_card(seen: Seen, titles: list[str]) -> int | None:
    """The number of the card to be read next; None when the last one lies before us."""
    if not seen.results:
        return 0
    place = titles.index(seen.cards[-1].title) + 1
    return place if place < len(titles) else None


def treat(seen: Seen, memory: Memory) -> Call | None:
    """Treat every sample by what was learned of its material and its condition."""
    card, told = read_card(seen.last), seen.last if isinstance(seen.last, dict) else {}
    if card is not None:
        offered = re.findall(r"alphabetical order: ([a-z, ]+)", seen.goal)[0].split(", ")
        free = [word for word in offered if word not in memory.values()] or offered
        arguments = {
            "sample": card.title.removeprefix("sample "),
            "reagent": memory.get(card.values["material"], free[0]),
            "drops": memory.get(card.values["condition"], 2),
        }
        return Call("treat", arguments)
    if "right_was" in told and seen.cards:
        values, right = seen.cards[-1].values, told["right_was"]
        memory[values["material"]], memory[values["condition"]] = right["reagent"], right["drops"]
    done = sum(isinstance(result, dict) for result in seen.results)
    samples: list[str] = seen.first["samples"]
    return Call("inspect", {"sample": samples[done]}) if done < len(samples) else None


def pull(seen: Seen, memory: Memory) -> Call | None:
    """Read the logbook, then run what ends highest by what its pages say."""
    wanted, risk = re.findall(r"and (\w+) and (\w+) before and after", seen.goal)[0]
    units = re.findall(r"^\w+ (\w+) begins with \w+ (\d+) and \w+ (\d+); .+ is (\d+)\.$", seen.goal, re.MULTILINE)
    names = [name for name, *_ in units]
    done = 0
    if isinstance(seen.last, dict) and "unit" in seen.last:
        done = names.index(seen.last["unit"]) + 1
    elif seen.last is None:
        return None
    else:
        titles = [f"page {word}" for word in list(NUMBERS)[1 : seen.first["pages"] + 1]]
        number = _next_card(seen, titles)
        if number is not None:
            return Call("page", {"number": number + 1})
    if done == len(names):
        return None
    does = {
        card.values["lever"]: [
            after - before for before, after in (numbers(card.values[one]) for one in (wanted, risk))
        ]
        for card in seen.cards
    }
    plans = [row.split(", ") for row in re.findall(r"^- plan \w: (.+)$", seen.goal, re.MULTILINE)]
    begin, strain, limit = map(int, units[done][1:])
    scores = [_ends(plan, does, begin, strain, limit) for plan in plans[3 * done : 3 * done + 3]]
    return Call("run", {"unit": names[done], "plan": "ABC"[scores.index(max(scores))]})


def _ends(plan: list[str], does: dict[str, list[int]], wanted: int, risk: int, limit: int) -> int:
    for lever in plan:
        more, riskier = does.get(lever, (0, 0))
        wanted, risk = wanted + more, risk + riskier
        if risk > limit:
            return 0
    return wanted


def sow(seen: Seen, memory: Memory) -> Call | None:
    """Read the almanac, sow what brings most before the frost, and harvest every bed in its week."""
    beds = NUMBERS[re.findall(r"(two|three) beds", seen.goal)[0]]
    ripe = _plan(seen, beds)
    told = seen.last if isinstance(seen.last, dict) else {}
    if seen.last is None:
        return None
    if not seen.results or read_card(seen.last) is not None:
        number = _next_card(seen, seen.first["cards"])
        if number is not None:
            return Call("card", {"name": seen.first["cards"][number]})
    if not told or ("advance" in told and told["bed"] < beds):
        bed = told.get("bed", 0) + 1
        return Call("sow", {"bed": bed, "crop": list(ripe)[bed - 1]})
    weeks = [result["week"] for result in seen.results if isinstance(result, dict) and "week" in result]
    week = weeks[-1] if weeks else _GUESSED_WEEK if "paid" in told else 1
    harvested = {result["bed"] for result in seen.results if isinstance(result, dict) and "paid" in result}
    for bed, when in enumerate(ripe.values(), start=1):
        if when == week and bed not in harvested:
            return Call("harvest", {"bed": bed})
    return Call("wait_week", {}) if len(harvested) < beds else None


def _plan(seen: Seen, beds: int) -> dict[str, int]:
    """The crops to be sown, by bed, and the week in which each is ripe."""
    advances = {crop: int(coins) for coins, crop in re.findall(r"(\d+) coins for (\w+)", seen.goal)}
    cards = {card.title: card for card in seen.cards}
    frost = cards["frost"].number("week of the first frost") if "frost" in cards else 7
    ripe = {crop: 1 + cards[crop].number("weeks to ripeness") if crop in cards else _GUESSED_WEEK for crop in advances}
    worth = {
        crop: coins + (cards[crop].number("price at harvest") if crop in cards and ripe[crop] < frost else 0)
        for crop, coins in advances.items()
    }
    chosen = sorted(worth, key=worth.__getitem__, reverse=True)[:beds]
    return {crop: ripe[crop] for crop in chosen}


def supply(seen: Seen, memory: Memory) -> Call | None:
    """Read all cards, take the road that brings most with what its stops want, and hand it over stop by stop."""
    allowances = {road: int(coins) for coins, road in re.findall(r"(\d+) coins on the (\w+) road", seen.goal)}
    stops = NUMBERS[re.findall(r"the pack holds (\w+) of them", seen.goal)[0]]
    places = [(road, number) for road in allowances for number in range(1, stops + 1)]
    words = list(NUMBERS)
    if not seen.results or read_card(seen.last) is not None:
        following = _next_card(seen, [f"{road} road, stop {words[number]}" for road, number in places])
        if following is not None:
            road, number = places[following]
            return Call("card", {"road": road, "stop": number})
    cards = {card.title: card for card in seen.cards}
    known = {
        (road, number): cards[title]
        for road, number in places
        if (title := f"{road} road, stop {words[number]}") in cards
    }
    worth = {
        road: coins + sum(known[place].number("price") for place in places if place[0] == road and place in known)
        for road, coins in allowances.items()
    }
    best = max(worth, key=worth.__getitem__)
    depot = re.findall(r"The depot has (.+); the pack", seen.goal)[0].replace(" and ", ", ").split(", ")
    goods = [known[best, n].values["good wanted"] if (best, n) in known else "" for n in range(1, stops + 1)]
    spare = [good for good in depot if good not in goods]
    goods = [good or spare.pop() for good in goods]
    told = seen.last if isinstance(seen.last, dict) else None
    if told is None:
        return Call("set_out", {"road": best, "goods": goods}) if isinstance(seen.last, str) else None
    if "end_of_road" in told:
        return None
    return Call("travel", {}) if "taken" in told else Call("hand_over", {"good": goods[told["stop"] - 1]})


SKILLS: dict[str, Skill] = {"treat": treat, "run": pull, "sow": sow, "set_out": supply}
"""By the tool that tells which task it is."""
