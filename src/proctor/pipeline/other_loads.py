"""Load records of the same agent that no gate has looked at: whoever loads until nothing shows has them.

The gate takes the newest complete record, or the one that is named, so an S1 in an earlier one, in one that was broken
off or in one of another profile would be forgotten. Here it is a reason to escalate until a decision was made with that
record; from then on it is open like every S1 that a decision saw (`open_s1`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from proctor.evidence.load_record import LoadRecord, is_of_agent, read_load
from proctor.pipeline.ledger import Entry
from proctor.pipeline.objections import Objection
from proctor.pipeline.open_s1 import UNDER_LOAD
from proctor.spec.frozen import FrozenRun


def to_other_loads(
    folders: Iterable[Path], frozen: FrozenRun, load: LoadRecord | None, entries: Sequence[Entry]
) -> list[Objection]:
    """That a record of this very agent on this suite, other than `load`, has an S1 and was in no decision."""
    decided = {(entry.body.get("load_record") or {}).get("record") for entry in entries if entry.kind == "decision"}
    if load is not None:
        decided.add(load.hash)
    found = []
    for path in _records(folders):
        record = read_load(path)
        if record.suite != frozen.suite.full_name or not is_of_agent(record, frozen):
            continue
        count = sum(one.safety == "S1" for part in record.scenarios for one in part.requests)
        if count and record.hash not in decided:
            reason = (
                f"load record {path} of the same agent has an S1 ({count:,} {_parts(record)}) and went through no "
                f"gate; `proctor gate --load {path}` decides about it"
            )
            found.append(Objection(reason, (UNDER_LOAD,)))
    return found


def _records(folders: Iterable[Path]) -> list[Path]:
    """The records in these folders, each once, oldest first; names begin with the time."""
    found = {path.resolve(): path for folder in folders for path in sorted(folder.glob("*.json"))}
    return list(found.values())


def _parts(record: LoadRecord) -> str:
    """The parts of the profile in which there is one."""
    names = [part.scenario["id"] for part in record.scenarios if any(one.safety == "S1" for one in part.requests)]
    return f"in {', '.join(names)}"
