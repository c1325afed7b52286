"""What an auditor asks for."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Request(Struct, frozen=True):
    """Which bundles, and how closely they are looked at."""

    bundles: tuple[Path, ...]
    """All of one claim: a preregistered series, a companion run, earlier looks."""
    project: Path
    """Whose `proctor.keys` are known."""
    reports: tuple[Path, ...] = ()
    """What was published apart from the bundles."""
    preregistration: str | None = None
    """The digest, or its beginning, that was published."""
    signed_by: str | None = None
    """The key that has to vouch for the evidence."""
    reverify: bool = False
    rerun: int = 0
    seed: str = ""
    """Of the sample that is executed again."""
    agent: str | None = None
    """The agent to execute; None: the declared one, where it is built in."""
    families: Path | None = None
    """A folder whose family files may be run."""
