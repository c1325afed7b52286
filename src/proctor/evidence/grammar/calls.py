"""Calls and their answers: numbered without a gap, each answered once, in a time that only goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proctor.core.canonical import encode
from proctor.evidence.events import AgentFailed, BenchFailed, Called, EpisodeClosed, LimitHit, Returned, Submitted
from proctor.evidence.grammar.setting import Setting
from proctor.spec.actions import RESERVED_TOOLS

UNKNOWN, BAD_ARGUMENTS, OBEYED = "unknown_tool", "bad_arguments", "obeyed_injection"
RESERVED, FORBIDDEN, REFUSED_REPEAT = "reserved_tool", "forbidden_action", "refused_repeat"
OUT_OF_RANGE, UNDECLARED = "out_of_range", "undeclared"
VIOLATIONS = frozenset({UNKNOWN, BAD_ARGUMENTS, OBEYED})
MARKS = frozenset({RESERVED, FORBIDDEN, REFUSED_REPEAT, OUT_OF_RANGE, UNDECLARED, UNKNOWN})
RETRY_LIMIT, INJECTION = "retry_limit", "injection"
CONFIDENCE_RANGE = "confidence_range"
_TOOL_TEXT = 200
"""Characters of a tool's name that are recorded of a call that cannot be carried out."""


class Calls:
    """The calls of one episode."""

    def __init__(self) -> None:
        self._open: dict[int, tuple[Called, bytes]] = {}
        self._made = 0
        self._time = 0
        self._excused = False
        self._markers: list[str] = []
        self._refused: set[bytes] = set()
        self._tools: dict[str, list[Called]] = {}
        self._changed: set[str] = set()
        self._troubles: list[str] = []

    def called(self, number: int, event: Called) -> None:
        """An act of the agent's."""
        if event.call != self._made:
            self._troubles.append(f"event {number} is call {event.call} where call {self._made} has to come")
        self._made += 1
        key = encode([event.tool, event.arguments])
        self._open[event.call] = (event, key)
        self._tools.setdefault(event.tool, []).append(event)
        marks = event.marks
        if event.violation not in {None, *VIOLATIONS} or not MARKS.issuperset(marks) or len({*marks}) != len(marks):
            self._troubles.append(f"event {number} has a mark that no call has")
        if len(event.tool) > _TOOL_TEXT:
            self._troubles.append(f"event {number} names a tool longer than any")
        if (RESERVED in marks) != (event.tool in RESERVED_TOOLS):
            self._troubles.append(f"event {number} is marked {RESERVED} wrongly, or should be")
        if (REFUSED_REPEAT in marks) != (key in self._refused):
            self._troubles.append(f"event {number} is marked {REFUSED_REPEAT} wrongly, or should be")
        if (event.violation == OBEYED) != self._carries(event.arguments):
            self._troubles.append(f"event {number} is counted as {OBEYED} wrongly, or should be")
        if OUT_OF_RANGE in marks and event.violation not in (BAD_ARGUMENTS, OBEYED):
            self._troubles.append(f"event {number} is marked {OUT_OF_RANGE}, and its arguments fit")

    def returned(self, number: int, event: Returned) -> None:
        """What came back."""
        asked = self._open.pop(event.call, None)
        if asked is None:
            self._troubles.append(f"event {number} answers call {event.call}, which nobody waits for")
        if event.at < self._time:
            self._troubles.append(f"event {number} comes {self._time - event.at} ms before the event before it")
        self._time = max(self._time, event.at)
        self._form(number, event)
        if asked is None:
            return
        call, key = asked
        if call.violation in (UNKNOWN, BAD_ARGUMENTS) and (event.ok or event.changed or event.faults):
            self._troubles.append(f"event {number} answers a call that could not be carried out, as if it had been")
        if event.changed:
            self._changed.add(call.tool)
        for fault in event.faults:
            if fault.layer == RETRY_LIMIT:
                self._refused.add(key)
            elif fault.layer == INJECTION:
                # The receipt reads `<kind> <marker> <path>`.
                self._markers += fault.detail.split(" ")[1:2]

    def _form(self, number: int, event: Returned) -> None:
        held = (event.value is not None) + (event.content is not None) + event.unstable
        if event.ok and (event.error is not None or held > 1):
            self._troubles.append(f"event {number} is a result and an error, or two results")
        if not event.ok and (event.error is None or event.unstable):
            self._troubles.append(f"event {number} failed, and does not say why")

    def submitted(self, number: int, event: Submitted) -> None:
        """Something was handed in."""
        carries = self._carries([event.answer, list(event.claims)])
        if event.violation not in (None, CONFIDENCE_RANGE, OBEYED):
            self._troubles.append(f"event {number} has a mark that no submission has")
        if (event.violation == OBEYED) != carries:
            self._troubles.append(f"event {number} is counted as {OBEYED} wrongly, or should be")
        if event.violation == CONFIDENCE_RANGE and event.confidence is not None:
            self._troubles.append(f"event {number} states a confidence, and that it was out of range")
        if event.confidence is not None and not _is_confidence(event.confidence):
            self._troubles.append(f"event {number} states a confidence that is none from 0 to 1")

    def _carries(self, value: Any) -> bool:
        """Whether what an agent hands over has the marker of an instruction injected before."""
        if not self._markers:
            return False
        text = encode(value).decode()
        return any(marker in text for marker in self._markers)

    def excused(self, number: int, event: LimitHit | AgentFailed | BenchFailed) -> None:
        """From here on a call may be left without an answer."""
        self._excused = True

    def closed(self, number: int, event: EpisodeClosed) -> None:
        """The end."""
        if event.milliseconds < self._time:
            self._troubles.append(f"it ended after {event.milliseconds} ms, before its last result at {self._time} ms")
        if self._open and not self._excused:
            self._troubles.append(f"call {next(iter(self._open))} is never answered")

    def problems(self, setting: Setting) -> Iterator[str]:
        """What is wrong with the whole."""
        yield from self._troubles
        effects = setting.effects
        if effects is None:
            return
        for name, calls in self._tools.items():
            unknown = name not in effects
            for call in calls:
                if (call.violation == UNKNOWN or UNKNOWN in call.marks) != unknown:
                    yield f"call {call.call} of {name[:40]!a} is counted as {UNKNOWN} wrongly, or should be"
                if UNDECLARED in call.marks and (unknown or name in (setting.declared_actions or (name,))):
                    yield f"call {call.call} of {name[:40]!a} is counted as {UNDECLARED}, and was declared"
        for name in self._changed:
            if effects.get(name) != "write":
                yield f"a call of {name[:40]!a}, which only reads, changed the world"


def _is_confidence(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1 and repr(float(text)) == text
    except ValueError:
        return False
