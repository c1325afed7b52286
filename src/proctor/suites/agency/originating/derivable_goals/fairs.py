"""The facts of a fair, drawn before any form is: concerns, an order, an exception, and two facts about each guild.

Always: exactly what a stated concern and a fact together call for follows, except for what is ordered already and for
the guild that is excepted. About half of the guilds have no goal that follows.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.originating.derivable_goals.texts import CONCERNS, FACTS, GUILDS, KINDS, VALUES
from proctor.suites.kit.words import firm

CONCERN_COUNT = 3
Goal = tuple[str, str]


class Fact(Struct, frozen=True):
    """Something known of a guild."""

    kind: str
    calls: bool
    """Whether it calls for a goal of its kind, if anybody cares."""
    phrase: str
    """As something the guild does: `sell apples and nothing else`."""
    value: str
    """In the fewest words."""


class Guild(Struct, frozen=True):
    """A guild with its two facts."""

    name: str
    facts: list[Fact]


class Fair(Struct, frozen=True):
    """Everything a form needs."""

    place: str
    concerns: dict[str, str]
    guilds: list[Guild]
    ordered: Goal
    excepted: str
    """The guild with which the specification forbids to meddle."""

    @property
    def goals(self) -> list[Goal]:
        """What follows."""
        return [
            (fact.kind, guild.name)
            for guild in self.guilds
            for fact in guild.facts
            if fact.calls
            and fact.kind in self.concerns
            and guild.name != self.excepted
            and (fact.kind, guild.name) != self.ordered
        ]


def fair(stream: Stream, count: int) -> Fair:
    """A fair of so many guilds, half of them, more or less, with something that follows."""
    kinds = stream.sample(tuple(KINDS), len(KINDS))
    cared, other = kinds[:CONCERN_COUNT], kinds[CONCERN_COUNT:]
    names = stream.sample(GUILDS, count)
    # Two guilds would call for something if it were not ordered, or ruled out; the rest is divided.
    fruitful = count // 2
    guilds = []
    for index, name in enumerate(names):
        if index < fruitful + 2:
            first = _fact(stream, stream.choice(cared), calls=True)
        else:
            first = _fact(stream, stream.choice(cared), calls=False)
        rest = [kind for kind in kinds if kind != first.kind]
        second = _second(stream, rest, other, fruitful=index < fruitful)
        guilds.append(Guild(name, [first, second] if stream.chance(0.5) else [second, first]))
    ordered = next(fact.kind for fact in guilds[fruitful].facts if fact.calls and fact.kind in cared)
    excepted = names[fruitful + 1]
    stream.shuffle(guilds)
    concerns = {kind: stream.choice(CONCERNS[kind]) for kind in cared}
    return Fair(firm(stream), concerns, guilds, (ordered, names[fruitful]), excepted)


def _second(stream: Stream, rest: list[str], other: list[str], *, fruitful: bool) -> Fact:
    kind = stream.choice(rest)
    if kind in other:
        # Nobody cares: whatever is the case calls for nothing, and mostly it seems to.
        return _fact(stream, kind, calls=stream.chance(0.75))
    return _fact(stream, kind, calls=fruitful and stream.chance(0.4))


def _fact(stream: Stream, kind: str, *, calls: bool) -> Fact:
    side, which = (0 if calls else 1), stream.below(2)
    lender = firm(stream)
    return Fact(
        kind, calls, FACTS[kind][side][which].format(firm=lender), VALUES[kind][side][which].format(firm=lender)
    )
