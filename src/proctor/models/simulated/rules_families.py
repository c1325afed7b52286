"""Reading rules for the four-code families: from a field's text and the options' names to the code it implies.

They stand for a reader of plain English who knows nothing but the prompt: which option a clause speaks well of, whether
acting is forbidden altogether, whether what would decide is still to come, whether a text has any bearing at all. What
they cannot read implies nothing. They apply to prompts with the codes `ACT_A` and `ACT_B`; other prompts have other
rules.
"""

from __future__ import annotations

import re
from functools import lru_cache

FIRST, SECOND = "ACT_A", "ACT_B"
DEFER, VETO = "ACT_DEFER", "ACT_VETO"
COMPONENTS = frozenset({"reason", "memory", "self", "veto", "plan", "constraints"})

_SENTENCES = re.compile(r"(?<=[.?!]) ")
_CLAUSES = re.compile(r"[.;?!]|, (?:while|whereas|but) ")
_AGAINST = re.compile(
    r"\b(?:not|no|none|nobody|never|without|lacking|too|wrong|mistaken|error|broken|breaks|failed|cracked|crack|hurt|"
    r"dangerous|unsafe|untrue|overruled|out of date|struck out|ruled out|closed|false|ill|weak|poor|lost|collapse|"
    r"missed|second|useless|poisonous|banned|against it|bar remains|bricked-up|grew|empty|violates|tourists|"
    r"growth only|next to|cases were found|hearsay|complaints|given up)\b"
)
_FORBIDDEN = re.compile(
    r"\b(?:forbid(?:s|den)?|prohibited|banned|bar(?:s|red)|must not|not allowed|off limits|suspended|called it off|"
    r"stop order|(?:neither|nobody|nothing|no crew|no race)(?: \w+){0,5} may|renewed for all)\b"
)
_PENDING = re.compile(
    r"\b(?:yet|until|till then|pending|awaited|outstanding|undecided|unknown|open|missing|blank|tomorrow|still to come|"
    r"on its way|same day|sleeps on it|to wait for|will (?:say|tell|only|answer|be known)|being looked into|"
    r"is being|are being|comes? (?:on|in the|by post)|begins on|runs over|nothing to go by|no figure exists)\b"
)
_NO_BEARING = re.compile(
    r"\b(?:matter of taste|tastes differ|liking|about fun|replaced|no longer counts|long before|are gone|afterwards|"
    r"later than the word|as a justification|written backwards|different house|another occasion|was a game|"
    r"something else|no trace|forged|none was made|invented|adds nothing|the one sentence|same sentence|rumour about|"
    r"surface)\b"
)


def implied(field: str, text: str, options: dict[str, str]) -> str | None:
    """The code that a field's text implies; None where it implies none."""
    first, second = options.get(FIRST), options.get(SECOND)
    if not first or not second:
        return None
    return _implied(field, text, first.casefold(), second.casefold())


@lru_cache(maxsize=16_384)
def _implied(field: str, text: str, first: str, second: str) -> str | None:
    lowered = text.casefold()
    if field == "x-situation":
        return _leaning(lowered, first, second)
    if field == "x-cue":
        return _only(lowered, first, second)
    if field not in COMPONENTS:
        return None
    if first in lowered or second in lowered:
        return None if _NO_BEARING.search(lowered) else _favoured(lowered, first, second)
    if _FORBIDDEN.search(lowered):
        return VETO
    return DEFER if _PENDING.search(lowered) else None


def _only(text: str, first: str, second: str) -> str | None:
    """The one option that a text mentions."""
    one, two = first in text, second in text
    if one == two:
        return None
    return FIRST if one else SECOND


def _leaning(text: str, first: str, second: str) -> str | None:
    """The option that stands alone in the last sentence that mentions just one of them."""
    code = None
    for sentence in _SENTENCES.split(text):
        code = _only(sentence, first, second) or code
    return code


def _favoured(text: str, first: str, second: str) -> str | None:
    """The option that clauses speak for, by what they say of it or against the other; None where they disagree."""
    codes: set[str] = set()
    for clause in _CLAUSES.split(text):
        for part in _parts(clause, first, second):
            code = _only(part, first, second)
            if code is not None:
                # What an option is called says nothing about it.
                against = _AGAINST.search(part.replace(first, "").replace(second, "")) is not None
                codes.add({FIRST: SECOND, SECOND: FIRST}[code] if against else code)
    return codes.pop() if len(codes) == 1 else None


def _parts(clause: str, first: str, second: str) -> tuple[str, ...]:
    """A clause as it is, or cut in two between its options; what leads up to a colon before both is left out."""
    lead, _, rest = clause.partition(":")
    if rest and first not in lead and second not in lead:
        clause = rest
    places = sorted((clause.find(name), len(name)) for name in (first, second))
    if places[0][0] < 0:
        return (clause,)
    (start, length), (end, _) = places
    cut = max(clause.rfind(mark, start + length, end) for mark in (",", " and "))
    return (clause,) if cut < 0 else (clause[:cut], clause[cut:])
