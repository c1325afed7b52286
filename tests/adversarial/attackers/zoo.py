"""Hostile agents of many kinds in a real run: none gets out, learns anything, is excluded, or takes the run down.

What they try is `zoo_agents.py`. Two live at a time, so that they could meet.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import Counter
from pathlib import Path
from unittest import mock

from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.evidence.events import Submitted
from proctor.evidence.row import INFRASTRUCTURE
from tests.adversarial.tally import Tally
from tests.adversarial.zoo_agents import ACTS, SECRET
from tests.unit.agents_process.conftest import Lived, Project

AGENTS = Path(__file__).parents[1] / "zoo_agents.py"
SECONDS = 3
AT_ONCE = 2


def attack(attempts: int, seed: int) -> Tally:
    """Let so many hostile lifetimes live; the seed sets which of them they are."""
    with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, {"UNDECLARED": SECRET}):
        project = Project(Path(name))
        project.write("zoo.py", AGENTS.read_text())
        bench = project.bench("python:zoo.py:run", n=attempts + seed, seconds=SECONDS)
        lived = asyncio.run(_all(bench, seed, attempts))
    obtained = [
        f"lifetime {number} (seed {seed}) was excluded: {one.row.reason}, {one.failure}"
        for number, one in enumerate(lived)
        if one.row.outcome == INFRASTRUCTURE
    ]
    for number, one in enumerate(lived):
        for event in one.of(Submitted):
            if isinstance(event.answer, dict) and event.answer["obtained"]:
                obtained.append(f"lifetime {number} (seed {seed}): {event.answer}")
    if len(lived) != attempts:
        obtained.append(f"{attempts - len(lived)} lifetimes left no record (seed {seed})")
    ended = Counter(str(one.row.outcome) for one in lived)
    figures = {f"ended as {outcome}": count for outcome, count in sorted(ended.items())}
    return Tally(attempts, tuple(obtained), {"kinds of agent": len(ACTS) + 2, **figures})


async def _all(bench: Bench, first: int, count: int) -> list[Lived]:
    """Every lifetime; one that was excluded is lived once more by itself, as a run does it."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(index: int) -> Lived:
        (record,) = await live(bench, bench.plan.lifetime(index))
        return Lived(record)

    async def among_others(index: int) -> Lived:
        async with gate:
            return await one(index)

    try:
        lived = await asyncio.gather(*(among_others(first + number) for number in range(count)))
        for number, each in enumerate(lived):
            if each.row.outcome == INFRASTRUCTURE:
                lived[number] = await one(first + number)
    finally:
        await bench.release()
    return lived
