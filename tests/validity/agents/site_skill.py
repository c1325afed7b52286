"""Choosing between strategies at several sites, from a text in any of eight forms: the highest earnings on average."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct, field

from tests.validity.agents.card_skills import Call, Memory, Seen
from tests.validity.agents.cards import NUMBERS


class Site(Struct):
    """How often each kind of day is on record, and what each strategy earns on it."""

    days: dict[str, int] = field(default_factory=dict)
    earns: dict[str, dict[str, int]] = field(default_factory=dict)

    def best(self) -> str:
        """The strategy that earns most over the days on record."""
        return max(self.earns, key=lambda name: sum(n * self.earns[name].get(kind, 0) for kind, n in self.days.items()))


Sites = dict[str, Site]


def _told(text: str, opening: str, days: str, day: str, strategy: str, earning: str) -> Sites:
    """Sites from lines: which line opens a site, which has its days and which its strategies, and what stands in them.

    `day` and `earning` find pairs of a number and a kind of day.
    """
    sites: Sites = {}
    site = Site()
    for line in text.split("\n"):
        if found := re.search(opening, line):
            site = sites.setdefault(found.group(1), Site())
        if found := re.search(days, line):
            site.days = {one["kind"]: int(one["n"]) for one in re.finditer(day, found.group(1))}
        elif found := re.search(strategy, line):
            site.earns[found.group(1)] = {one["kind"]: int(one["n"]) for one in re.finditer(earning, found.group(2))}
    return sites


def _table(text: str) -> Sites:
    sites: Sites = {}
    kinds: list[str] = []
    site = Site()
    for line in text.split("\n"):
        head, *cells = line.split(" | ")
        if head.startswith("site "):
            kinds, site = cells, sites.setdefault(head.removeprefix("site "), Site())
        elif head == "days on record":
            site.days = dict(zip(kinds, map(int, cells), strict=True))
        elif cells:
            site.earns[head] = dict(zip(kinds, map(int, cells), strict=True))
    return sites


def _json(text: str) -> Sites:
    sites = json.loads(text)["sites"]
    return {name: Site(found.pop("record"), found) for name, found in sites.items()}


def _letter(text: str) -> Sites:
    pair, earning = r"(?P<n>\d+) (?P<kind>\w+)", r"(?P<n>\d+) on a (?P<kind>\w+) day"
    return _told(text, r"^At (\w+) the", r"has (.+) days", pair, r"^The (\w+) would bring (.+)\.$", earning)


def _minutes(text: str) -> Sites:
    days, earning = r"(?P<kind>\w+): (?P<n>\d+)", r"(?P<kind>\w+) (?P<n>\d+)"
    return _told(text, r"site (\w+)\.$", r"on record: (.+)$", days, r"spoke for the (\w+): (.+)$", earning)


def _chat(text: str) -> Sites:
    days, earning = r"(?P<n>\d+)x (?P<kind>\w+)", r"(?P<n>\d+) if (?P<kind>\w+)"
    return _told(text, r": ok, (\w+)$", r"'s book: (.+)$", days, r"/(\w+) -> (.+)$", earning)


def _spoken(text: str) -> Sites:
    pair = r"(?P<n>\d+) (?P<kind>[a-z]+)"
    earning = r"(?P<kind>[a-z]+) (?P<n>\d+)"
    return _told(_in_digits(text), r"^right (\w+) the", r"book are (.+)$", pair, r"^the (\w+) makes (.+)$", earning)


def _in_digits(text: str) -> str:
    """The text with numbers below a thousand in digits."""
    word = "|".join(sorted(NUMBERS, key=len, reverse=True))
    hundreds = re.compile(rf"\b({word}) hundred(?: and ({word}))?\b")
    text = hundreds.sub(lambda found: str(100 * NUMBERS[found[1]] + NUMBERS.get(found[2] or "zero", 0)), text)
    return re.sub(rf"\b({word})\b", lambda found: str(NUMBERS[found[1]]), text)


def _daybook(text: str) -> Sites:
    sites: Sites = {}
    letters: dict[str, Counter[str]] = {}
    for name, row in re.findall(r"^(\w+) record: ([a-z ]+)$", text, re.MULTILINE):
        sites[name], letters[name] = Site(), Counter(row.split())
    for name, kind, row in re.findall(r"^(\w+) on=(\w+) pays (.+)$", text, re.MULTILINE):
        sites[name].days[kind] = letters[name][kind[0]]
        for strategy, earned in re.findall(r"(\w+)=(\d+)", row):
            sites[name].earns.setdefault(strategy, {})[kind] = int(earned)
    return sites


def _rates(text: str) -> Sites:
    sites: Sites = {}
    for name, row, plain in re.findall(r"^\[(\w+)\] record: (.+)\. The base holds on a (\w+) day", text, re.MULTILINE):
        sites[name] = Site({kind: int(n) for n, kind in re.findall(r"(\d+) of (\w+)", row)})
        for strategy, base, changes in re.findall(rf"^\[{name}\] (\w+): base (\d+); (.+)$", text, re.MULTILINE):
            changed = {kind: int(base) + int(more) for more, kind in re.findall(r"([+-]\d+) if (\w+)", changes)}
            sites[name].earns[strategy] = {plain: int(base), **changed}
    return sites


_READERS: tuple[Callable[[str], Sites], ...] = (_table, _json, _letter, _minutes, _chat, _spoken, _daybook, _rates)


def _readings(text: str) -> Iterator[Sites]:
    for reader in _READERS:
        try:
            yield reader(text)
        except (ValueError, KeyError, TypeError):
            continue


def choose(seen: Seen, memory: Memory) -> Call | None:
    """Execute at every site what earns most on average; the text is what was shown first."""
    sites = max(_readings(seen.first["text"]), key=lambda found: sum(len(site.earns) for site in found.values()))
    names = list(sites)
    if seen.results and not isinstance(seen.last, dict):
        return None
    done = [name.lower() for name in names].index(seen.last["site"].lower()) + 1 if seen.results else 0
    return Call("execute", {"site": names[done], "strategy": sites[names[done]].best()}) if done < len(names) else None
