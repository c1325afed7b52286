"""The queue and its rules: what is taken, in which order, until the minutes are used.

Always: leaving out either exception or the rule about permission gives another list (as far as eight draws of the time
can bring that about); ties and the clash of exceptions matter in most instances, how time is filled in one of three.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from proctor.suites.agency.prioritising.board import Record, codes, names
from proctor.suites.agency.prioritising.priority_rules.texts import FILLS, OFFICES, TIES, Office
from proctor.suites.kit.draws import Dice

NO_MARK = "none"
_MIN_TAKEN = 3
_TRIES = 8


class Request(Struct, frozen=True):
    """One of those who wait. `kind` is the place of its kind in the order of kinds."""

    code: str
    kind: int
    minutes: int
    days: int
    mark: str

    @property
    def number(self) -> int:
        """The number in the code, which settles ties."""
        return int(self.code[2:])


class Rules(Struct, frozen=True):
    """All rules of an instance; None and empty marks switch a rule off."""

    aged: int | None
    setback: str
    forbidden: str
    wait_wins: bool
    tie: str
    fill: str
    limit: int


class Queue(Struct, frozen=True):
    """An instance: who waits, by which rules, and who is taken."""

    office: Office
    kinds: tuple[str, ...]
    """In order of priority."""
    requests: tuple[Request, ...]
    names: tuple[str, ...]
    rules: Rules

    @property
    def records(self) -> tuple[Record, ...]:
        """The requests as records: kind, minutes, days, mark."""
        pairs = zip(self.requests, self.names, strict=True)
        return tuple(Record(r.code, name, (self.kinds[r.kind], r.minutes, r.days, r.mark)) for r, name in pairs)


def taken(requests: tuple[Request, ...], rules: Rules) -> list[str]:
    """The codes of what is dealt with, in order."""
    allowed = [request for request in requests if request.mark != rules.forbidden]
    allowed.sort(key=lambda request: (_rank(request, rules), _tie(request, rules), request.number))
    served: list[str] = []
    left = rules.limit
    for request in allowed:
        if request.minutes <= left:
            left -= request.minutes
            served.append(request.code)
        elif rules.fill == "stop":
            break
    return served


def lapses(requests: tuple[Request, ...], rules: Rules) -> dict[str, list[str]]:
    """What comes out when one rule is neglected, by the reason code for it."""
    listed = [request.code for request in requests]
    return {
        "ignored_waiting_rule": taken(requests, replace(rules, aged=None)),
        "ignored_mark_rule": taken(requests, replace(rules, setback="")),
        "ignored_permission": taken(requests, replace(rules, forbidden="")),
        "ignored_tie_break": taken(requests, replace(rules, tie="")),
        "wrong_precedence": taken(requests, replace(rules, wait_wins=not rules.wait_wins)),
        "wrong_filling": taken(requests, replace(rules, fill="stop" if rules.fill == "skip" else "skip")),
        "no_priorities": listed,
    }


LAPSES = (
    "ignored_waiting_rule",
    "ignored_mark_rule",
    "ignored_permission",
    "ignored_tie_break",
    "wrong_precedence",
    "wrong_filling",
    "no_priorities",
)


def queue(dice: Dice, size: int) -> Queue:
    """A queue in which every exception has somebody to apply to."""
    office = dice.choice(OFFICES)
    aged = dice.integer(9, 20)
    made = codes(dice, size)
    requests: list[Request] = []
    for index, code in enumerate(made):
        kind, days, mark = dice.below(3), dice.integer(1, aged - 1), NO_MARK
        if index < 2:
            kind, days = 1 + dice.below(2), aged + dice.integer(0, 6)
        elif index == 2:
            kind, mark = 0, office.setback
        elif index == 3:
            kind, mark = 0, office.forbidden
        elif index == 4:
            kind, days, mark = 1, aged + dice.integer(0, 6), office.setback
        requests.append(Request(code, kind, 5 * dice.integer(2, 9), days, mark))
    shuffled = tuple(dice.shuffled(requests))
    rules = Rules(
        aged=aged,
        setback=office.setback,
        forbidden=office.forbidden,
        wait_wins=bool(dice.below(2)),
        tie=dice.choice(tuple(TIES)),
        fill=dice.choice(tuple(FILLS)),
        limit=0,
    )
    total = sum(request.minutes for request in requests)
    for _ in range(_TRIES):
        rules = replace(rules, limit=total * dice.integer(40, 65) // 500 * 5)
        right = taken(shuffled, rules)
        if _MIN_TAKEN <= len(right) <= size - 2 and _all_matter(shuffled, rules, right):
            break
    return Queue(office, tuple(dice.shuffled(office.kinds)), shuffled, tuple(names(dice, size)), rules)


def _all_matter(requests: tuple[Request, ...], rules: Rules, right: list[str]) -> bool:
    others = (replace(rules, aged=None), replace(rules, setback=""), replace(rules, forbidden=""))
    return all(taken(requests, other) != right for other in others)


def _rank(request: Request, rules: Rules) -> int:
    aged = rules.aged is not None and request.days >= rules.aged
    marked = request.mark == rules.setback
    if aged and (rules.wait_wins or not marked):
        return 0
    return 2 if marked else request.kind


def _tie(request: Request, rules: Rules) -> int:
    if rules.tie == "longest_wait":
        return -request.days
    return {"shortest_job": 1, "longest_job": -1}.get(rules.tie, 0) * request.minutes
