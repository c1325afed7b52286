"""Requests and the means they meet: each asks for nearly as much as there is, or for a little too much of one thing."""

from __future__ import annotations

from datetime import date

from proctor.core.seeds import Stream
from proctor.suites.agency.revising.facts import Dossier, Fact
from proctor.suites.agency.revising.feasibility_check.texts import ACCOUNTS, BOOK, SKILLS, ZONES
from proctor.suites.agency.revising.names import CREWS, GOODS, TITLES, places
from proctor.suites.agency.revising.revision import Call, Case
from proctor.suites.agency.revising.workdays import available, some_day
from proctor.suites.kit.draws import sample_spaced, split_draw

BLOCKERS = ("time", "crew", "money", "permit", "material")
_EACH = 3
"""Crews, accounts, zones and goods."""
_LAST_DUE = 18


class _Means:
    """What there is."""

    def __init__(self, stream: Stream) -> None:
        self.today = some_day(stream)
        self.closed = [self.today + 1 + day + 7 * week for week, day in enumerate(split_draw(stream, 6, 6))]
        self.skills = {name: tuple(sample_spaced(stream, SKILLS, 2)) for name in sample_spaced(stream, CREWS, _EACH)}
        left, stock = split_draw(stream, 1700, 1700, 1700), split_draw(stream, 77, 77, 77)
        self.left = {
            name: 2000 + 10 * more for name, more in zip(sample_spaced(stream, ACCOUNTS, _EACH), left, strict=True)
        }
        spans = zip((4, 9, _LAST_DUE), split_draw(stream, 5, 7, 10), strict=True)
        zones = sample_spaced(stream, ZONES, _EACH)
        self.valid = {name: self.today + days + more for name, (days, more) in zip(zones, spans, strict=True)}
        self.stock = {name: 14 + more for name, more in zip(sample_spaced(stream, GOODS, _EACH), stock, strict=True)}

    def facts(self) -> list[Fact]:
        day = date.fromordinal
        return [
            Fact("today", "", {"date": day(self.today)}),
            *[Fact("closure", "", {"date": day(shut)}) for shut in self.closed],
            *[Fact("crew", "", {"crew": name, "trained_for": skills}) for name, skills in self.skills.items()],
            *[Fact("account", "", {"account": name, "euros_left": left}) for name, left in self.left.items()],
            *[Fact("permit", "", {"zone": name, "valid_through": day(last)}) for name, last in self.valid.items()],
            *[Fact("store", "", {"item": name, "pieces_in_store": stock}) for name, stock in self.stock.items()],
        ]


def requests(stream: Stream, count: int) -> Case:
    """So many requests, of which one to all but one are feasible, half of them in the mean."""
    means = _Means(stream)
    feasible = stream.integer(1, count - 1)
    blockers = [""] * feasible + [stream.choice(BLOCKERS) for _ in range(count - feasible)]
    stream.shuffle(blockers)
    facts, goals, right = means.facts(), {}, []
    for name, blocker in zip(places(stream, count), blockers, strict=True):
        facts += _request(stream, means, name, blocker)
        goals[name] = {"blocker": blocker}
        stopped = Call(stream.choice(("halt", "ask_back")), {"request": name, "blocker": blocker})
        right.append(stopped if blocker else Call("go_ahead", {"request": name}))
    return Case(Dossier(stream.choice(TITLES), facts, BOOK), goals, right)


def _request(stream: Stream, means: _Means, name: str, blocker: str) -> tuple[Fact, Fact]:
    earliest = min(means.valid.values()) + 1 - means.today if blocker == "permit" else 4
    due = means.today + stream.integer(earliest, _LAST_DUE)
    zone = stream.choice([zone for zone, day in means.valid.items() if (day < due) == (blocker == "permit")])
    spare, crew_at, account_at, item_at = split_draw(stream, 2, _EACH, _EACH, _EACH)
    days = available(means.today, due, means.closed)
    days = days + 1 + spare if blocker == "time" else max(2, days - spare)
    crew, skills = tuple(means.skills.items())[crew_at]
    work = stream.choice([skill for skill in SKILLS if (skill not in skills) == (blocker == "crew")])
    few_euros, few_pieces = split_draw(stream, 90, 5)
    account, left = tuple(means.left.items())[account_at]
    euros = left + 1 + few_euros if blocker == "money" else left - few_euros
    item, stock = tuple(means.stock.items())[item_at]
    pieces = stock + 1 + few_pieces if blocker == "material" else stock - few_pieces
    return (
        Fact(
            "work",
            name,
            {
                "request": name,
                "work": work,
                "crew": crew,
                "zone": zone,
                "working_days": days,
                "due": date.fromordinal(due),
            },
        ),
        Fact("means", name, {"request": name, "euros": euros, "account": account, "pieces": pieces, "item": item}),
    )
