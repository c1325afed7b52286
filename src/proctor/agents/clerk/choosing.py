"""Choosing: takes, for each of several occasions, what does most for the goal that comes first, within the limit.

Only among options that are equal in it does the second goal decide. Which goal is which is said in words; a goal is
about the field whose name its own name has.
"""

from __future__ import annotations

import re

from proctor.agents.clerk.boards import Board, legend, read_board
from proctor.agents.clerk.desk import Desk, Finding

_FIRST = (
    re.compile(r"“([^”]+)” comes before “([^”]+)”"),
    re.compile(r"nothing of “([^”]+)” is given up for the sake of “([^”]+)”"),
    re.compile(r"“([^”]+)” wins, however much of “([^”]+)” is lost"),
    re.compile(r"lesser of the two goals is “(?P<second>[^”]+)”.* greater one, which is “(?P<first>[^”]+)”"),
)
_OCCASIONS = (
    re.compile(r"\bin this order: ([^.\n]+)"),
    re.compile(r"\bFor each of (.+?) exactly one\b"),
    re.compile(r"\beach for ([^.\n]+)"),
)


def priorities(goal: str, fields: list[str]) -> tuple[str, str] | None:
    """The fields of the goal that comes first and of the one that comes second."""
    match = next((match for match in (pattern.search(goal) for pattern in _FIRST) if match), None)
    if match is None:
        return None
    named = match.groupdict()
    phrases = (named["first"], named["second"]) if named else match.groups()
    found = [[name for name in fields if re.search(rf"\b{name}\b", phrase)] for phrase in phrases]
    return (found[0][0], found[1][0]) if all(found) and found[0] != found[1] else None


def occasions(goal: str) -> list[str]:
    """What there is to choose for, in order."""
    match = next((match for match in (pattern.search(goal) for pattern in _OCCASIONS) if match), None)
    return [name.strip() for name in match.group(1).split(",")] if match else []


def choose(board: Board, first: str, second: str, occasion: str) -> str | None:
    """The code of the best option for an occasion; None where none is within the limit."""
    price = next(name for name in board.fields if name not in (first, second))
    limit = board.limits.get(occasion, 0)
    offers = [offer for offer in board.offers.values() if offer.group == occasion and offer.number(price) <= limit]
    best = max(offers, key=lambda offer: (offer.number(first), offer.number(second)), default=None)
    return best.code if best else None


def fits(desk: Desk) -> bool:
    """Two goals, one before the other, three fields, and several occasions."""
    fields = legend(desk.task.goal)
    return len(fields) == 3 and priorities(desk.task.goal, fields) is not None and len(occasions(desk.task.goal)) > 1


async def work(desk: Desk) -> Finding | None:
    """Read the board and choose."""
    fields, groups = legend(desk.task.goal), occasions(desk.task.goal)
    ranked = priorities(desk.task.goal, fields)
    text = next((text for text in desk.texts() if "\n" in text), "")
    board = read_board(text, fields, groups)
    if ranked is None or not board.offers:
        return None
    chosen = [choose(board, *ranked, group) for group in groups]
    return Finding([code or "" for code in chosen], 0.85 if all(chosen) and board.complete() else 0.1)
