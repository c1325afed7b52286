"""Cuts what an agent writes into lines, within bounds.

Bounds are applied line by line, never by how much one read happened to bring: the same output always gives the same
lines before the same problem.
"""

from __future__ import annotations

from collections import deque

from proctor.agents.process.wire import MAX_EPISODE_BYTES, MAX_EPISODE_LINES, MAX_LINE_BYTES, MiB


class Lines:
    """Bytes in, lines out. Beyond a bound nothing more is taken, and `problem` says which."""

    __slots__ = ("_bytes", "_count", "_open", "_ready", "problem")

    def __init__(self) -> None:
        self._open = bytearray()
        self._ready: deque[bytes] = deque()
        self._bytes = 0
        self._count = 0
        self.problem: str | None = None
        """Why the agent is not listened to any longer, as one sentence; lines before it can still be taken."""

    def begin(self, *, drop: bool) -> None:
        """Start counting anew; with `drop`, forget what came before: an agent is silent between episodes."""
        if drop:
            self._ready.clear()
            self._open.clear()
        self._bytes = self._count = 0

    def feed(self, piece: bytes) -> None:
        """Take what was read."""
        first, *rest = piece.split(b"\n")
        self._extend(first)
        for part in rest:
            self._complete()
            if self.problem is not None:
                return
            self._extend(part)

    def finish(self) -> None:
        """Nothing more comes: a last line without an end is a line all the same."""
        self._complete()

    def take(self) -> bytes | None:
        """The next whole line, or None. Blank lines are skipped."""
        return self._ready.popleft() if self._ready else None

    def __len__(self) -> int:
        return len(self._ready)

    def _extend(self, part: bytes) -> None:
        if self.problem is None:
            self._open += part
            if len(self._open) > MAX_LINE_BYTES:
                self._give_up(f"the agent wrote a line of more than {MAX_LINE_BYTES // MiB} MiB")

    def _complete(self) -> None:
        if self.problem is not None:
            return
        self._bytes += len(self._open) + 1
        blank = not self._open.strip()
        if self._bytes > MAX_EPISODE_BYTES:
            self._give_up(f"the agent wrote more than {MAX_EPISODE_BYTES // MiB} MiB in one episode")
        elif not blank and self._count == MAX_EPISODE_LINES:
            self._give_up(f"the agent wrote more than {MAX_EPISODE_LINES:,} lines in one episode")
        elif not blank:
            self._ready.append(bytes(self._open))
            self._count += 1
        self._open.clear()

    def _give_up(self, problem: str) -> None:
        self.problem = problem
        self._open.clear()
