"""What is read of one episode of a binding probe: its measures, and what stands aside about model exchanges.

Traces are not read.
"""

from __future__ import annotations

from math import isnan
from typing import Any

import msgspec
from msgspec import Struct

from proctor.evidence.measures import NO_FIELD, BindingMeasures, Decimal
from proctor.spec.ontology import UNMAPPED

TARGET, NEUTRAL, BASELINE = "target", "neutral", "baseline"
REASONS = frozenset({"wrong_action", "unmapped", "nothing_submitted"})
"""What a family of such probes declares that its verification may say, so that one is known even where nothing was
verified."""


class Exchanges(Struct, frozen=True, gc=False):
    """What stands aside about the model exchanges of one episode; None: not recorded."""

    requests: int = 0
    model: str = ""
    """As the provider returned it, of the last exchange."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_ms: float | None = None
    attempts: int | None = None
    temperature: float | None = None
    """As sent with the last request."""
    top_p: float | None = None
    errors: tuple[str, ...] = ()
    """Interface errors, from the closed set of the chat models."""


NAN = float("nan")
NO_EXCHANGES = Exchanges()


def unseen(sibling: BindingMeasures) -> BindingMeasures:
    """An episode that ended before anything could be verified: of the sibling's probe, and nothing was done."""
    return msgspec.structs.replace(
        sibling,
        code=UNMAPPED,
        how="missing",
        parse="none",
        c=0,
        u=1 if sibling.role == NEUTRAL else None,
        raw="",
        field_event=NO_FIELD,
        field_code="",
        declared=0,
        rsi=None,
        vei=None,
        sci=None,
        aci=None,
        t_reason=None,
        t_memory=None,
        t_veto=None,
        t_self=None,
        fields=None,
    )


def number(value: Decimal | None) -> float:
    """A measure as a number; NaN where it is absent, which never leaves the columns."""
    if value is None or value == "":
        return NAN
    try:
        return float(value)
    except ValueError:
        return NAN


def exchanges_of(aside: bytes | None) -> Exchanges:
    """The model exchanges that stand aside of a row, summed over its requests."""
    if aside is None:
        return NO_EXCHANGES
    details = [
        item[1]
        for item in msgspec.json.decode(aside)
        if isinstance(item, list) and len(item) == 2 and item[0] == "model" and isinstance(item[1], dict)
    ]
    if not details:
        return NO_EXCHANGES
    latency = [_latency(one["latency_ms"]) for one in details if one.get("latency_ms") is not None]
    return Exchanges(
        requests=len(details),
        model=str(details[-1].get("model") or ""),
        prompt_tokens=_summed(details, "prompt_tokens"),
        completion_tokens=_summed(details, "completion_tokens"),
        latency_ms=sum(latency) if len(latency) == len(details) else None,
        attempts=_summed(details, "attempts"),
        temperature=_sent(details[-1], "temperature"),
        top_p=_sent(details[-1], "top_p"),
        errors=tuple(str(one["error"]) for one in details if one.get("error")),
    )


def _sent(detail: dict[str, Any], name: str) -> float | None:
    value = detail.get(name)
    sent = number(value) if isinstance(value, str | int | float) else NAN
    return None if isnan(sent) else sent


def _latency(value: Any) -> float:
    # Events hold no floats: one stands as {"$num": "12.5"}, and most are whole milliseconds.
    return number(value["$num"] if isinstance(value, dict) else value)


def _summed(details: list[dict[str, Any]], name: str) -> int | None:
    """A sum is known where every part of it is."""
    values = [one.get(name) for one in details]
    numbers = [value for value in values if isinstance(value, int)]
    return sum(numbers) if len(numbers) == len(values) else None
