"""Eight layouts of a mail's header: each names the fields in its own way and in its own order."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.core.seeds import Stream
from proctor.suites.agency.sensing.email_triage.mails import Mail, others
from proctor.suites.agency.sensing.email_triage.moments import Moment
from proctor.suites.agency.sensing.email_triage.texts import LABELS
from proctor.suites.kit.sheet import Sheet

Rivals = dict[str, str | Moment]
Written = Callable[[Moment], str]


def lines_of(layout: str, rivals: Rivals, written: Written, host: str = "") -> list[str]:
    """The rivals as a layout writes them down."""
    plain = {name: written(value) if isinstance(value, Moment) else value for name, value in rivals.items()}
    labels = LABELS[layout]
    return [labels[name].format(host=host, **plain) for name in rivals]


def headers(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """As RFC 822 has it."""
    extra = lines_of("headers", rivals, lambda when: when.header, m.host)
    half = len(extra) // 2
    sheet = Sheet(f"Message-ID: <{m.id}@{m.host}>", *extra[:half])
    sheet.fact(f"From: {m.name} <{m.address}>")
    sheet.add(f"To: <{m.to}>")
    sheet.fact(f"Subject: {m.subject}", f"Importance: {m.priority}")
    sheet.add(*extra[half:])
    sheet.fact(f"Date: {m.sent.header}")
    sheet.add("MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8")
    return sheet


def as_json(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """One object, a key a line."""
    extra = lines_of("json", rivals, lambda when: when.iso)
    half = len(extra) // 2
    sheet = Sheet("{", f'  "id": "{m.id}",', f'  "to": "{m.to}",', *extra[:half])
    sheet.fact(
        f'  "timestamp": "{m.sent.iso}",',
        f'  "priority": "{m.priority}",',
        f'  "from": "{m.address}",',
        f'  "subject": {json.dumps(m.subject)},',
    )
    sheet.add(*extra[half:], f'  "size": {stream.integer(900, 99_000)}', "}")
    return sheet


def forwarded(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """Quoted in another mail, with labels in running words."""
    (other,) = others(stream, m, 1)
    extra = lines_of("forwarded", rivals, lambda when: when.american)
    later = m.sent.later(stream.integer(100, 5000))
    sheet = Sheet(f"{other.name} ({other.address}) sent this on {later.american}, marked {other.priority}:")
    sheet.add("", f"> ---- mail {m.id}, as it was sent ----")
    sheet.fact(f"> about: {m.subject}", f"> written by {m.name}, {m.address}")
    sheet.add(f"> for {m.to}", *extra)
    sheet.fact(f"> off at {m.sent.american}", f"> marked {m.priority}")
    sheet.add("> ----", "", "Please see to it.")
    return sheet


def table(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """One row a mail; which column is which stands in the first."""
    rest = others(stream, m, 2 + len(rivals) // 2)
    place = stream.below(len(rest) + 1)
    sheet = Sheet()
    sheet.fact("id | arrived | sent | from | to | class | subject")
    sheet.add("---|---|---|---|---|---|---")
    for number, row in enumerate([*rest[:place], m, *rest[place:]]):
        arrived = row.sent.later(stream.integer(1, 90))
        line = f"{row.id} | {arrived.iso} | {row.sent.iso} | {row.address} | {row.to} | {row.priority}"
        (sheet.fact if number == place else sheet.add)(f"{line} | {row.subject}")
    return sheet


def log(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """Lines of a mail gateway, those of two mails mixed."""
    (other,) = others(stream, m, 1)
    extra = lines_of("log", rivals, lambda when: when.slashed)
    stamp = f"[{m.sent.later(stream.integer(1, 90)).slashed}] mx{stream.integer(1, 9)}"
    sheet = Sheet(f"{stamp} {other.id} open rcpt={m.to}", f"{stamp} {m.id} open rcpt={other.to}")
    sheet.fact(f"{stamp} {m.id} env sender={m.address} hdr-date={m.sent.slashed}")
    sheet.add(f"{stamp} {other.id} env sender={other.address} hdr-date={other.sent.slashed}")
    sheet.add(f'{stamp} {other.id} hdr prio={other.priority} subject="{other.subject}"')
    sheet.add(*(f"{stamp} {m.id} opt {item}" for item in extra))
    sheet.fact(f'{stamp} {m.id} hdr prio={m.priority} subject="{m.subject}"')
    sheet.add(f"{stamp} {m.id} queued", f"{stamp} {other.id} queued")
    return sheet


def xml(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """An export of a ticket system."""
    (other,) = others(stream, m, 1)
    extra = lines_of("xml", rivals, lambda when: when.iso)
    sheet = Sheet("<ticket>", f'<mail id="{other.id}" priority="{other.priority}" at="{other.sent.iso}">')
    sheet.add(f'  <person role="author">{other.address}</person>', f"  <title>{other.subject}</title>", "</mail>")
    sheet.fact(f'<mail id="{m.id}" priority="{m.priority}" at="{m.sent.iso}">')
    sheet.add(*extra, f'  <person role="reader">{m.to}</person>')
    sheet.fact(f'  <person role="author">{m.address}</person>', f"  <title>{m.subject}</title>")
    sheet.add("</mail>", "</ticket>")
    return sheet


def prose(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """A notice in sentences."""
    extra = lines_of("prose", rivals, lambda when: when.spoken)
    half = len(extra) // 2
    sheet = Sheet(f"There is a mail for {m.to} that waits to be filed; its number is {m.id}.", *extra[:half])
    sheet.fact(f"{m.name} ({m.address}) sent it at {m.sent.spoken} as a mail of {m.priority} priority.")
    sheet.add(*extra[half:])
    sheet.fact(f"It is called “{m.subject}”.")
    sheet.add(f"It has {stream.integer(2, 60)} lines and {stream.integer(0, 4)} attachments.")
    return sheet


def card(m: Mail, stream: Stream, rivals: Rivals) -> Sheet:
    """A print-out with dots; day and time stand on lines of their own."""
    extra = lines_of("card", rivals, lambda when: when.iso)
    half = len(extra) // 2
    sheet = Sheet(f"*** MAIL {m.id} ***", f"TO ................ {m.to}", *extra[:half])
    sheet.fact(f"CLASS ............. {m.priority.upper()}", f"DAY SENT .......... {m.sent.iso[:10]}")
    sheet.fact(f"TIME SENT ......... {m.sent.clock}")
    sheet.add(*extra[half:])
    sheet.fact(f"WRITER ............ {m.address}", f"TITLE ............. {m.subject}")
    sheet.add(f"LENGTH ............ {stream.integer(1, 80)} kB")
    return sheet


Layout = Callable[[Mail, Stream, Rivals], Sheet]
LAYOUTS: dict[str, Layout] = {
    "headers": headers,
    "json": as_json,
    "forwarded": forwarded,
    "table": table,
    "log": log,
    "xml": xml,
    "prose": prose,
    "card": card,
}
