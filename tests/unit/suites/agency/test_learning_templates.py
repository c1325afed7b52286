"""Templates of the learning families are structurally different: a reader for one of them fails on most others.

Each reader here is written for one template and reads every instance of it; what training teaches, it is given.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Draw, Family
from proctor.spec.task import Instance, Submission
from proctor.suites.agency.learning.api_versions import family as interface
from proctor.suites.agency.learning.code_lock import family as locks
from proctor.suites.agency.learning.code_lock.world import PUZZLES
from proctor.suites.agency.learning.coding_patterns import family as patterns
from proctor.suites.agency.learning.customer_sessions import family as customers
from proctor.suites.agency.learning.customer_sessions.people import TRAITS
from proctor.suites.agency.learning.five_crafts import family as crafts
from proctor.suites.agency.learning.secrets import invented
from proctor.worlds.world import Place

Reader = Callable[[Family, Instance], bool]


def dials(family: Family, instance: Instance) -> bool:
    """Halves the range of every dial."""
    world: Any = family.world(instance, Place())
    count = int(re.findall(r"(\d) dials", instance.goal)[0])
    low, high = [0] * count, [9] * count
    for _ in range(6):
        entry = [(one + two) // 2 for one, two in zip(low, high, strict=True)]
        hint = world.attempt("".join(map(str, entry)))
        if hint["opened"]:
            break
        for place, arrow in enumerate(hint["dials"]):
            if arrow != "lower":
                low[place] = entry[place] + (arrow == "higher")
            if arrow != "higher":
                high[place] = entry[place] - (arrow == "lower")
    return bool(world.verify(Submission()).success)


def field(family: Family, instance: Instance) -> bool:
    """Keeps the squares that are as many steps away as every hint says."""
    world: Any = family.world(instance, Place())
    side = int(re.findall(r"(\d+) by", instance.goal)[0])
    squares = [(column, row) for column in range(side) for row in range(side)]
    for _ in range(6):
        column, row = squares[(len(squares) * 2) // 7]
        hint = world.attempt(f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[column]}{row + 1}")
        if hint["opened"]:
            break
        squares = [(c, r) for c, r in squares if abs(c - column) + abs(r - row) == hint["steps"]]
    return bool(world.verify(Submission()).success)


def python(family: Family, instance: Instance) -> bool:
    """Knows Python, and no other notation."""
    kinds = []
    for code in re.split(r"^def ", instance.observation["text"], flags=re.MULTILINE)[1:]:
        item = re.findall(r"for (\w+) in", code)[0]
        guard = re.search(r"if not \w+:\n +(return|raise)", code)
        body = code.partition("for ")[2]
        pushed = re.findall(r"append\((.+)\)", body)
        if "setdefault" in body:
            pattern = "grouping"
        elif "+=" in body:
            pattern = "tally" if "+= 1\n" in body else "total"
        elif pushed:
            pattern = "filter" if pushed == [item] else "transform"
        elif "is None" in body:
            pattern = "best"
        else:
            pattern = "proof" if "return False" in body else "search"
        kinds.append([pattern, {"return": "answered", "raise": "refused"}[guard.group(1)] if guard else "unguarded"])
    return bool(kinds == instance.hidden["kinds"])


def spoken(family: Family, instance: Instance) -> bool:
    """Counts on the words of the telephone call."""
    kinds = []
    for code in re.split(r"^— So it's called ", instance.observation["text"], flags=re.MULTILINE)[1:]:
        before, _, body = code.partition("Now a loop, ")
        item = body.split()[0]
        if "under" in body:
            pattern = "grouping"
        elif "plus equals" in body:
            pattern = "tally" if "plus equals 1." in body else "total"
        elif "Push" in body:
            pattern = "filter" if f"Push {item} onto" in body else "transform"
        elif "is null so far" in body:
            pattern = "best"
        else:
            pattern = "proof" if "Return false" in body else "search"
        kinds.append([pattern, "refused" if "throws" in before else "answered" if "Return" in before else "unguarded"])
    return bool(kinds == instance.hidden["kinds"])


KIND_OF = {phrase: kind for trait in TRAITS for kind, phrases in trait.tests.items() for phrase in phrases}


def json_notes(family: Family, instance: Instance) -> bool:
    """Reads keys and values."""
    entries = dict(re.findall(r'^  \{"k": "(.+?)", "v": "(.+)"\},$', instance.observation["text"], re.MULTILINE))
    return bool([[KIND_OF[entries[trait.label]] for trait in TRAITS]] == instance.hidden["people"])


def answering_machine(family: Family, instance: Instance) -> bool:
    """Listens for what comes after the label."""
    entries = dict(re.findall(r"^… [\w ]+, (.+?), that's … (.+) …$", instance.observation["text"], re.MULTILINE))
    return bool([[KIND_OF[entries[trait.label]] for trait in TRAITS]] == instance.hidden["people"])


def needs(instance: Instance, unit: str, now: dict[str, str]) -> list[str]:
    """Operation and grade by the difference between the fields of version 2 and what is wanted."""
    wanted = dict(
        re.findall(
            r"(pressure|temperature|valve|mode) (\w+)", re.findall(rf"^- {unit}: (.+)$", instance.goal, re.MULTILINE)[0]
        )
    )
    for field_name, setting, up, down in (
        ("prs_dk", "pressure", "raise", "lower"),
        ("tmp_dk", "temperature", "heat", "cool"),
    ):
        change = int(wanted[setting]) - int(now[field_name]) // 10
        if change:
            grade = "small" if abs(change) < 10 else "medium" if abs(change) < 30 else "large"
            return [up if change > 0 else down, grade]
    if (now["vlv_op"] == "Y") != (wanted["valve"] == "open"):
        return ["open" if wanted["valve"] == "open" else "shut", "whole"]
    return ["engage" if wanted["mode"] == "automatic" else "release", "whole"]


def reader_of(pattern: str) -> Reader:
    """Reads the answers of the interface by one pattern for name and value."""

    def read(family: Family, instance: Instance) -> bool:
        world: Any = family.world(instance, Place())
        tasks = {}
        for unit in re.findall(r"^- (\S+):", instance.goal, re.MULTILINE):
            found = re.finditer(pattern, world.get(unit), re.MULTILINE)
            tasks[unit] = needs(instance, unit, {match["name"]: match["value"] for match in found})
        return bool(tasks == instance.hidden["tasks"])

    return read


def work_table(family: Family, instance: Instance) -> bool:
    """Rows of a table."""
    found = re.findall(r"^\| (.+) \| piece [A-G] \|$", instance.observation["text"], re.MULTILINE)
    return bool(found == instance.hidden["items"])


def work_log(family: Family, instance: Instance) -> bool:
    """Lines with a time."""
    found = re.findall(r"^\d\d:\d\d NOTE <piece [A-G]> (.+)$", instance.observation["text"], re.MULTILINE)
    return bool(found == instance.hidden["items"])


CASES: list[tuple[str, Family, str, Reader]] = [
    ("dials", locks, "dials", dials),
    ("field", locks, "field", field),
    ("python", patterns, "python", python),
    ("spoken", patterns, "call", spoken),
    ("json-notes", customers, "json", json_notes),
    ("answering-machine", customers, "voice", answering_machine),
    ("xml-answers", interface, "lisp-to-xml", reader_of(r"<(?P<name>\w+)>(?P<value>\w+)</\w+>")),
    ("csv-answers", interface, "ini-to-csv", reader_of(r"^\S+;(?P<value>\w+);(?P<name>\w+)$")),
    ("work-table", crafts, "table", work_table),
    ("work-log", crafts, "log", work_log),
]


@pytest.mark.parametrize(("family", "own", "reader"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_reader_of_one_template_fails_on_the_others(family: Family, own: str, reader: Reader) -> None:
    passed: dict[str, list[bool]] = defaultdict(list)
    source = Stream.keyed("templates", family.spec.id)
    knobs = {name: knob.default for name, knob in family.spec.knobs.items()}
    for number in range(240):
        instance = family.instance(Draw(source.child(number), source, number, family.spec.examined, knobs=knobs))
        try:
            read = reader(family, instance)
        except (AssertionError, LookupError, ValueError, ToolError):
            read = False
        passed[instance.template].append(read)
    assert all(passed[own])
    failing = [template for template, found in passed.items() if template != own and sum(found) <= 0.1 * len(found)]
    assert len(failing) >= 5


@pytest.mark.parametrize(
    ("puzzle", "typed", "entry"),
    [
        *(("wheel", "142", [142]), ("wheel", "1,4.", [14]), ("wheel", "-1", None), ("wheel", "1.5", None)),
        *(("gears", "12 20", [12, 20]), ("gears", "12-20", [12, 20]), ("gears", "12 -20", None)),
    ],
)
def test_a_lock_takes_no_number_for_another(puzzle: str, typed: str, entry: list[int] | None) -> None:
    public, _ = PUZZLES[puzzle].draw(Stream.keyed("lock"), 2)
    assert PUZZLES[puzzle].read(typed, public) == entry


def test_made_up_words_are_made_up() -> None:
    words = invented(Stream.keyed("words"), 4_000)
    assert not {"hindu", "pizza", "porno", "plate", "name", "hello", "homo"} & set(words)
