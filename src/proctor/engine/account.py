"""What a run has spent and set aside so far, shared by all its workers: a run's limits hold before they are exceeded.

A call of a model is set aside at its most before it is made, and settled when the provider has counted it. The account
is a small file that workers find through their environment; there is one only where the run has such a limit.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO, Final

from proctor.core.errors import BenchError
from proctor.spec.rules import Limits

ACCOUNT: Final = "PROCTOR_ACCOUNT"
"""The environment variable that names the account; unset: the run has no limit on tokens or cost."""


class RunLimitReached(BenchError):
    """The run has not enough left for another call. It says nothing about the agent."""


class Account:
    """One run's account, on this machine."""

    __slots__ = ("_cost", "_path", "_tokens")

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path = path
        self._tokens = limits.run_tokens
        self._cost = None if limits.run_cost is None else Decimal(limits.run_cost)

    def hold(self, tokens: int, cost: Decimal) -> None:
        """Set aside what a call may use at most. Raises `RunLimitReached` where there is not so much left."""
        with self._open() as (spent_tokens, spent_cost, write):
            if self._tokens is not None and spent_tokens + tokens > self._tokens:
                left = max(0, self._tokens - spent_tokens)
                message = f"of the run's {self._tokens:,} tokens {left:,} are left; the next call may take {tokens:,}"
                raise RunLimitReached(message)
            if self._cost is not None and spent_cost + cost > self._cost:
                left_cost = max(Decimal(0), self._cost - spent_cost)
                message = f"of the run's cost limit {self._cost} {left_cost} is left; the next call may cost {cost}"
                raise RunLimitReached(message)
            write(spent_tokens + tokens, spent_cost + cost)

    def change(self, tokens: int, cost: Decimal) -> None:
        """Add what was spent without being set aside, or take back what was set aside and not spent."""
        with self._open() as (spent_tokens, spent_cost, write):
            write(spent_tokens + tokens, spent_cost + cost)

    @contextmanager
    def _open(self) -> Iterator[tuple[int, Decimal, _Write]]:
        with self._path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            tokens, cost = file.read().decode().split()
            yield int(tokens), Decimal(cost), _Write(file)


class _Write:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __call__(self, tokens: int, cost: Decimal) -> None:
        self._file.seek(0)
        self._file.write(f"{tokens} {cost:f}".encode())
        self._file.truncate()


@contextmanager
def accounting(limits: Limits, tokens: int, cost: Decimal) -> Iterator[None]:
    """Within this block workers share an account that starts with what was spent before."""
    if limits.run_tokens is None and limits.run_cost is None:
        yield
        return
    before = os.environ.get(ACCOUNT)
    with tempfile.TemporaryDirectory(prefix="proctor-account-") as folder:
        path = Path(folder) / "account"
        path.write_text(f"{tokens} {cost:f}")
        os.environ[ACCOUNT] = str(path)
        try:
            yield
        finally:
            if before is None:
                del os.environ[ACCOUNT]
            else:
                os.environ[ACCOUNT] = before


def account_for(limits: Limits) -> Account | None:
    """The account of the run that this process works for; None where it has none."""
    path = os.environ.get(ACCOUNT)
    if path is None or (limits.run_tokens is None and limits.run_cost is None):
        return None
    return Account(Path(path), limits)
