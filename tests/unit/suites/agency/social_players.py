"""Players of the social families that see only what any agent sees: a careful reader, and two that lack something.

The reader knows every wording there is, takes each line as most of its readings have it, and asks which way of dealing
explains what it read. Adapters learn within the episode and ignore who is who; one that does not learn is fixed. They
read once, and are played where nothing is garbled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from proctor.agents.contract import Session
from proctor.spec.task import Submission, TaskView
from proctor.suites.agency.social.crew_promises import dealings as jobs
from proctor.suites.agency.social.crew_promises import habits as crews
from proctor.suites.agency.social.crew_promises import texts as crew_texts
from proctor.suites.agency.social.house_talks import dealings as talks
from proctor.suites.agency.social.house_talks import habits as houses
from proctor.suites.agency.social.house_talks import texts as house_texts
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.spelling import in_words

READINGS = 11
_NUMBERS = {in_words(number).replace("-", " "): str(number) for number in range(121)}
_IN_WORDS = re.compile(r"\b(" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")\b")
_SLOTS = {"house": r"\w+ \w+", "ship": r"\w+", "who": r"\w+", "crews": r".+"}
"""What may stand in a slot; in all others a number does."""
_NUMBER = r"\d+"


class Found(Struct, frozen=True):
    """A wording in a line, and what fills it."""

    start: int
    end: int
    filled: dict[str, str]

    def number(self, name: str) -> int:
        return int(self.filled[name])


def plain(line: str) -> str:
    """A line without signs and capitals, its numbers in digits: what all layouts have in common."""
    bare = re.sub(r"[^\w\s]", " ", line.replace("'", "")).lower()
    return " ".join(_IN_WORDS.sub(lambda word: _NUMBERS[word.group()], bare).split())


@cache
def _pattern(wording: str) -> re.Pattern[str]:
    marked = plain(re.sub(r"\{(\w+)\}", r" slot\1slot ", wording))
    return re.compile(rf"\b{re.sub(r'slot([a-z]+?)slot', _group, marked)}\b")


def _group(slot: re.Match[str]) -> str:
    name = slot.group(1)
    return f"(?P<{name}>{_SLOTS.get(name, _NUMBER)})"


def found(bank: Sequence[str], line: str) -> list[Found]:
    """Where these wordings stand in a plain line, in order; of two in the same place the longer one."""
    hits = [match for wording in bank if wording for match in _pattern(wording).finditer(line)]
    kept: list[Found] = []
    for match in sorted(hits, key=lambda hit: hit.start() - hit.end()):
        if all(match.end() <= other.start or match.start() >= other.end for other in kept):
            kept.append(Found(match.start(), match.end(), match.groupdict()))
    return sorted(kept, key=lambda one: one.start)


async def read(session: Session, readings: int) -> list[str]:
    """The text as most readings have it, plain line by plain line."""
    seen = [str(session.observations[0].fields["text"]).split("\n")]
    while len(seen) < readings:
        result = await session.call("reread")
        if result.ok:
            seen.append(str(result.value).split("\n"))
    columns = ([line for line in column if line] for column in zip(*seen, strict=True))
    return [plain(Counter(column).most_common(1)[0][0]) if column else "" for column in columns]


def _named(line: str, names: Sequence[str]) -> str | None:
    return next((name for name in names if re.search(rf"\b{name}\b", line)), None)


def house_dealing(line: str, names: Sequence[str]) -> talks.Dealing | None:
    """The dealing that a line tells; None where it tells none, or one of somebody who is not here."""
    asked = found(house_texts.ASKED, line)
    name = _named(line, names)
    if not asked or (name is None and not re.search(r"\ba house\b", line)):
        return None
    offers = found((*house_texts.OFFERED, *house_texts.OFFERED_NEXT, *house_texts.ORDERED_NEXT), line)
    crates = offers[0].number("crates")
    made = tuple(houses.Offer(one.number("price"), int(one.filled.get("crates", crates))) for one in offers)
    first = houses.AGREED if len(offers) > 1 and "crates" in offers[1].filled else houses.DECLINED
    sold, cheated = found(house_texts.SOLD, line), found(house_texts.CHEATED, line)
    last = houses.BROKEN_OFF if found(house_texts.BROKE_OFF, line) else houses.DECLINED
    last = houses.AGREED if sold or cheated else last
    return talks.Dealing(name, asked[0].number("ask"), made, (*((first,) if len(made) > 1 else ()), last), bool(sold))


def crew_dealing(line: str, names: Sequence[str]) -> jobs.Dealing | None:
    """The job that a line tells; None where it tells none, or one of somebody who is not here."""
    asked = found(crew_texts.ASKED, line)
    name = next((name for name in names if re.search(rf"\b{name} crew\b", line)), None)
    if not asked or (name is None and not re.search(r"\ba crew\b", line)):
        return None
    came = found(crew_texts.CAME, line)
    reminded, helped = bool(found(crew_texts.REMINDED, line)), bool(found(crew_texts.HELPED, line))
    told = crews.Told(asked[0].number("day"), reminded=reminded, helped=helped)
    return jobs.Dealing(name, told, came[0].number("came") if came else None)


def house_figures(lines: list[str]) -> dict[str, int]:
    """Today's price at each house."""
    hits = [hit for line in lines for hit in found(house_texts.FIGURES, line)]
    return {hit.filled["house"].removeprefix("today "): hit.number("ask") for hit in hits}


def crew_figures(lines: list[str]) -> tuple[list[str], dict[str, int]]:
    """The crews for hire, and each ship's day."""
    hits = [hit for line in lines for hit in found(crew_texts.FIGURES, line)]
    hire = next(hit.filled["crews"] for line in lines for hit in found(crew_texts.FOR_HIRE, line))
    names = re.findall(r"\bcrew (\d)\b", hire) or re.findall(r"(\w+) crew\b", hire)
    return names, {hit.filled["ship"]: hit.number("day") for hit in hits}


def _stated(task: TaskView, pattern: str) -> int:
    match = re.search(pattern, task.goal)
    assert match is not None
    return int(match.group(1))


class HouseReader:
    """Infers each house's way and treats it accordingly."""

    def __init__(self, readings: int = READINGS) -> None:
        self._readings = readings

    async def run(self, task: TaskView, session: Session) -> Submission:
        lines = await read(session, self._readings)
        asks, crates = house_figures(lines), _stated(task, r"(\d+) crates")
        heard = [dealing for line in lines if (dealing := house_dealing(line, list(asks)))]
        taken_for = talks.supposed(list(asks), heard)
        for house in [house for house in asks if taken_for[house].delivers][:3]:
            for offer in houses.treatment(taken_for[house], asks[house], crates):
                await call_with_retry(session, "offer", house=house, price=offer.price, crates=offer.crates)
        return Submission("done")


class CrewReader:
    """Infers each crew's habit and treats it accordingly."""

    def __init__(self, readings: int = READINGS) -> None:
        self._readings = readings

    async def run(self, task: TaskView, session: Session) -> Submission:
        lines = await read(session, self._readings)
        names, ships = crew_figures(lines)
        heard = [dealing for line in lines if (dealing := crew_dealing(line, names))]
        taken_for = jobs.supposed(names, heard)
        working = [name for name in names if taken_for[name].works]
        for crew, (ship, day) in zip(working, ships.items(), strict=False):
            habit = taken_for[crew]
            if habit.kind == crews.REPAYING:
                await call_with_retry(session, "lend_hand", crew=crew)
            await call_with_retry(session, "ask", crew=crew, ship=ship, day=max(1, crews.right_day(habit, day)))
            if habit.kind == crews.NUDGED:
                await call_with_retry(session, "remind", crew=crew)
        return Submission("done")


class HouseAdapter:
    """One approach for all houses: where to open, with how many crates, and what to do when declined."""

    def __init__(self, share: int, few: bool, then: str) -> None:
        self._share, self._few, self._then = share, few, then

    async def run(self, task: TaskView, session: Session) -> Submission:
        asks, crates = house_figures(await read(session, 1)), _stated(task, r"(\d+) crates")
        done = 0
        for house, ask in asks.items():
            price, got = ask * self._share // 100, 0
            for _ in range(3):
                many = 2 if self._few and not got else crates - got
                result = await call_with_retry(session, "offer", house=house, price=price, crates=many)
                said = str(result.value["answer"]) if result.ok else "no answer"
                if said.startswith("no answer"):
                    break
                if said.startswith("agreed"):
                    got += many
                else:
                    price = {"same": price, "middle": (price + ask) // 2, "pay": ask}[self._then]
                if got >= crates:
                    done += 1
                    break
            if done == 3:
                break
        return Submission("done")


class CrewAdapter:
    """One approach for all crews; with `learns` it asks the next one for a day as much off as the last one came."""

    def __init__(self, days: int, remind: bool, hand: bool, *, learns: bool) -> None:
        self._days, self._remind, self._hand, self._learns = days, remind, hand, learns

    async def run(self, task: TaskView, session: Session) -> Submission:
        names, ships = crew_figures(await read(session, 1))
        shift, now = self._days, 1
        for crew, (ship, day) in zip(names, sorted(ships.items(), key=lambda one: one[1]), strict=False):
            calls: list[tuple[str, dict[str, Any]]] = [("ask", {"ship": ship, "day": max(now, day + shift)})]
            calls += [("lend_hand", {})] if self._hand else []
            calls += [("remind", {})] if self._remind else []
            for tool, arguments in calls:
                await call_with_retry(session, tool, crew=crew, **arguments)
            if self._learns:
                result = await call_with_retry(session, "wait", days=day + 1 - now)
                now = day + 1
                came = re.search(rf"day (\d+): \S+ \S+ came for the {ship}", str(result.value), re.IGNORECASE)
                shift -= int(came.group(1)) - day if came else 0
        return Submission("done")
