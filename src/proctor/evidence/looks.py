"""An examination in several looks, read as one: later runs went on where cells were still undecided.

Each look is a run of its own with its own root; the chain is in the declarations (`look.after` is the root of the run
before), so none can be left out. Positions of later looks follow those of earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from proctor.core.errors import InputError, IntegrityError
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import Arm, Row
from proctor.evidence.store.contract import EvidenceStore

Read = Callable[[EvidenceStore, str], Evidence]


def with_earlier_looks(store: EvidenceStore, last: Evidence, read: Read) -> Evidence:
    """The evidence of a look together with that of every look before it; other evidence as it is."""
    chain = [last]
    while (look := chain[0].frozen.look) is not None and look.after is not None:
        before = next((run for run in store.runs() if run.root == look.after), None)
        if before is not None and any(before.name == one.run for one in chain):
            message = f"{before.name} is said to go on where {chain[0].run} stopped, which goes on where it did"
            raise IntegrityError(message, where=f"the looks of {last.run}")
        if before is None:
            message = f"{chain[0].run} is look {look.number}; the run before it (root {look.after[:12]}…) is not here"
            raise InputError(message)
        chain.insert(0, read(store, before.name))
    return last if len(chain) == 1 else _merged(chain)


def _merged(chain: list[Evidence]) -> Evidence:
    first = chain[0]
    known = {_key(first, arm): arm.index for arm in first.arms}
    rows: list[Row] = []
    begins: list[tuple[int, str]] = []
    for evidence in chain:
        offset = rows[-1].position + 1 if rows else 0
        begins.append((offset, evidence.run))
        try:
            arms = [known[_key(evidence, arm)] for arm in evidence.arms]
        except KeyError:
            message = f"has arms that {first.run}, the first look, does not have"
            raise IntegrityError(message, where=evidence.run) from None
        rows += [
            replace(
                row,
                position=row.position + offset,
                lifetime=row.lifetime + offset,
                unit=row.unit + offset,
                arm=arms[row.arm],
            )
            for row in evidence.rows
        ]
    last = chain[-1]
    return replace(
        last,
        frozen=first.frozen,
        arms=first.arms,
        rows=tuple(rows),
        complete=all(evidence.complete for evidence in chain),
        planned=sum(evidence.planned for evidence in chain),
        started=first.started,
        earlier_runs=first.earlier_runs,
        others_before=first.others_before,
        touched=frozenset().union(*(evidence.touched for evidence in chain)),
        altered=tuple(dict.fromkeys(name for evidence in chain for name in evidence.altered)),
        begins=tuple(begins),
        # Positions only ever follow those of earlier looks, so what was said of a look holds in all later ones.
        attachments=tuple(one for evidence in chain for one in evidence.attachments),
    )


def _key(evidence: Evidence, arm: Arm) -> tuple[str, str, str]:
    """What an arm is in every look: its entry, whichever instances of it were taken."""
    entry = evidence.frozen.suite.entries[arm.entry]
    return entry.model_copy(update={"n": 1, "first": 0}).identity, arm.regime, arm.condition
