"""What a run says about its preregistration, and what the runs beside it show: which of the series are here.

Read from the facts of the execution, which `seal` covers: the preregistration itself, the log of runs up to the start
of this one, and the nonce that opens the commitment to the seed. The store adds which other runs of the series it has.
Nothing here trusts what it reads: a stranger may have written all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from proctor.core.errors import InputError
from proctor.evidence.registration_log import LogEntry, chain_problem
from proctor.evidence.store.contract import RunRecord
from proctor.spec.frozen import FrozenRun
from proctor.spec.post_hoc import Changes, changes_since
from proctor.spec.preregistration import Preregistration, Registered, opens

REGISTRATION: Final = "preregistration"
"""The key among the facts of an execution."""


class Facts(msgspec.Struct, frozen=True):
    """What a run recorded when it was started against a preregistration."""

    document: dict[str, Any]
    log: list[LogEntry]
    """Up to and including its own start."""
    nonce: str

    @property
    def number(self) -> int:
        """Which run of the series it is."""
        return self.log[-1].number if self.log else 0


class Registration(msgspec.Struct, frozen=True):
    """A run and its preregistration."""

    digest: str
    document: Preregistration | None
    """None: the run does not carry what it names."""
    number: int
    """Which run of the series this is; 0 where nothing says so."""
    here: tuple[int, ...]
    """Finished runs of the series in the same store, as they were registered."""
    changes: Changes
    problems: tuple[str, ...]
    """What is wrong with seed, log or dates: each is a reason to suspect that something is not shown."""
    late: str = ""
    """Why it does not precede the run; empty where it does."""
    others: tuple[str, ...] = ()
    """Digests of other preregistrations of the same system and suite, against which runs in this store were started."""
    stand_ins: dict[int, str] = {}
    """Other runs of the series that are not what was registered, by number, with why."""

    @property
    def seed_committed(self) -> bool:
        """Whether the run's seed is the one that was committed to, before the run."""
        return self.document is not None and not self.late and OTHER_SEED not in self.problems

    @property
    def absent(self) -> tuple[int, ...]:
        """Registered runs that are not here."""
        planned = 0 if self.document is None else self.document.runs
        return tuple(number for number in range(1, planned + 1) if number not in self.here)


def facts_of(execution: Any) -> Facts | None:
    """The facts about a preregistration; None where there are none that can be read."""
    data = execution.get(REGISTRATION) if isinstance(execution, dict) else None
    if data is None:
        return None
    try:
        return msgspec.convert(data, Facts)
    except msgspec.MsgspecError:
        return None


def registration_of(
    record: RunRecord, frozen: FrozenRun, runs: Iterable[RunRecord], frozen_of: Callable[[RunRecord], FrozenRun]
) -> Registration | None:
    """What there is to know about the preregistration of a run; `runs` are all runs of its store. None: it has none."""
    digest = frozen.preregistration
    if digest is None:
        return None
    facts = facts_of(record.execution)
    registered = None if facts is None else _registered(facts.document)
    if facts is None or registered is None or registered.digest != digest:
        problem = f"the run names preregistration {digest[:12]}…, and does not carry it"
        return Registration(digest, None, 0, (), Changes(), (problem,))
    document = registered.document
    series, others = _series(digest, document, runs)
    stand_ins = _stand_ins(record, document, series, frozen_of)
    return Registration(
        digest=digest,
        document=document,
        number=facts.number,
        here=tuple(sorted({one.number for run, one in series if run.root is not None} - stand_ins.keys())),
        changes=changes_since(document, frozen),
        problems=(*_own_problems(record, frozen, facts, document), *_series_problems(digest, series)),
        late=_late(record, document),
        others=others,
        stand_ins=stand_ins,
    )


def seed_committed(record: RunRecord, frozen: FrozenRun) -> bool:
    """Whether somebody committed to the seed of a run before it began, from this run alone: `seed_committed` of what
    `registration_of` gives, at the price of one run."""
    facts = None if frozen.preregistration is None else facts_of(record.execution)
    registered = None if facts is None else _registered(facts.document)
    if facts is None or registered is None or registered.digest != frozen.preregistration:
        return False
    document = registered.document
    return opens(document.commitment, frozen.seed, facts.nonce) and not _late(record, document)


def _stand_ins(
    record: RunRecord,
    document: Preregistration,
    series: list[tuple[RunRecord, Facts]],
    frozen_of: Callable[[RunRecord], FrozenRun],
) -> dict[int, str]:
    """Other runs of the series that only fill a number: cut short, or of something that was not registered."""
    found: dict[int, str] = {}
    for run, facts in series:
        if run.number == record.number or run.root is None:
            continue
        changes = changes_since(document, frozen_of(run)).sentences
        if run.status != "complete":
            found[facts.number] = f"it ended as {run.status}"
        elif changes:
            found[facts.number] = changes[0]
    return found


def _late(record: RunRecord, document: Preregistration) -> str:
    started = record.started
    if started is not None and started < document.created:
        return f"the run was started at {started}, before the preregistration was written at {document.created}"
    return ""


def evidence_problems(frozen: FrozenRun, execution: Any) -> list[str]:
    """What does not hold of a run's preregistration by itself, for verification."""
    if frozen.preregistration is None:
        return []
    facts = facts_of(execution)
    registered = None if facts is None else _registered(facts.document)
    if facts is None or registered is None or registered.digest != frozen.preregistration:
        return ["the preregistration it names is not among its facts"]
    problems = [] if opens(registered.document.commitment, frozen.seed, facts.nonce) else [OTHER_SEED]
    broken = chain_problem(facts.log, registered.digest)
    return [*problems, *([f"its log of runs: {broken}"] if broken else [])]


OTHER_SEED: Final = "its seed is not the one that was committed to"


def _registered(data: dict[str, Any]) -> Registered | None:
    try:
        return Registered.of(data, source=REGISTRATION)
    except InputError:
        return None


def _own_problems(record: RunRecord, frozen: FrozenRun, facts: Facts, document: Preregistration) -> list[str]:
    problems = evidence_problems(frozen, record.execution)
    own = facts.log[-1] if facts.log else None
    if own is None or own.event != "started" or (own.run, own.config_hash) != (record.name, record.config_hash):
        problems.append("its own start is not the last entry of the log it carries")
    if facts.number > document.runs:
        problems.append(f"it is run {facts.number}, and {document.runs} were registered")
    return problems


def _series(
    digest: str, document: Preregistration, runs: Iterable[RunRecord]
) -> tuple[list[tuple[RunRecord, Facts]], tuple[str, ...]]:
    """The runs of the series in the store, and the digests of other series of the same suite and system."""
    series: list[tuple[RunRecord, Facts]] = []
    others: dict[str, None] = {}
    for run in runs:
        facts = facts_of(run.execution)
        registered = None if facts is None else _registered(facts.document)
        if facts is None or registered is None:
            continue
        if registered.digest == digest:
            series.append((run, facts))
        elif (registered.document.suite.name, registered.document.system.name) == (
            document.suite.name,
            document.system.name,
        ):
            others[registered.digest] = None
    return series, tuple(others)


def _series_problems(digest: str, series: list[tuple[RunRecord, Facts]]) -> list[str]:
    """Whether the copies of the log that the runs carry are one log, and say of the runs what the store says."""
    problems: list[str] = []
    longest = max((facts.log for _, facts in series), key=len, default=[])
    for run, facts in series:
        if facts.log != longest[: len(facts.log)]:
            problems.append(f"the log that {run.name} carries is not the beginning of the later ones: it was rewritten")
    numbers = [facts.number for _, facts in series]
    problems += [f"there are two runs {number}" for number in sorted(set(numbers)) if numbers.count(number) > 1]
    roots = {run.name: run.root for run, _ in series}
    for entry in longest:
        if entry.event == "finished" and roots.get(entry.run, entry.root) != entry.root:
            problems.append(f"the log says that {entry.run} ended with another root")
    return problems
