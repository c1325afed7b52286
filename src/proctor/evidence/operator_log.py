"""What people did during a run, as its operator wrote it down: a CSV file beside the run (kind `operator-log`).

One line per action of a person that the bench did not see: somebody approved, granted, changed or repaired something,
or acted on what the system said. The columns, all of them:

| column | what it holds |
| --- | --- |
| `episode` | position of the episode, as in `proctor show RUN POSITION` |
| `output_at` | when the system's output was there, in ISO 8601; empty where there was none |
| `acted_at` | when the person acted, in ISO 8601 |
| `action` | what they did |
| `baseline` | what they do without the system's output; empty where that is not known |
| `requested` | `yes` where the action follows a request or suggestion of the system, else `no` |
| `protocol` | `yes` where the evaluation protocol asks for the action, else `no` |
| `frame` | what it changes about the evaluation: `none`, `permissions`, `constraints`, `schemas` or `verification` |
| `outcome` | `yes` where the measured outcome depends on the action, else `no` |
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct

from proctor.core.errors import InputError

OPERATOR_LOG = "operator-log"
"""The kind of attachment."""
COLUMNS = ("episode", "output_at", "acted_at", "action", "baseline", "requested", "protocol", "frame", "outcome")
NO_CHANGE = "none"
FRAMES = (NO_CHANGE, "permissions", "constraints", "schemas", "verification")


class OperatorAction(Struct, frozen=True):
    """One action of a person."""

    episode: int
    output_at: datetime | None
    acted_at: datetime
    action: str
    baseline: str
    requested: bool
    protocol: bool
    frame: str
    outcome: bool

    @property
    def is_frame_change(self) -> bool:
        """Outside the protocol, at the system's request, and changing the frame of the evaluation (§14.2.6)."""
        return self.requested and not self.protocol and self.frame != NO_CHANGE

    @property
    def is_credited(self) -> bool:
        """Whether the system's output demonstrably changed what the person did (§5.2): it came first, and without it
        they do something else."""
        first = self.output_at is not None and self.output_at < self.acted_at
        return first and bool(self.baseline) and _plain(self.baseline) != _plain(self.action)


def read_operator_log(content: bytes) -> tuple[OperatorAction, ...]:
    """The actions in a log. Refuses, in one sentence, what is not in the form above."""
    try:
        reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            message = f"operator log: the first line must read {','.join(COLUMNS)}"
            raise InputError(message)
        return tuple(_action(reader.line_num, row) for row in reader)
    except (UnicodeDecodeError, csv.Error) as error:
        message = f"operator log: it cannot be read as CSV in UTF-8 ({error})"
        raise InputError(message) from error


def require_episodes(actions: Iterable[OperatorAction], positions: Iterable[int]) -> None:
    """Refuse a log that names an episode which the run does not have."""
    known = frozenset(positions)
    unknown = sorted({one.episode for one in actions} - known)
    if unknown:
        message = f"operator log: the run has no episode {unknown[0]}; episodes are counted from 0"
        raise InputError(message)


def _action(line: int, row: dict[str, str | None]) -> OperatorAction:
    if None in row or None in row.values():
        raise InputError(f"operator log, line {line}: it does not have {len(COLUMNS)} columns")
    values = {name: (row[name] or "").strip() for name in COLUMNS}
    if not (values["episode"].isascii() and values["episode"].isdecimal() and len(values["episode"]) < 10):
        message = f"operator log, line {line}: '{values['episode'][:40]}' is not the position of an episode"
        raise InputError(message)
    if not values["action"]:
        raise InputError(f"operator log, line {line}: it does not say what was done (action)")
    if values["frame"] not in FRAMES:
        message = f"operator log, line {line}: frame is one of {', '.join(FRAMES)}, not '{values['frame'][:40]}'"
        raise InputError(message)
    return OperatorAction(
        episode=int(values["episode"]),
        output_at=_moment(line, "output_at", values["output_at"]) if values["output_at"] else None,
        acted_at=_moment(line, "acted_at", values["acted_at"]),
        action=values["action"],
        baseline=values["baseline"],
        requested=_is_yes(line, "requested", values["requested"]),
        protocol=_is_yes(line, "protocol", values["protocol"]),
        frame=values["frame"],
        outcome=_is_yes(line, "outcome", values["outcome"]),
    )


def _moment(line: int, column: str, text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = f"operator log, line {line}: {column} is a time in ISO 8601, not '{text[:40]}'"
        raise InputError(message) from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _is_yes(line: int, column: str, text: str) -> bool:
    if text not in ("yes", "no"):
        message = f"operator log, line {line}: {column} is yes or no, not '{text[:40]}'"
        raise InputError(message)
    return text == "yes"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
