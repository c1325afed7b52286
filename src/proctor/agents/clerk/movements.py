"""Movements: whether a statement adds, takes away, moves, plans or counts, by the words people use for it."""

from __future__ import annotations

import re
from typing import Literal

Way = Literal["in", "out", "plan", "count"]

_PLAN = re.compile(
    r"\bon order\b|\bordered\b|\bnot (?:yet|come|been|booked|carried|delivered|arrived)\b|\bask(?:ed|s|ing)? about\b|"
    r"\b[ei]nquir|(?<!had )\bto be \w+|\bnext (?:week|month|year|day)\b|\bpromis|\bpending\b|\bplan(?:s|ned)?\b|"
    r"\breserv|\btomorrow\b|\bwill (?:be|come)\b|\bexpected\b|\bnote\b|\bwant(?:s|ed)? to\b|\bintend",
    re.IGNORECASE,
)
_IN = re.compile(
    r"\b(?:receiv|add|bought|purchas|return|deliver|arriv|deposit|credit|restock|put|stor(?:ed|ing)|found|produc|collect|"
    r"refill|drop|turned up|brought|came in|cash[- ]in|paid in|pays? in|plus|incoming)\w*|\bfrom (?:our )?own\b",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"\b(?:ship|sold|sale|sell|remov|lost|withdr|discard|br[eo]k|debit|spen[dt]|took|tak(?:e|es|en|ing)|scrapp|gave|"
    r"giv(?:e|en|es)|issu|consum|dispatch|minus|sent|send|damag|spoil|thr(?:ew|own|ow)|need|out|pay|paid|outgoing)\b\w*|"
    r"\b(?:spoil|withdr|debit|dispatch|scrapp|remov|ship|damag|discard)\w*",
    re.IGNORECASE,
)
_SIGN = re.compile(r"(?:^|\s)([+-])\s?(?=\d)")


def way_of(text: str, heading: str = "", *, plans: bool = True) -> Way:
    """What a statement does; with `plans` off, what is asked for counts as done.

    Signs before a figure are believed before words, `IN` and `OUT` in capitals before other words.
    """
    if plans and _PLAN.search(f"{heading} {text}"):
        return "plan"
    sign = _SIGN.search(text)
    if sign and sign.group(1) == "+":
        return "in"
    capital = re.search(r"\b(IN|OUT)\b", text)
    if capital:
        return "in" if capital.group(1) == "IN" else "out"
    said = f"{heading} {text}"
    if _IN.search(said):
        return "in"
    return "out" if _OUT.search(said) or sign else "count"
