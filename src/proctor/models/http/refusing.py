"""Refusals that deserve a name of their own: no tools, declined content, a conversation that is too long, an account
that is used up, a parameter that is not taken.

A provider's words are read here and kept nowhere: they may repeat the request, or the key.
"""

from __future__ import annotations

import re
from typing import Any, Final

from proctor.models.contract import PARAMETERS, InterfaceError, Reply, Request
from proctor.models.reading import field

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
_NOT_TAKEN: Final = re.compile(
    r"not support|unsupported|unrecogni[sz]ed|unknown|not permitted|deprecated", re.IGNORECASE
)
_ALWAYS_NAMED: Final = ("temperature", "top_p", "seed")
_TOO_LONG: Final = re.compile(
    r"prompt is too long|maximum context|context (length|size|window)|exceeds? the (available )?context", re.IGNORECASE
)
_TOO_LONG_CODES: Final = frozenset({"context_length_exceeded", "exceed_context_size_error", "request_too_large"})
_SCHEMA: Final = re.compile(r"schema", re.I)
_LONGEST: Final = 4_000


def refused(request: Request, status: int, said: Any) -> Reply | None:
    """The reply to a refusal that has a name; None where its status says all. `said` is the decoded body."""
    words, codes = _told(said.get("error", said) if isinstance(said, dict) else None)
    error = _named(request, status, words, codes)
    if error is not None:
        return Reply(None, error=error, status=status)
    if status in (400, 422) and (parameter := _parameter(said, words)):
        return Reply(None, error="http_4xx", status=status, parameter=parameter)
    return None


def _named(request: Request, status: int, words: str, codes: set[str]) -> InterfaceError | None:
    if status == 402 or codes & _USED_UP or _NO_CREDIT.search(words):
        return "quota"
    if status in (429, 529):
        return None
    if codes & _DECLINED:
        return "declined"
    if status == 413 or codes & _TOO_LONG_CODES or (status in (400, 422) and _TOO_LONG.search(words)):
        return "too_long"
    if request.tools and status in (400, 404, 405, 422, 500, 501) and not _SCHEMA.search(words):
        return "no_tools" if _NO_TOOLS.search(words) else None
    return None


def _parameter(said: Any, words: str) -> str:
    named = field(said, "error", "param")
    for parameter in PARAMETERS:
        if parameter == named or re.search(rf"\b{parameter}\b", words):
            return parameter if parameter in _ALWAYS_NAMED or _NOT_TAKEN.search(words) else ""
    return ""


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
