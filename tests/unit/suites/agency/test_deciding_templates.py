"""Templates of the deciding families are structurally different: a reader written for one of them fails on the others.

Each reader knows one form and all words of the family. What it read is handed to a solver that sees nothing else; so
these tests show as well that the text alone is enough to do the task.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from proctor.core.errors import ToolError
from proctor.engine.family import Draw, Family
from proctor.spec.task import Instance, Submission
from proctor.suites.agency.deciding.delivery_routes.texts import WORDING as ROADS
from proctor.suites.agency.deciding.file_sorting.papers import Paper, Rule, places
from proctor.suites.agency.deciding.file_sorting.texts import PROPERTIES
from proctor.suites.agency.deciding.file_sorting.texts import WORDING as FILES
from proctor.suites.agency.deciding.material import Wording
from proctor.suites.agency.deciding.paraphrased_allocation.problems import POLICIES, Request
from proctor.suites.agency.deciding.paraphrased_allocation.texts import WORDING as REQUESTS
from proctor.suites.agency.deciding.project_plan.projects import NONE, Progress, Project, Step
from proctor.suites.agency.deciding.project_plan.texts import WORDING as STEPS
from proctor.suites.agency.deciding.thermostat.rules import NEVER, Period, Reading, Rules, decide
from proctor.suites.agency.deciding.thermostat.texts import WORDING as ROOMS
from proctor.worlds.world import Place

Rows = dict[str, list[dict[str, str]]]
"""Section or kind of row, and what stands in the rows of it."""
Reader = Callable[[str, Wording], Rows]


def from_json(text: str, wording: Wording) -> Rows:
    found = json.loads(text)
    return {name: rows for name, rows in found.items() if isinstance(rows, list)} or {"reading": [found]}


def from_xml(text: str, wording: Wording) -> Rows:
    root = ElementTree.fromstring(text)
    return {part.tag: [dict(row.attrib) for row in part] for part in root} or {"reading": [dict(root.attrib)]}


def from_table(text: str, wording: Wording) -> Rows:
    columns, names = _turned(wording.labels), _turned(wording.headings)
    found: Rows = defaultdict(list)
    name, header = "reading", None
    for line in text.split("\n"):
        if line.startswith("## "):
            name, header = names[line[3:]], None
        elif line.startswith("| "):
            cells = line[2:-2].split(" | ")
            if header is None:
                header = [columns[cell] for cell in cells]
            else:
                found[name].append(dict(zip(header, cells, strict=True)))
    return found


def from_cards(text: str, wording: Wording) -> Rows:
    columns = _turned(wording.labels)
    names = {heading.upper(): name for name, heading in wording.headings.items()}
    found: Rows = defaultdict(list)
    name = "reading"
    for line in text.split("\n"):
        if match := re.fullmatch(r"=== (.+), CARD \d+ ===", line):
            name = names[match.group(1)]
            found[name].append({})
        elif match := re.fullmatch(r"(.+?) \.+ (.+)", line):
            if not found[name]:
                found[name].append({})
            found[name][-1][columns[match.group(1)]] = match.group(2)
    return found


def from_log(text: str, wording: Wording) -> Rows:
    found: Rows = defaultdict(list)
    for line in text.split("\n"):
        if match := re.fullmatch(r"\d\d:\d\d:\d\d (\w+) (.+)", line):
            pairs = re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', match.group(2))
            found[match.group(1)].append({name: quoted or plain for name, quoted, plain in pairs})
    return found


def _spoken(before: str, form: str) -> Reader:
    """A reader of sentences: kinds of rows take the place of sections."""

    def reader(text: str, wording: Wording) -> Rows:
        found: Rows = defaultdict(list)
        for line in text.split("\n"):
            # The longest sentence first: a shorter one may be the beginning of it.
            for kind, sentence in sorted(getattr(wording, form).items(), key=lambda item: -len(item[1])):
                pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(sentence))
                if match := re.fullmatch(before + pattern, line):
                    found[kind].append({**match.groupdict(), "said": kind})
                    break
        return found

    return reader


READERS: dict[str, Reader] = {
    "table": from_table,
    "json": from_json,
    "xml": from_xml,
    "cards": from_cards,
    "log": from_log,
    "letter": _spoken("", "letter"),
    "chat": _spoken(r"\[\d\d:\d\d\] [A-Za-z]+ [A-Za-z]+: ", "chat"),
    "minutes": _spoken(r"\d+\.\d+ ", "minutes"),
}


def _turned(names: dict[str, str]) -> dict[str, str]:
    return {label: name for name, label in names.items()}


def _all(rows: Rows, *names: str) -> list[dict[str, str]]:
    return [row for name in names for row in rows.get(name, [])]


def _tenths(text: str) -> int:
    return round(float(text) * 10)


def _minute(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


def control(world: Any, instance: Instance, read: Callable[[str], Rows]) -> None:
    rows = read(instance.observation["text"])
    kinds = tuple(ROOMS.letter)
    said = {row.get("setting", row.get("said", "")): row["value"] for row in _all(rows, "settings", *kinds[1:-1])}
    rules = Rules(
        tuple(
            Period(_minute(row["from"]), _minute(row["until"]), _tenths(row["target"]))
            for row in _all(rows, "periods", "period")
        ),
        _tenths(said["dead band"]),
        correction=_tenths(said.get("sensor correction", "0")),
        absence=_tenths(said.get("absence margin", "0")),
        window="open window" in said,
        frost=_tenths(said.get("frost protection", "-99")),
        lock=_tenths(said.get("cooling lock", "-99")),
        boost=_tenths(said.get("boost degrees", "0")),
        minutes=int(said.get("boost minutes", "0")),
    )
    text = instance.observation["reading"]
    for _ in range(instance.observation["of"]):
        (row,) = read(text)["reading"]
        reading = Reading(
            _minute(row["time"]),
            _tenths(row["sensor"]),
            _tenths(row["outside"]),
            row["window"] == "open",
            row["people"] == "in use",
            NEVER if row["button"] == "not today" else int(row["button"].split()[0]),
        )
        text = world.set_mode(decide(rules, reading))["reading"]


def sort(world: Any, instance: Instance, read: Callable[[str], Rows]) -> None:
    rows = read(instance.observation["text"])
    files = _all(rows, "files", "file")
    papers = [
        Paper(
            row["document"],
            row["kind"],
            row["office"],
            row["date"],
            int(row["kb"]),
            row["status"],
        )
        for row in files
    ]
    tests = _turned(PROPERTIES)
    ranked = sorted(_all(rows, "rules", *PROPERTIES), key=lambda row: int(row["rank"]))
    rules = [
        Rule(row["said"] if "said" in row else tests[row["property"]], row.get("value", ""), row["folder"])
        for row in ranked
    ]
    (order,) = rows["numbering"]
    assert len(papers) == 10
    targets = dict(zip([row["path"] for row in files], places(papers, rules, order["order"]), strict=True))
    waiting = {source: target for source, target in targets.items() if source != target}
    taken = set(targets)
    while waiting:
        source = next((source for source, target in waiting.items() if target not in taken), None)
        if source is None:
            source = next(iter(waiting))
            target = waiting.pop(source)
            world.move_file(source, "/task/inbox/aside.txt")
            waiting["/task/inbox/aside.txt"] = target
        else:
            target = waiting.pop(source)
            world.move_file(source, target)
            taken.add(target)
        taken.discard(source)


def deliver(world: Any, instance: Instance, read: Callable[[str], Rows]) -> None:
    rows = read(instance.observation["text"])
    ways: dict[str, dict[str, int]] = defaultdict(dict)
    for row in _all(rows, "roads", "road"):
        ways[row["one"]][row["two"]] = ways[row["two"]][row["one"]] = int(row["km"])
    (van,) = rows["van"]
    here = van["depot"]
    closed: set[frozenset[str]] = set()
    for row in sorted(_all(rows, "parcels", "parcel"), key=lambda row: int(row["rank"])):
        while here != row["address"]:
            for place in _way(ways, here, row["address"], closed):
                try:
                    world.drive(place)
                except ToolError:
                    closed.add(frozenset((here, place)))
                    break
                here = place
        world.unload(row["parcel"])


def _way(ways: dict[str, dict[str, int]], here: str, there: str, closed: set[frozenset[str]]) -> list[str]:
    found = {here: (0, [here])}
    for _ in ways:
        for place, (km, way) in list(found.items()):
            for other, more in ways[place].items():
                if frozenset((place, other)) not in closed and km + more < found.get(other, (10**9,))[0]:
                    found[other] = (km + more, [*way, other])
    return found[there][1][1:]


def allot(world: Any, instance: Instance, read: Callable[[str], Rows]) -> None:
    rows = read(instance.observation["text"])
    (pool,) = rows["pool"]
    asked = _all(rows, "requests", "request")
    requests = [Request(int(row["ask"]), int(row["least"]), int(row["rank"]), int(row["benefit"])) for row in asked]
    assert sum(request.ask for request in requests) == int(pool["asked"])
    amounts = POLICIES[instance.hidden["policy"]](int(pool["units"]), requests)
    for row, amount in zip(asked, amounts, strict=True):
        world.allot(row["recipient"], amount)


def plan(world: Any, instance: Instance, read: Callable[[str], Rows]) -> None:
    rows = read(instance.observation["text"])
    listed = _all(rows, "steps", "free", "work", "use", "delivery", "taking")
    codes = [row["step"] for row in listed]
    machines = _all(rows, "machines", "machine")
    names = [row["machine"] for row in machines]
    hires = {row["hired_by"]: place for place, row in enumerate(machines)}

    def mask(text: str) -> int:
        return sum(1 << codes.index(code) for code in text.split(", ") if code != "-")

    steps = []
    for row in listed:
        yard, needs = row.get("yard", "-"), row.get("needs", "-")
        steps.append(
            Step(
                mask(row.get("after", "-")),
                machine=names.index(needs) if needs != "-" else NONE,
                hires=hires.get(row["step"], NONE),
                delivers=yard == "fills one place" or row.get("said") == "delivery",
                takes=codes.index(yard.split()[-1]) if yard.startswith("frees") else NONE,
            )
        )
    users = [sum(1 << n for n, step in enumerate(steps) if step.machine == machine) for machine in range(len(names))]
    (closing,) = rows["closing"]
    (room,) = _all(rows, "yard", "room")
    project = Project(
        steps,
        [int(row["stays"]) for row in machines],
        users,
        int(room["room"]),
        codes.index(closing["closes"]),
        mask(closing["bars"]),
    )
    for number in order_of(project):
        world.do_step(codes[number])


def order_of(project: Project) -> list[int]:
    """An order in which everything can be done, by looking ahead; fails if there is none."""
    lost: set[tuple[int, ...]] = set()

    def after(order: list[int]) -> Iterator[int]:
        progress = Progress(project)
        for number in order:
            progress.do(number)
        key = (progress.done, *(progress.left(machine) for machine in range(len(project.stays))))
        if key in lost or _spoilt(progress):
            return
        lost.add(key)
        # What cannot be had too early comes first.
        numbers = sorted(range(len(project.steps)), key=lambda n: (n == project.closing, project.steps[n].hires, n))
        yield from (number for number in numbers if progress.hindrance(number) is None)

    order: list[int] = []
    open_ends = [after(order)]
    while len(order) < len(project.steps):
        following = next(open_ends[-1], None)
        if following is None:
            open_ends.pop()
            order.pop()
        else:
            order.append(following)
            open_ends.append(after(order))
    return order


def _spoilt(progress: Progress) -> bool:
    project = progress.project
    gone = any(
        hired != NONE and not progress.left(machine) and project.users[machine] & ~progress.done
        for machine, hired in enumerate(progress.hired)
    )
    return gone or bool(progress.done >> project.closing & 1 and project.barred & ~progress.done)


SOLVERS: dict[str, tuple[Callable[[Any, Instance, Callable[[str], Rows]], None], Wording]] = {
    "thermostat": (control, ROOMS),
    "file_sorting": (sort, FILES),
    "delivery_routes": (deliver, ROADS),
    "paraphrased_allocation": (allot, REQUESTS),
    "project_plan": (plan, STEPS),
}


@pytest.mark.parametrize("name", SOLVERS)
def test_a_reader_of_one_form_fails_on_the_others(name: str) -> None:
    family: Family = import_module(f"proctor.suites.agency.deciding.{name}").family
    solver, wording = SOLVERS[name]
    assert set(READERS) == set(family.spec.templates)
    passed: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for number in range(120):
        instance = family.instance(Draw.of("templates", number))
        for form, reader in READERS.items():
            world: Any = family.world(instance, Place())
            with suppress(ToolError, AssertionError, LookupError, ValueError, ElementTree.ParseError):
                solver(world, instance, lambda text, reader=reader: reader(text, wording))  # type: ignore[misc]
            passed[form, instance.template].append(world.verify(Submission(None)).success)
    for form in READERS:
        assert all(passed[form, form])
        others = [passed[form, template] for template in READERS if template != form]
        assert sum(sum(found) < 0.4 * len(found) for found in others) >= 5


def test_readers_need_the_right_words() -> None:
    """A sentence of one spoken form is none of another's: the three share no pattern."""
    for _, wording in SOLVERS.values():
        for one, two in pairwise((wording.letter, wording.chat, wording.minutes)):
            assert set(one) == set(two)
            assert not set(one.values()) & set(two.values())
