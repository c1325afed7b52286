"""Processes that verify one tampered bundle after the other, limited as the child that reads a stranger's file is."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

MEMORY_FOR = 64 * 2**20
"""Size of a file after which limits are set: far more than any of these."""


@dataclass(frozen=True)
class Answer:
    """What a reader said of a file."""

    number: int
    ok: bool = False
    first: str = ""
    """The first problem, in a sentence."""
    raised: str = ""
    """An exception that got out: none may."""
    died: bool = False


def _serve(connection: Connection) -> None:
    from proctor.engine.plan import Plan
    from proctor.engine.tasks_again import TasksAgain
    from proctor.evidence.bundle import verify_bundle
    from proctor.evidence.bundle.child import limit

    limit(MEMORY_FOR)
    while True:
        number, path = connection.recv()
        try:
            report = verify_bundle(path, plan=Plan, tasks=TasksAgain)
        except Exception as error:
            connection.send((number, False, "", f"{type(error).__name__}: {error}"))
            continue
        first = report.problems[0] if report.problems else None
        said = "" if first is None else f"{first.check}: {first.place}: {first.message}"
        connection.send((number, report.ok, said, ""))


class Readers:
    """A few of them; one that dies is replaced, and its file named."""

    def __init__(self, count: int = 2) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._count = count
        self._busy: dict[Connection, tuple[Any, int]] = {}
        self._idle: list[tuple[Connection, Any]] = []

    def __enter__(self) -> Readers:
        for _ in range(self._count):
            self._idle.append(self._start())
        return self

    def _start(self) -> tuple[Connection, Any]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return ours, process

    def ask(self, number: int, path: Path) -> Iterator[Answer]:
        """Have a file verified; gives what was answered meanwhile."""
        while not self._idle:
            yield from self._answers()
        connection, process = self._idle.pop()
        connection.send((number, str(path)))
        self._busy[connection] = (process, number)

    def rest(self) -> Iterator[Answer]:
        """What is not answered yet."""
        while self._busy:
            yield from self._answers()

    def _answers(self) -> Iterator[Answer]:
        for ready in wait(list(self._busy)):
            connection: Any = ready
            process, number = self._busy.pop(connection)
            try:
                answer = Answer(*connection.recv())
            except (EOFError, OSError):
                process.join()
                connection.close()
                self._idle.append(self._start())
                yield Answer(number, died=True)
                continue
            self._idle.append((connection, process))
            yield answer

    def __exit__(self, *_: object) -> None:
        for connection, process in (*self._idle, *((one, process) for one, (process, _) in self._busy.items())):
            process.terminate()
            process.join()
            connection.close()
