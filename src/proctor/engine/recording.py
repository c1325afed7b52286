"""The row of an episode: the columns that instruments read."""

from __future__ import annotations

from proctor.core.canonical import encode
from proctor.engine.job import Job
from proctor.engine.session import LiveSession
from proctor.engine.verdict import Ending
from proctor.evidence.chain import Recorder
from proctor.evidence.row import Row


def row_of(
    job: Job,
    session: LiveSession | None,
    ending: Ending,
    recorder: Recorder,
    undeclared: int,
    state: str | None,
    elapsed_us: int,
) -> Row:
    """The row of an episode that has ended."""
    # By position, in the order of Row's fields: this is the hot path.
    setting, verification = job.setting, ending.verification
    return Row(
        job.position,
        job.lifetime,
        setting.arm,
        job.unit,
        job.part,
        job.instance.template,
        job.instance_id,
        setting.phase,
        job.replicate,
        ending.outcome,
        ending.reason,
        verification is not None and verification.format_error,
        _counts(session.faults) if session else None,
        session.calls if session else 0,
        session.repeats if session else 0,
        undeclared,
        _counts(session.violations) if session else None,
        session.tokens if session else None,
        session.cost if session else None,
        _measures(ending),
        bool(verification and verification.artifacts) if setting.leaves_artifacts else None,
        ending.answer,
        recorder.head,
        elapsed_us,
        job.attempts,
        encode(recorder.unreproducible) if recorder.unreproducible else None,
        ending.confidence,
        session.transitions if session and state is not None else None,
        _claims_of(session, ending) if session and session.stated else None,
        session.out_of_range if session else 0,
        session.undeclared_actions if session else 0,
    )


def _measures(ending: Ending) -> str | None:
    if ending.service is not None:
        return encode(ending.service).decode()
    verification = ending.verification
    return encode(verification.measures).decode() if verification is not None and verification.measures else None


def _claims_of(session: LiveSession, ending: Ending) -> str | None:
    if ending.answer is None:
        # The world broke: whatever was handed in before does not count.
        return None
    return session.claims(None if ending.verification is None else ending.verification.success)


def _counts(counts: dict[str, int]) -> str | None:
    return encode(counts).decode() if counts else None
