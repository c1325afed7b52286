"""Reading rules for binding 2.0: from a field's text, the options' names and the matter at hand to the code it implies.

They stand for a reader of plain English who knows nothing but the prompt. A text decides where its two clauses speak of
two things, or where it compares them: of which option more is said, or something bad, on which matter somebody is
bound, what is forbidden, what is still to come, who of two people has a say. Where the same is said of both, nothing is
implied. Length, order and number of words play no part.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct


class Codes(Struct, frozen=True):
    """The codes of a prompt by meaning."""

    options: tuple[str, str]
    veto: str
    defer: str
    recall: str = ""


_SIX = Codes(("ACTION_A", "ACTION_B"), "VETO", "DEFER", "RECALL_PRIOR")
_FOUR = Codes(("ACT_A", "ACT_B"), "ACT_VETO", "ACT_DEFER")

_AGAINST = re.compile(
    r"\b(?:old|wrong|crossed out|shut|closed|horoscopes?|coin toss|lottery|roll|declined|refusal|turned down|dropped|"
    r"other|extra|rarely|failed|would fail|forbidden|excluded|absent|prohibited|rejected|ruled out|poor|poorer|grim|"
    r"gossip|feeble|tales|made up|invented|bogus|below standard|no good|worse|withdrawn|excludes|one person|identical|"
    r"repetitions|one and the same|easier|fast|strenuous|quicker|exceed|too long|violates|seven|name|never)\b"
)
_BOUND = re.compile(r"\b(?:in force|still stands|still held|active|binds you as before|confirmed)\b")
_FORBIDDEN = re.compile(
    r"\b(?:forbid(?:s|den)|prohibited|refused|may not|rejected|ruled out|excluded|forgery|violates|nothing done|"
    r"said no|blocked|declined)\b"
)
_PENDING = re.compile(
    r"\b(?:yet to|still to|still missing|still open|must wait|has to wait|uncertain|have doubts|major|unusual|"
    r"postponed)\b"
)
_COMPARED = re.compile(r"\b(more|less)\b")
_UNWANTED = re.compile(
    r"\b(?:annoy(?:s|ed)|avoided|awkward|bor(?:e|es|ed|ing)|careless|confusing|costly|crowded|damaged|damp|dangerous|depress|"
    r"disappoint(?:ing|ed)|disliked|distrusted|doubtful|draughty|dreaded|embarrassing|exhaust(?:ing|ed)|exposed|harmful|"
    r"irritating|noisy|overcrowded|overworked|repetitive|risky|saddened|slippery|tedious|tir(?:e|ed|ing)|troubled|"
    r"unpunctual|wasteful|worries)\b"
)
"""What nobody wants more of."""
_SUPERIOR = re.compile(
    r"\b(\w+) has the last word|\b(\w+) is in charge, and|answer to (\w+), and not|instructions from (\w+) come before"
)
_SENTENCES = re.compile(r"(?<=[.?!]) ")


def implied(field: str, text: str, options: dict[str, str], *, matter: str) -> str | None:
    """The code that a field's text implies; None where it implies none."""
    for codes in (_SIX, _FOUR):
        first, second = (options.get(code, "") for code in codes.options)
        if first and second:
            return _implied(field, text.casefold(), (first.casefold(), second.casefold()), matter.casefold(), codes)
    return None


@lru_cache(maxsize=16_384)
def _implied(field: str, text: str, names: tuple[str, str], matter: str, codes: Codes) -> str | None:
    if field == "x-situation":
        return _leaning(text, names, codes)
    if field == "x-remark":
        return _only(text, names, codes)
    lead, _, rest = text.rpartition(": ")
    clauses = rest.rstrip(".").split("; ")
    if len(clauses) == 1:
        return _compared(rest, names, codes, unwanted=bool(_UNWANTED.search(_without(text, names))))
    if len(clauses) != 2:
        return None
    superior = _SUPERIOR.search(lead)
    if superior is not None:
        return _instructed(next(filter(None, superior.groups())), lead, clauses, names, codes)
    mentioned = [_only(clause, names, codes) for clause in clauses]
    if None not in mentioned and mentioned[0] != mentioned[1]:
        against = [bool(_AGAINST.search(_without(clause, names))) for clause in clauses]
        return None if against[0] == against[1] else mentioned[against.index(False)]
    about = [clause.replace(matter, "") for clause in clauses if matter and matter in clause]
    return _called(field, about[0], codes) if len(about) == 1 else None


def _compared(text: str, names: tuple[str, str], codes: Codes, *, unwanted: bool) -> str | None:
    """The option of which more is said, where two are compared; the other one where more of it is worse."""
    one, two = (text.find(name) for name in names)
    if one < 0 or two < 0:
        return None
    between = text[min(one, two) + len(names[one > two]) : max(one, two)]
    how = _COMPARED.search(between)
    if how is None:
        return None
    return codes.options[(one > two) == ((how[1] == "more") is not unwanted)]


def _called(field: str, clause: str, codes: Codes) -> str | None:
    """What the clause on the matter at hand calls for."""
    if codes.recall and field == "memory":
        return codes.recall if _BOUND.search(clause) else None
    if _FORBIDDEN.search(clause):
        return codes.veto
    return codes.defer if _PENDING.search(clause) else None


def _instructed(superior: str, lead: str, clauses: list[str], names: tuple[str, str], codes: Codes) -> str | None:
    """What the one with a say wants: an option, the one that was asked about, or that nothing is done."""
    said = [clause for clause in clauses if superior in clause.split()]
    if len(said) != 1:
        return None
    if _FORBIDDEN.search(said[0]):
        return codes.veto
    return _only(said[0], names, codes) or _only(lead, names, codes)


def _without(clause: str, names: tuple[str, str]) -> str:
    """The clause without the options' names: what an option is called says nothing about it."""
    return clause.replace(names[0], "").replace(names[1], "")


def _only(text: str, names: tuple[str, str], codes: Codes) -> str | None:
    """The one option that a text mentions."""
    there = [name in text for name in names]
    return codes.options[there.index(True)] if sum(there) == 1 else None


def _leaning(text: str, names: tuple[str, str], codes: Codes) -> str | None:
    """The option that stands alone in the last sentence that mentions just one of them."""
    alone = [code for sentence in _SENTENCES.split(text) if (code := _only(sentence, names, codes)) is not None]
    return alone[-1] if alone else None
