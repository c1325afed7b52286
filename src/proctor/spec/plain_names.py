"""Names that claim something: a tier, a score, an approval.

A name is printed beside every result, so that it could say what no evaluation may say (white paper §2.3): a tier or a
score without its conditions, or safety and approval, which this framework never measures.
"""

from __future__ import annotations

import re

_RESULT = re.compile(r"\b(tier|agency)[\s:_-]*(level|score)?[\s:=_-]*\d|\bA\s*=\s*\[|\bscores?\s+\d", re.IGNORECASE)
_APPROVAL = re.compile(
    r"\b(certified|approved|compliant|accredited|audited|proven|guaranteed)\b|\b(is|proven|certifiably)\s+safe\b"
    r"|\bsafe\s+(for|to|agent|system|ai)\b",
    re.IGNORECASE,
)


def require_plain_name(text: str) -> str:
    """Refuse the name or version of a system that states a result or an approval."""
    found = _RESULT.search(text) or _APPROVAL.search(text)
    if found:
        message = (
            f"'{text}' claims something ('{found[0].strip()}'), and would stand beside every result (§2.3); "
            "give what it is called and nothing else"
        )
        raise ValueError(message)
    return text


def require_no_result(text: str) -> str:
    """Refuse somebody's name that states a result; people and organisations may well be certified."""
    found = _RESULT.search(text)
    if found:
        message = (
            f"'{text}' states a result ('{found[0].strip()}'), and would stand beside every other (§2.3); give a name"
        )
        raise ValueError(message)
    return text
