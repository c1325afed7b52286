"""What is said of an exception in a record: one line, without what changes between runs."""

from __future__ import annotations

import re

from proctor.agents.contract import SERVICE_REASONS, ServiceFailure
from proctor.core.canonical import chainable
from proctor.engine.session import WorldBroke

LONGEST = 300
"""What an exception says is cut to this length."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_FOLDER = re.compile(r"proctor-world-\w+")
_SCRATCH = re.compile(r"proctor-run-\w+/(?=proctor-)")
"""The folder of a command, around those of worlds: only there where a command was started."""


def describe(error: BaseException) -> str:
    """One line about an exception, without what changes between runs."""
    cause = error.__cause__ if isinstance(error, WorldBroke) and error.__cause__ else error
    try:
        first = _SCRATCH.sub("", (str(cause).splitlines() or [""])[0])[:LONGEST]
    except Exception:
        first = ""
    text = f"{type(cause).__name__}: {first}" if first else type(cause).__name__
    # Folders first: the random part of a name may look like an address.
    described: str = chainable(_ADDRESS.sub("0x…", _FOLDER.sub("proctor-world-…", text)))
    return described


def said_by(failure: ServiceFailure) -> str:
    """What a service that failed said, as it stands in the row."""
    said: str = chainable((str(failure).splitlines() or [""])[0][:LONGEST] or SERVICE_REASONS[failure.reason])
    return said
