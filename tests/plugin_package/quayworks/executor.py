"""The executor `one-crane`: one lifetime after another, in this process."""

from __future__ import annotations

from pathlib import Path

from proctor.core.errors import InputError
from proctor.engine.executors.contract import Work
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.stage_outputs import StageOutputs


class OneCrane:
    """Never two agents at once, whatever they wait for."""

    name = "one-crane"
    workers = 1
    concurrency = 1

    def execute(self, frozen: bytes, folder: Path, stage_outputs: StageOutputs, work: Work) -> None:
        InlineExecutor(1).execute(frozen, folder, stage_outputs, work)


def make(*, workers: int | None, concurrency: int | None) -> OneCrane:
    if workers is not None or concurrency is not None:
        message = "--executor one-crane takes neither --workers nor --concurrency: there is one crane"
        raise InputError(message)
    return OneCrane()
