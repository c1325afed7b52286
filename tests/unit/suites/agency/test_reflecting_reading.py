"""What the texts of Tier 4 say is enough: whoever knows all their wordings reads off the right answer and strategy.

The reader here is made from the wordings themselves, turned into patterns. It sees goal and text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.unit.suites.agency.test_reflecting import instances

from proctor.spec.task import Instance
from proctor.suites.agency.reflecting.batch_or_single import lists
from proctor.suites.agency.reflecting.known_unknowns import books
from proctor.suites.agency.reflecting.known_unknowns.books import Entry, settle
from proctor.suites.agency.reflecting.timely_check import units
from proctor.suites.kit.spelling import in_words

MANY = 400
PLACES = {
    "n": r"\d{4,5}|" + "|".join(re.escape(gap) for gap in books.WORDS["gaps"]),
    "k": r"\d+",
    "day": r"\d+ \w+|\w+",
    "date": r"\d+ \w+",
    "value": r"\d+",
    "now": r"\d\d:\d\d",
    "taken": r"\d\d:\d\d",
    "due": r"\d\d:\d\d",
    "mark": r"\w\w-\d+",
    "old": r"\w\w-\d+",
    "x": r"\w+ \w+",
    "s": r"\w+ \w+",
    "o": r"\w+ \w+",
    "a": r"\w+ \w+",
    "b": r"\w+ \w+",
    "c": r"\w+ \w+",
    "who": r"\w+",
    "name": r"\w+",
    "good": r"\w+",
    "bad": r"\w+",
    "cls": r"\w+",
    "place": r"\w+",
}
NUMBERS = {in_words(number): number for number in range(200)}


def plain(text: str) -> str:
    """Without case and punctuation, which some of the forms leave out."""
    return re.sub(r"[,.;|]", "", text.lower()).strip()


@cache
def pattern(wording: str, loose: str = ".+") -> re.Pattern[str]:
    """A wording turned round: its places catch what was filled in."""
    parts = re.split(r"\{(\w+)\}", wording)
    seen: set[str] = set()
    made = ""
    for index, part in enumerate(parts):
        if index % 2 == 0:
            made += re.escape(plain(f"x{part}x")[1:-1]) if part.strip() else part
        elif (name := part.lower()) in seen:
            made += f"(?P={name})"
        else:
            seen.add(name)
            made += f"(?P<{name}>{PLACES.get(name, loose)})"
    return re.compile(made)


def found(words: dict[str, Any], kind: str, line: str) -> dict[str, str] | None:
    """What the line says if it is of this kind."""
    for wording in words[kind]:
        match = pattern(wording).search(plain(line))
        if match and (match.end() == len(plain(line)) or plain(line)[match.end()] in '"}'):
            return match.groupdict()
    return None


def lines_of(instance: Instance) -> Iterator[str]:
    """The lines of the text, without what the form puts around them."""
    for line in instance.observation["text"].split("\n"):
        inner = re.search(r'"text": "(.*)"\},?$', line)
        text = inner.group(1) if inner else line
        yield re.sub(r"^(?:- |\d{4} desk \d |\w+ reports: |<\w+> |\| \d+ \| )", "", text)


# Books


def entries_of(instance: Instance) -> tuple[list[Entry], int]:
    """The entries as they can be read, and the day that is asked for."""
    day = re.search(r"on (\d+) [A-Z]", instance.goal)
    assert day is not None
    read: list[Entry] = []
    for line in lines_of(instance):
        for kind in ("renamed", "total", "guessed", "recounted", "unsettled", "corrected", "voided", "count"):
            said = found(books.WORDS, kind, line)
            if said is None or (kind == "recounted" and not said["n"].isdigit()):
                continue
            others = tuple(said[name] for name in "oabc" if name in said)
            number = said.get("k" if kind == "corrected" else "n", "")
            when = int(said["day"].split()[0]) if "day" in said else 0
            read.append(Entry(kind, said.get("s", ""), when, int(number) if number.isdigit() else None, "", others))
            break
    return read, int(day.group(1))


def test_books_can_be_read() -> None:
    for instance in instances("known-unknowns"):
        entries, day = entries_of(instance)
        assert len(entries) == len(instance.hidden["entries"])
        number = settle(entries, instance.hidden["asked"].lower(), day)
        assert number == (instance.hidden["answer"] if instance.hidden["item"] == "solvable" else None)


# Lists


def holds(instance: Instance) -> set[str]:
    """Which of the two remarks hold, from what the text says of them."""
    text = list(lines_of(instance))
    remarks: dict[str, str] = {}
    for kind in ("exceptions", "limits"):
        for line in text:
            if any(pattern(wording).search(plain(line)) for wording in _housed(instance, lists.WORDS[kind])):
                remarks.setdefault(kind, line)
    assert len(remarks) == 2
    authority = next((said for line in text if (said := found(lists.WORDS, "authority", line))), None)
    today = next((said for line in text if (said := found(lists.WORDS, "today", line))), None)
    if authority is not None:
        return {kind for kind, line in remarks.items() if _by(line) == authority["good"]}
    if today is not None:
        now = int(today["date"].split()[0])
        return {kind for kind, line in remarks.items() if _until(line) >= now}
    topics = {"exceptions": "topics_exception", "limits": "topics_limit"}
    upheld = {kind for kind in topics if any(_says(instance, "upheld", line, topics[kind]) for line in text)}
    lifted = {kind for kind in topics if any(_says(instance, "lifted", line, topics[kind]) for line in text)}
    assert upheld == set(remarks) - lifted
    return upheld


def _says(instance: Instance, status: str, line: str, topics: str) -> bool:
    """Whether a line lifts or upholds the remark on one of these topics."""
    items = _listed(instance)
    for clause in _caught(lists.WORDS[status], plain(line), "ended"):
        for topic in _caught(lists.WORDS["ended"], clause, "topic"):
            for wording in _housed(instance, lists.WORDS[topics]):
                match = pattern(wording).fullmatch(topic)
                if match and match.groupdict().get("x", items[0]) in items:
                    return True
    return False


def _caught(wordings: list[str], text: str, name: str) -> list[str]:
    """What stands in this place of each wording that fits the whole text."""
    return [match[name] for wording in wordings if (match := pattern(wording).fullmatch(text))]


def _housed(instance: Instance, wordings: list[str]) -> list[str]:
    house = next(house for house in lists.WORDS["houses"] if f" {house['items']} " in f"{instance.goal} ")
    return [
        wording.replace("{items}", house["items"])
        .replace("{actioned}", house["actioned"])
        .replace("{desk}", house["desk"])
        .replace("{Desk}", house["desk"])
        for wording in wordings
    ]


def _listed(instance: Instance) -> list[str]:
    return [said["x"] for line in lines_of(instance) if (said := found(lists.WORDS, "listed", line))]


def _by(line: str) -> str:
    said = found(lists.WORDS, "signed", line)
    assert said is not None
    return said["name"]


def _until(line: str) -> int:
    said = found(lists.WORDS, "dated", line)
    assert said is not None
    return int(said["date"].split()[0])


def test_remarks_can_be_read() -> None:
    for instance in instances("batch-or-single"):
        expected = {"one-by-one": "exceptions", "all-at-once": "limits"}[instance.hidden["suits"]]
        assert holds(instance) == {expected}, instance.observation["text"]
        marks = [said for line in lines_of(instance) if (said := found(lists.WORDS, "marks", line))]
        assert [said["mark"] for said in marks] == [instance.hidden["mark"].lower()]
        assert sorted(_listed(instance)) == sorted(item.lower() for item in instance.hidden["items"])


# Units


def span(text: str) -> int:
    """A duration in minutes."""
    total = 0
    for number, unit in re.findall(
        r"(\d+|[a-z]+(?:[- ](?:and )?[a-z]+)*?) (h|min|hour|minute)", text.replace(" and ", " + ")
    ):
        value = int(number) if number.isdigit() else NUMBERS[number]
        total += value * (60 if unit.startswith("h") else 1)
    return total


def minute(time: str) -> int:
    """A time of day in minutes."""
    return 60 * int(time[:2]) + int(time[3:])


def test_units_can_be_read() -> None:
    for instance in instances("timely-check"):
        asked, house = instance.hidden["asked"].lower(), _house(instance)
        said: dict[str, list[dict[str, str]]] = {}
        for line in lines_of(instance):
            for kind in ("now", "recorded", "belongs", "holds", "takes", "due"):
                for wording in units.WORDS[kind]:
                    filled = wording
                    for name in ("measure", "class", "hall"):
                        filled = filled.replace(f"{{{name}}}", house[name])
                    match = pattern(filled, r"(?:\w| |-)+?").fullmatch(plain(line).rstrip('"},'))
                    if match:
                        said.setdefault(kind, []).append(match.groupdict())
        now = minute(said["now"][0]["now"])
        own = {kind: next(one for one in said[kind] if one["x"] == asked) for kind in ("recorded", "belongs", "due")}
        lasts = next(span(one["span"]) for one in said["holds"] if one["cls"] == own["belongs"]["cls"])
        takes = next(span(one["span"]) for one in said["takes"] if one["place"] == own["belongs"]["place"])
        fresh = now - minute(own["recorded"]["taken"]) <= lasts
        in_time = now + takes <= minute(own["due"]["due"])
        assert fresh != in_time
        assert fresh == (instance.hidden["suits"] == "direct")
        assert int(own["recorded"]["value"]) == instance.hidden["units"][0]["value"]


def _house(instance: Instance) -> dict[str, str]:
    return next(house for house in units.WORDS["houses"] if f"{house['unit']} " in instance.goal.lower())
