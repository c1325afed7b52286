"""Refusals that deserve a name of their own: no tools, content that is declined, an account that is used up.

A provider's words are read here and kept nowhere: they may repeat the request, or the key.
"""

from __future__ import annotations

import re
from typing import Any, Final

from proctor.models.contract import InterfaceError, Request
from proctor.models.http.answer import Answer

_USED_UP: Final = frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached", "credit_balance_low"})
_DECLINED: Final = frozenset(
    {"content_filter", "content_policy_violation", "content_policy", "responsibleaipolicyviolation"}
)
_NO_CREDIT: Final = re.compile(
    r"credit balance is too low|exceeded your current quota|insufficient (credit|balance)", re.I
)
_TOOLS: Final = r"\b(tools?|tool[ _]use|tool[ _]call\w*|function[ _]call\w*)\b"
_TAKEN: Final = r"\b(support|allow|permit|enabl|availab|implement|recogni[sz]|accept)"
_NO_TOOLS: Final = re.compile(
    rf"{_TOOLS}[^.;]{{0,80}}(\bnot\b|n't\b|\bcannot\b)[^.;]{{0,40}}{_TAKEN}"
    rf"|(\bnot|n't|\bno|\bcannot)\b[^.;]{{0,60}}{_TAKEN}\w*[^.;]{{0,40}}{_TOOLS}"
    rf"|\b(unsupported|unknown|unrecogni[sz]ed|unexpected)\b[^.;]{{0,60}}\btools\b"
    rf"|{_TOOLS}[^.;]{{0,60}}\brequires?\b[^.;]{{0,40}}(--|\bflag\b)",
    re.IGNORECASE,
)
_SCHEMA: Final = re.compile(r"schema", re.I)
_LONGEST: Final = 4_000


def named_refusal(request: Request, status: int, answer: Answer) -> InterfaceError | None:
    """The name of a refusal, where it has one; None where its status says all."""
    said = answer.json()
    error = said.get("error", said) if isinstance(said, dict) else None
    words, codes = _told(error)
    if codes & _USED_UP or status == 402 or _NO_CREDIT.search(words):
        return "quota"
    if status >= 400 and status != 429 and codes & _DECLINED:
        return "declined"
    if request.tools and status in (400, 404, 405, 422, 500, 501) and not _SCHEMA.search(words):
        return "no_tools" if _NO_TOOLS.search(words) else None
    return None


def _told(error: Any) -> tuple[str, set[str]]:
    """What an error says: its words, and its codes in lower case."""
    if isinstance(error, str):
        return error[:_LONGEST], set()
    if not isinstance(error, dict):
        return "", set()
    codes = {str(value).lower() for name in ("code", "type") if isinstance(value := error.get(name), str)}
    inner = error.get("innererror")
    if isinstance(inner, dict) and isinstance(inner.get("code"), str):
        codes.add(inner["code"].lower())
    for name in ("message", "detail"):
        if isinstance(words := error.get(name), str):
            return words[:_LONGEST], codes
    return "", codes
