"""The facts of an execution, which `seal` covers: which there are, and which of them go together.

They are shown in reports, and anybody can write and seal others. So no fact is taken that the bench does not record,
none may be left out, and those that follow from the episodes are worked out again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from proctor.core.canonical import encode
from proctor.evidence.code import GONE
from proctor.evidence.plain import odd_in_execution
from proctor.evidence.registration import Facts
from proctor.evidence.row import counts_columns
from proctor.evidence.usage import RunUsage

_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\Z")
INLINE: Final = "inline"
"""The executor that has no workers."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")


class Trial(Struct, frozen=True, forbid_unknown_fields=True):
    """How the trial task before a run went."""

    result: str
    tokens: int | UnsetType = UNSET
    cost: str | UnsetType = UNSET


class FirstExecution(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a bench before 1.1 recorded."""

    run: str
    code_version: str
    executor: str
    workers: int
    concurrency: int | None
    started: list[str]
    finished: str | None
    label: str | UnsetType = UNSET
    sources: list[dict[str, str]] | UnsetType = UNSET
    sources_at_end: list[dict[str, str]] | UnsetType = UNSET
    agent_files: list[tuple[str, str | list[list[str]]]] | UnsetType = UNSET
    """The files of the user's agent one by one (`proctor.agents.files`), where they are not too many."""
    begins: list[int] | UnsetType = UNSET
    preflight: Trial | UnsetType = UNSET
    declared_beside: str | UnsetType = UNSET
    preregistration: Facts | UnsetType = UNSET
    usage: RunUsage | UnsetType = UNSET


class Execution(FirstExecution, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a bench records since 1.1: which code it was, and what must be said of the agent, is there always."""

    label: str
    sources: list[dict[str, str]]
    sources_at_end: list[dict[str, str]]
    begins: list[int]


def execution_problems(
    execution: Any, bench: str | None, *, stored: int, usage: RunUsage | None, died: int | None = None
) -> Iterator[str]:
    """What is wrong with the facts of a finished execution of `stored` episodes, which used `usage`; `died` is the
    first with which a worker is said to have died."""
    try:
        facts = msgspec.convert(execution, Execution if counts_columns(bench) else FirstExecution)
    except (msgspec.ValidationError, RecursionError) as error:
        yield f"they are not those that a bench records ({str(error)[:160]!a})"
        return
    if encode(facts) != encode(execution):
        yield "they have keys that no bench records"
        return
    if (odd := odd_in_execution(execution)) is not None:
        yield f"a text of {odd} is more than a line"
    times = [*facts.started, *(() if facts.finished is None else (facts.finished,))]
    if not facts.started or facts.finished is None or not all(map(_TIME.match, times)):
        yield "start and end are not points in time"
    elif facts.finished < max(facts.started):
        yield f"it was finished at {facts.finished}, before its last start at {max(facts.started)}"
    if facts.workers < 1 or (facts.concurrency is not None and facts.concurrency < 1):
        yield "nobody worked on it"
    if died is not None and facts.executor == INLINE and len(facts.started) == 1:
        yield f"a worker died with episode {died}, and there were no workers"
    yield from _starts(facts, stored)
    if (None if facts.usage is UNSET else facts.usage) != usage and facts.usage is not UNSET:
        yield "its usage is not the sum of what its episodes used"
    elif facts.usage is UNSET and usage is not None and counts_columns(bench):
        yield "its usage is missing, while its episodes used something"


def _starts(facts: FirstExecution, stored: int) -> Iterator[str]:
    sources = () if facts.sources is UNSET else facts.sources
    ends = () if facts.sources_at_end is UNSET else facts.sources_at_end
    digests = {digest for start in sources for digest in start.values()}
    digests |= {digest for end in ends for digest in end.values() if digest != GONE}
    if not all(map(_DIGEST.match, digests)):
        yield "a digest of its sources is not 64 hex digits"
    if facts.sources is not UNSET and len(facts.sources) != len(facts.started):
        yield f"it has {len(facts.started)} starts, and sources of {len(facts.sources)}"
    if len(ends) > len(facts.started):
        yield f"it has {len(facts.started)} starts, and {len(ends)} ends"
    if facts.begins is UNSET:
        return
    if len(facts.begins) != len(facts.started):
        yield f"it has {len(facts.started)} starts, and {len(facts.begins)} counts of episodes before them"
    if facts.begins != sorted(facts.begins) or (
        facts.begins and not 0 == facts.begins[0] <= facts.begins[-1] <= stored
    ):
        yield "the episodes counted at its starts are not those of a run that went on where it stopped"
