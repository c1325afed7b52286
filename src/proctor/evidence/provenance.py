"""How a run came about, as far as its store shows: when, after which others, and whether its declarations still hold.

All of it is read when evidence is loaded, and costs no trace. It is what a reading needs to say which threats to
validity can be ruled out (white paper §3); whether every digest holds is for `proctor verify` to say.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError, IntegrityError, ProctorError
from proctor.evidence.code import SOURCES
from proctor.evidence.load_record import played_under_load
from proctor.evidence.registration import Registration, registration_of
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.spec.frozen import FrozenRun, beside_hash, config_hash_of
from proctor.spec.inputs import altered_inputs
from proctor.spec.name import Version

BESIDE_HASH = "declared_beside"
"""Among the facts of an execution: the digest of what is declared beside the configuration."""
SOURCES_AT_END = "sources_at_end"
"""Among them: digests of the user's own files when each start ended."""
CONFIGURATION = "configuration"
BESIDE = "evaluation"
EPISODES = "episodes"
_SECONDS = len("2026-01-01T00:00:00")
CRITERIA = ("success_criteria", "verification_method")


class Provenance(msgspec.Struct, frozen=True):
    """How a run came about."""

    started: str | None
    """Real time of its first start."""
    earlier_runs: int
    """Runs of the same system, on the same tasks and within the same boundary, that were started before it, under load
    or not."""
    others_before: int
    """Such runs of anybody else that belong to no series with it."""
    altered: tuple[str, ...]
    """Declarations that are not those written down before the first episode, by name."""
    touched: frozenset[str]
    """Families whose success rule was touched: changed after it was registered or frozen, or while the run went on."""
    registration: Registration | None


def provenance_of(store: EvidenceStore, record: RunRecord, frozen: FrozenRun) -> Provenance:
    """What the store shows about a run."""
    runs = store.runs()
    registration = registration_of(record, frozen, runs, lambda run: store.frozen(run.number))
    text = store.declared(record.number)
    try:
        written, inputs = json.loads(text.frozen), json.loads(text.inputs)
        altered = _altered(record, frozen, written, inputs)
    except (ValueError, TypeError, KeyError, RecursionError, ProctorError):
        raise _damaged(record) from None
    touched = set() if registration is None else set(registration.changes.touched)
    if set(altered) & set(CRITERIA):
        touched |= _criteria_changed(inputs, frozen)
    touched |= _edited_meanwhile(record.execution, frozen)
    own, others = _earlier(store, record, frozen, runs)
    own_loads, other_loads = _earlier_loads(store, record, frozen)
    return Provenance(record.started, own + own_loads, others + other_loads, altered, frozenset(touched), registration)


def _altered(record: RunRecord, frozen: FrozenRun, written: dict[str, Any], inputs: Any) -> tuple[str, ...]:
    names = list(altered_inputs(inputs, frozen))
    # A key too many or too few would be one that nobody checks.
    if frozen.model_dump(mode="json") != written or config_hash_of(written) != record.config_hash:
        names.append(CONFIGURATION)
    if beside_hash(written) != record.execution.get(BESIDE_HASH):
        names.append(BESIDE)
    return tuple(dict.fromkeys(names))


def _criteria_changed(inputs: Any, frozen: FrozenRun) -> set[str]:
    """Families whose declared criterion or verification is not the one written down beside it."""
    stated: list[dict[str, Any]] = []
    for name in CRITERIA:
        value = inputs.get(name, {}) if isinstance(inputs, dict) else {}
        value = value.get("instruments", value) if isinstance(value, dict) else {}
        stated.append(value if isinstance(value, dict) else {})
    return {
        family.spec.full_name
        for family in frozen.families
        for declared, before in zip((family.spec.criterion, family.spec.verification), stated, strict=True)
        if before.get(family.spec.full_name) != declared
    }


def _edited_meanwhile(execution: dict[str, Any], frozen: FrozenRun) -> set[str]:
    """Families in files of the user's that did not stay the same from the first start to the last end."""
    digests: dict[str, set[str]] = {}
    for key in (SOURCES, SOURCES_AT_END):
        starts = execution.get(key)
        for start in starts if isinstance(starts, list) else ():
            for name, digest in start.items() if isinstance(start, dict) else ():
                digests.setdefault(str(name), set()).add(str(digest))
    changed = {Path(name).name for name, seen in digests.items() if name.endswith(".py") and len(seen) > 1}
    return {
        family.spec.full_name for family in frozen.families if Path(family.reference.partition(":")[0]).name in changed
    }


def _damaged(record: RunRecord) -> IntegrityError:
    return IntegrityError("its declarations are damaged; `proctor verify` says more", where=f"run {record.name}")


class _SuiteName(msgspec.Struct):
    name: str
    version: str
    streams: str | None = None


class _BoundaryOnly(msgspec.Struct):
    kind: str | None = None


class _SystemName(msgspec.Struct):
    name: str
    boundary: _BoundaryOnly


class _Tasks(msgspec.Struct):
    """The few declarations that say which tasks a run met; the rest is not decoded."""

    suite: _SuiteName
    seed: int | str
    agent: str
    system: _SystemName
    look: dict[str, Any] | None = None
    preregistration: str | None = None

    def same_tasks(self, frozen: FrozenRun) -> bool:
        stream = f"{self.suite.streams or self.suite.name}@{Version.parse(self.suite.version).major}"
        return (stream, self.seed) == (frozen.suite.stream_name, frozen.seed)

    def same_system(self, frozen: FrozenRun) -> bool:
        """Under the same name or with the same agent: a new name for it changes nothing."""
        kind = frozen.system.boundary.kind
        within = self.system.boundary.kind == (None if kind is None else kind.value)
        return within and (self.system.name == frozen.system.name or self.agent == frozen.agent)


def _earlier(store: EvidenceStore, record: RunRecord, frozen: FrozenRun, runs: list[RunRecord]) -> tuple[int, int]:
    """How often the system had met these tasks before, and how often anybody else had.

    The other boundary has to meet them too, looks go on where one stopped, and the runs of a registered series were
    announced: none of these counts.
    """
    own = others = 0
    for run in runs:
        if run.number == record.number or not _before(run, record):
            continue
        try:
            tasks = msgspec.json.decode(store.declared(run.number).frozen, type=_Tasks)
            same_tasks, same_system = tasks.same_tasks(frozen), tasks.same_system(frozen)
        except (*UNREADABLE, ValueError, InputError):
            raise _damaged(run) from None
        planned = tasks.preregistration is not None and tasks.preregistration == frozen.preregistration
        if not same_tasks or planned:
            continue
        if not same_system:
            others += 1
        elif tasks.look is None or frozen.look is None:
            own += 1
    return own, others


def _earlier_loads(store: EvidenceStore, record: RunRecord, frozen: FrozenRun) -> tuple[int, int]:
    """The same of what was played under load; of one second it is taken to have been before."""
    met = [
        played.same_system(frozen)
        for played in played_under_load(store.location)
        if played.same_tasks(frozen)
        and (record.started is None or played.began[:_SECONDS] <= record.started[:_SECONDS])
    ]
    return sum(met), len(met) - sum(met)


def _before(run: RunRecord, other: RunRecord) -> bool:
    if run.started is None or other.started is None or run.started == other.started:
        return run.number < other.number
    return run.started < other.started
