"""What a store is: everything that the engine, evidence, reports and commands ask of one, and nothing else.

The group `proctor.stores` registers a `StoreFactory` under the scheme of the places it opens. Whatever the database,
the same calls give the same evidence: rows in presentation order, digests over what is stored, a run written whole.
Implementations raise `StoreError`, `InputError` or `IntegrityError`, each one sentence, and nothing of their database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeGuard

from msgspec import Struct, field

from proctor.core.abilities import Ability
from proctor.core.errors import IntegrityError
from proctor.evidence.attachments import Attachment
from proctor.evidence.events import Event
from proctor.evidence.row import Arm, EpisodeRecord, Row, Segment
from proctor.spec.frozen import FrozenRun


class RunRecord(Struct, frozen=True):
    """A run as the store knows it."""

    number: int
    name: str
    status: str
    """running, interrupted, complete, failed-safety or failed."""
    suite: str
    agent: str
    config_hash: str
    episodes: int
    """Planned."""
    cut: int | None
    """Episodes before this position count; None when nothing was cut off."""
    root: str | None
    seal: str | None
    execution: dict[str, Any]
    """Facts of the execution that enter `seal`: times, executor, code, the agent's label."""

    @property
    def recorded_label(self) -> str:
        """What had to be said of the agent when it was run; empty in runs that did not record it."""
        label = self.execution.get("label")
        return label if isinstance(label, str) else ""

    @property
    def started(self) -> str | None:
        """Real time of its first start, as recorded; None where none is."""
        starts = self.execution.get("started")
        first = starts[0] if isinstance(starts, list) and starts else None
        return first if isinstance(first, str) else None


class Spent(Struct, frozen=True):
    """What a run spent on models."""

    tokens: int | None
    """None where no episode counted any."""
    cost: str | None
    """A decimal amount in the currency of the system's prices; None where no episode has a cost."""


class StoredEpisode(Struct, frozen=True):
    """An episode in the store. `pieces` reads its trace, as it was cut; damage is raised while doing so."""

    row: Row
    pieces: Iterator[bytes]


class StoredText(Struct, frozen=True):
    """What determined a run, as text."""

    frozen: str
    inputs: str


class StoredStage(Struct, frozen=True, forbid_unknown_fields=True):
    """The frozen output of a stage: its text, and the SHA-256 of that."""

    stage: str
    sha256: str
    data: str


class IncomingEpisode(Struct):
    """One episode of a run that is taken in."""

    row: Row
    parts: list[bytes]
    """All pieces of its trace but the last, in order, each packed by the codec without a dictionary."""
    last: bytes


class IncomingRun(Struct):
    """A finished run that is taken in from elsewhere; contents and episodes are read once, as they are written."""

    record: RunRecord
    """Its number is not used: the store gives it one."""
    text: StoredText
    arms: list[Arm]
    stages: list[StoredStage]
    contents: Iterable[tuple[str, bytes]]
    """Values by their SHA-256."""
    episodes: Iterable[IncomingEpisode]
    """In presentation order."""
    check: Callable[[], None]
    """Called when all is written and before it counts; what it raises undoes everything."""
    attachments: list[Attachment] = field(default_factory=list)
    """Documents that come with it, in their order."""


class EpisodeWriter(Protocol):
    """The only one who writes episodes of a run, in batches, within the durability window."""

    dictionary: tuple[int, bytes] | None
    """The compression dictionary that workers should use, once there is one: its number and its bytes."""

    def add(self, records: list[EpisodeRecord]) -> None:
        """Take the episodes of one or more whole lifetimes."""
        ...

    def keep(self, contents: dict[str, bytes]) -> None:
        """Take contents that a record came with which is not written itself."""
        ...

    def add_segment(self, segment: Segment) -> None:
        """Take an earlier part of a long trace."""
        ...

    def drop_segments(self, first: int, stop: int) -> None:
        """Forget parts of traces at positions [first, stop): those episodes are lived again."""
        ...

    def tick(self) -> None:
        """Commit what has waited long enough, though nothing new came."""
        ...

    def flush(self) -> None:
        """Commit everything taken so far."""
        ...


class EvidenceStore(Protocol):
    """An open store. One process writes; any number read. Runs are named by the number `run(name)` gives."""

    location: str
    """What the user called it."""

    def __enter__(self) -> EvidenceStore: ...

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None:
        """Let go; what was committed stays."""
        ...

    def add_run(
        self, name: str, frozen: FrozenRun, arms: tuple[Arm, ...], episodes: int, execution: dict[str, Any]
    ) -> int:
        """Freeze a run: everything that determines it is on the disk before its first episode. Gives its number."""
        ...

    def update_run(self, number: int, **values: Any) -> None:
        """Change status, digests, cut or execution facts of a run."""
        ...

    def import_run(self, run: IncomingRun) -> None:
        """Write a finished run from elsewhere, whole or not at all."""
        ...

    def runs(self) -> list[RunRecord]:
        """Every run: those taken in from elsewhere, then those begun here, each oldest first.

        What is newest follows from the order in which they were written, never from a date that a run states.
        """
        ...

    def run(self, name: str) -> RunRecord:
        """The run of this name, of an unambiguous beginning of it, or `latest`: the last of `runs`."""
        ...

    def frozen(self, number: int) -> FrozenRun:
        """What determined a run."""
        ...

    def declared(self, number: int) -> StoredText:
        """The frozen declarations and the inputs as they were written before the first episode."""
        ...

    def arms(self, number: int) -> list[Arm]:
        """The arms of a run, by number."""
        ...

    def writer(self, number: int, *, traces: bool = True) -> EpisodeWriter:
        """What writes the episodes of a run; without `traces` rows are kept, and nothing of their events."""
        ...

    def drop_unfinished(self, number: int) -> None:
        """Forget parts of episodes that never ended; resume runs those again."""
        ...

    def rows(self, number: int, *, stop: int | None = None) -> Iterator[Row]:
        """The rows of a run in presentation order; `stop` leaves out positions from there on."""
        ...

    def positions(self, number: int) -> Iterator[tuple[int, int]]:
        """(position, position of its lifetime's first episode) of every stored episode."""
        ...

    def digests(self, number: int, config_hash: str, *, stop: int | None = None) -> tuple[str, bytes]:
        """(`root`, the real-time part of `seal`) from what is stored; what lies at or beyond `stop` is outside."""
        ...

    def count(self, number: int) -> int:
        """How many episodes of a run are stored."""
        ...

    def count_reason(self, number: int, reason: str) -> int:
        """How many episodes ended for this reason."""
        ...

    def outcomes(self, number: int, *, stop: int | None = None) -> dict[str, int]:
        """How many episodes ended how."""
        ...

    def spent(self, number: int, *, stop: int | None = None) -> Spent:
        """What the episodes of a run spent on models."""
        ...

    def events(self, number: int, position: int) -> list[Event]:
        """The events of one episode."""
        ...

    def episodes(self, number: int) -> Iterator[StoredEpisode | IntegrityError]:
        """Every stored episode in presentation order, or what is wrong with its row.

        Each trace must be read before the next episode is taken.
        """
        ...

    def require_traces(self, number: int, consequence: str) -> None:
        """Refuse, in one sentence, what needs the events of a run whose traces were not recorded."""
        ...

    def content(self, sha256: str) -> bytes | None:
        """A value stored by content."""
        ...

    def has_content(self, digest: bytes) -> bool:
        """Whether a value is stored by content."""
        ...

    def freeze_stage(self, number: int, stage: str, output: Any) -> str:
        """Keep the output of a finished stage and give its SHA-256."""
        ...

    def stage_outputs(self, number: int) -> dict[str, tuple[str, Any]]:
        """Finished stages: (SHA-256, output)."""
        ...

    def stages(self, number: int) -> list[StoredStage]:
        """Finished stages as text, by name."""
        ...

    def attach(self, number: int, kind: str, content: bytes) -> str:
        """Keep a document with a run, and give its SHA-256. One that is there already is not added again.

        Documents are only ever added; `evidence/attachments.py` says what is refused.
        """
        ...

    def attachments(self, number: int) -> list[Attachment]:
        """The documents of a run in the order in which they were added, as they are stored."""
        ...


class ClaimsRuns(Protocol):
    """A store that can see to it that a run is executed by one process at a time."""

    def claim(self, number: int, name: str) -> AbstractContextManager[None]:
        """Be the only one who executes a run; raises `StoreError`, one sentence, where another process does."""
        ...


_CLAIMS_RUNS = Ability(ClaimsRuns)


def claims_runs(store: object) -> TypeGuard[ClaimsRuns]:
    """Whether a store offers `ClaimsRuns`."""
    return _CLAIMS_RUNS[type(store)]


class StoreFactory(Protocol):
    """What the group `proctor.stores` registers: opens a place of its scheme."""

    def __call__(self, location: str, *, create: bool) -> EvidenceStore:
        """The store there, open; without `create` a store that is not there is an `InputError`."""
        ...
