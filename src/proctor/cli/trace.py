"""A trace for people: observe → decide → act → observe, with faults where they were delivered, then the verdict."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

from proctor.cli.output import clean
from proctor.core.canonical import decode, unchain
from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    Called,
    Delivery,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    LimitHit,
    MemoryMoved,
    Observed,
    Returned,
    Said,
    StageRead,
    StateRead,
    StateWritten,
    Submitted,
    Verified,
)

_WIDTH = 110
_MARGIN = 12

Content = Callable[[str], bytes | None]


def trace_text(run: str, position: int, events: list[Event], content: Content) -> str:
    """The whole episode."""
    lines = [f"{run} · episode {position}"]
    for event in events:
        lines += _lines(event, content)
    return "\n".join(lines)


def _lines(event: Event, content: Content) -> list[str]:  # noqa: C901  one case a kind of event
    match event:
        case EpisodeOpened():
            return _opened(event, content)
        case Observed():
            return [*_entry("observe", _value(event.fields)), *_faults(event.faults)]
        case Called():
            wrong = f"   ← {event.violation}" if event.violation else ""
            return _entry(f"act {event.call}", f"{event.tool}({_arguments(event.arguments)}){wrong}")
        case Returned():
            return [*_entry("observe", _returned(event, content)), *_faults(event.faults)]
        case Said():
            return _entry("say", event.text)
        case StateWritten():
            return _entry("state", f"{event.field} := {_value(event.value)}")
        case StateRead():
            return _entry("state", f"{event.field} read ({event.do}): {_value(event.value)}")
        case MemoryMoved():
            return _entry("memory", event.action if event.possible else f"{event.action}: not possible")
        case StageRead():
            return _entry("stage", f"reads the frozen output of '{event.stage}' ({event.output[:12]})")
        case LimitHit():
            return _entry("limit", f"{event.limit} used up")
        case AgentFailed():
            return _entry("agent", f"{event.reason}: {event.message}")
        case BenchFailed():
            return _entry("bench", f"{event.where} failed: {event.message}")
        case Submitted():
            confidence = f"   (confidence {event.confidence})" if event.confidence is not None else ""
            claims = [line for claim in event.claims for line in _entry("claim", _value(claim))]
            return [*_entry("decide", f"hands in {_value(event.answer)}{confidence}"), *claims]
        case Verified():
            kept = [line for name, digest in event.artifacts for line in _entry("artifact", f"{name} {digest[:16]}")]
            verdict = "success" if event.success else "failure"
            return [*_entry("verify", f"{verdict}: {event.reason}{' (format)' * event.format_error}"), *kept]
        case EpisodeClosed():
            return _entry(
                "end", f"{event.outcome}: {event.reason} after {event.milliseconds / 1000:g} s of logical time"
            )


def _opened(event: EpisodeOpened, content: Content) -> list[str]:
    place = f"{event.family} · template {event.template} · instance {event.instance}"
    under = f"regime {event.regime} · condition {event.condition} · phase {event.phase} · replicate {event.replicate}"
    lines = [*_entry("task", place), *_entry("", under)]
    if event.adversity:
        lines += _entry("", f"adversity in force: {', '.join(event.adversity)}")
    lines += _entry("goal", event.task.goal)
    lines += _entry("answer as", event.task.answer_format)
    data = content(event.tools)
    if data is not None:
        lines += _entry("tools", ", ".join(f"{tool['name']} [{tool['effect']}]" for tool in decode(data)) or "none")
    return lines


def _returned(event: Returned, content: Content) -> str:
    if not event.ok:
        return f"error: {event.error}"
    if event.unstable:
        return "(a value that cannot be reproduced; it is kept beside the chain)"
    if event.content is not None:
        data = content(event.content)
        return "(stored by content, missing here)" if data is None else _value(decode(data))
    return _value(event.value)


def _faults(faults: Iterable[Delivery]) -> list[str]:
    return [line for fault in faults for line in _entry("  fault", f"{fault.layer} {fault.detail}".rstrip())]


def _arguments(arguments: Any) -> str:
    plain = unchain(arguments)
    if not isinstance(plain, dict):
        return _value(plain)
    return ", ".join(f"{name}={_value(value)}" for name, value in plain.items())


def _value(value: Any) -> str:
    plain = unchain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _entry(label: str, text: str) -> list[str]:
    """A label in the margin and wrapped text beside it."""
    pieces: list[str] = []
    for line in clean(text).splitlines() or [""]:
        pieces += textwrap.wrap(line, _WIDTH - _MARGIN, break_on_hyphens=False) or [""]
    return [f"{label if i == 0 else '':<{_MARGIN}}{piece}".rstrip() for i, piece in enumerate(pieces)]
