"""Five forms of message, each made from the same facts: which value counts is said, never marked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.hello.extract.texts import (
    ARTICLES,
    ASIDES,
    FIRST,
    INITIALS,
    MONTHS,
    SECOND,
    SURNAMES,
    TRADE,
)

_FIRST_DAY = date(2026, 2, 2)


class Facts(Struct, frozen=True):
    """What is true about the order, and a rival for each of it."""

    customer: str
    payer: str
    reference: str
    old_reference: str
    quantity: int
    deliver_by: date
    sent: date
    article: str
    writer: str
    clerk: str


class Message(Struct, frozen=True):
    """A text, and the facts as the text makes them."""

    lines: list[str]
    quantity: int
    deliver_by: date


def facts(stream: Stream) -> Facts:
    """The facts of one order."""
    customer, payer = company(stream), company(stream)
    while payer == customer:
        payer = company(stream)
    reference_one, reference_two = reference(stream), reference(stream)
    while reference_two == reference_one:
        reference_two = reference(stream)
    sent = _FIRST_DAY + timedelta(days=stream.below(250))
    writer, clerk = stream.sample(SURNAMES, 2)
    return Facts(
        customer=customer,
        payer=payer,
        reference=reference_one,
        old_reference=reference_two,
        quantity=stream.integer(12, 480),
        deliver_by=sent + timedelta(days=stream.integer(20, 90)),
        sent=sent,
        article=stream.choice(ARTICLES),
        writer=f"{stream.choice(INITIALS)}. {writer}",
        clerk=f"{stream.choice(INITIALS)}. {clerk}",
    )


def company(stream: Stream) -> str:
    """A company that does not exist."""
    return f"{stream.choice(FIRST)} {stream.choice(SECOND)} {stream.choice(TRADE)}"


def reference(stream: Stream) -> str:
    """An order number in one of three styles."""
    number = stream.integer(10_000, 99_999)
    return (f"PO-{number}", f"K/{number // 1000}/{number % 1000:03d}", f"A{number}")[number % 3]


def asides(stream: Stream, count: int) -> list[str]:
    """Lines that have nothing to do with the order; what they tell of lies before it."""
    return [
        line.format(
            day=spoken(_FIRST_DAY - timedelta(days=stream.integer(1, 300))),
            number=stream.integer(12, 480),
            company=company(stream),
            reference=reference(stream),
        )
        for line in stream.sample(ASIDES, count)
    ]


def spoken(day: date) -> str:
    """A day as people write it."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def mail(f: Facts, stream: Stream, extra: list[str]) -> Message:
    """A letter in prose; the rivals are an earlier order and the company that pays."""
    before = stream.integer(10, 400)
    lines = [
        f"From: {f.writer}",
        "To: Order desk",
        f"Sent: {f.sent.isoformat()}",
        f"Subject: {f.article} after {f.old_reference}",
        "",
        "Good morning,",
        "",
        f"the {before} {f.article} under {f.old_reference} arrived in good condition, and we want more of them.",
        f"Please enter {f.quantity} pieces for {f.customer}.",
        *extra[: len(extra) // 2],
        f"They have to be there on {spoken(f.deliver_by)} at the latest; our number for it is {f.reference}.",
        f"As always the invoice is for {f.payer}, who pay within {stream.integer(14, 60)} days.",
        *extra[len(extra) // 2 :],
        "",
        "Kind regards",
        f.writer,
    ]
    return Message(lines, f.quantity, f.deliver_by)


def form(f: Facts, stream: Stream, extra: list[str]) -> Message:
    """Labelled lines; part of the order was delivered already."""
    delivered = stream.integer(5, 200)
    lines = [
        "ORDER FORM",
        f"Sold to: {f.payer}",
        f"Ship to: {f.customer}",
        f"Quotation: {f.old_reference}",
        f"Order number: {f.reference}",
        f"Article: {f.article}",
        f"Pieces ordered: {f.quantity + delivered}",
        f"Of these delivered so far: {delivered}",
        f"Date of order: {f.sent.isoformat()}",
        f"Delivery wished: {(f.deliver_by - timedelta(days=stream.integer(3, 15))).isoformat()}",
        f"Delivery at the latest: {f.deliver_by.isoformat()}",
        *(f"Remark: {line}" for line in extra),
        f"Taken down by: {f.clerk}",
    ]
    return Message(lines, f.quantity, f.deliver_by)


def ticket(f: Facts, stream: Stream, extra: list[str]) -> Message:
    """A log in which quantity and day change after they were first stated."""
    first = f.quantity + stream.integer(3, 60) * (1 if stream.chance(0.5) else -1)
    if first <= 0:
        first = f.quantity + 7
    early = f.deliver_by + timedelta(days=stream.integer(4, 18) * (1 if stream.chance(0.5) else -1))
    lines = [
        f"Ticket {stream.integer(10_000, 99_999)}, opened {f.sent.isoformat()} by {f.writer}",
        f"[09:12] {f.writer}: {f.customer} want {first} {f.article} by {spoken(early)}; {f.payer} will pay.",
        f"[09:40] {f.clerk}: Is that {f.old_reference}?",
        f"[09:44] {f.writer}: No, that one is closed. This is {f.reference}.",
        *(f"[09:5{n}] {f.clerk}: {line}" for n, line in enumerate(extra)),
        f"[10:05] {f.writer}: They called again, it will be {f.quantity} pieces.",
        f"[11:30] {f.clerk}: And the truck goes to {f.payer}?",
        f"[11:31] {f.writer}: No, straight to the first I named. New deadline, by the way: {spoken(f.deliver_by)}.",
    ]
    return Message(lines, f.quantity, f.deliver_by)


def note(f: Facts, stream: Stream, extra: list[str]) -> Message:
    """A telephone note: quantity in boxes, the day counted back from another day."""
    boxes, each = stream.integer(3, 20), stream.choice((6, 8, 12, 15, 24))
    days = stream.integer(3, 12)
    opening = f.deliver_by + timedelta(days=days)
    lines = [
        f"Telephone note, {f.clerk}, {spoken(f.sent)}",
        f"Caller: {f.writer} of {f.payer}, ordering for {f.customer}, where the goods are needed.",
        f"Wants {boxes} boxes of {f.article}, {each} pieces to the box.",
        *extra,
        f"Everything must have arrived {days} days before their opening on {spoken(opening)}.",
        f"Goes into our books as {f.reference}; {f.old_reference} on the fax was a slip of the pen.",
    ]
    return Message(lines, boxes * each, f.deliver_by)


def table(f: Facts, stream: Stream, extra: list[str]) -> Message:
    """A confirmation with lines, one of them withdrawn; quantity and day follow from what remains."""
    counts = [stream.integer(5, 150) for _ in range(4)]
    days = [f.deliver_by - timedelta(days=stream.integer(2, 15)) for _ in range(4)]
    withdrawn = stream.below(4)
    last = (withdrawn + 1 + stream.below(3)) % 4
    days[last] = f.deliver_by
    days[withdrawn] = f.deliver_by + timedelta(days=stream.integer(1, 9))
    rows = zip(range(1, 5), counts, days, strict=True)
    lines = [
        f"Order confirmation {f.reference}, takes the place of {f.old_reference}",
        f"Invoice: {f.payer}",
        f"Delivery: {f.customer}",
        "line | article | pieces | arrives",
        *(f"{number} | {f.article} | {count} | {day.isoformat()}" for number, count, day in rows),
        *extra,
        f"Line {withdrawn + 1} was withdrawn on {f.sent.isoformat()}.",
        "The other lines travel together and arrive with the last of them, which is the latest day permitted.",
    ]
    return Message(lines, sum(counts) - counts[withdrawn], f.deliver_by)


Form = Callable[[Facts, Stream, list[str]], Message]
FORMS: dict[str, Form] = {"mail": mail, "form": form, "ticket": ticket, "note": note, "table": table}
