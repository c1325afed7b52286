"""Frames of decisive texts: made so that nothing but reading tells a text from its twin.

A frame speaks of two phrases and for one of them. Exchanging the phrases gives the twin; the other naming order says
the same with the phrases in the other places. All four texts have the same length and punctuation, and name the phrases
in the same places: clauses of one frame are equally long before and after their phrase, `more` is as long as `less`,
and people's names are equally long. A test holds every frame to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct


class Frame(Protocol):
    """What makes a text about two phrases."""

    def text(self, p: str, q: str, *, p_first: bool, slots: Mapping[str, str]) -> str:
        """The text that speaks for `p`, which it names first or second."""


class Clauses(Struct, frozen=True):
    """Two clauses: "They were tested: … passed; … failed." """

    lead: str
    """What stands before the clauses; it names neither phrase."""
    p: str
    """The clause of the phrase that counts, `{p}`."""
    q: str
    """The clause of the other one, `{q}`."""

    def text(self, p: str, q: str, *, p_first: bool, slots: Mapping[str, str]) -> str:
        """The text about these two phrases, in this order."""
        one, two = (self.p, self.q) if p_first else (self.q, self.p)
        return sentence_case(f"{self.lead}{one}; {two}.".format(p=p, q=q, **slots))


class More(Struct, frozen=True):
    """A comparison: "They were tested: … was more reliable than …", or "… was less reliable than …" the other way."""

    lead: str
    verb: str
    """Empty where the lead has it: "You have trusted … more than …"."""
    what: str
    """An adjective with what belongs to it, or with `noun` something one can be more or less of, or nothing."""
    noun: bool = False
    against: bool = False
    """What one does not want more of: "was more costly" speaks for the other one. Half of the frames are so, or the one
    word `more` would decide."""

    def text(self, p: str, q: str, *, p_first: bool, slots: Mapping[str, str]) -> str:
        """The text that says more of `p`, or less where that speaks for it."""
        one, two = (p, q) if p_first else (q, p)
        return self._said(slots, one, "more" if p_first is not self.against else "less", f"than {two}")

    def alike(self, one: str, two: str, slots: Mapping[str, str]) -> str:
        """The text that says the same of both."""
        how = "just as much" if self.noun else "just as"
        return self._said(slots, one, how, f"as {two}")

    def _said(self, slots: Mapping[str, str], one: str, how: str, two: str) -> str:
        said = " ".join(filter(None, (one, self.verb, how, self.what, two)))
        return sentence_case(f"{self.lead.format(**slots)}{said}.")


def sentence_case(text: str) -> str:
    """The text with a capital at its start and after every full stop."""
    pieces = text.split(". ")
    return ". ".join(piece[:1].upper() + piece[1:] for piece in pieces)
