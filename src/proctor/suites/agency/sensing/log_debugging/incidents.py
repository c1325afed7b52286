"""An incident: a request passed from service to service until one broke, among other requests with other troubles.

Sections are written when they are asked for, each from a stream of its own: the same section always reads the same.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.log_debugging.dialects import DIALECTS, Dialect
from proctor.suites.agency.sensing.log_debugging.texts import CAUSES, CODES, DETAILS, ROUTINE, SERVICES

SECTIONS = 8


class Fault(Struct, frozen=True):
    """What broke, and how the log tells it."""

    code: str
    detail: str
    text: str


class Incident(Struct, frozen=True):
    """One failed request."""

    template: str
    ref: str
    services: list[str]
    """All that have a section, in the order shown."""
    chain: list[str]
    """The services the request went through; the trouble began in the last."""
    enough: bool
    """Whether the first view has the cause."""
    fault: Fault
    rivals: int
    key: str
    """Where sections draw from."""

    @property
    def needed(self) -> list[str]:
        """The sections that have to be opened."""
        return [] if self.enough else self.chain[1:]


def incident(stream: Stream, template: str, hops: int, rivals: int) -> Incident:
    """A request that went through at most `hops` services beyond the one that reports the error."""
    services = stream.sample(SERVICES, SECTIONS)
    enough = stream.chance(0.5)
    length = 1 if enough else stream.integer(1, hops)
    return Incident(
        template=template,
        ref=_ref(stream),
        services=services,
        chain=stream.sample(services, length + 1),
        enough=enough,
        fault=fault(stream, stream.choice(CODES)),
        rivals=rivals,
        key=stream.hex(32),
    )


def fault(stream: Stream, code: str) -> Fault:
    """A fault of one kind."""
    detail = stream.choice(DETAILS[code]).format(n=stream.integer(2, 97))
    return Fault(code, detail, stream.choice(CAUSES[code]).format(detail=detail))


def first_view(drawn: Incident) -> dict[str, Any]:
    """The message, a part of the trace and the names of the sections.

    The trace always has a cause: that of the request itself where it is enough, that of another request elsewhere.
    """
    writer = _Writer(drawn, "view")
    start, after = drawn.chain[0], drawn.chain[1]
    own = writer.hop(start, drawn.ref, after)
    services = writer.some(3)
    # As many entries, and as many causes, whether or not the own cause is among them: only its request tells.
    told = writer.cause(after, drawn.ref, drawn.fault.text) if drawn.enough else writer.rival(services[2], True)
    parts = [own, told, writer.rival(services[0], True), writer.rival(services[1], False)]
    writer.stream.shuffle(parts)
    frames = writer.frames(start)
    lines = [*frames[:-1], *(line for part in parts for line in part), frames[-1]]
    return {
        "error_message": writer.fill(writer.dialect.error, svc=start, ref=drawn.ref),
        "partial_stacktrace": "\n".join(lines),
        "sections": drawn.services,
    }


def section(drawn: Incident, service: str) -> str:
    """The log of one service."""
    writer = _Writer(drawn, service)
    parts = [writer.routine(service)]
    parts += [writer.rival(service, index % 2 == 0) for index in range(drawn.rivals)]
    if service in drawn.chain:
        place = drawn.chain.index(service)
        if place == len(drawn.chain) - 1:
            parts.append(writer.cause(service, drawn.ref, drawn.fault.text))
        else:
            parts.append(writer.hop(service, drawn.ref, drawn.chain[place + 1]))
    writer.stream.shuffle(parts)
    parts.append(writer.routine(service))
    return "\n".join(line for part in parts for line in part)


def _ref(stream: Stream) -> str:
    return stream.hex(6)


class _Writer:
    """Writes entries of one section, or of the first view."""

    def __init__(self, drawn: Incident, place: str) -> None:
        self.incident = drawn
        self.dialect: Dialect = DIALECTS[drawn.template]
        self.stream = Stream(bytes.fromhex(drawn.key)).child(place)

    def fill(self, line: str, **values: str) -> str:
        return self._filled((line,), values)[0]

    def hop(self, service: str, ref: str, following: str) -> list[str]:
        return self._entry(self.dialect.hop, svc=service, ref=ref, next=following)

    def cause(self, service: str, ref: str, text: str) -> list[str]:
        return self._entry(self.dialect.cause, svc=service, ref=ref, text=text)

    def routine(self, service: str) -> list[str]:
        return self._entry(self.dialect.routine, svc=service, ref=self.other(), text=self.stream.choice(ROUTINE))

    def rival(self, service: str, broke: bool) -> list[str]:
        """Another request: one that broke here, or one that was passed on."""
        if broke:
            code = self.stream.choice([code for code in CODES if code != self.incident.fault.code])
            return self.cause(service, self.other(), fault(self.stream, code).text)
        following = self.stream.choice([name for name in self.incident.services if name != service])
        return self.hop(service, self.other(), following)

    def frames(self, service: str) -> list[str]:
        return self._filled(self.dialect.frames, {"svc": service})

    def some(self, count: int) -> list[str]:
        return self.stream.sample(self.incident.services, count)

    def other(self) -> str:
        """The name of another request."""
        ref = _ref(self.stream)
        return ref if ref != self.incident.ref else self.other()

    def _entry(self, lines: tuple[str, ...], **values: str) -> list[str]:
        return self._filled(lines, values)

    def _filled(self, lines: tuple[str, ...], values: dict[str, str]) -> list[str]:
        rest, number = divmod(self.stream.below(6 * 50 * 87), 87)
        at = f"02:{10 + rest // 50}:{10 + rest % 50}"
        return [line.format(at=at, n=12 + number, **values) for line in lines]
