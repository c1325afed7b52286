"""The load record: what was measured in real time, request by request, in one JSON file beside the store.

Latency is wall-clock time, so nothing of it enters a run's root; the record names the configuration it belongs to by
hash. It holds what happened and no judgement: readings are computed from it and can be computed again. Times are whole
microseconds since the beginning of a scenario. The file is replaced as a whole, so that whatever interrupts a load, the
last state written can be read.

The file begins with a digest of its content, checked wherever it is read: a record that was edited by hand is no
record. Whoever works the digest out again is not found; the file is not signed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError, ProctorError
from proctor.core.folders import make_folder
from proctor.core.hashing import sha256_hex
from proctor.core.reading import MiB, read_at_most
from proctor.spec.frozen import FrozenRun

FORMAT = "proctor-load/1"
LOAD_FOLDER = Path(".proctor") / "load"
"""Where load records lie in a project, unless its store is elsewhere."""
_MOST = 256 * MiB
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:")
"""How a store that is no path begins."""

STALE = "stale_scenario"
"""The verifier's code where a scenario is outside its validity: nobody is right or wrong there."""

Fate = Literal["answered", "timeout", "unanswered", "infrastructure"]
"""`unanswered`: the agent crashed, broke the protocol or used up a limit; nothing was handed in."""


class Receipt(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One delivery of degradation."""

    kind: Literal["delay", "failure", "outage"]
    tool: str
    milliseconds: int
    """How long the call was held up."""
    at_us: int
    """When, since the intended arrival of the request."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """One request: a real episode, with its times."""

    number: int
    """Place in the scenario."""
    item: int
    """What was asked: the same item is the same task, in every scenario."""
    instance: str
    template: str
    intended_us: int
    """When it was to arrive; its latency runs from here, whatever held it up."""
    started_us: int | None
    """When the agent was given it; None: never."""
    ended_us: int
    fate: Fate
    reason: str
    """The verifier's code, or why there was no verdict."""
    wrong: bool
    """Something was done or answered, and its action, a required gate, missing evidence or its safety was wrong; asking
    a human is not."""
    escalated: bool
    safety: str
    """The worst class of what was done, where the family states one."""
    unreadable: int
    """Sources that, by receipts, could not be read within the budget."""
    receipts: tuple[Receipt, ...] = ()
    right: bool | None = None
    """Whether all of it was as it should be: action, required gates and evidence; None: not known."""
    thin: bool = False
    """Something was done on evidence that lacks a claim, or has one that is false or leads to no source."""

    @property
    def flawed(self) -> bool:
        """Whether anything of what was done is wrong."""
        return self.wrong or self.thin

    @property
    def delivered(self) -> bool:
        """Whether every source could be read: nothing was withheld, at most late."""
        return not self.unreadable and all(receipt.kind == "delay" for receipt in self.receipts)

    @property
    def decided(self) -> bool:
        """Whether something was decided: neither left to a human nor left alone."""
        return self.fate == "answered" and not self.escalated

    @property
    def latency_us(self) -> int:
        """From the intended arrival to the answer."""
        return self.ended_us - self.intended_us


class ScenarioLoad(msgspec.Struct, frozen=True):
    """What happened in one scenario."""

    scenario: dict[str, Any]
    """The declaration, by its names in Proctor."""
    degradation: dict[str, Any]
    requests: tuple[Request, ...]
    """In the order of their numbers; those under way when it was cut off are missing."""
    warm_up: int
    """Requests before the measured ones that count for nothing: one for each agent, two where it is a process."""
    peak_in_flight: int
    agents: int
    """Agent objects that served."""
    seconds: float
    cpu_seconds: float
    """Processor time of the generator's own process, agents inside it included."""
    stopped: str | None = None
    """Why it was cut off; None when it was completed."""


class LoadRecord(msgspec.Struct, frozen=True):
    """A whole profile against one agent."""

    format: str
    suite: str
    agent: str
    label: str
    agent_source: str | None
    seed: int | str
    config_hash: str
    """Of the configuration a `proctor run` with the same arguments would have."""
    profile: dict[str, Any]
    profile_hash: str
    dedicated: bool
    """Declared by the user: nothing else ran on the machine."""
    machine: dict[str, Any]
    began: str
    code_version: str
    scenarios: tuple[ScenarioLoad, ...] = ()
    stopped: str | None = None
    """Why scenarios are missing; None when all were run."""
    only: tuple[str, ...] = ()
    """The families that requests were taken from, where not from all of the suite."""
    # Absent in records of before, whose digest is of what they hold.
    stream: str | msgspec.UnsetType = msgspec.UNSET
    """Which instances the suite takes under a seed: suites of the same one share them."""
    system: str | msgspec.UnsetType = msgspec.UNSET
    boundary: str | msgspec.UnsetType | None = msgspec.UNSET

    @property
    def complete(self) -> bool:
        """Whether every scenario was run to its end."""
        return self.stopped is None and all(scenario.stopped is None for scenario in self.scenarios)

    @property
    def hash(self) -> str:
        """SHA-256 of its file, as `write_load` writes it."""
        return sha256_hex(_written(self))


class Played(msgspec.Struct, frozen=True):
    """The few facts of a load record that say who met which tasks; the rest is not decoded, nor its digest checked."""

    format: str
    suite: str
    agent: str
    seed: int | str
    began: str
    stream: str | msgspec.UnsetType = msgspec.UNSET
    system: str | msgspec.UnsetType = msgspec.UNSET
    boundary: str | msgspec.UnsetType | None = msgspec.UNSET

    def same_tasks(self, frozen: FrozenRun) -> bool:
        """Whether its requests were taken from the tasks of a run."""
        stream = self.stream
        if stream is msgspec.UNSET:
            name, _, version = self.suite.partition("@")
            stream = f"{name}@{version.partition('.')[0]}"
        return (stream, self.seed) == (frozen.suite.stream_name, frozen.seed)

    def same_system(self, frozen: FrozenRun) -> bool:
        """Under the same name or with the same agent, within the same boundary; which one older ones do not say."""
        kind = frozen.system.boundary.kind
        within = self.boundary in (msgspec.UNSET, None if kind is None else kind.value)
        return within and (self.system == frozen.system.name or self.agent == frozen.agent)


class _Sealed(msgspec.Struct):
    """What a file says of its own content."""

    digest: str | None = None


_decoder = msgspec.json.Decoder(LoadRecord)
_played = msgspec.json.Decoder(Played)
_seal = msgspec.json.Decoder(_Sealed)


def _written(record: LoadRecord) -> bytes:
    body = msgspec.json.encode(record)
    # Of what will be read from it, so that a whole number where a decimal may stand makes no difference.
    digest = _digest(_decoder.decode(body))
    return b'{"digest":"' + digest.encode() + b'",' + body[1:] + b"\n"


def _digest(record: LoadRecord) -> str:
    return sha256_hex(msgspec.json.encode(record))


def write_load(path: Path, record: LoadRecord) -> None:
    """Put the record there, whole or not at all."""
    make_folder(path.parent)
    waiting = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with waiting.open("wb") as file:
            file.write(_written(record))
            file.flush()
            os.fsync(file.fileno())
        waiting.replace(path)
    finally:
        waiting.unlink(missing_ok=True)


def read_load(path: Path) -> LoadRecord:
    """The record in a file; anything else is one sentence."""
    try:
        data = read_at_most(path, _MOST)
        record, sealed = _decoder.decode(data), _seal.decode(data)
    except FileNotFoundError:
        message = f"{path}: there is no such file"
        raise InputError(message) from None
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror or error.__class__.__name__})"
        raise InputError(message) from None
    except UNREADABLE as error:
        message = f"{path}: not a load record ({' '.join(str(error).split())})"
        raise InputError(message) from None
    if record.format != FORMAT:
        message = f"{path}: a load record of format '{record.format}'; this version reads {FORMAT}"
        raise InputError(message)
    if sealed.digest is None:
        message = (
            f"{path}: a load record without a digest of its content, as older versions wrote it; take the file away "
            "and run `proctor load` again"
        )
        raise InputError(message)
    if sealed.digest != _digest(record):
        message = (
            f"{path}: the load record was changed after it was written (its digest does not match); take the file away "
            "and run `proctor load` again"
        )
        raise InputError(message)
    return record


def address_scheme(store: str) -> str | None:
    """How a store begins that is an address, as in `postgresql:`; None for a path."""
    found = _SCHEME.match(store)
    return None if found is None else found[0]


def load_folder(store: str) -> Path:
    """Where the load records of a store lie: the folder `load` beside its file, or in `.proctor` for other places."""
    beside = Path(".proctor") if address_scheme(store) is not None else Path(store).parent
    return beside / "load"


def load_records(store: str) -> list[Path]:
    """The load records of a store, newest first; names begin with the time."""
    return sorted(load_folder(store).glob("*.json"), reverse=True)


def played_under_load(store: str) -> Iterator[Played]:
    """What was played under load beside a store. A file that is no load record says nothing."""
    for path in load_records(store):
        try:
            played = _played.decode(read_at_most(path, _MOST))
        except (OSError, ProctorError, *UNREADABLE):
            continue
        if played.format == FORMAT:
            yield played


def load_of(frozen: FrozenRun, *, store: str, given: Path | None = None) -> LoadRecord | None:
    """The load record that goes with a run, for every command the same one; None when there is none.

    The one in a file that was named, refused where it is of another agent or suite; else the newest complete one beside
    the store, of this suite and this state of the agent.
    """
    if given is not None:
        record = read_load(given)
        require_same_agent(record, frozen)
        if record.suite != frozen.suite.full_name:
            message = (
                f"the load record is of suite {record.suite} and the run of {frozen.suite.full_name}; "
                "run `proctor load` on that suite"
            )
            raise InputError(message)
        if record.only != frozen.only:
            taken = ", ".join(record.only) or "all families"
            message = (
                f"the load record took its requests from {taken} and the run from "
                f"{', '.join(frozen.only) or 'all families'}; run `proctor load` with the same --only"
            )
            raise InputError(message)
        return record
    for path in load_records(store):
        record = read_load(path)
        same = (record.suite, record.only) == (frozen.suite.full_name, frozen.only)
        if same and record.complete and is_of_agent(record, frozen):
            return record
    return None


def require_same_agent(record: LoadRecord, frozen: FrozenRun) -> None:
    """Refuse what was measured of somebody else, or before the agent was changed."""
    if not is_of_agent(record, frozen):
        message = f"the load record is of agent {record.agent}, or of another state of its files; run the load again"
        raise InputError(message)


def is_of_agent(record: LoadRecord, frozen: FrozenRun) -> bool:
    """Whether it is of the agent of a run, in this state of its files."""
    return (record.agent, record.agent_source) == (frozen.agent, frozen.agent_source)
