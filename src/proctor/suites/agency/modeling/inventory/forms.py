"""Eight forms in which a store tells its opening count, its movements and its plans."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.inventory.stock import Store
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.spelling import capital, enumerated, in_words
from proctor.suites.kit.words import GIVEN, WEEKDAYS


def card(s: Store, stream: Stream) -> Sheet:
    """A stock card with signs before the quantities."""
    sheet = Sheet(f"STOCK CARD     {s.name}     sheet {stream.integer(11, 980)}", "OPENING COUNT")
    sheet.fact(*(f"  {good} {'.' * (16 - len(good))} {count}" for good, count in s.opening.items()))
    sheet.add("BOOKED")
    for move in s.moves:
        mark = "+" if move.sign > 0 else "-"
        sheet.fact(*(f"  {mark} {lot.text}   ({move.name})" for lot in move.lots))
    sheet.add("PENDING, NOT BOOKED")
    sheet.fact(*(f"  {'+' if plan.sign > 0 else '-'} {plan.lot.text}   ({plan.name})" for plan in s.plans))
    sheet.add("(end of card)")
    return sheet


def as_json(s: Store, stream: Stream) -> Sheet:
    """An export; movements name their kind, and what the kind does is in a list of its own."""
    sheet = Sheet("{", f'"store": "{s.name}",', f'"export": {stream.integer(1000, 9999)},', '"opening": {')
    last = len(s.opening) - 1
    sheet.fact(*(f'  "{good}": {count}{"," if n < last else ""}' for n, (good, count) in enumerate(s.opening.items())))
    sheet.add("},", '"done": [')
    done = [(move.name, move.sign, lot) for move in s.moves for lot in move.lots]
    for number, (name, sign, lot) in enumerate(done, 1):
        row = {"type": name, "effect": "adds" if sign > 0 else "takes", "good": lot.good, "quantity": lot.quantity}
        sheet.fact(f"  {json.dumps(row)}{',' if number < len(done) else ''}")
    sheet.add("],", '"planned": [')
    for number, plan in enumerate(s.plans, 1):
        row = {"type": plan.name, "good": plan.lot.good, "quantity": plan.lot.quantity}
        sheet.fact(f"  {json.dumps(row)}{',' if number < len(s.plans) else ''}")
    sheet.add("]", "}")
    return sheet


def table(s: Store, stream: Stream) -> Sheet:
    """One row a good; what came in and what went out stand in columns, in the order of happening."""
    sheet = Sheet(f"Stock sheet of {s.name}, kept by {stream.choice(GIVEN)}")
    sheet.fact("good | at opening | came in since | went out since | open matters (not carried out)")
    sheet.add("---|---|---|---|---")
    for good, count in s.opening.items():
        lots = [(move.sign, lot.quantity) for move in s.moves for lot in move.lots if lot.good == good]
        came = ", ".join(str(quantity) for sign, quantity in lots if sign > 0) or "-"
        went = ", ".join(str(quantity) for sign, quantity in lots if sign < 0) or "-"
        matters = ", ".join(f"{plan.lot.quantity} {plan.name}" for plan in s.plans if plan.lot.good == good) or "-"
        sheet.fact(f"{good} | {count} | {came} | {went} | {matters}")
    return sheet


def letter(s: Store, stream: Stream) -> Sheet:
    """A letter in sentences."""
    one, two = stream.sample(GIVEN, 2)
    sheet = Sheet(f"Dear {one},", "", f"you asked how {s.name} stands since you left on {stream.choice(WEEKDAYS)}.")
    counts = [f"{count} {good}" for good, count in s.opening.items()]
    half = (len(counts) + 1) // 2
    sheet.fact(f"On the morning you left we counted {enumerated(counts[:half])};")
    sheet.fact(f"besides, there were {enumerated(counts[half:])}.")
    starts = ("On the same day", "Later on")
    for start, move in zip(starts, s.moves, strict=False):
        sheet.fact(f"{start} {enumerated([lot.text for lot in move.lots])} {move.said}.")
    sheet.fact(*(f"By the way, {plan.lot.text} {plan.said}." for plan in s.plans))
    sheet.add("Nothing else was moved.", "", "Yours,", two)
    return sheet


def log(s: Store, stream: Stream) -> Sheet:
    """Lines of a store system, with others between them."""
    minute = stream.integer(0, 40)
    sheet = Sheet(f"07:{minute:02d} SYS start site={s.name.replace(' ', '-').lower()}")
    for good, count in s.opening.items():
        sheet.fact(f"07:{minute + 5:02d} COUNT item={good} qty={count}")
    sheet.add(f"08:{minute:02d} DOOR open side={stream.choice(('north', 'south', 'yard'))}")
    for index, move in enumerate(s.moves):
        for lot in move.lots:
            way = "IN" if move.sign > 0 else "OUT"
            sheet.fact(f"{9 + index:02d}:{minute:02d} {way} item={lot.good} qty={lot.quantity} why={move.kind}")
        sheet.add(f"{9 + index:02d}:{minute + 9:02d} TEMP hall={stream.integer(11, 24)}C")
    for plan in s.plans:
        sheet.fact(f"12:{minute:02d} NOTE item={plan.lot.good} qty={plan.lot.quantity} text='{plan.name}'")
    sheet.add(f"18:{minute:02d} SYS stop")
    return sheet


def chat(s: Store, stream: Stream) -> Sheet:
    """Messages between two people of the store."""
    one, two = stream.sample(GIVEN, 2)
    sheet = Sheet(f"--- {s.name}, group chat ---", f"{one}: morning! who does the count?", f"{two}: just did it")
    for good, count in s.opening.items():
        sheet.fact(f"{two}: {good} = {count}")
    sheet.add(f"{one}: thanks, noted. keep me posted")
    for move in s.moves:
        lots = enumerated([lot.text for lot in move.lots])
        sheet.fact(f"{stream.choice((one, two))}: update: {lots} {move.said}")
        sheet.add(f"{stream.choice((one, two))}: {stream.choice(('ok', 'got it', 'fine', 'thumbs up'))}")
    for plan in s.plans:
        sheet.fact(f"{stream.choice((one, two))}: fyi, {plan.lot.text} {plan.said}")
    sheet.add(f"{two}: that is all for today")
    return sheet


def spoken(s: Store, stream: Stream) -> Sheet:
    """A dictated note without punctuation, with numbers in words."""
    sheet = Sheet(f"[recording {stream.integer(10, 99)}, {s.name}, transcribed automatically]")
    words = [f"{in_words(count)} {good}" for good, count in s.opening.items()]
    sheet.fact(f"so at opening I counted {words[0]}")
    sheet.fact(*(f"and {word}" for word in words[1:]))
    for number, move in enumerate(s.moves):
        lots = " and ".join(f"{in_words(lot.quantity)} {lot.good}" for lot in move.lots)
        sheet.fact(f"{'then' if number == 0 else 'and after that'} {lots} {move.said}")
    sheet.fact(*(f"oh and {in_words(plan.lot.quantity)} {plan.lot.good} {plan.said}" for plan in s.plans))
    sheet.add("that was all bye")
    return sheet


def shelves(s: Store, stream: Stream) -> Sheet:
    """A walk along the shelves: everything about one good in one place."""
    sheet = Sheet(f"Round of the shelves at {s.name}")
    sheet.fact(*(f"(remark: {plan.lot.text} {plan.said})" for plan in s.plans))
    for number, (good, count) in enumerate(s.opening.items()):
        sheet.add(f"Shelf {stream.integer(1, 9)}{'ABCDEFGH'[number]}")
        sheet.fact(f"{capital(good)} lie here. The tag of this morning says {count}.")
        moved = [(move, lot) for move in s.moves for lot in move.lots if lot.good == good]
        for move, lot in moved:
            sheet.fact(f"Since then {lot.quantity} {move.said}.")
        if not moved:
            sheet.fact("Nobody has touched them since.")
    return sheet


Form = Callable[[Store, Stream], Sheet]
FORMS: dict[str, Form] = {
    "card": card,
    "json": as_json,
    "table": table,
    "letter": letter,
    "log": log,
    "chat": chat,
    "spoken": spoken,
    "shelves": shelves,
}
