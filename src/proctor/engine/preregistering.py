"""Preregistering: writing a preregistration with its hidden seed, starting runs against it, and revealing the seed.

FILE        what is promised, with its SHA-256: publish it, or at least its digest, before the first run
FILE.seed   the hidden seed and its nonce, readable by its owner alone: keep it to yourself until the last run
FILE.log    every run that was started, chained; see `evidence/registration_log.py`
"""

from __future__ import annotations

import os
import secrets
import stat
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import msgspec

from proctor.core.canonical import UNREADABLE, jsonable
from proctor.core.errors import InputError
from proctor.core.reading import MiB, read_at_most
from proctor.engine.checkout import Checkout
from proctor.engine.moment import wall_clock
from proctor.engine.probing.identity import require_bench
from proctor.evidence.registration import Facts
from proctor.evidence.registration_log import LogEntry, append_entry, log_of, read_log
from proctor.plugins.sources import package_digest
from proctor.spec.evaluation import Use
from proctor.spec.frozen import FrozenRun
from proctor.spec.post_hoc import changes_since
from proctor.spec.preregistration import (
    CodeState,
    Preregistration,
    PrimaryClaim,
    Registered,
    RegisteredFamily,
    agent_of,
    commit_to,
    opens,
    read_preregistration,
    written,
)

PRIVATE: Final = 0o600
TAG: Final = "proctor-prereg-"


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The private file beside a preregistration."""

    preregistration: str
    seed: str
    nonce: str


def secret_of(path: Path) -> Path:
    """Where the hidden seed of a preregistration lies."""
    return path.with_name(f"{path.name}.seed")


def draw_secret() -> tuple[str, str]:
    """A hidden seed and its nonce: 256 bits each, from the system's own source."""
    return secrets.token_hex(32), secrets.token_hex(32)


def register(
    runs_of: list[FrozenRun], *, claim: PrimaryClaim, use: Use, runs: int, out: Path, nonce: str, folder: Path
) -> tuple[Registered, str]:
    """Write a preregistration of runs that were frozen, one per boundary, under the hidden seed. Gives what was
    written, and a sentence about the tag that dates it.

    Refused: a file that exists, which would be a second promise under the name of the first.
    """
    for path in (out, secret_of(out), log_of(out)):
        if path.exists():
            message = f"{path} exists already; a preregistration is never replaced: choose another file"
            raise InputError(message)
    first = runs_of[0]
    if not isinstance(first.seed, str):
        message = "a preregistration commits to a hidden seed of 64 hex digits, not to a public one"
        raise InputError(message)
    checkout = Checkout.at(folder)
    document = Preregistration(
        created=wall_clock(),
        claim=claim,
        use=use,
        runs=runs,
        suite=first.suite,
        rules=first.rules,
        scale=first.scale,
        timestamp=first.timestamp,
        families=tuple(RegisteredFamily.of(family) for family in first.families),
        skipped=tuple(sorted(first.skipped)),
        system=first.system,
        agents=tuple(agent_of(frozen) for frozen in runs_of),
        evaluation=first.evaluation,
        code=CodeState(
            proctor=version("proctor"),
            sources=package_digest(),
            bench=require_bench(),
            commit=checkout.commit,
            modified=checkout.modified,
        ),
        commitment=commit_to(first.seed, nonce),
        earlier=checkout.tags(TAG),
    )
    registered = Registered.of(document.model_dump(mode="json"), source=str(out))
    _write_new(secret_of(out), msgspec.json.encode(Secret(registered.digest, first.seed, nonce)) + b"\n", PRIVATE)
    _write_new(out, written(registered), 0o644)
    return registered, checkout.tag(f"{TAG}{registered.short}", f"proctor preregistration {registered.digest}")


def _write_new(path: Path, data: bytes, mode: int) -> None:
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
    except OSError as error:
        message = f"{path}: cannot be written ({error.strerror}); choose another file"
        raise InputError(message) from None


class OpenRegistration:
    """A preregistration with its seed and its log, for whoever runs against it or reveals it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.registered = read_preregistration(path)
        self._secret: Secret | None = None

    @property
    def digest(self) -> str:
        """What names it."""
        return self.registered.digest

    @property
    def secret(self) -> Secret:
        """The hidden seed. Refuses one that the commitment does not fit, or that others can read."""
        if self._secret is None:
            self._secret = self._read_secret()
        return self._secret

    def _read_secret(self) -> Secret:
        path = secret_of(self.path)
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            secret = msgspec.json.decode(read_at_most(path, MiB), type=Secret)
        except OSError as error:
            message = f"{path}: cannot be read ({error.strerror}); without the hidden seed no run can be started"
            raise InputError(message) from None
        except UNREADABLE:
            message = f"{path}: not a hidden seed of `proctor preregister`"
            raise InputError(message) from None
        if mode & 0o077:
            message = f"{path}: others can read the hidden seed; `chmod 600 {path}`, or register anew if they did"
            raise InputError(message)
        if secret.preregistration != self.digest or not opens(
            self.registered.document.commitment, secret.seed, secret.nonce
        ):
            message = f"{path}: its seed is not the one that {self.path} commits to; restore both files"
            raise InputError(message)
        return secret

    def entries(self) -> list[LogEntry]:
        """The log so far."""
        return read_log(log_of(self.path), self.digest)

    def changes(self, frozen: FrozenRun) -> tuple[str, ...]:
        """What a run that is about to start does differently from what was registered."""
        return changes_since(self.registered.document, frozen).sentences

    def require_startable(self) -> None:
        """Refuse a run that the series has no place for."""
        self._require_place(self.entries())

    def _require_place(self, entries: list[LogEntry]) -> None:
        if any(entry.event == "revealed" for entry in entries):
            message = f"{self.path}: its seed is revealed, so its tasks are known; register anew"
            raise InputError(message)
        started, planned = _started(entries), self.registered.document.runs
        if started >= planned:
            message = (
                f"{self.path}: all {planned} registered runs were started; resume an unfinished one with --resume, or "
                "register anew"
            )
            raise InputError(message)

    def started(self, run: str, frozen: FrozenRun) -> Any:
        """Log the start of a run, and give what goes into the facts of its execution."""

        def entry(entries: list[LogEntry]) -> dict[str, Any]:
            self._require_place(entries)
            return self._entry("started", _started(entries) + 1, run, frozen.config_hash)

        log = append_entry(log_of(self.path), self.digest, entry)
        return jsonable(Facts(self.registered.data, log, self.secret.nonce))

    def resumed(self, run: str) -> None:
        """Log that a run goes on."""
        self._again("resumed", run, None)

    def finished(self, run: str, root: str) -> None:
        """Log how a run ended."""
        self._again("finished", run, root)

    def _again(self, event: str, run: str, root: str | None) -> None:
        def entry(entries: list[LogEntry]) -> dict[str, Any]:
            start = next((one for one in entries if one.run == run and one.event == "started"), None)
            if start is None:
                message = f"{log_of(self.path)}: has no start of run {run}; it was started against another file"
                raise InputError(message)
            return {**self._entry(event, start.number, run, start.config_hash), "root": root}

        append_entry(log_of(self.path), self.digest, entry)

    def reveal(self) -> Secret:
        """Publish the seed in the log, which ends the series. Revealing again changes nothing."""
        secret = self.secret
        if not any(entry.event == "revealed" for entry in self.entries()):
            append_entry(
                log_of(self.path),
                self.digest,
                lambda _: {**self._entry("revealed", 0, "", ""), "seed": secret.seed, "nonce": secret.nonce},
            )
        return secret

    def unfinished(self) -> list[int]:
        """Registered runs that have not finished."""
        ended = {entry.number for entry in self.entries() if entry.event == "finished"}
        return [number for number in range(1, self.registered.document.runs + 1) if number not in ended]

    @staticmethod
    def _entry(event: str, number: int, run: str, config_hash: str) -> dict[str, Any]:
        return {"event": event, "number": number, "run": run, "config_hash": config_hash, "at": wall_clock()}


def _started(entries: list[LogEntry]) -> int:
    return sum(entry.event == "started" for entry in entries)
