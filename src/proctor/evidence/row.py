"""One row per episode: the columns that instruments read. Scoring never unpacks traces."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Outcome(StrEnum):
    """The five ways an episode can end."""

    SUCCESS = "success"
    FAILURE = "failure"
    """Whatever the agent did wrong, its crashes and unreadable answers included."""
    LIMIT = "limit"
    """A declared cap was hit: a failure."""
    INFRASTRUCTURE = "infrastructure"
    """The bench or the verifier broke: excluded from rates, counted, capped."""
    INVALID = "invalid"
    """The success rule was touched afterwards."""


SUCCESS, FAILURE, LIMIT, INFRASTRUCTURE, INVALID = (outcome.value for outcome in Outcome)
"""The same as plain text, for the hot path."""

OUTCOMES: tuple[str, ...] = tuple(outcome.value for outcome in Outcome)

WALL_CLOCK = "wall_clock"
"""The reason of an episode that real time ended: its run's root depends on timing, and says so."""

STUCK = "stuck"
"""The reason of an episode whose agent, or what the agent asked for, computed without end: a limit, and a failure."""

MEMORY_FAILED = "memory_failed"
"""The reason of an episode before which the agent failed at saving, restoring or wiping its memory: its own failure."""

RUN_LIMIT = "run_limit"
"""The reason of an episode for whose next call the run had too little left: infrastructure, and the end of the run."""

HOST = "host"
"""The reason of an episode whose machine was in trouble, by the bench's own test of it: infrastructure."""

WORLD_BROKE = "world_broke"
"""The reason of an episode whose world, or verifier, broke at what the agent did, and by nothing else: a failure."""

NOT_IMPOSED = "baseline"
"""The reason of an episode that the agent could not live as the baseline it was asked for: infrastructure."""

SERVICE, FINAL = "service", "final"
"""The measures of an episode that a service failed: what it said, in a sentence, and 1 where the run ends with it."""

SAFETY, CRITICAL = "safety", "S1"
"""A verification whose measure `safety` is `S1` counts as one violation `S1` of its row."""


LATER_COLUMNS = ("confidence", "transitions", "claims", "out_of_range", "undeclared_actions")
"""The columns after `aside`: they came later, and where they were not counted yet they are None."""
COLUMNS_SINCE = (1, 1)
"""The version of the bench from which on rows have them."""


def counts_columns(bench: str | None) -> bool:
    """Whether rows of this version of the bench have the columns after `aside`."""
    try:
        return bench is not None and tuple(map(int, bench.split("."))) >= COLUMNS_SINCE
    except ValueError:
        return True


class Row(Struct, frozen=True, array_like=True):
    """An episode as a row. `position` is its place in presentation order."""

    position: int
    lifetime: int
    """Position of the first episode of the lifetime it belongs to."""
    arm: int
    """Which family × regime × condition of the suite; see `Arm`."""
    unit: int
    """What gets one label; equal for the halves of a pair."""
    part: int
    template: str
    instance: str
    phase: str
    replicate: int
    outcome: str
    reason: str
    format_error: bool
    faults: str | None
    """Delivered faults by layer, as canonical JSON; None when there were none."""
    calls: int
    retries: int
    """Calls that repeat an earlier one which failed, tool and arguments alike."""
    undeclared: int
    """Observation fields outside the declared schema."""
    violations: str | None
    """What nobody permitted or asked for, by kind, as canonical JSON: calls of unknown, reserved or out-of-scope tools,
    arguments that do not fit, calls repeated after a limit refused them, injections obeyed, critical acts."""
    tokens: int | None
    cost: str | None
    measures: str | None
    """What else the verifier found, as canonical JSON, or what a failed service said; None when there was nothing."""
    artifact_ok: bool | None
    """Whether a verified artifact was left; None where the family leaves none."""
    answer: str | None
    """The canonical answer where it is short (160 characters), a longer one's SHA-256; for counting distinct answers.
    None when nothing was handed in."""
    head: bytes
    elapsed_us: int
    """Real time; enters `seal` only."""
    attempts: int
    aside: bytes | None
    """What cannot be reproduced; enters `seal` only."""
    # From here on None also means "not counted then": runs of a bench before 1.1 have none of these columns.
    confidence: float | None = None
    """The confidence handed in with the answer, 0 to 1; None where none was stated."""
    transitions: int | None = None
    """Calls of writing tools after which the world's state was another one; None where the world shows no state, or
    broke."""
    claims: str | None = None
    """Structured claims by kind, as canonical JSON: `{"observed":[made,false],"tool":[…],"verified":[…]}`, and
    `"malformed"` where some could not be read; None when none were made."""
    out_of_range: int | None = None
    """Calls with an argument of the right type outside what the tool's schema permits (bounds, lengths, choices)."""
    undeclared_actions: int | None = None
    """Calls of tools that the system's declared action schema does not have; 0 where it declares none, since then the
    schema is the family's."""


class Arm(Struct, frozen=True):
    """One suite entry under one regime and condition."""

    index: int
    entry: int
    family: str
    regime: str
    condition: str
    cell: str | None
    stage: str


class EpisodeRecord(Struct, frozen=True, array_like=True):
    """What an executor hands to the writer: the row, its trace, and contents not seen before."""

    row: Row
    dictionary: int
    """Which dictionary the trace was compressed with; 0 for none, -1 for a trace not yet compressed."""
    trace: bytes
    """The last, usually only, part of the trace."""
    contents: dict[str, bytes]


class Segment(Struct, frozen=True, array_like=True):
    """An earlier part of a long trace, flushed while the episode was still running."""

    position: int
    number: int
    trace: bytes
