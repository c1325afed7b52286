"""What somebody writes who has seen a few texts: a keyword for each behaviour, the numbers of a line, an obvious rule.

Sees nothing but task and first observation. Kept under a hundred lines: that is the point of it.
"""

from __future__ import annotations

import re

from proctor.agents.contract import Session
from proctor.spec.task import Submission, TaskView

NAME = r"([A-Z]\w+ (?!crew)[A-Z]\w+)"


def numbers(line: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", line)]


class RegexPlayer:
    """Takes either family by its tools."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        lines = str(session.observations[0].fields["text"]).split("\n")
        if any(tool.name == "offer" for tool in task.tools):
            await self.houses(task, session, lines)
        else:
            await self.crews(session, lines)
        return Submission("done")

    async def houses(self, task: TaskView, session: Session, lines: list[str]) -> None:
        crates = int((re.search(r"(\d+) crates", task.goal) or [0, 10])[1])
        prices = {}
        for line in lines:
            name, asked = re.search(NAME, line), re.search(r"\b(40|60|80)\b", line)
            if name and asked and "today" in line:
                prices[name[1]] = int(asked[1])
        placed = 0
        for house, price in prices.items():
            about = [line for line in lines if house in line and "today" not in line]
            if any(re.search(r"no crate|sent none|nothing|never delivered", line) for line in about):
                continue
            offers = [(price, crates)]
            for line in about:
                seen = numbers(line)
                if re.search(r"broke off|the door", line) and len(seen) < 4:
                    offers = [(price, 2), (price, crates - 2)]
                elif re.search(r"sold|closed|delivered", line) and len(seen) >= 4 and seen[1] < seen[0]:
                    share = seen[1] / seen[0]
                    again = seen[-1] / seen[0]
                    offers = [(round(price * share), crates), (round(price * again), crates)]
            for offered, many in offers:
                await session.call("offer", house=house, price=offered, crates=many)
            placed += 1
            if placed == 3:
                break

    async def crews(self, session: Session, lines: list[str]) -> None:
        ships = {}
        hire: list[str] = []
        for line in lines:
            moored = re.search(r"the ([A-Z]\w+)", line)
            if moored and numbers(line):
                ships[moored[1]] = numbers(line)[-1]
            if re.search(r"hire|looking|to be had", line):
                hire = re.findall(r"([A-Z]\w+) crew", line)
        for crew in hire:
            about = [line for line in lines if f"{crew} crew" in line and numbers(line)]
            late, needs_word, needs_hand, comes = 0, False, False, False
            for line in about:
                days = numbers(line)
                never = re.search(r"never|not come|lying", line)
                if not never and len(days) >= 2:
                    comes = True
                    if "remind" in line:
                        needs_word = True
                    elif re.search(r"hand|help", line):
                        needs_hand = True
                    else:
                        late = days[-1] - days[-2]
                        needs_word = False
            if not comes or not ships:
                continue
            ship, day = ships.popitem()
            if needs_hand:
                await session.call("lend_hand", crew=crew)
            await session.call("ask", crew=crew, ship=ship, day=max(1, day - late))
            if needs_word:
                await session.call("remind", crew=crew)
