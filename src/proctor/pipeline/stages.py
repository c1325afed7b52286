"""The seven stages (harness paper §8), each writing its output before the next one begins.

A pipeline lives in `.proctor/pipeline/ID/`: what it was opened with, then one file a stage, each appearing whole or not
at all and naming the digest of everything before it. Whoever is killed between two stages starts the same pipeline
again: finished stages are read, not repeated, so that there is one decision however often it was interrupted. A stage
must therefore give the same output when it is repeated, or find what its first attempt left.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import UNREADABLE, canonical, jsonable
from proctor.core.errors import BenchError, InputError, IntegrityError
from proctor.core.folders import make_folder
from proctor.core.hashing import content_hash

StageName = Literal[
    "scenario-generation",
    "agent-execution",
    "oracle-comparison",
    "metric-calculation",
    "regression-detection",
    "report-generation",
    "gate-decision",
]
STAGES: tuple[StageName, ...] = (
    "scenario-generation",
    "agent-execution",
    "oracle-comparison",
    "metric-calculation",
    "regression-detection",
    "report-generation",
    "gate-decision",
)
PIPELINES = Path(".proctor") / "pipeline"
OPENED = "0-opened.json"

Outputs = Mapping[str, Any]
"""What stages gave so far, by name, as JSON; `opened` holds what the pipeline was opened with."""
StageFunction = Callable[[Outputs], msgspec.Struct | Mapping[str, Any]]
"""Carries out a stage. What it gives is lowered to JSON, written, and handed on as that JSON."""
Watcher = Callable[[StageName, Literal["begins", "done", "kept"], str], None]
"""Told of every stage: when it begins, when it is done (with its summary), or that it was done before."""


class StageFile(msgspec.Struct, frozen=True):
    """The file of one stage."""

    stage: str
    after: str
    """Digest of everything before it."""
    output: dict[str, Any]


class Pipeline:
    """One examination on its way to a decision."""

    def __init__(self, project: Path, name: str) -> None:
        if not name or name != Path(name).name or name.startswith("."):
            message = f"'{name}' cannot be the name of a pipeline"
            raise InputError(message)
        self.name = name
        self.folder = project / PIPELINES / name

    @property
    def exists(self) -> bool:
        """Whether it was opened."""
        return (self.folder / OPENED).is_file()

    def open(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Fix what it is about. Opening it again gives what it was opened with; with other inputs it is refused."""
        make_folder(self.folder)
        given = jsonable(dict(inputs))
        if not self.exists:
            self._write(OPENED, given)
        opened: dict[str, Any] = self._load(OPENED)
        if canonical(opened) != canonical(given):
            message = f"pipeline {self.name} was opened with other inputs; finish it or open another"
            raise InputError(message)
        return opened

    def opened(self) -> dict[str, Any]:
        """What it was opened with."""
        if not self.exists:
            message = f"there is no pipeline '{self.name}'"
            raise InputError(message)
        inputs: dict[str, Any] = self._load(OPENED)
        return inputs

    def outputs(self) -> dict[str, Any]:
        """What its finished stages gave, checked against each other."""
        outputs: dict[str, Any] = {"opened": self.opened()}
        for number, stage in enumerate(STAGES, start=1):
            path = f"{number}-{stage}.json"
            if not (self.folder / path).is_file():
                break
            try:
                file = msgspec.convert(self._load(path), StageFile)
            except UNREADABLE as error:
                raise IntegrityError(str(error), where=str(self.folder / path)) from None
            if file.stage != stage or file.after != content_hash(outputs):
                message = "it does not follow from the stages before it; one of them was changed"
                raise IntegrityError(message, where=str(self.folder / path))
            outputs[stage] = file.output
        return outputs

    @property
    def finished(self) -> bool:
        """Whether it has its decision."""
        return self.decision_entry() is not None

    def decision_entry(self) -> str | None:
        """Hash of the ledger entry its decision was written to; None where it has none yet."""
        last = f"{len(STAGES)}-{STAGES[-1]}.json"
        if not (self.folder / last).is_file():
            return None
        file = self._load(last)
        output = file.get("output") if isinstance(file, dict) else None
        entry = output.get("entry") if isinstance(output, dict) else None
        if not isinstance(entry, str):
            raise IntegrityError("the ledger entry it refers to no longer exists", where=str(self.folder / last))
        return entry

    def execute(self, functions: Mapping[StageName, StageFunction], watch: Watcher | None = None) -> dict[str, Any]:
        """Carry out what is missing; the outputs of all stages."""
        tell = watch or (lambda _stage, _state, _summary: None)
        with self._alone():
            outputs = self.outputs()
            for number, stage in enumerate(STAGES, start=1):
                if stage in outputs:
                    tell(stage, "kept", str(outputs[stage].get("summary", "")))
                    continue
                tell(stage, "begins", "")
                output = jsonable(functions[stage](outputs))
                self._write(f"{number}-{stage}.json", jsonable(StageFile(stage, content_hash(outputs), output)))
                outputs[stage] = output
                tell(stage, "done", str(output.get("summary", "")))
        return outputs

    def note(self, name: str, value: Any) -> None:
        """Keep something a repeated stage has to find again."""
        self._write(f"note-{name}.json", value)

    def noted(self, name: str) -> Any:
        """What was kept under this name; None when nothing was."""
        return self._load(f"note-{name}.json") if (self.folder / f"note-{name}.json").is_file() else None

    def _write(self, name: str, value: Any) -> None:
        with atomic_write(self.folder / name) as file:
            file.write(msgspec.json.format(canonical(value), indent=1) + b"\n")

    def _load(self, name: str) -> Any:
        try:
            return msgspec.json.decode((self.folder / name).read_bytes())
        except UNREADABLE as error:
            raise IntegrityError(f"no longer valid JSON ({error})", where=str(self.folder / name)) from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                message = f"pipeline {self.name} is being executed by another process; wait for it"
                raise BenchError(message) from None
            yield
        finally:
            os.close(handle)


def pipelines(project: Path) -> list[Pipeline]:
    """Every pipeline of a project, by name."""
    home = project / PIPELINES
    every = [Pipeline(project, path.name) for path in sorted(home.iterdir()) if path.is_dir()] if home.is_dir() else []
    return [pipeline for pipeline in every if pipeline.exists]


def require_kept_decisions(project: Path, hashes: Collection[str]) -> int:
    """How many decisions are kept beside the ledger, all of them in it; one that is not shows that it was cut off."""
    count = 0
    for pipeline in pipelines(project):
        entry = pipeline.decision_entry()
        if entry is None:
            continue
        count += 1
        if entry not in hashes:
            message = "its decision is not in the ledger, which was cut off or replaced; restore it from a copy"
            raise IntegrityError(message, where=f"pipeline {pipeline.name}")
    return count
