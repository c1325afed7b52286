"""Taking in files of ratings: read, checked against the run they are about, and kept with it before they count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from proctor.core.errors import InputError, StoreError
from proctor.evidence.attachments import Attachment
from proctor.evidence.evidence import Evidence, evidence_of, with_attachments
from proctor.evidence.ratings import GOAL, SUCCESS, Sheet, read_reference, read_sheet
from proctor.evidence.store.contract import EvidenceStore


def rated_evidence(
    store: EvidenceStore, run: str, *, ratings: Sequence[Path] = (), references: Sequence[Path] = ()
) -> Evidence:
    """The evidence of a run with these files of ratings and of right answers to control items.

    Nothing is stored unless all files can be read and are about episodes of this run. Where the store cannot be
    written the files count all the same, and `Evidence.ratings.not_stored` says why they were not kept.
    """
    evidence = evidence_of(store, run)
    documents = [read_reference(path)[0] for path in references]
    for path in ratings:
        document, sheet = read_sheet(path)
        _require_episodes(path, sheet, evidence)
        documents.append(document)
    if not documents:
        return evidence
    try:
        _attach(store, evidence.run, documents)
    except StoreError as error:
        return with_attachments(evidence, tuple(documents), str(error))
    return evidence_of(store, run)


def _attach(store: EvidenceStore, run: str, documents: list[Attachment]) -> None:
    number = store.run(run).number
    for document in documents:
        store.attach(number, document.kind, document.content)


def _require_episodes(path: Path, sheet: Sheet, evidence: Evidence) -> None:
    known = {str(row.position) for row in evidence.rows}
    for rating in sheet.ratings:
        if rating.question in (SUCCESS, GOAL) and rating.subject not in known:
            message = (
                f"{path}: there is no episode {rating.subject} in {evidence.run}; is this the file of another run?"
            )
            raise InputError(message)
