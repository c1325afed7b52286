"""Past failures as a file: which scenarios agents got wrong and how often, under a hash of its content.

The adversarial generator is biased towards them. It never reads a store: it is given a snapshot, so that generation
stays a function of its inputs and the same snapshot makes the same scenarios next year.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.evidence.measures import DecisionMeasures, measures_of
from proctor.evidence.row import FAILURE, LIMIT, Row
from proctor.spec.declaration import Declaration
from proctor.spec.documents import read_document


class Failure(Declaration):
    """One scenario that was failed."""

    scenario: str = Field(min_length=1)
    """Its id."""
    count: Annotated[int, Field(gt=0)] = 1
    """In how many episodes."""
    parameters: dict[str, Any] | None = None
    """What its template was given; None: found again by the id, where the template is small enough for that."""


class FailureSnapshot(Declaration):
    """Failures at one moment; `identity` is the hash that names the snapshot."""

    failures: tuple[Failure, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> FailureSnapshot:
        seen: set[str] = set()
        for failure in self.failures:
            if failure.scenario in seen:
                message = f"failures of scenario '{failure.scenario}' are listed twice; add the counts up"
                raise ValueError(message)
            seen.add(failure.scenario)
        return self

    @classmethod
    def counted(cls, counts: Mapping[str, int]) -> FailureSnapshot:
        """From failures counted by scenario id; those with none are left out, order does not matter."""
        rows = [{"scenario": name, "count": count} for name, count in sorted(counts.items()) if count]
        return cls.parse({"failures": rows}, source="failures")

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> FailureSnapshot:
        """From the evidence of runs: failed episodes of each scenario, stale ones and other families' left out."""
        counts: Counter[str] = Counter()
        for row in rows:
            measures = measures_of(DecisionMeasures, row) if row.outcome in (FAILURE, LIMIT) else None
            if measures is not None and not measures.stale:
                counts[measures.scenario] += 1
        return cls.counted(counts)


def write_snapshot(snapshot: FailureSnapshot, path: Path) -> None:
    """Write it with its hash, so that a changed file is noticed."""
    document = {"sha256": snapshot.identity, **jsonable(snapshot)}
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_snapshot(path: Path) -> FailureSnapshot:
    """The snapshot in a file; one that is not what its hash says is refused."""
    document = read_document(path)
    if not isinstance(document, dict) or "sha256" not in document:
        message = f"{path}: a snapshot of failures has 'sha256' and 'failures'; write it with `write_snapshot`"
        raise InputError(message)
    claimed = document.pop("sha256")
    snapshot = FailureSnapshot.parse(document, source=str(path))
    if snapshot.identity != claimed:
        message = f"{path}: the failures are not those its hash was taken of; take the snapshot again"
        raise InputError(message)
    return snapshot
