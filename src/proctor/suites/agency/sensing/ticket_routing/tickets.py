"""The facts of a ticket: what is the matter, with which article, and whom to talk to. Drawn before any form is."""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.ticket_routing.texts import (
    ARTICLES,
    CATEGORIES,
    COLOURS,
    CUES,
    OVER,
    ROOMS,
    SETTLED,
)
from proctor.suites.kit.words import GIVEN, SHE, SURNAMES

_LETTERS = "ABCDEFGHKLMNPRSTVW"
_WOMEN = tuple(name for name in GIVEN if name in SHE)
_MEN = tuple(name for name in GIVEN if name not in SHE)


class Article(Struct, frozen=True):
    """Something bought; each of its properties tells it from the others of the same ticket."""

    name: str
    code: str
    colour: str
    room: str
    price: int

    @property
    def described(self) -> str:
        """The name with its article, and the code."""
        return f"{_a(self.name)} ({self.code})"


class Somebody(Struct, frozen=True):
    """A person; `him` and `he` refer to them."""

    given: str
    surname: str

    @property
    def full(self) -> str:
        return f"{self.given} {self.surname}"

    @property
    def he(self) -> str:
        return "she" if self.given in SHE else "he"

    @property
    def him(self) -> str:
        return "her" if self.given in SHE else "him"

    @property
    def sibling(self) -> str:
        return "sister" if self.given in SHE else "brother"

    @property
    def title(self) -> str:
        return "Ms" if self.given in SHE else "Mr"


class Ticket(Struct, frozen=True):
    """Everything a form needs to tell the story."""

    category: str
    cue: str
    articles: list[Article]
    meant: int
    writer: Somebody
    other: Somebody
    to_other: bool
    """Whether the other person, and not the writer, is to be contacted."""
    over: list[str]
    """Lines about what was settled long ago."""

    @property
    def article(self) -> Article:
        """The article the ticket is about."""
        return self.articles[self.meant]

    @property
    def contact(self) -> Somebody:
        """The person to contact."""
        return self.other if self.to_other else self.writer

    def matter(self, it: str) -> str:
        """What is the matter, as a sentence about `it`."""
        text = self.cue.format(it=it)
        mark = "?" if text.startswith(("how ", "which ", "may ", "is there", "what should", "before ")) else "."
        return f"{text[0].upper()}{text[1:]}{mark}"


def ticket(stream: Stream, decoys: int, articles: int) -> Ticket:
    """A ticket about one of so many articles, with so many old stories in it."""
    category = stream.choice(CATEGORIES)
    cue = stream.choice(CUES[category])
    bought = _articles(stream, articles)
    meant = stream.below(articles)
    writer, other = people(stream)
    to_other = stream.chance(0.5)
    # A stream of its own: more old stories leave the ticket itself as it is.
    return Ticket(category, cue, bought, meant, writer, other, to_other, _over(stream.child("over"), category, decoys))


def people(stream: Stream) -> tuple[Somebody, Somebody]:
    """Two people of whom one is a she and the other a he, in either order."""
    one, two = stream.choice(_WOMEN), stream.choice(_MEN)
    surnames = stream.sample(SURNAMES, 2)
    if stream.chance(0.5):
        one, two = two, one
    return Somebody(one, surnames[0]), Somebody(two, surnames[1])


def _articles(stream: Stream, count: int) -> list[Article]:
    names = stream.sample(ARTICLES, count)
    colours = stream.sample(COLOURS, count)
    rooms = stream.sample(ROOMS, count)
    # Each dearer than the last by more than a glance could miss, then mixed.
    prices = [stream.integer(19, 40) + 60 * step for step in range(count)]
    stream.shuffle(prices)
    first, step = stream.below(900), stream.integer(7, 290)
    # Steps that never meet again within three codes.
    codes = [f"{stream.choice(_LETTERS)}-{100 + (first + step * index) % 900}" for index in range(count)]
    return [Article(*parts) for parts in zip(names, codes, colours, rooms, prices, strict=True)]


def _over(stream: Stream, category: str, count: int) -> list[str]:
    past = stream.sample([name for name in CATEGORIES if name != category], count)
    frames = stream.sample(OVER, count)
    return [frame.format(settled=stream.choice(SETTLED[name])) for frame, name in zip(frames, past, strict=True)]


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
