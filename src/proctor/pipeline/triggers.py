"""What triggers the pipeline (harness paper §8): a changed agent, a changed oracle, the time, an incident.

Everything is compared by content: a touched file with the same bytes triggers nothing. The state at the last decision
is kept in `.proctor/watch.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import UNREADABLE, canonical
from proctor.core.clock import format_timestamp, parse_timestamp
from proctor.core.errors import InputError
from proctor.core.folders import make_folder
from proctor.core.hashing import content_hash, tree_hash
from proctor.pipeline.ledger import Entry

STATE_FILE = Path(".proctor") / "watch.json"
DAILY = timedelta(days=1)
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}

Trigger = Literal["onAgentUpdate", "onOracleUpdate", "scheduled", "onIncident"]
"""As the paper names them."""


class WatchState(msgspec.Struct, frozen=True):
    """The state of everything that is watched."""

    suite: str
    """Full name, and the scope where there is one."""
    agent: str
    """The agent string, and the content of the declared paths and of the files it names."""
    oracle: str
    """Scenarios and rules by content."""
    incidents: int
    at: str
    """When it was recorded."""


def agent_state(agent: str, source: str | None, paths: Iterable[Path]) -> str:
    """Digest of an agent: its string, the files the string names, and the declared paths."""
    contents = []
    for path in sorted(set(paths)):
        if not path.exists():
            message = f"{path}: declared as part of the agent, but does not exist"
            raise InputError(message)
        contents.append([path.as_posix(), tree_hash(path)])
    return content_hash([agent, source, contents])


def incidents_in(entries: Iterable[Entry]) -> int:
    """How many incidents were reported."""
    return sum(entry.kind == "incident" for entry in entries)


def fired_triggers(before: WatchState | None, now: WatchState, *, every: timedelta = DAILY) -> tuple[Trigger, ...]:
    """Which triggers fire; on the first look the agent counts as changed."""
    if before is None or before.suite != now.suite:
        return ("onAgentUpdate",)
    triggers: list[Trigger] = []
    if before.agent != now.agent:
        triggers.append("onAgentUpdate")
    if before.oracle != now.oracle:
        triggers.append("onOracleUpdate")
    if parse_timestamp(now.at) - parse_timestamp(before.at) >= every:
        triggers.append("scheduled")
    if now.incidents > before.incidents:
        triggers.append("onIncident")
    return tuple(triggers)


def load_state(project: Path) -> WatchState | None:
    """The state at the last decision; None on the first look."""
    path = project / STATE_FILE
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=WatchState)
    except UNREADABLE:
        message = f"{path}: no longer readable; delete it, and the next look examines the agent again"
        raise InputError(message) from None


def save_state(project: Path, seen: WatchState) -> None:
    """Store the state, once it was decided on."""
    make_folder((project / STATE_FILE).parent)
    with atomic_write(project / STATE_FILE) as file:
        file.write(canonical(seen) + b"\n")


def parse_interval(text: str) -> timedelta:
    """`30m`, `12h` or `1d`."""
    match = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", text)
    if match is None:
        message = f"'{text}' is not an interval; write it like 30m, 12h or 1d"
        raise InputError(message)
    return int(match[1]) * _UNITS[match[2]]


def midnight(moment: datetime) -> str:
    """The logical time of a run that was triggered at this moment: staleness is judged by the day."""
    return format_timestamp(moment.replace(hour=0, minute=0, second=0, microsecond=0))
