"""Which code recorded a run. It enters `seal` through the facts of the execution; no other digest depends on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

SOURCES = "sources"
"""Among the facts of an execution: for every start of a run, the digest of each package or file that took part."""
OWN = "proctor"
SHORT = 8
_DIGEST = re.compile(r"[0-9a-f]{64}")


def codes_of(execution: Any) -> tuple[str, ...]:
    """The digests of Proctor's own code, one per start; nothing where evidence states none. It may be a stranger's."""
    starts = execution.get(SOURCES, ()) if isinstance(execution, dict) else ()
    stated = [start.get(OWN) for start in starts if isinstance(start, dict)] if isinstance(starts, list) else []
    return tuple(digest for digest in stated if isinstance(digest, str) and _DIGEST.fullmatch(digest))


def code_note(recorded: Sequence[str], here: str) -> str:
    """What to say where the code here is not the code that recorded the evidence; empty where it is."""
    different = list(dict.fromkeys(digest for digest in recorded if digest != here))
    if not different:
        return ""
    shown = " and ".join(f"{digest[:SHORT]}…" for digest in different)
    return f"recorded by code {shown}, here {here[:SHORT]}…; no digest depends on it"
