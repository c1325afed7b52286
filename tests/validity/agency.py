"""Validity of the Agency Vector: agents whose abilities are planted, examined with the real suite.

`python -m tests.validity.agency` runs everything and writes the tables of `docs/validity.md`; the tests beside this
file run the same functions and hold them to their limits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from proctor.api import run
from proctor.core.seeds import Stream
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.agency.instrument import AgencyInstrument
from proctor.spec.suite import Suite
from proctor.suites.agency import agency
from tests.validity import power

DIMENSIONS = ("S", "M", "D", "E", "L", "R", "G1", "G2", "G3")
WITHOUT_VERDICTS = 2
"""Where G3 stops."""
Levels = dict[str, int | None]


class Recovery(Struct, frozen=True):
    """How often a planted level was read as planted."""

    readings: int
    recovered: int
    exceeded: int
    misses: tuple[str, ...]


def in_memory() -> Suite:
    """`agency` without the families that use files, databases, repositories and sandboxes: all of E."""
    suite = agency()
    entries = tuple(entry for entry in suite.entries if not (entry.cell or "").startswith("E"))
    return suite.model_copy(update={"name": "agency-in-memory", "streams": suite.name, "entries": entries})


def levels_of(suite: Suite, agent: str, seed: int, workers: int = 2) -> Levels:
    """The levels an agent is read at; None where nothing was measured."""
    with _store() as place:
        result = run(suite, agent=agent, seed=seed, store=place, workers=workers)
        with Store(place) as store:
            evidence = evidence_of(store, result.run)
    vector = AgencyInstrument().read(evidence, evidence.frozen.rules).vector
    found = {name: reading.level for name, reading in vector.items() if name != "G"}
    return found | {name: part.level for name, part in vector["G"].parts.items()}


@contextmanager
def _store() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "store.db")


def planted(number: int, names: tuple[str, ...] = DIMENSIONS) -> dict[str, int]:
    """The levels of the simulant of this number."""
    stream = Stream.keyed("validity", "graded", number)
    return {name: stream.integer(0, 5) for name in names}


def expected(levels: dict[str, int]) -> dict[str, int]:
    """What a perfect instrument reads: G3 stops at 2 where no rater judged goals."""
    return {name: min(level, WITHOUT_VERDICTS) if name == "G3" else level for name, level in levels.items()}


def agent_string(levels: dict[str, int]) -> str:
    return "graded:" + ",".join(f"{name}={level}" for name, level in levels.items())


def recovery(suite: Suite, count: int, names: tuple[str, ...]) -> Recovery:
    """Plant levels in so many simulants, and read them."""
    recovered = exceeded = readings = 0
    misses: list[str] = []
    for number in range(count):
        levels = planted(number, names)
        found = levels_of(suite, agent_string(levels), seed=1000 + number)
        for name, level in expected(levels).items():
            readings += 1
            recovered += found[name] == level
            exceeded += (found[name] or 0) > level
            if found[name] != level:
                misses.append(f"{name}: planted {level}, read {found[name]} (simulant {number})")
    return Recovery(readings, recovered, exceeded, tuple(misses))


class Separation(Struct, frozen=True):
    """How often planting one dimension moved another by more than one level."""

    readings: int
    moved: int


def separation(suite: Suite, names: tuple[str, ...]) -> Separation:
    """Lower one dimension to 1 in an agent that is at 4 everywhere else."""
    moved = readings = 0
    for number, lowered in enumerate(names):
        levels = dict.fromkeys(names, 4) | {lowered: 1}
        found = levels_of(suite, agent_string(levels), seed=2000 + number)
        for name, level in expected(levels).items():
            if name != lowered:
                readings += 1
                moved += abs((found[name] or 0) - level) > 1
    return Separation(readings, moved)


class Retest(Struct, frozen=True):
    """Agreement of the vectors of one agent on two seeds."""

    readings: int
    same: int
    within_one: int


def retest(suite: Suite, count: int) -> Retest:
    """Item-response agents near the threshold, taken twice with other tasks."""
    readings = same = within_one = 0
    for number in range(count):
        agent = f"irt:ability={0.6 + 0.15 * number:.2f},a=1.2"
        first, second = (levels_of(suite, agent, seed=seed) for seed in (3000 + number, 4000 + number))
        for name in first.keys() & second.keys():
            one, two = first[name], second[name]
            if one is None or two is None:
                continue
            readings += 1
            same += one == two
            within_one += abs(one - two) <= 1
    return Retest(readings, same, within_one)


def predicted() -> dict[str, dict[str, Any]]:
    """The profiles written down before the first run."""
    text = Path(__file__).with_name("mechanisms.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return found


def mechanisms(suite: Suite) -> dict[str, tuple[dict[str, int], Levels]]:
    """For every defect: what was predicted and what was read."""
    return {
        name: (profile["levels"], levels_of(suite, f"mechanism:{name}", seed=5000))
        for name, profile in predicted().items()
    }


def tables() -> str:
    """Every table of `docs/validity.md`, as Markdown."""
    memory = tuple(name for name in DIMENSIONS if name != "E")
    lines = ["| what was planted | readings | read as planted | read higher |", "| --- | ---: | ---: | ---: |"]
    for title, found in (
        ("60 graded simulants, families in memory", recovery(in_memory(), 60, memory)),
        ("12 graded simulants, all families", recovery(agency(), 12, DIMENSIONS)),
    ):
        share = f"{100 * found.recovered / found.readings:.1f} %"
        lines.append(f"| {title} | {found.readings} | {share} | {100 * found.exceeded / found.readings:.1f} % |")
        lines += [f"| – {miss} | | | |" for miss in found.misses]
    moved, again = separation(in_memory(), memory), retest(in_memory(), 6)
    lines += [
        "",
        f"Lowering one dimension moved another by more than one level in {moved.moved} of {moved.readings} readings.",
        f"Taken twice with other tasks, item-response agents near the threshold were read at the same level in "
        f"{again.same} of {again.readings} readings, and within one level in {again.within_one}.",
        "",
        "| defect | " + " | ".join(DIMENSIONS) + " |",
        "| --- |" + " ---: |" * len(DIMENSIONS),
    ]
    for name, (profile, read) in mechanisms(agency()).items():
        cells = [_cell(profile[dimension], read[dimension]) for dimension in DIMENSIONS]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", power.tables()])


def _cell(predicted_level: int, read: int | None) -> str:
    shown = "–" if read is None else str(read)
    return shown if read == predicted_level else f"**{shown}** (predicted {predicted_level})"


if __name__ == "__main__":
    print(tables())
