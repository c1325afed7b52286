"""An event loop whose time passes only by waiting: an hour of load takes as long as its computation.

Nothing may wait for anything outside the process, since that would never be seen to happen.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    """Lets the time that would be waited for pass at once."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("everything waits for something that will never happen")
        self.passed += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """`time()` begins at 1,000 s, so that a moment is never mistaken for a duration."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return 1000.0 + self._jumping.passed


def on_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, as if all its waiting had really been done."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
