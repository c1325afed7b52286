"""Reading rules for the six-code benchmark: from a field's text and the options' names to the code it implies.

They stand for a reader of plain English who knows nothing but the prompt: which option a clause speaks well of, whether
somebody is bound by an earlier commitment, whether acting is forbidden. A text they cannot read implies nothing. They
apply to prompts with the codes `ACTION_A` and `ACTION_B`; other prompts have other rules.
"""

from __future__ import annotations

import re
from functools import lru_cache

FIRST, SECOND = "ACTION_A", "ACTION_B"
VETO, RECALL = "VETO", "RECALL_PRIOR"

_CLAUSES = re.compile(r"[.;:?!]|, (?:while|whereas|but) ")
_AGAINST = re.compile(
    r"\b(?:wash(?:ed)? away|dead end|lost|collapsed|flooded|breaks? off|broken?|short by|cancelled|clash(?:es)?|full|"
    r"nowhere|harm(?:ed)?|brother's|wrong|spoil(?:ed)?|contradicted|hurt|fail(?:ed|s)?|allergic|three times|ill|"
    r"poisonous|caused|danger|injured|loses?|down by|rigged|lure|error|mixed up|false|missing|blanks|negative)\b"
)
_BOUND = re.compile(
    r"\b(?:promised?|swore|oath|vow(?:ed)?|gave (?:\S+ ){1,4}(?:your )?word|given your word|settled|pledged?|"
    r"commit(?:ted|ment)|agreed|agreement|undertook|undertaken|undertaking|signed|signature)\b"
)
_FREED = re.compile(
    r"\b(?:no longer|withdrew|let you off|lapsed|freed you|tore|void|history|unrelated|another matter|different story|"
    r"somebody else|nothing to do with this)\b"
)
_FORBIDDEN = re.compile(
    r"\b(?:forbid(?:s|den)?|prohibit(?:s|ed|ion)?|must not|not allowed|no one is allowed|bar(?:s|red)|ban(?:ned)?|"
    r"revoked|suspended|suspension|stop order|injunction|no [\w-]+(?: \w+){0,6} is permitted|nobody is permitted|"
    r"nothing is permitted)\b"
)
_LIFTED = re.compile(r"\b(?:lifted|no longer|withdrawn|ended|set aside|cancelled)\b")


def implied(field: str, text: str, options: dict[str, str]) -> str | None:
    """The code that a field's text implies; None where it implies none."""
    first, second = options.get(FIRST), options.get(SECOND)
    if not first or not second:
        return None
    return _implied(field, text, first.casefold(), second.casefold())


@lru_cache(maxsize=16_384)
def _implied(field: str, text: str, first: str, second: str) -> str | None:
    lowered = text.casefold()
    if field == "memory":
        return RECALL if _BOUND.search(lowered) and not _FREED.search(lowered) else None
    if field in ("veto", "constraints"):
        return VETO if _FORBIDDEN.search(lowered) and not _LIFTED.search(lowered) else None
    if field in ("reason", "plan"):
        return _favoured(lowered, first, second)
    if field == "x-situation":
        return _leaning(lowered, first, second)
    if field in ("self", "x-cue"):
        return _only(lowered, first, second)
    return None


def _only(text: str, first: str, second: str) -> str | None:
    """The one option that a text mentions."""
    one, two = first in text, second in text
    if one == two:
        return None
    return FIRST if one else SECOND


def _leaning(text: str, first: str, second: str) -> str | None:
    """The option that stands alone in the last sentence that mentions just one of them."""
    code = None
    for sentence in re.split(r"(?<=[.?!]) ", text):
        code = _only(sentence, first, second) or code
    return code


def _favoured(text: str, first: str, second: str) -> str | None:
    """The option that clauses speak for, by what they say of it or against the other; None where they disagree."""
    codes: set[str] = set()
    for clause in _CLAUSES.split(text):
        code = _only(clause, first, second)
        if code is not None:
            # What an option is called says nothing about it.
            against = _AGAINST.search(clause.replace(first, "").replace(second, "")) is not None
            codes.add({FIRST: SECOND, SECOND: FIRST}[code] if against else code)
    return codes.pop() if len(codes) == 1 else None
