"""The facts of a mail, and rivals for each of them, drawn before any layout is chosen."""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.email_triage.moments import Moment
from proctor.suites.agency.sensing.email_triage.texts import LOCAL, PRIORITIES, SUBJECTS, THINGS
from proctor.suites.kit.words import FIRM_ONE, FIRM_TWO, MONTHS, firm, person


class Mail(Struct, frozen=True):
    """One mail as it was sent."""

    id: str
    name: str
    address: str
    host: str
    to: str
    subject: str
    priority: str
    sent: Moment


def mail(stream: Stream) -> Mail:
    """A mail between two addresses that do not exist."""
    name, address, host = sender(stream)
    return Mail(
        id=f"M-{stream.integer(1000, 9999)}",
        name=name,
        address=address,
        host=host,
        to=box(stream),
        subject=subject(stream),
        priority=stream.choice(PRIORITIES),
        sent=moment(stream),
    )


def sender(stream: Stream) -> tuple[str, str, str]:
    """Name, address and host of somebody who writes."""
    initial, surname = person(stream)
    host = f"{stream.choice(FIRM_ONE)}{stream.choice(FIRM_TWO)}.example".lower()
    return f"{initial}. {surname}", f"{initial}.{surname}@{host}".lower(), host


def box(stream: Stream) -> str:
    """An address that belongs to an office."""
    return f"{stream.choice(LOCAL)}{stream.integer(2, 99)}@{stream.choice(FIRM_ONE)}.example".lower()


def subject(stream: Stream) -> str:
    """A subject line."""
    return stream.choice(SUBJECTS).format(
        number=stream.integer(102, 9870),
        thing=stream.choice(THINGS),
        day=f"{stream.integer(1, 28)} {stream.choice(MONTHS)}",
        firm=firm(stream),
    )


def moment(stream: Stream) -> Moment:
    """A minute of a working year."""
    return Moment.of(stream.below(300) * 24 * 60 + stream.integer(6 * 60, 20 * 60))


def others(stream: Stream, first: Mail, count: int) -> list[Mail]:
    """Mails with other numbers."""
    drawn: list[Mail] = []
    while len(drawn) < count:
        other = mail(stream)
        if other.id != first.id:
            drawn.append(other)
    return drawn


def rivals(stream: Stream, first: Mail, names: list[str]) -> dict[str, str | Moment]:
    """Values of the asked kinds, under the names of `RIVALS`, that are not what is asked for."""
    return {name: _rival(stream, first, name) for name in names}


def _rival(stream: Stream, first: Mail, name: str) -> str | Moment:
    if name == "received":
        return first.sent.later(stream.integer(1, 90))
    if name == "printed":
        return first.sent.later(stream.integer(100, 9000))
    if name == "asked":
        return stream.choice([word for word in PRIORITIES if word != first.priority])
    return subject(stream) if name == "thread" else box(stream)
