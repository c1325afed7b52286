"""Books in which half of what could be asked is told, and the other half looks the same and is not.

There are four ways in which a number can be told other than plainly, and each has a twin that lacks the decisive
record. The books of every instance hold both twins of three of them; the question picks one of the six. So the books
are drawn alike whatever the answer, and only whoever follows what they say about the thing that is asked for can tell.
Beside each of the six stands some number for the day that is asked for, right or not.

| way | told | not told |
| --- | --- | --- |
| `renamed` | its count stands under the older name | what stands there is of another day |
| `summed` | one of three is illegible, the total is there | two of three are illegible |
| `recounted` | two counts differ, a recount settles it | two counts differ, the recount has no result |
| `corrected` | a count is too high by a stated number | a count is void |
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.reflecting.frames import Line
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.word_file import read_words
from proctor.suites.kit.words import FIRM_ONE, GIVEN, MONTHS

WORDS = read_words(__file__)
WAYS = ("renamed", "summed", "recounted", "corrected")
SOLVABLE, UNKNOWABLE = "solvable", "unknowable"
USED = 3
"""Ways whose twins are in the books of one instance."""
LOWEST, HIGHEST = 1_000, 9_899
_LAST_DAY = 28
_MOST_EXCESS = 90


class Entry(Struct, frozen=True):
    """One sentence of the books as data: all that anybody can read in it."""

    kind: str
    """`count`, `renamed`, `total`, `guessed`, `recounted`, `unsettled`, `corrected` or `voided`."""
    thing: str
    day: int = 0
    number: int | None = None
    """None where it cannot be read."""
    who: str = ""
    others: tuple[str, ...] = ()
    """What a total is of; the older name."""


class Books(Struct, frozen=True):
    """What was drawn: a question, its answer, and the entries with their sentences."""

    asked: str
    day: int
    month: str
    unit: str
    way: str
    answer: int
    entries: list[Entry]
    lines: list[Line]


def settle(entries: list[Entry], asked: str, day: int) -> int | None:
    """The number that the books give for a thing and a day; None where they do not tell."""
    older = [name for entry in entries if entry.kind == "renamed" and entry.thing == asked for name in entry.others]
    own = [entry for entry in entries if entry.thing == (older or [asked])[0] and entry.day == day]
    for entry in own:
        if entry.kind == "recounted":
            return entry.number
    counts = [entry for entry in own if entry.kind == "count" and entry.number is not None]
    if len({entry.number for entry in counts}) > 1 or any(entry.kind == "voided" for entry in own):
        return None
    if counts:
        assert counts[0].number is not None
        return counts[0].number - sum(entry.number or 0 for entry in own if entry.kind == "corrected")
    for entry in entries:
        if entry.kind == "total" and entry.day == day and asked in entry.others and entry.number is not None:
            parts = [settle([one for one in entries if one.kind == "count"], name, day) for name in entry.others]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts) - 1:
                return entry.number - sum(known)
    return None


class _Writer:
    """Draws the entries of one instance."""

    def __init__(self, stream: Stream, day: int, month: str, house: dict[str, str]) -> None:
        self.dice = Dice(stream)
        self.day, self.month, self.unit, self.thing = day, month, house["unit"], house["thing"]
        self.names = [f"{house['thing']} {name}" for name in self.dice.shuffled(FIRM_ONE)]
        self.people = self.dice.shuffled(GIVEN)
        self.written: list[tuple[Entry, str]] = []

    def name(self) -> str:
        return self.names.pop()

    def number(self) -> int:
        return self.dice.integer(LOWEST, HIGHEST)

    def person(self) -> str:
        """Somebody; neighbours differ."""
        self.people.insert(0, self.people.pop())
        return self.people[0]

    def other_day(self) -> int:
        return (self.day - 1 + self.dice.integer(1, _LAST_DAY - 1)) % _LAST_DAY + 1

    def write(
        self,
        kind: str,
        thing: str,
        day: int,
        number: int | None = None,
        *,
        who: str = "",
        others: tuple[str, ...] = (),
    ) -> None:
        """One entry, in one of the wordings of its kind."""
        who = who or self.person()
        gap = self.dice.choice(WORDS["gaps"])
        names = dict(zip("abc", others, strict=False)) if kind == "total" else {"o": others[0] if others else ""}
        text = self.dice.choice(WORDS[kind]).format(
            s=thing,
            n=gap if number is None else number,
            k=number if kind == "corrected" else self.dice.integer(3, _MOST_EXCESS),
            day=f"{day} {self.month}",
            who=who,
            unit=self.unit,
            thing=self.thing,
            gap=gap,
            **names,
        )
        text = text[0].upper() + text[1:]
        self.written.append((Entry(kind, thing, day, number, who, others), text))

    def renamed(self, thing: str, told: bool) -> int:
        truth, older = self.number(), self.name()
        self.write("renamed", thing, 0, others=(older,))
        self.write("count", thing, self.day, self.number())
        self.write("count", older, self.day if told else self.other_day(), truth if told else self.number())
        return truth

    def summed(self, thing: str, told: bool) -> int:
        parts = {thing: self.number(), self.name(): self.number(), self.name(): self.number()}
        order = self.dice.shuffled(tuple(parts))
        lost = {thing} if told else {thing, self.dice.choice([name for name in order if name != thing])}
        who = self.person()
        for name in order:
            self.write("count", name, self.day, None if name in lost else parts[name], who=who)
        self.write("guessed", thing, self.day, self.number())
        self.write("total", "", self.day, sum(parts.values()), who=who, others=tuple(order))
        return parts[thing]

    def recounted(self, thing: str, told: bool) -> int:
        truth = self.number()
        self.write("count", thing, self.day, self.number())
        self.write("count", thing, self.day, self.number())
        self.write("recounted" if told else "unsettled", thing, self.day, truth if told else self.number())
        return truth

    def corrected(self, thing: str, told: bool) -> int:
        counted, excess, who = self.number(), self.dice.integer(3, _MOST_EXCESS), self.person()
        self.write("count", thing, self.day, counted, who=who)
        self.write("corrected" if told else "voided", thing, self.day, excess if told else None, who=who)
        # A void count is too high as well, by nobody knows how much.
        return counted - excess if told else self.dice.integer(counted // 10, counted - _MOST_EXCESS)

    def decoy(self, thing: str) -> None:
        """A count of another day: it says nothing, whatever is known otherwise."""
        self.write("count", thing, self.other_day(), self.number())


def books(stream: Stream, *, solvable: bool) -> Books:
    """Books with both twins of three ways, and a question about one that is told or one that is not."""
    dice = Dice(stream)
    house, month, day = dice.choice(WORDS["houses"]), dice.choice(MONTHS), dice.integer(1, _LAST_DAY)
    writer = _Writer(stream, day, month, house)
    ways = dice.sample(WAYS, USED)
    asked, truth = "", 0
    concerned: list[Entry] = []
    for number, way in enumerate(ways):
        for told in dice.shuffled((True, False)):
            thing, before = writer.name(), len(writer.written)
            found: int = getattr(writer, way)(thing, told)
            if number == 0 and told == solvable:
                asked, truth = thing, found
                concerned = [entry for entry, _ in writer.written[before:]]
            if dice.below(2):
                writer.decoy(thing)
    mixed = dice.shuffled(writer.written)
    entries = [entry for entry, _ in mixed]
    lines = [Line(text, any(entry is one for one in concerned)) for entry, text in mixed]
    return Books(asked, day, month, house["unit"], ways[0], truth, entries, lines)
