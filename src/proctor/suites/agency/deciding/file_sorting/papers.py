"""Files with their properties, rules that say where each belongs, and the number it gets there.

`places` is the only place where it is settled where a file belongs.
"""

from __future__ import annotations

from typing import NamedTuple

from proctor.core.seeds import Stream
from proctor.suites.agency.deciding.file_sorting.texts import FOLDERS, KINDS, OFFICES, ORDERS, STATUSES

FILES = 10
_LETTERS = "BCDFGHJKLMNPRSTVWXZ"
_DAYS = tuple(range(2, 672, 3))
_SIZES = tuple(range(11, 990, 4))
_NUMBERS = tuple(range(1009, 9999, 31))
_CHOICES = len(KINDS) * len(OFFICES) * len(STATUSES) * len(_LETTERS) ** 2
TESTS = ("status", "before", "kind", "larger", "office")


class Paper(NamedTuple):
    """What is known of a file."""

    id: str
    kind: str
    office: str
    date: str
    kb: int
    status: str


class Rule(NamedTuple):
    """Files for which the test holds go to the folder; `else` holds for every file."""

    test: str
    value: str
    folder: str


def drawn_papers(stream: Stream) -> list[Paper]:
    """Ten files; no two have the same number, day or size."""
    days = stream.sample(_DAYS, FILES)
    sizes = stream.sample(_SIZES, FILES)
    numbers = stream.sample(_NUMBERS, FILES)
    year = stream.integer(2021, 2024)
    papers = []
    for number, day, size in zip(numbers, days, sizes, strict=True):
        # One draw for everything that is chosen from a few.
        rest, kind = divmod(stream.below(_CHOICES), len(KINDS))
        rest, office = divmod(rest, len(OFFICES))
        rest, status = divmod(rest, len(STATUSES))
        one, two = divmod(rest, len(_LETTERS))
        papers.append(
            Paper(
                f"{_LETTERS[one]}{_LETTERS[two]}-{number}",
                KINDS[kind],
                OFFICES[office],
                f"{year + day // 336}-{day % 336 // 28 + 1:02d}-{day % 28 + 1:02d}",
                size,
                STATUSES[status],
            )
        )
    return papers


def drawn_rules(stream: Stream, papers: list[Paper], count: int) -> list[Rule]:
    """So many rules and one for the rest, each with a folder of its own."""
    folders = stream.sample(FOLDERS, count + 1)
    rules = []
    for test, folder in zip(stream.sample(TESTS, count), folders, strict=False):
        # Taken from a file, so that no rule is idle from the start; limits lie between two files.
        model = stream.choice(papers)
        if test == "before":
            value = sorted(paper.date for paper in papers)[stream.integer(3, 5)]
        elif test == "larger":
            value = str(sorted(paper.kb for paper in papers)[stream.integer(4, 6)])
        else:
            value = str(getattr(model, test))
        rules.append(Rule(test, value, folder))
    return [*rules, Rule("else", "", folders[count])]


def holds(rule: Rule, paper: Paper) -> bool:
    """Whether a rule's test holds for a file."""
    match rule.test:
        case "before":
            return paper.date < rule.value
        case "larger":
            return paper.kb > int(rule.value)
        case "else":
            return True
    return bool(getattr(paper, rule.test) == rule.value)


def places(papers: list[Paper], rules: list[Rule], order: str) -> list[str]:
    """Where each file belongs: the folder of the first rule that holds, and its number there."""
    column, reverse = ORDERS[order]
    groups: dict[str, list[int]] = {}
    for place, paper in enumerate(papers):
        folder = next(rule.folder for rule in rules if holds(rule, paper))
        groups.setdefault(folder, []).append(place)
    paths = [""] * len(papers)
    for folder, members in groups.items():
        members.sort(key=lambda place: getattr(papers[place], column), reverse=reverse)
        for number, place in enumerate(members, 1):
            paths[place] = f"/task/{folder}/{number}.txt"
    return paths


class Start(NamedTuple):
    """Where each file lies at first, and how it can be put right."""

    paths: list[str]
    moves: list[tuple[str, str]]
    """A shortest sequence: what is in the way goes first, and a ring is opened by one detour."""


def laid(stream: Stream, papers: list[Paper], targets: list[str], rings: int) -> Start:
    """Some files lie in places that belong to others: in rings (everybody's place is taken), and in the way."""
    order = stream.sample(range(len(papers)), len(papers))
    paths = [f"/task/inbox/{paper.id.lower()}.txt" for paper in papers]
    moves: list[tuple[str, str]] = []
    for ring in range(rings):
        members = [order.pop() for _ in range(3 if ring == 0 else 2)]
        for member, following in zip(members, [*members[1:], members[0]], strict=True):
            paths[member] = targets[following]
        aside = f"/task/inbox/aside-{ring + 1}.txt"
        # The last of them makes room first; then each takes the place that became free, and the last comes back.
        moves.append((paths[members[-1]], aside))
        moves += [(paths[member], targets[member]) for member in members[:-1]]
        moves.append((aside, targets[members[-1]]))
    for _ in range(2):
        first, second = order.pop(), order.pop()
        paths[first] = targets[second]
        moves += [(paths[first], targets[first]), (paths[second], targets[second])]
    settled = order.pop()
    paths[settled] = targets[settled]
    moves += [(paths[index], targets[index]) for index in order]
    return Start(paths, moves)
