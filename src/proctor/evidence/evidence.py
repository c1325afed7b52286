"""Evidence as instruments see it: what determined the run, its arms, and its rows. No traces, no live objects."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from proctor.core.errors import IntegrityError
from proctor.evidence.attachments import Attachment
from proctor.evidence.chain import Merkle
from proctor.evidence.provenance import EPISODES, provenance_of
from proctor.evidence.ratings import Ratings, ratings_of
from proctor.evidence.registration import Registration
from proctor.evidence.row import Arm, Row
from proctor.evidence.store.contract import EvidenceStore
from proctor.spec.frozen import FrozenRun

INCOMPLETE = "the run is not complete"


class Evidence(msgspec.Struct, frozen=True):
    """The evidence of one run. Reading it twice gives the same; nothing can be changed through it."""

    run: str
    root: str | None
    config_hash: str
    complete: bool
    frozen: FrozenRun
    arms: tuple[Arm, ...]
    rows: tuple[Row, ...]
    """In presentation order; only those that count (before the cut)."""
    ratings: Ratings = Ratings()
    """What people said about them afterwards; read from the attachments."""
    touched: frozenset[str] = frozenset()
    """Families whose success criteria were changed after they were fixed, as `id` or `id@version`: their units are
    invalid."""
    begins: tuple[tuple[int, str], ...] = ()
    """Where several looks are read as one: (first position, run) of each."""
    recorded_label: str = ""
    """What had to be said of the agent when it was run; whoever wrote the run chose it."""
    attachments: tuple[Attachment, ...] = ()
    """Documents beside the run, outside its root."""
    started: str | None = None
    """Real time of the first start."""
    earlier_runs: int = 0
    """How often the system had met the same tasks before, as far as the store shows."""
    others_before: int = 0
    """How often anybody else had, outside the series of its preregistration; an author may have learnt from it."""
    altered: tuple[str, ...] = ()
    """Declarations that are not those written down before the first episode, by name; `episodes` where those that are
    there are not those of the recorded root. What each of them holds is for `proctor verify` to say."""
    registration: Registration | None = None
    """The preregistration it was started against, and the other runs of the series; None where there is none."""
    planned: int = 0
    """Episodes that the plan has; 0 where no plan is known."""

    @property
    def unfinished(self) -> str:
        """What must be said before anything that is read from a run that is not complete; empty where it is."""
        if self.complete:
            return ""
        done = f"{len(self.rows):,} of {self.planned:,}" if self.planned else f"only {len(self.rows):,}"
        return f"{INCOMPLETE}: {done} episodes"

    @property
    def seed_committed(self) -> bool:
        """Whether the seed was committed to before the run: only then is it hidden."""
        return self.registration is not None and self.registration.seed_committed

    @property
    def seed_label(self) -> str:
        """What must be said of the seed wherever a claim rests on this run; empty where there is nothing to say."""
        return self.frozen.seed_label(committed=self.seed_committed)

    def locate(self, position: int) -> tuple[str, int]:
        """The run an episode belongs to, and its position there."""
        for begin, run in reversed(self.begins):
            if position >= begin:
                return run, position - begin
        return self.run, position

    def of_arm(self, index: int) -> Iterator[Row]:
        """The rows of one arm."""
        return (row for row in self.rows if row.arm == index)


def evidence_of(store: EvidenceStore, name: str) -> Evidence:
    """The evidence of a run in a store, earlier looks included, with what people said about it."""
    from proctor.evidence.looks import with_earlier_looks

    return with_attachments(with_earlier_looks(store, _of_one_run(store, name), _of_one_run))


def with_attachments(evidence: Evidence, more: tuple[Attachment, ...] = (), not_stored: str = "") -> Evidence:
    """The same evidence with further documents beside it, which could not be stored for the reason given."""
    known = {(one.kind, one.sha256) for one in evidence.attachments}
    attachments = (*evidence.attachments, *(one for one in more if (one.kind, one.sha256) not in known))
    return msgspec.structs.replace(
        evidence, attachments=attachments, ratings=ratings_of(attachments, not_stored if more else "")
    )


def _of_one_run(store: EvidenceStore, name: str) -> Evidence:
    record = store.run(name)
    frozen = store.frozen(record.number)
    provenance = provenance_of(store, record, frozen)
    arms = tuple(store.arms(record.number))
    rows = tuple(store.rows(record.number, stop=record.cut))
    _require_arms(name, frozen, arms, rows)
    whole = record.root is None or record.root == _root(record.config_hash, rows)
    return Evidence(
        run=record.name,
        root=record.root,
        config_hash=record.config_hash,
        complete=record.status == "complete",
        frozen=frozen,
        arms=arms,
        rows=rows,
        recorded_label=record.recorded_label,
        attachments=tuple(store.attachments(record.number)),
        touched=provenance.touched,
        started=provenance.started,
        earlier_runs=provenance.earlier_runs,
        others_before=provenance.others_before,
        altered=provenance.altered if whole else (*provenance.altered, EPISODES),
        registration=provenance.registration,
        planned=record.episodes,
    )


def _require_arms(name: str, frozen: FrozenRun, arms: tuple[Arm, ...], rows: tuple[Row, ...]) -> None:
    """Refuse arms that the suite does not have, and rows of arms that are not there: readings look both up."""
    names = {family.reference: family.spec.full_name for family in frozen.families}
    entries, stages = frozen.suite.entries, {stage.id for stage in frozen.suite.stages}
    for arm in arms:
        entry = entries[arm.entry] if 0 <= arm.entry < len(entries) else None
        if (
            entry is None
            or names.get(entry.family) != arm.family
            or arm.regime not in entry.regimes
            or arm.condition not in entry.conditions
            or (arm.stage not in stages or arm.cell != entry.cell)
        ):
            message = "is none that its suite declares; `proctor verify` says more"
            raise IntegrityError(message, where=f"run {name}, arm {arm.index}")
    for row in rows:
        if row.arm >= len(arms):
            message = f"its row names arm {row.arm}, which is not there; `proctor verify` says more"
            raise IntegrityError(message, where=f"run {name}, episode {row.position}")


def _root(config_hash: str, rows: tuple[Row, ...]) -> str:
    """The root as the heads of the episodes give it."""
    tree = Merkle()
    try:
        tree.add(bytes.fromhex(config_hash))
    except ValueError:
        raise IntegrityError("is not hex digits; `proctor verify` says more", where="config_hash") from None
    tree.extend([row.head for row in rows])
    return tree.digest().hex()
