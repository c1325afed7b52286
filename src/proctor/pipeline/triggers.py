"""What sets the pipeline off (harness paper §8): a changed agent, a changed oracle, the time, an incident.

Everything is compared by content: a touched file that holds the same bytes fires nothing. What was seen at the last
decision is kept in `.proctor/watch.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import canonical
from proctor.core.clock import format_timestamp, parse_timestamp
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, tree_hash
from proctor.pipeline.ledger import Entry

WATCHED = Path(".proctor") / "watch.json"
DAILY = timedelta(days=1)
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}

Trigger = Literal["onAgentUpdate", "onOracleUpdate", "scheduled", "onIncident"]
"""As the paper names them."""


class Seen(msgspec.Struct, frozen=True):
    """The state of everything that is watched."""

    suite: str
    """Full name, and the scope where there is one."""
    agent: str
    """The agent string, and the content of the declared paths and of the files it names."""
    oracle: str
    """Scenarios and rules by content."""
    incidents: int
    at: str
    """When it was seen."""


def agent_state(agent: str, source: str | None, paths: Iterable[Path]) -> str:
    """Digest of an agent: its string, the files the string names, and the declared paths."""
    contents = []
    for path in sorted(set(paths)):
        if not path.exists():
            message = f"{path}: declared as part of the agent, and not there"
            raise InputError(message)
        contents.append([path.as_posix(), tree_hash(path)])
    return content_hash([agent, source, contents])


def incidents_in(entries: Iterable[Entry]) -> int:
    """How many incidents were reported."""
    return sum(entry.kind == "incident" for entry in entries)


def fired(before: Seen | None, now: Seen, *, every: timedelta = DAILY) -> tuple[Trigger, ...]:
    """Which triggers fire; on the first look the agent counts as changed."""
    if before is None or before.suite != now.suite:
        return ("onAgentUpdate",)
    found: list[Trigger] = []
    if before.agent != now.agent:
        found.append("onAgentUpdate")
    if before.oracle != now.oracle:
        found.append("onOracleUpdate")
    if parse_timestamp(now.at) - parse_timestamp(before.at) >= every:
        found.append("scheduled")
    if now.incidents > before.incidents:
        found.append("onIncident")
    return tuple(found)


def last_seen(project: Path) -> Seen | None:
    """What was seen at the last decision; None on the first look."""
    path = project / WATCHED
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Seen)
    except msgspec.MsgspecError:
        message = f"{path}: not readable any more; remove it, and the next look examines the agent"
        raise InputError(message) from None


def remember(project: Path, seen: Seen) -> None:
    """Keep what was seen, once its decision is there."""
    (project / WATCHED).parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(project / WATCHED) as file:
        file.write(canonical(seen) + b"\n")


def parse_interval(text: str) -> timedelta:
    """`30m`, `12h` or `1d`."""
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", text)
    if found is None:
        message = f"'{text}' is no interval; write it like 30m, 12h or 1d"
        raise InputError(message)
    return int(found[1]) * _UNITS[found[2]]


def midnight(moment: datetime) -> str:
    """The logical time of a run that was set off at this moment: staleness is judged by the day."""
    return format_timestamp(moment.replace(hour=0, minute=0, second=0, microsecond=0))
