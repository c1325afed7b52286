"""Lifetimes at the registry desk, for tests: short programs, lived by solvers or by agents that only see."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.engine.run import freeze
from proctor.evidence.events import Event, decode_event
from proctor.evidence.row import EpisodeRecord
from proctor.spec.suite import Suite
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.agency.modifying.registry_desk.family import RegistryDeskFamily
from proctor.suites.agency.modifying.registry_desk.solver import Modifier, Way

HELD_OUT = 4


def program(held_out: int = HELD_OUT) -> list[dict[str, Any]]:
    return [
        {"phase": "pretest", "episodes": held_out, "before": "snapshot"},
        {"phase": "modify"},
        {"phase": "posttest", "episodes": held_out},
        {"phase": "reapplied", "episodes": held_out, "before": "restore", "repeats": "posttest"},
        {"phase": "sham", "episodes": held_out, "before": "restore", "repeats": "posttest"},
    ]


def declared(n: int = 3, held_out: int = HELD_OUT, steps: list[dict[str, Any]] | None = None) -> Suite:
    entry = {
        "family": "registry-desk",
        "n": n,
        "cell": "T6-modification",
        "regimes": ["moderate-standard"],
        "program": steps or program(held_out),
    }
    facts = {"name": "desk", "version": "1.0", "title": "Desk", "epoch": "2026-01-01T00:00:00Z"}
    return Suite.parse({**facts, "entries": [entry]}, source="test")


class OtherWay(RegistryDeskFamily):
    """The family with a solver that uses the window in its own way."""

    def __init__(self, way: Way) -> None:
        self._way: Way = way

    def oracle(self, instance: Instance) -> Agent:
        return Modifier(instance, self._way)


def bench(suite: Suite, way: Way = "right", seed: int = 1) -> Bench:
    frozen = freeze(suite=suite, agent="oracle", folder=Path(), seed=seed)
    return Bench(frozen, Path(), families={"registry-desk": OtherWay(way)})


def lived(built: Bench, agent: Agent | None = None) -> list[list[EpisodeRecord]]:
    """Every lifetime of a bench, by its oracle or by the agent given."""
    if agent is not None:
        built.open_agent = lambda lifetime: agent  # type: ignore[method-assign]
    lifetimes = [built.plan.lifetime(index) for index in range(built.plan.lifetimes)]
    return [asyncio.run(live(built, one)) for one in lifetimes]


def measures(record: EpisodeRecord) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(record.row.measures or "{}")
    return found


def events(record: EpisodeRecord) -> list[Event]:
    return [decode_event(line) for line in record.trace.split(b"\n")]


def rates(lifetimes: list[list[EpisodeRecord]]) -> dict[str, float]:
    """The share of successes in each phase."""
    rows = [record.row for records in lifetimes for record in records]
    total = Counter(row.phase for row in rows)
    good = Counter(row.phase for row in rows if row.outcome == "success")
    return {phase: good[phase] / number for phase, number in total.items()}


class Seeing:
    """Works by what it sees alone: reads findings until most readings agree, and compares what is needed and there."""

    def __init__(self) -> None:
        self.tasks: list[TaskView] = []
        self.first: list[dict[str, Any]] = []

    async def run(self, task: TaskView, session: Session) -> Submission:
        self.tasks.append(task)
        self.first.append(session.observations[0].fields)
        if any(tool.name == "implement" for tool in task.tools):
            await self._change(session)
        else:
            await self._work(task, session)
        return Submission("done")

    async def _change(self, session: Session) -> None:
        found: dict[str, dict[str, Any]] = {}
        for name in ("tickets", "ink", "warmth"):
            await self.insist(session, "inspect", suspect=name)
            readings = [(await self.insist(session, "read_file", suspect=name)).value for _ in range(9)]
            found[name] = {key: _most([one[key] for one in readings]) for key in readings[0]}
        tickets, ink, warmth = found["tickets"], found["ink"], found["warmth"]
        needed = tickets["records_of_a_shift"] * tickets["requests_per_record"] + tickets["requests_for_the_press"]
        low, high = ink["entries_come_out_right_from"], ink["entries_come_out_right_up_to"]
        ref = {"parameter": "ref"}
        if needed > tickets["tickets_of_a_shift"]:
            enter = {"ref": ref, "value": {"parameter": "value"}}
            steps = [
                {"tool": "fetch", "arguments": {"ref": ref}},
                {"tool": "enter", "arguments": enter},
                {"tool": "shelve", "arguments": {"ref": ref}},
            ]
            named, change = "tickets", {"name": "all_at_once", "parameters": ["ref", "value"], "steps": steps}
            kind = "composite-tool"
        elif any(not low <= reading <= high for reading in ink["gauge_as_it_was_at_recent_entries"]):
            tests = [
                {"subject": "state.gauge", "is": "at-least", "value": low},
                {"subject": "state.gauge", "is": "at-most", "value": high},
            ]
            named, change, kind = "ink", {"before": "enter", "conditions": tests}, "check-before-write"
        else:
            work = warmth["records_of_a_shift"] * warmth["minutes_per_record"]
            assert work + warmth["minutes_to_warm_the_press"] > warmth["minutes_of_a_shift"]
            named, change, kind = "warmth", {"fields": [{"name": "press", "type": "flag"}]}, "state-schema"
            await self.insist(session, "warm_press")
        await self.insist(session, "propose", suspect=named, kind=kind, reason="what is needed is not there")
        await self.insist(session, "implement", change={"kind": kind, **change})

    async def _work(self, task: TaskView, session: Session) -> None:
        listed = task.goal.split("to be entered: ")[-1].split(".")[0]
        await self.insist(session, "warm_press")
        whole = next((tool.name for tool in task.tools if "then shelve(" in tool.description), None)
        for pair in listed.split("; "):
            ref, value = pair.split()
            if whole is not None:
                await self.insist(session, whole, ref=ref, value=int(value))
                continue
            await self.insist(session, "fetch", ref=ref)
            await self.insist(session, "enter", ref=ref, value=int(value))
            await self.insist(session, "shelve", ref=ref)

    @staticmethod
    async def insist(session: Session, tool: str, /, **arguments: Any) -> Any:
        for _ in range(8):
            result = await session.call(tool, **arguments)
            if result.ok:
                break
        return result


def _most(values: list[Any]) -> Any:
    if isinstance(values[0], list):
        return [_most([one[place] for one in values]) for place in range(len(values[0]))]
    return Counter(values).most_common(1)[0][0]
