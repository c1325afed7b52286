"""A trace as steps that people can read: observe → decide → act → observe, with faults where they were delivered.

The terminal and the page both print these steps. Nothing is interpreted; `shorten` leaves out the middle of what is too
long and says how much.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from proctor.core.canonical import decode, unchain
from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    Called,
    CarriedOver,
    Delivery,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    LimitHit,
    MemoryMoved,
    ModelAsked,
    Observed,
    Returned,
    Said,
    StageRead,
    StateRead,
    StateWritten,
    Submitted,
    Verified,
)
from proctor.reports.data import Step

Content = Callable[[str], bytes | None]
Words = Callable[[Any], str]


def as_json(value: Any) -> str:
    """Text as it is, everything else as JSON on one line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_lines(value: Any) -> str:
    """An object as a line (or a block) per field, so that texts inside it keep their line breaks."""
    if not isinstance(value, dict) or not value:
        return as_json(value)
    lines = []
    for name, item in value.items():
        text = as_json(item)
        lines.append(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")
    return "\n".join(lines)


def steps_of(events: Iterable[Event], content: Content, words: Words = as_json) -> list[Step]:
    """Everything that happened after the episode was opened. `words` says how values are written."""
    return [step for event in events for step in _steps(event, content, words)]


def _steps(event: Event, content: Content, words: Words) -> list[Step]:  # noqa: C901  one case a kind of event
    match event:
        case EpisodeOpened():
            return []
        case Observed():
            return [Step("observe", words(unchain(event.fields))), *_faults(event.faults)]
        case Called():
            counted = [mark for mark in (event.violation, *event.marks) if mark]
            wrong = f"   ← {', '.join(counted)}" if counted else ""
            return [Step("act", f"{event.tool}({_arguments(event.arguments)}){wrong}", event.call)]
        case Returned():
            return [Step("observe", _returned(event, content, words)), *_faults(event.faults)]
        case Said():
            return [Step("say", event.text)]
        case ModelAsked():
            return [Step("ask", _asked(event, content)), Step("reply", _replied(event))]
        case StateWritten():
            return [Step("state", f"{event.field} := {as_json(unchain(event.value))}")]
        case StateRead():
            return [Step("state", f"{event.field} read ({event.do}): {as_json(unchain(event.value))}")]
        case MemoryMoved():
            return [Step("memory", event.action if event.possible else f"{event.action}: not possible")]
        case StageRead():
            return [Step("stage", f"reads the frozen output of '{event.stage}' ({event.output[:12]})")]
        case CarriedOver():
            return [Step("carried", _carried(event, content))]
        case LimitHit():
            return [Step("limit", f"{event.limit} used up")]
        case AgentFailed():
            return [Step("agent", f"{event.reason}: {event.message}")]
        case BenchFailed():
            return [Step("bench", f"{event.where} failed: {event.message}")]
        case Submitted():
            confidence = f"   (confidence {event.confidence})" if event.confidence is not None else ""
            claims = [Step("claim", as_json(unchain(claim))) for claim in event.claims]
            return [Step("decide", f"hands in {as_json(unchain(event.answer))}{confidence}"), *claims]
        case Verified():
            kept = [Step("artifact", f"{name} {digest[:16]}") for name, digest in event.artifacts]
            verdict = "success" if event.success else "failure"
            return [Step("verify", f"{verdict}: {event.reason}{' (format)' * event.format_error}"), *kept]
        case EpisodeClosed():
            seconds = f"{event.milliseconds / 1000:g} s of logical time"
            return [Step("end", f"{event.outcome}: {event.reason} after {seconds}")]


def tools_of(event: EpisodeOpened, content: Content) -> tuple[str, ...] | None:
    """The tools as shown, each with its effect; None where their text is not in the store."""
    data = content(event.tools)
    return None if data is None else tuple(f"{tool['name']} [{tool['effect']}]" for tool in decode(data))


def _asked(event: ModelAsked, content: Content) -> str:
    """The messages of a request, each behind its role; the rest of it on one line.

    Of a conversation that goes on, only what is new: the rest was shown with the exchange it goes on from.
    """
    request = unchain(event.request)
    messages = request.get("messages", []) if isinstance(request, dict) else []
    setting = {name: value for name, value in request.items() if name != "messages"} if messages else request
    if isinstance(setting, dict):
        setting |= {name: f"(stored by content, {digest[:12]})" for name, digest in event.stored.items()}
    lines = [f"{event.model} {as_json(setting)}"]
    if event.shared:
        lines.append(f"(the first {event.shared} messages of request {(event.follows or 0) + 1} of this episode, then)")
    lines += [_message(message, content) for message in messages]
    return "\n".join(lines).rstrip()


def _message(message: Any, content: Content) -> str:
    if isinstance(message, str):
        data = content(message)
        if data is None:
            return "(stored by content, missing here)"
        message = unchain(decode(data))
    if not isinstance(message, dict):
        return as_json(message)
    answers = f" (answers {message['answers']})" if message.get("answers") else ""
    calls = message.get("calls")
    said = [as_json(message.get("content", ""))] if message.get("content") or not calls else []
    said += _calls(calls) if isinstance(calls, list) else []
    return f"{message.get('role', '')}{answers}: " + "\n".join(said)


def _replied(event: ModelAsked) -> str:
    said = [event.reply] if event.reply else []
    if event.error is not None:
        said.append(f"error: {event.error}" if event.reply else event.error)
    return "\n".join([*said, *_calls(unchain(list(event.calls)))])


def _calls(calls: list[Any]) -> list[str]:
    """`→ name(arguments) [id]`, a line each, the arguments as the model wrote them."""
    return [
        f"→ {call.get('name', '')}({call.get('arguments', '')}) [{call.get('id', '')}]"
        if isinstance(call, dict)
        else as_json(call)
        for call in calls
    ]


def _returned(event: Returned, content: Content, words: Words) -> str:
    if not event.ok:
        return f"error: {event.error}"
    if event.unstable:
        return "(a value that cannot be reproduced; it is kept beside the chain)"
    if event.content is not None:
        data = content(event.content)
        return "(stored by content, missing here)" if data is None else words(unchain(decode(data)))
    return words(unchain(event.value))


def _carried(event: CarriedOver, content: Content) -> str:
    data = content(event.content)
    what = "(stored by content, missing here)" if data is None else as_json(decode(data))
    return f"{'leaves' if event.left else 'is given'} {what}"


def _faults(faults: Iterable[Delivery]) -> list[Step]:
    return [Step("fault", f"{fault.layer} {fault.detail}".rstrip()) for fault in faults]


def _arguments(arguments: Any) -> str:
    plain = unchain(arguments)
    if not isinstance(plain, dict):
        return as_json(plain)
    return ", ".join(f"{name}={as_json(value)}" for name, value in plain.items())


def shorten(text: str, most: int) -> str:
    """The text, or its beginning and end with the number of characters between them."""
    if len(text) <= most:
        return text
    end = most // 4
    start = most - end
    return f"{text[:start]}\n[… {len(text) - most:,} characters left out …]\n{text[-end:]}"
