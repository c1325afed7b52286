"""Which run of a store is meant, and whether it is finished."""

from __future__ import annotations

from proctor.core.errors import InputError
from proctor.evidence.store.contract import EvidenceStore, RunRecord


def finished_run(store: EvidenceStore, number: int, purpose: str) -> RunRecord:
    """The run of this number; `InputError` when there is none or it has no digests yet."""
    for record in store.runs():
        if record.number == number:
            if record.root is None or record.seal is None:
                message = (
                    f"run {record.name} is not finished, so it has no root and cannot be {purpose}; "
                    "continue it with `proctor run --resume`"
                )
                raise InputError(message)
            return record
    message = f"there is no run number {number} in {store.location}; `proctor runs` lists the runs in it"
    raise InputError(message)
