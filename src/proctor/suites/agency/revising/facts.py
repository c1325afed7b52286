"""The facts of a planning problem, and the words for each kind of fact. Whatever the form, a fact is one line."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from proctor.suites.kit.spelling import Value


class Fact(Struct, frozen=True):
    """One thing to know. `about` names the goal it belongs to and is empty for what concerns all of them."""

    kind: str
    about: str
    values: dict[str, Value]


class Phrases(Struct, frozen=True):
    """How a kind of fact is put: in a letter, in talk, on a card. Values stand in braces by name."""

    heading: str
    formal: str
    casual: str
    terse: str


Phrasebook = Mapping[str, Phrases]


class Dossier(Struct, frozen=True):
    """Everything a form needs: a title, the facts in the order of their drawing, the words for them."""

    title: str
    facts: list[Fact]
    book: Phrasebook
