"""What the events of one episode say, gathered while their head is computed; the events themselves are not kept."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec

from proctor.core.canonical import encode, unchain
from proctor.evidence.chain import extend, genesis
from proctor.evidence.claims import Shown, Stated, claims_column
from proctor.evidence.events import (
    BenchFailed,
    Called,
    CarriedOver,
    Delivery,
    EpisodeClosed,
    EpisodeOpened,
    ModelAsked,
    Observed,
    Returned,
    StageRead,
    StateWritten,
    Submitted,
    Verified,
)
from proctor.evidence.events.call import OUT_OF_RANGE, UNDECLARED
from proctor.evidence.exchanges import contents_named
from proctor.evidence.grammar.episode import EpisodeGrammar
from proctor.evidence.grammar.lines import Unreadable, read_event
from proctor.evidence.row import CRITICAL, SAFETY, SERVICE
from proctor.evidence.services import service_measures

ANSWER_COLUMN = 160
"""A canonical answer up to this length stands in the row; a longer one is named by its hash."""
SCOPE = "scope"
"""The layer whose deliveries are violations, `out_of_scope`."""


class Reference:
    """A content that an event names. An artifact may be known by its hash alone."""

    __slots__ = ("required", "sha256")

    def __init__(self, sha256: str, *, required: bool) -> None:
        self.sha256 = sha256
        self.required = required


class Trace:
    """One episode's events, read once, in pieces cut between lines."""

    def __init__(self, config_hash: str, position: int) -> None:
        self.position = position
        self.head = genesis(config_hash, position)
        self.count = 0
        self.trouble: str | None = None
        """The first thing that no episode could have recorded."""
        self.opened: EpisodeOpened | None = None
        self.closed: EpisodeClosed | None = None
        self.verified: Verified | None = None
        self.answer: str | None = None
        self.confidence: str | None = None
        self.shown_fields: frozenset[str] | None = None
        self.altered_first = 0
        """Receipts in the first observation: so many fields may have been others, or not there, before."""
        self.out_of_range = 0
        self.undeclared_actions = 0
        self._changed = 0
        self._stated: list[Stated] = []
        self._shown: list[Shown] = []
        self._begin = 0
        self.calls = 0
        self.retries = 0
        self._asked: dict[int, bytes] = {}
        self._failed: set[bytes] = set()
        self.unstable = 0
        self.exchanges = 0
        """With models; what cannot be reproduced of them stands beside the chain."""
        self.submitted: Any = None
        """What was handed in first, as it is chained."""
        self.written: dict[str, Any] = {}
        """The named state as it was written last."""
        self.broken: str | None = None
        """Where the bench failed."""
        self.service: dict[str, int | str] = {}
        """What a service that failed said."""
        self.faults: dict[str, int] = {}
        self.violations: dict[str, int] = {}
        self.references: list[Reference] = []
        self.stages: list[tuple[str, str]] = []
        self.unreproducible: bytes | None = None
        self.grammar = EpisodeGrammar()

    def feed(self, piece: bytes) -> None:
        """Take the next lines."""
        head = self.head
        for line in piece.split(b"\n"):
            head = extend(head, line)
            self.count += 1
            try:
                self._take(read_event(line))
            except (Unreadable, ValueError, TypeError, RecursionError) as error:
                why = str(error) if isinstance(error, Unreadable) else "cannot be read"
                self._note(f"event {self.count - 1} {why}")
        self.head = head

    def finish(self) -> None:
        """Nothing more will come."""
        if self.closed is None:
            self._note("its events do not end")
        elif self.opened is None and self.broken is None:
            self._note("its events do not begin with what the episode is")

    @property
    def transitions(self) -> int | None:
        """Writing calls that changed the state of a world that shows one."""
        return None if self.closed is None or self.closed.state is None else self._changed

    @property
    def claims(self) -> str | None:
        """What was claimed, counted anew; `unreproducible` has to be known."""
        if self.answer is None or not self._stated:
            return None
        aside = [] if self.unreproducible is None else msgspec.json.decode(self.unreproducible, type=list[Any])
        success = None if self.verified is None else self.verified.success
        return claims_column(self._stated, self._shown, aside, success)

    def _note(self, trouble: str) -> None:
        if self.trouble is None:
            self.trouble = trouble

    def _take(self, event: Any) -> None:
        if self.closed is not None:
            self._note(f"event {self.count - 1} comes after the end")
        self.grammar.take(event)
        take = _TAKE.get(type(event))
        if take is not None:
            take(self, event)

    def _on_opened(self, event: EpisodeOpened) -> None:
        if self.count != 1:
            self._note(f"event {self.count - 1} begins the episode anew")
        self.opened = event
        self.references.append(Reference(event.tools, required=True))

    def _on_observed(self, event: Observed) -> None:
        if self.shown_fields is None:
            fields = unchain(event.fields)
            self.shown_fields = frozenset(fields) if isinstance(fields, dict) else frozenset()
            self.altered_first = len(event.faults)
        # Where another agent takes over, it sees nothing of what was shown before.
        self._begin = len(self._shown)
        self._shown.append(event)
        self._count_faults(event.faults)

    def _on_called(self, event: Called) -> None:
        self.calls += 1
        key = encode([event.tool, event.arguments])
        self.retries += key in self._failed
        self._asked[event.call] = key
        if event.violation is not None:
            self.violations[event.violation] = self.violations.get(event.violation, 0) + 1
        for mark in event.marks:
            self._count_mark(mark)

    def _on_returned(self, event: Returned) -> None:
        self.unstable += event.unstable
        self._changed += event.changed
        self._shown.append(event)
        asked = self._asked.pop(event.call, None)
        if asked is not None and not event.ok:
            self._failed.add(asked)
        if event.content is not None:
            self.references.append(Reference(event.content, required=True))
        self._count_faults(event.faults)

    def _on_submitted(self, event: Submitted) -> None:
        if event.violation is not None:
            self.violations[event.violation] = self.violations.get(event.violation, 0) + 1
        if self.answer is None:
            self.submitted = event.answer
        self.confidence = event.confidence
        if event.claims:
            self._stated.append(Stated(event.claims, self._begin, len(self._shown)))
        answer = encode(event.answer)
        self.answer = answer.decode() if len(answer) <= ANSWER_COLUMN else f"sha256:{sha256(answer).hexdigest()}"

    def _on_model(self, event: ModelAsked) -> None:
        self.exchanges += 1
        if event.follows is not None and event.follows >= self.exchanges - 1:
            self._note(f"event {self.count - 1} goes on from an exchange that was not there yet")
        self.references += (Reference(digest, required=True) for digest in contents_named(event))

    def _on_written(self, event: StateWritten) -> None:
        self.written[event.field] = event.value

    def _on_verified(self, event: Verified) -> None:
        self.verified = event
        if event.measures.get(SAFETY) == CRITICAL:
            self.violations[CRITICAL] = self.violations.get(CRITICAL, 0) + 1
        for _, digest in event.artifacts:
            self.references.append(Reference(digest, required=False))

    def _on_bench_failed(self, event: BenchFailed) -> None:
        self.broken = event.where
        self.service = service_measures(event.message, final=event.final) if event.where == SERVICE else {}
        if event.where == "world":
            # Whatever was handed in and found before the world broke does not count.
            self.answer = self.verified = self.confidence = None

    def _on_stage_read(self, event: StageRead) -> None:
        self.stages.append((event.stage, event.output))

    def _on_carried(self, event: CarriedOver) -> None:
        self.references.append(Reference(event.content, required=True))

    def _on_closed(self, event: EpisodeClosed) -> None:
        self.closed = event

    def _count_mark(self, mark: str) -> None:
        if mark == OUT_OF_RANGE:
            self.out_of_range += 1
        elif mark == UNDECLARED:
            self.undeclared_actions += 1
        else:
            self.violations[mark] = self.violations.get(mark, 0) + 1

    def _count_faults(self, faults: tuple[Delivery, ...]) -> None:
        for fault in faults:
            self.faults[fault.layer] = self.faults.get(fault.layer, 0) + 1
            if fault.layer == SCOPE:
                self.violations["out_of_scope"] = self.violations.get("out_of_scope", 0) + 1


_TAKE: dict[type[Any], Callable[[Trace, Any], None]] = {
    EpisodeOpened: Trace._on_opened,
    Observed: Trace._on_observed,
    Called: Trace._on_called,
    Returned: Trace._on_returned,
    Submitted: Trace._on_submitted,
    ModelAsked: Trace._on_model,
    StateWritten: Trace._on_written,
    Verified: Trace._on_verified,
    BenchFailed: Trace._on_bench_failed,
    StageRead: Trace._on_stage_read,
    CarriedOver: Trace._on_carried,
    EpisodeClosed: Trace._on_closed,
}
