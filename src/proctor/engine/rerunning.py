"""A random sample of a run executed again, with its agent, and compared episode by episode."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from proctor.agents.kind import AgentKind, AgentString
from proctor.agents.lookup import kind_of
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.build import Bench
from proctor.engine.family import Family
from proctor.engine.frozen_families import AbsentFamily
from proctor.engine.lifetime import live
from proctor.evidence.row import INFRASTRUCTURE, SUCCESS
from proctor.evidence.store.contract import EvidenceStore, RunRecord

SIMULATED = "simulated"
"""The model that is computed here."""
INTERACTIVE = frozenset({"human"})
"""Kinds whose agent is somebody at the terminal."""


class Repeated(Struct, frozen=True):
    """One episode, twice."""

    position: int
    family: str
    recorded: str
    again: str
    same: bool
    """Whether it came out again to the letter."""


class Rerun(Struct, frozen=True):
    """What executing a sample again showed."""

    agent: str
    deterministic: bool
    """Whether it is the declared agent and computes everything by itself: then everything has to come out again."""
    episodes: tuple[Repeated, ...]

    @property
    def lost(self) -> int:
        """Successes on record that did not come out again."""
        return sum(one.recorded == SUCCESS and one.again not in (SUCCESS, INFRASTRUCTURE) for one in self.episodes)

    @property
    def gained(self) -> int:
        """Successes that are not on record."""
        return sum(one.again == SUCCESS and one.recorded not in (SUCCESS, INFRASTRUCTURE) for one in self.episodes)


def rerun(
    store: EvidenceStore,
    record: RunRecord,
    families: Mapping[str, Family],
    *,
    count: int,
    seed: str,
    agent: str | None,
    folder: Path,
) -> Rerun:
    """Execute the lifetimes of about `count` random episodes again.

    A stranger's agent string may name a command, a file, a server, or a model that is asked with the user's key. So it
    is used by itself only where it names a built-in agent that computes and nothing else; any other the user has to
    give (`agent`). Refuses, in one sentence, what cannot be run.
    """
    frozen = store.frozen(record.number)
    text = frozen.agent if agent is None else agent
    named = AgentString.parse(text)
    kind = kind_of(named)
    if kind.name in INTERACTIVE:
        message = f"{kind.name} is a person, who cannot be run again"
        raise InputError(message)
    if agent is None and not _harmless(named, kind):
        message = (
            "the declared agent is a program, a server or a model, and nothing that a bundle names is started or asked "
            "by itself: give it yourself with --agent"
        )
        raise InputError(message)
    bench = Bench(frozen.model_copy(update={"agent": text}), folder, store.stage_outputs(record.number), dict(families))
    if kind.check is not None:
        kind.check(bench.agent_string, bench.agent_context(bench.plan.lifetime(0)))
    absent = {one.spec.full_name for one in families.values() if isinstance(one, AbsentFamily)}
    arms = store.arms(record.number)
    rows = {row.position: row for row in store.rows(record.number, stop=record.cut)}
    usable = sorted(position for position, row in rows.items() if arms[row.arm].family not in absent)
    if not usable:
        message = "none of its families is here"
        raise InputError(message)
    drawn = Stream.keyed("audit", seed, record.root or "").sample(usable, min(count, len(usable)))
    lifetimes = sorted({bench.plan.at_position(position) for position in drawn})

    async def sample() -> list[Repeated]:
        found: list[Repeated] = []
        try:
            for index in lifetimes:
                for episode in await live(bench, bench.plan.lifetime(index)):
                    row = rows.get(episode.row.position)
                    if row is not None:
                        found.append(
                            Repeated(
                                row.position,
                                arms[row.arm].family,
                                row.outcome,
                                episode.row.outcome,
                                row.head == episode.row.head,
                            )
                        )
        finally:
            await bench.release()
        return found

    return Rerun(text, _harmless(named, kind) and text == frozen.agent, tuple(asyncio.run(sample())))


def _harmless(named: AgentString, kind: AgentKind) -> bool:
    """Built in, computing by itself: it reaches nothing, costs nothing, and does the same every time."""
    asks = kind.identity is not None and named.detail.partition(":")[0] != SIMULATED
    return kind.trusted and not kind.waits and not asks
