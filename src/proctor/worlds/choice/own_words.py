"""Asking again with an agent's own words in the place of a field: as they were reported, or with phrases exchanged.

Version 2.0 of content-only coupling. In an earlier stage the agent said in its own words what each field says. Later
the original question is asked again, with those words where the field stood; in one of two Conditions the two phrases
are exchanged by which the field differs from its twin, so that the words call for what the twin calls for. Words that
spell a code, and words in which neither phrase occurs, are not shown: the row keeps its field, and is counted.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from proctor.core.errors import BenchError
from proctor.spec.condition import Condition
from proctor.spec.ontology import Ontology

OWN, EXCHANGED = "own-words", "exchanged-words"
"""Values of a `replace` that stand for what was reported: as it was, and with the two phrases exchanged."""
LONGEST = 2_000
"""Characters of a report that are shown again."""
_LABEL = re.compile(r"\b(?:option|action|choice|alternative)s?[\s_-]+[ab]\b", re.IGNORECASE)


class OwnWords(Struct, frozen=True):
    """The field of one row that is asked about again."""

    field: str
    """Empty where none is."""
    text: str | None
    """The words that are shown; None where the field stays as it is."""
    target: str
    """What is right to do on what is shown."""
    calls: str
    """What is right where the field decides; empty where no words are shown."""
    spelled: bool
    """Whether the words named an action, and are not shown for that."""


NOTHING = OwnWords("", None, "", "", spelled=False)


def own_words(
    condition: Condition, replies: dict[str, Any] | None, hidden: dict[str, Any], ontology: Ontology
) -> OwnWords | None:
    """What is asked again; None where the Condition asks nothing again."""
    wanted = {read.value for read in condition.reads.values() if read.do == "replace"} & {OWN, EXCHANGED}
    if not wanted:
        return None
    if replies is None or len(wanted) > 1:
        message = (
            f"condition '{condition.id}' shows an agent's own words: give it `after`, a stage that freezes replies, "
            f"and either '{OWN}' or '{EXCHANGED}'"
        )
        raise BenchError(message)
    asked = hidden.get("words")
    if not asked:
        return NOTHING
    field, target, twin = asked["field"], asked["target"], asked["twin"]
    kept = OwnWords(field, None, target, "", spelled=False)
    words = _reported(replies, field)
    if words is None:
        return kept
    if spells(words, ontology):
        return OwnWords(field, None, target, "", spelled=True)
    turned, exchanges = exchanged(words, *hidden["exchange"][field])
    if not exchanges:
        return kept
    calls = target if hidden["role"] == "target" else twin
    if OWN in wanted:
        return OwnWords(field, words, target, calls, spelled=False)
    return OwnWords(field, turned, twin, calls, spelled=False)


def spells(words: str, ontology: Ontology) -> bool:
    """Whether words name an action by its code or label: whoever copies codes would follow them without reading.

    A code of one word is a word of English too, and a code in capitals only.
    """
    if _LABEL.search(words) is not None:
        return True
    for code in ontology.codes:
        parts = [re.escape(part) for part in code.split("_")]
        flags = re.IGNORECASE if len(parts) > 1 else 0
        if re.search(rf"(?<![^\W_]){'[^a-z0-9]+'.join(parts)}(?![^\W_])", words, flags=flags):
            return True
    return False


def exchanged(words: str, one: str, two: str) -> tuple[str, int]:
    """The words with each of two phrases in the other's place, and how often one of them occurred."""
    one, two = _core(one, two), _core(two, one)
    either = "|".join(re.escape(phrase) for phrase in sorted((one, two), key=len, reverse=True))

    def other(found: re.Match[str]) -> str:
        new = two if found[0].casefold() == one.casefold() else one
        if found[0].isupper():
            return new.upper()
        return new[0].upper() + new[1:] if found[0][0].isupper() else new

    return re.subn(rf"(?<!\w)(?:{either})(?!\w)", other, words, flags=re.IGNORECASE)


def _core(phrase: str, other: str) -> str:
    """A phrase without its article, where both have the same: reports say "the" and "a" as their sentences need."""
    article, _, rest = phrase.partition(" ")
    return rest if rest and article in ("the", "a", "an") and other.startswith(f"{article} ") else phrase


def _reported(replies: dict[str, Any], field: str) -> str | None:
    """What was said of a field, by the first Condition in which it was reported in words."""
    for _, reply in sorted(replies.items()):
        words = reply.get(field) if isinstance(reply, dict) else None
        if isinstance(words, str):
            said = " ".join(words.split())
            return said if said and len(said) <= LONGEST else None
    return None
