"""What stands before the first observation: memory as the program says, and frozen output that the condition reads."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.evidence.events import (
    AgentFailed,
    Called,
    CarriedOver,
    EpisodeOpened,
    LimitHit,
    MemoryMoved,
    StageRead,
    StateRead,
)
from proctor.evidence.grammar.setting import Setting
from proctor.evidence.row import MEMORY_FAILED, STUCK
from proctor.spec.condition import DECISIVE, REST


class Opening:
    """The beginning of one episode."""

    def __init__(self) -> None:
        self.given: str | None = None
        """SHA-256 of what the world was given by the episode before it."""
        self.left: str | None = None
        """SHA-256 of what it leaves, where that is something else."""
        self.lost = False
        """Its lifetime was lost while the agent acted: it was put on record without the agent, and with no memory."""
        self._acted = False
        self._memory_failed = False
        self._opened: EpisodeOpened | None = None
        self._moved: MemoryMoved | None = None
        self._read: StageRead | None = None
        self._fields: dict[str, set[str]] = {}

    def opened(self, number: int, event: EpisodeOpened) -> None:
        self._opened = event

    def moved(self, number: int, event: MemoryMoved) -> None:
        self._moved = event

    def called(self, number: int, event: Called) -> None:
        self._acted = True

    def limit(self, number: int, event: LimitHit) -> None:
        self.lost = self.lost or event.limit == STUCK

    def failed(self, number: int, event: AgentFailed) -> None:
        self.lost = self.lost or (event.reason == "agent_crashed" and not self._acted)
        self._memory_failed = event.reason == MEMORY_FAILED and not self._acted

    def carried(self, number: int, event: CarriedOver) -> None:
        if event.left:
            self.left = event.content
        else:
            self.given = event.content

    def stage_read(self, number: int, event: StageRead) -> None:
        self._read = event

    def state_read(self, number: int, event: StateRead) -> None:
        self._fields.setdefault(event.field, set()).add(event.do)

    def problems(self, setting: Setting) -> Iterator[str]:
        """What is wrong with the whole."""
        if self._opened is None:
            return
        moved = None if self._moved is None else self._moved.action
        if moved != setting.memory and not (self.lost and moved is None):
            yield f"before it the memory was {moved!a}; the program says {setting.memory!r}"
        elif not self._memory_failed and self._moved is not None and not self._moved.possible and moved != "snapshot":
            yield "its agent lived it with a memory that could not be moved"
        after = setting.condition.after
        if self._read is not None and self._read.stage != after:
            yield f"it reads the output of stage {self._read.stage[:40]!a}; its condition reads {after!r}"
        reads = setting.condition.reads
        for field, done in self._fields.items():
            rules = {reads[name].do for name in (field, DECISIVE, REST) if name in reads}
            fixed = {reads[field].do} if field in reads else {"keep", *rules}
            if not done <= fixed:
                yield f"a read of {field[:40]!a} was {sorted(done - fixed)[0][:40]!a}, which its condition does not do"
