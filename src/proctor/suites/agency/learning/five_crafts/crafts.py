"""Five kinds of work. Each has a book of house rules, drawn for the lifetime, and one way to use it.

`draw` makes the pieces of a job, `finish` works out what is to be delivered from what the book says: the verifier looks
things up in the real book, the oracle in what it remembers of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.learning.five_crafts.goods import BULK, CLASSES, CLIENTS, REGIONS, SERIES, URGENCIES, Phrases
from proctor.suites.agency.learning.secrets import code_book, dealt, invented

Book = dict[str, str]
LookUp = Callable[[str], str]
LETTERS = "ABCDEFG"
_DIGITS = 3
_WORDS = re.compile(r"[a-z]+(?:-[a-z]+)?")
_NUMBER = re.compile(r"\d+")


class Making(Struct, frozen=True):
    """What a job is drawn with."""

    stream: Stream
    shared: Stream
    tested: bool
    turn: int
    """Which training job of its craft this is; consecutive turns go through the whole book."""
    count: int

    def kinds(self, name: str, things: Sequence[str], count: int | None = None) -> list[str]:
        """Kinds for the pieces: at random in tests, all in turn in training."""
        wanted = self.count if count is None else count
        if self.tested:
            return [self.stream.choice(things) for _ in range(wanted)]
        return dealt(self.shared.child("turns", name), things, wanted, self.turn)

    def phrase(self, phrases: Phrases, kind: str) -> str:
        """A phrase for a kind that the other sort of episode never uses."""
        return self.stream.choice(phrases[kind][self.tested])


class Piece(Struct, frozen=True):
    """One piece of a job: as it is described, and what has to be looked up for it."""

    phrase: str
    parts: list[str]


class Craft(Protocol):
    """One kind of work."""

    rules: str
    """For the goal; `{guesses}` are the made-up names, `{example}` is a delivery."""

    def book(self, shared: Stream) -> Book:
        """The house rules of a lifetime."""
        ...

    def guesses(self, book: Book) -> list[str]:
        """What anybody may know of the values in the book: their names, in no telling order."""
        ...

    def draw(self, making: Making, book: Book) -> list[Piece]:
        """The pieces of a job."""
        ...

    def keys(self, pieces: list[list[str]]) -> list[str]:
        """What has to be looked up in the book for these pieces."""
        ...

    def finish(self, pieces: list[list[str]], look_up: LookUp) -> str:
        """What is to be delivered."""
        ...

    def read(self, text: str, count: int, guesses: list[str]) -> str | None:
        """A delivery in the same spelling as `finish`; None where it is none, or uses names that there are not."""
        ...


class Sorting:
    """A bin for each class of goods."""

    rules = (
        "Sort the pieces into the bins of the house. There is one bin for each class of goods: "
        + ", ".join(CLASSES)
        + ". The bins have made-up names, in alphabetical order: {guesses}. Deliver the bins of the pieces in order, "
        "separated by commas."
    )

    def book(self, shared: Stream) -> Book:
        return code_book(shared.child("bins"), tuple(CLASSES))

    def guesses(self, book: Book) -> list[str]:
        return sorted(book.values())

    def draw(self, making: Making, book: Book) -> list[Piece]:
        kinds = making.kinds("classes", tuple(CLASSES))
        return [Piece(making.phrase(CLASSES, kind), [kind]) for kind in kinds]

    def keys(self, pieces: list[list[str]]) -> list[str]:
        return [part for parts in pieces for part in parts]

    def finish(self, pieces: list[list[str]], look_up: LookUp) -> str:
        return ", ".join("-".join(map(look_up, parts)) for parts in pieces)

    def read(self, text: str, count: int, guesses: list[str]) -> str | None:
        words = _WORDS.findall(text.lower())
        known = len(words) == count and all(self._known(word, guesses) for word in words)
        return ", ".join(words) if known else None

    def _known(self, word: str, guesses: list[str]) -> bool:
        return word in guesses


class Routing(Sorting):
    """A mark of two words: region and urgency."""

    rules = (
        "Give each piece its route mark: a word for where it goes ("
        + ", ".join(REGIONS)
        + ") and a word for how urgent it is (now: today; soon: within a week; whenever: later or no matter when), "
        "joined by a hyphen. The words are made up, in alphabetical order: {guesses}. Deliver the marks of the pieces "
        "in order, separated by commas, e.g. `one-two, three-four` for two pieces."
    )

    def book(self, shared: Stream) -> Book:
        return code_book(shared.child("marks"), (*REGIONS, *URGENCIES))

    def draw(self, making: Making, book: Book) -> list[Piece]:
        regions = making.kinds("regions", tuple(REGIONS))
        urgencies = making.kinds("urgencies", tuple(URGENCIES))
        return [
            Piece(f"{making.phrase(REGIONS, region)}, {making.phrase(URGENCIES, urgency)}", [region, urgency])
            for region, urgency in zip(regions, urgencies, strict=True)
        ]

    def _known(self, word: str, guesses: list[str]) -> bool:
        first, hyphen, second = word.partition("-")
        return bool(hyphen) and first in guesses and second in guesses


class Stamping(Sorting):
    """A letter for each digit."""

    rules = (
        "Stamp the pieces. A stamp has one letter for each of the three digits of the lot number, in order (the series "
        "letter before it is left out). The house uses a letter of its own for each digit from 0 to 9; its letters, in "
        "alphabetical order: {guesses}. Deliver the stamps of the pieces in order, separated by commas."
    )

    def book(self, shared: Stream) -> Book:
        letters = shared.child("letters").sample("abcdefghjkmnpqrstuvwxyz", 10)
        return {str(digit): letter for digit, letter in enumerate(letters)}

    def draw(self, making: Making, book: Book) -> list[Piece]:
        """Digit sums are even in training and odd in tests, so that no number occurs in both."""
        stream = making.stream
        firsts = making.kinds("digits", tuple(book), 2 * making.count)
        pieces: list[Piece] = []
        for index in range(making.count):
            one, two = firsts[2 * index : 2 * index + 2]
            odd = (int(one) + int(two) + making.tested) % 2
            number = f"{one}{two}{2 * stream.below(5) + odd}"
            pieces.append(Piece(f"lot {stream.choice(SERIES[making.tested])}{number}", list(number)))
        return pieces

    def finish(self, pieces: list[list[str]], look_up: LookUp) -> str:
        return ", ".join("".join(map(look_up, parts)) for parts in pieces)

    def _known(self, word: str, guesses: list[str]) -> bool:
        return len(word) == _DIGITS and all(letter in guesses for letter in word)


class Queueing(Sorting):
    """An order of precedence among clients."""

    rules = (
        "Put the pieces in the order in which the house serves its clients. Each piece is for a different kind of "
        "client: "
        + ", ".join(CLIENTS)
        + ". The house ranks these seven kinds from 1, served first, to 7, served last. Deliver the letters of the "
        "pieces in the order in which they are served, separated by commas, e.g. `{example}`."
    )

    def book(self, shared: Stream) -> Book:
        order = shared.child("ranks").sample(tuple(CLIENTS), len(CLIENTS))
        return {client: str(rank) for rank, client in enumerate(order, start=1)}

    def draw(self, making: Making, book: Book) -> list[Piece]:
        if making.tested:
            kinds = making.stream.sample(tuple(CLIENTS), making.count)
        else:
            kinds = making.kinds("clients", tuple(CLIENTS))
            making.stream.shuffle(kinds)
        return [Piece(making.phrase(CLIENTS, kind), [kind]) for kind in kinds]

    def finish(self, pieces: list[list[str]], look_up: LookUp) -> str:
        ranked = sorted((int(look_up(kind)), letter) for (kind,), letter in zip(pieces, LETTERS, strict=False))
        return ", ".join(letter for _, letter in ranked).lower()

    def read(self, text: str, count: int, guesses: list[str]) -> str | None:
        letters = re.findall(r"\b[a-g]\b", text.lower())
        return ", ".join(letters) if sorted(letters) == sorted(LETTERS[:count].lower()) else None


class Weighing(Sorting):
    """Private measures, each so many kilograms."""

    rules = (
        "Add up the pieces. Amounts are given in measures that only this house has ({guesses}); each is a whole number "
        "of kilograms from 2 to 30, and no two are the same. Deliver the weight of all pieces together in kilograms, "
        "as one whole number."
    )

    def book(self, shared: Stream) -> Book:
        stream = shared.child("measures")
        names = invented(stream, 5)
        return {name: str(weight) for name, weight in zip(names, stream.sample(range(2, 31), 5), strict=True)}

    def guesses(self, book: Book) -> list[str]:
        return sorted(book)

    def draw(self, making: Making, book: Book) -> list[Piece]:
        """Amounts are even in training and odd in tests."""
        stream = making.stream
        pieces: list[Piece] = []
        for measure in making.kinds("measures", tuple(book)):
            amount = 2 * stream.integer(1, 20) + making.tested
            pieces.append(Piece(f"{amount} {measure} of {stream.choice(BULK[making.tested])}", [str(amount), measure]))
        return pieces

    def keys(self, pieces: list[list[str]]) -> list[str]:
        return [measure for _, measure in pieces]

    def finish(self, pieces: list[list[str]], look_up: LookUp) -> str:
        weights = (look_up(measure) for _, measure in pieces)
        return str(
            sum(int(parts[0]) * (int(w) if w.isdigit() else 0) for parts, w in zip(pieces, weights, strict=True))
        )

    def read(self, text: str, count: int, guesses: list[str]) -> str | None:
        numbers = _NUMBER.findall(text.replace(",", ""))
        return str(int(numbers[0])) if len(numbers) == 1 else None


CRAFTS: dict[str, Craft] = {
    "sorting": Sorting(),
    "routing": Routing(),
    "stamping": Stamping(),
    "queueing": Queueing(),
    "weighing": Weighing(),
}


def job_of(craft: str, making: Making) -> dict[str, Any]:
    """A job as plain JSON: phrases, what to look up, what is right, and the rules of the book that it needs."""
    work = CRAFTS[craft]
    book = work.book(making.shared.child(craft))
    pieces = work.draw(making, book)
    parts = [piece.parts for piece in pieces]
    return {
        "phrases": [piece.phrase for piece in pieces],
        "parts": parts,
        "right": work.finish(parts, book.__getitem__),
        "rules": {key: book[key] for key in work.keys(parts)},
        "guesses": work.guesses(book),
    }
