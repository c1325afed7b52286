"""Which code recorded a run. It enters `seal` through the facts of the execution; no other digest depends on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

SOURCES = "sources"
"""Among the facts of an execution: for every start of a run, the digest of each package or file that took part."""
GONE = "gone"
"""In the place of the digest of a file that is not there any more when a start ends."""
OWN = "proctor"
SHORT = 8
_DIGEST = re.compile(r"[0-9a-f]{64}")


def codes_of(execution: Any) -> tuple[str, ...]:
    """The digests of Proctor's own code, one per start; nothing where evidence states none. It may be a stranger's."""
    starts = execution.get(SOURCES, ()) if isinstance(execution, dict) else ()
    stated = [start.get(OWN) for start in starts if isinstance(start, dict)] if isinstance(starts, list) else []
    return tuple(digest for digest in stated if isinstance(digest, str) and _DIGEST.fullmatch(digest))


def begins_of(execution: Any) -> tuple[int, ...]:
    """How many episodes were there already at each start; nothing where evidence does not state it."""
    begins = execution.get("begins", ()) if isinstance(execution, dict) else ()
    return tuple(number for number in begins if isinstance(number, int)) if isinstance(begins, list) else ()


def code_note(recorded: Sequence[str], here: str, begins: Sequence[int] = ()) -> str:
    """What to say where the code here is not all of the code that recorded the evidence; empty where it is.

    No digest but the seal depends on it.
    """
    if all(digest == here for digest in recorded):
        return ""
    if len(set(recorded)) == 1:
        shown = f"{recorded[0][:SHORT]}…"
    elif len(begins) == len(recorded):
        shown = ", ".join(
            f"{digest[:SHORT]}… from episode {begin} on" for digest, begin in zip(recorded, begins, strict=True)
        )
    else:
        shown = " and ".join(f"{digest[:SHORT]}…" for digest in dict.fromkeys(recorded))
    return f"recorded by code {shown}, here {here[:SHORT]}…; no digest depends on it but the seal"
