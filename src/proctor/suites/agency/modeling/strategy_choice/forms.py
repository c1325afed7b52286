"""Eight forms in which sites, days on record and earnings are told."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.strategy_choice.markets import Site, Strategy
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.spelling import enumerated, in_words
from proctor.suites.kit.words import GIVEN


def _paired(site: Site, strategy: Strategy, pattern: str, joint: str) -> str:
    """What a strategy earns on each kind of day, by a pattern of `kind` and `earned`."""
    pairs = zip(site.days, strategy.earns, strict=True)
    return joint.join(pattern.format(kind=kind, earned=earned) for kind, earned in pairs)


def tables(sites: list[Site], stream: Stream) -> Sheet:
    """A table for each site."""
    sheet = Sheet("Planning sheet: coins earned in one round, by kind of day", "")
    for site in sites:
        sheet.fact(f"site {site.name} | {' | '.join(site.days)}")
        sheet.fact(f"days on record | {' | '.join(map(str, site.days.values()))}")
        for strategy in site.strategies:
            sheet.fact(f"{strategy.name} | {' | '.join(map(str, strategy.earns))}")
        sheet.add("")
    return sheet


def as_json(sites: list[Site], stream: Stream) -> Sheet:
    """One object a site, a key a line."""
    sheet = Sheet('{"unit": "coins per round", "sites": {')
    for number, site in enumerate(sites, 1):
        sheet.fact(f' "{site.name}": {{"record": {json.dumps(site.days)},')
        for strategy in site.strategies:
            earns = json.dumps(dict(zip(site.days, strategy.earns, strict=True)))
            last = strategy is site.strategies[-1]
            sheet.fact(
                f'  "{strategy.name}": {earns}{"}" if last else ","}{"," if last and number < len(sites) else ""}'
            )
    sheet.add("}}")
    return sheet


def letter(sites: list[Site], stream: Stream) -> Sheet:
    """Paragraphs in sentences."""
    one, two = stream.sample(GIVEN, 2)
    sheet = Sheet(f"Dear {one},", "here is what I know of our sites; all earnings are coins in one round.", "")
    for site in sites:
        days = enumerated([f"{count} {kind}" for kind, count in site.days.items()])
        sheet.fact(f"At {site.name} the book has {days} days.")
        for strategy in site.strategies:
            sheet.fact(f"The {strategy.name} would bring {_paired(site, strategy, '{earned} on a {kind} day', ', ')}.")
        sheet.add("")
    sheet.add("Yours,", two)
    return sheet


def log(sites: list[Site], stream: Stream) -> Sheet:
    """The days one by one, to be counted, and earnings by kind of day."""
    sheet = Sheet("DAYBOOK (each letter is one day on record, by the first letter of its kind)")
    for site in sites:
        letters = [kind[0] for kind, count in site.days.items() for _ in range(count)]
        stream.shuffle(letters)
        sheet.fact(f"{site.name} record: {' '.join(letters)}")
        for number, kind in enumerate(site.days):
            earns = " ".join(f"{strategy.name}={strategy.earns[number]}" for strategy in site.strategies)
            sheet.fact(f"{site.name} on={kind} pays {earns}")
    return sheet


def minutes(sites: list[Site], stream: Stream) -> Sheet:
    """A meeting: for every strategy somebody speaks."""
    speakers = stream.sample(GIVEN, 4)
    sheet = Sheet(f"Minutes. Present: {enumerated(speakers)}. Earnings are coins per round.")
    for number, site in enumerate(sites, 1):
        days = "; ".join(f"{kind}: {count}" for kind, count in site.days.items())
        sheet.add(f"Item {number}, site {site.name}.")
        sheet.fact(f"{speakers[0]} read out the days on record: {days}.")
        for speaker, strategy in zip(speakers[1:], site.strategies, strict=True):
            sheet.fact(f"{speaker} spoke for the {strategy.name}: {_paired(site, strategy, '{kind} {earned}', ', ')}.")
    sheet.add("No decision was taken.")
    return sheet


def chat(sites: list[Site], stream: Stream) -> Sheet:
    """Messages in which earnings come one strategy at a time and the record afterwards."""
    one, two = stream.sample(GIVEN, 2)
    sheet = Sheet(f"{one}: need your numbers, coins per round please")
    for site in sites:
        sheet.add(f"{two}: ok, {site.name}")
        for strategy in stream.sample(site.strategies, len(site.strategies)):
            sheet.fact(f"{two}: {site.name}/{strategy.name} -> {_paired(site, strategy, '{earned} if {kind}', ', ')}")
        sheet.add(f"{one}: and the days there?")
        record = ", ".join(f"{count}x {kind}" for kind, count in site.days.items())
        sheet.fact(f"{two}: in {site.name}'s book: {record}")
    return sheet


def rates(sites: list[Site], stream: Stream) -> Sheet:
    """A rule book: a flat earning, and what is added or taken off on other days than the plainest."""
    sheet = Sheet("Rule book. Earnings in coins per round: a base, changed by the kind of day as stated.")
    for site in sites:
        kinds = list(site.days)
        record = ", ".join(f"{count} of {kind}" for kind, count in site.days.items())
        sheet.fact(f"[{site.name}] record: {record}. The base holds on a {kinds[0]} day.")
        for strategy in site.strategies:
            base = strategy.earns[0]
            changes = [
                f"{earned - base:+d} if {kind}" for kind, earned in zip(kinds[1:], strategy.earns[1:], strict=True)
            ]
            sheet.fact(f"[{site.name}] {strategy.name}: base {base}; {'; '.join(changes)}")
    return sheet


def spoken(sites: list[Site], stream: Stream) -> Sheet:
    """A recording without punctuation, with numbers in words."""
    sheet = Sheet(f"[recording {stream.integer(10, 99)}, transcribed automatically, coins per round]")
    for site in sites:
        record = " ".join(f"{in_words(count)} {kind}" for kind, count in site.days.items())
        sheet.fact(f"right {site.name.lower()} the days in the book are {record}")
        for strategy in site.strategies:
            pairs = zip(site.days, strategy.earns, strict=True)
            earns = " ".join(f"{kind} {in_words(earned)}" for kind, earned in pairs)
            sheet.fact(f"the {strategy.name} makes {earns}")
    sheet.add("that is it from me")
    return sheet


Form = Callable[[list[Site], Stream], Sheet]
FORMS: dict[str, Form] = {
    "tables": tables,
    "json": as_json,
    "letter": letter,
    "log": log,
    "minutes": minutes,
    "chat": chat,
    "rates": rates,
    "spoken": spoken,
}
