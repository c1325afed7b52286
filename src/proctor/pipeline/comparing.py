"""Comparing runs of a store: the evidence of each, its reading, the differences, and where changed episodes part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from proctor.agents.lookup import label_of
from proctor.core.errors import InputError, IntegrityError
from proctor.evidence.chain import replay
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.provenance import EPISODES
from proctor.evidence.store.contract import EvidenceStore
from proctor.instruments.base import Reading
from proctor.instruments.comparing.comparison import Comparison, compare
from proctor.pipeline.reading import instrument_for, read_with, summary_instruments
from proctor.reports.comparing.divergence import with_divergences
from proctor.spec.documents import read_document
from proctor.spec.normalisation import Normalisation
from proctor.stats.paired import holm


def compare_runs(store: EvidenceStore, names: list[str], normalisation: Path | None = None) -> list[Comparison]:
    """Every further run compared with the first. With several, their primary p values are adjusted among each other."""
    runs = [store.run(name).name for name in names]
    if len(runs) < 2:
        message = "name at least two runs: the reference, and what is compared with it; `proctor runs` lists them"
        raise InputError(message)
    if len(set(runs)) < len(runs):
        message = f"a run cannot be compared with itself; named were {', '.join(runs)}"
        raise InputError(message)
    declared = None
    if normalisation is not None:
        declared = Normalisation.parse(read_document(normalisation), source=str(normalisation))
    evidence = [_checked(store, evidence_of(store, name)) for name in runs]
    readings = [_reading(one, store.location) for one in evidence]
    compared = [
        compare(
            evidence[0],
            other,
            readings=(readings[0], reading),
            normalisation=declared,
            label_of=label_of,
        )
        for other, reading in zip(evidence[1:], readings[1:], strict=True)
    ]
    return [with_divergences(one, store) for one in _adjusted(compared)]


def _checked(store: EvidenceStore, evidence: Evidence) -> Evidence:
    """The same evidence; altered where a verdict is not the one that its trace, and the head over it, have.

    Rows carry heads and verdicts side by side, and the root covers the heads alone: a verdict that was edited in the
    store would otherwise turn a comparison unnoticed.
    """
    if EPISODES in evidence.altered or _verdicts_hold(store, evidence):
        return evidence
    return replace(evidence, altered=(*evidence.altered, EPISODES))


def _verdicts_hold(store: EvidenceStore, evidence: Evidence) -> bool:
    for episode in store.episodes(store.run(evidence.run).number):
        if isinstance(episode, IntegrityError):
            return False
        row = episode.row
        try:
            trace = b"\n".join(episode.pieces)
            end = msgspec.json.decode(trace.rpartition(b"\n")[2], type=dict[str, Any])
        except (IntegrityError, msgspec.DecodeError):
            return False
        if (end.get("outcome"), end.get("reason")) != (row.outcome, row.reason):
            return False
        if replay(evidence.config_hash, row.position, trace) != row.head:
            return False
    return True


def _reading(evidence: Evidence, store: str) -> Reading | None:
    """The reading of the instrument the run is about; None where it cannot be read."""
    for name in summary_instruments(evidence).names:
        try:
            reading = read_with(name, instrument_for(name, evidence, store=store), evidence)
        except InputError:
            continue
        if reading.measured or reading.flags:
            return reading
    return None


def _adjusted(compared: list[Comparison]) -> list[Comparison]:
    if len(compared) == 1:
        return compared
    values = holm([None if one.primary is None else one.primary.test.p_value for one in compared])
    return [
        one if one.primary is None else replace(one, primary=replace(one.primary, adjusted_p=p))
        for one, p in zip(compared, values, strict=True)
    ]
