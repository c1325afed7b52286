"""How an episode ended: what was handed in, what the verifier found on the real state, or what did not happen."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from proctor.agents.contract import ServiceFailure
from proctor.core.canonical import chainable, encode
from proctor.engine.job import Job
from proctor.engine.sentence import describe, said_by
from proctor.engine.session import OBEYED, LiveSession
from proctor.evidence.chain import Recorder
from proctor.evidence.events import AgentFailed, BenchFailed, Submitted, Verified
from proctor.evidence.row import CRITICAL, FAILURE, INFRASTRUCTURE, LIMIT, SAFETY, SERVICE, SUCCESS
from proctor.evidence.services import service_measures
from proctor.spec.task import Claim, Submission, Verification
from proctor.worlds.world import World

ANSWER_COLUMN = 160
"""A canonical answer up to this length stands in the row; a longer one is named by its hash."""


class Ending(msgspec.Struct, frozen=True):
    """How an episode ended."""

    outcome: str
    reason: str
    submission: Submission | None = None
    answer: str | None = None
    """What was handed in, canonical, as it stands in the row."""
    confidence: float | None = None
    """What was handed in with it."""
    verification: Verification | None = None
    service: dict[str, int | str] | None = None
    """What a service that failed said."""


def no_service(failure: ServiceFailure, recorder: Recorder) -> Ending:
    """What the agent needs did not answer: nothing was measured, and the row says why."""
    said = said_by(failure)
    recorder.add(BenchFailed(SERVICE, said, failure.final))
    return Ending(INFRASTRUCTURE, failure.reason, service=service_measures(said, final=failure.final))


def accept(submission: Any, session: LiveSession, recorder: Recorder) -> Ending:
    """Record what was handed in; anything that is not a submission is the agent's failure."""
    if type(submission) is not Submission:
        recorder.add(AgentFailed("agent_protocol", f"handed in {type(submission).__name__}, not a Submission"))
        return Ending(FAILURE, "agent_protocol")
    violation = None
    try:
        confidence = None if submission.confidence is None else repr(_confidence(submission.confidence))
    except (TypeError, ValueError, OverflowError):
        confidence, violation = None, "confidence_range"
        submission = msgspec.structs.replace(submission, confidence=None)
    try:
        answer = chainable(submission.answer)
        claims = _claims(submission.claims) if submission.claims else ()
        if session.faults and "injection" in session.faults and session.obeys([answer, list(claims)]):
            violation = OBEYED
        recorder.add(Submitted(answer, confidence, claims, violation))
    except (TypeError, ValueError, RecursionError) as error:
        recorder.add(AgentFailed("agent_protocol", f"the submission is not JSON: {describe(error)}"))
        return Ending(FAILURE, "agent_protocol")
    if violation is not None:
        session.violations[violation] = session.violations.get(violation, 0) + 1
    if claims:
        session.state_claims(claims)
    return Ending(SUCCESS, "", submission, _short(encode(answer)), None if confidence is None else float(confidence))


def _claims(claims: tuple[Claim, ...]) -> tuple[Any, ...]:
    return tuple(chainable(msgspec.to_builtins(claim)) for claim in claims)


def _confidence(value: float) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        message = "confidence lies outside 0 to 1"
        raise ValueError(message)
    return number


def verify(
    job: Job, world: World, session: LiveSession, recorder: Recorder, submission: Submission, ending: Ending
) -> Ending:
    """How the episode ends, with the verdict on what was handed in or done. Raises whatever the verifier raises."""
    answer, confidence = ending.answer, ending.confidence
    verification = world.verify(submission)
    if verification.reason not in job.setting.reasons:
        message = f"verifier gave the undeclared reason '{verification.reason}'"
        raise ValueError(message)
    for name, digest in verification.artifacts:
        _keep_artifact(world, recorder, name, digest)
    if verification.success and job.setting.leaves_artifacts and not verification.artifacts:
        verification = Verification(False, "missing_artifact")
    recorder.add(
        Verified(
            verification.success,
            verification.reason,
            verification.format_error,
            verification.artifacts,
            verification.measures,
        )
    )
    _count_unsafe(verification, session)
    if verification.success:
        return Ending(SUCCESS, verification.reason, submission, answer, confidence, verification)
    if session.limit_hit is not None:
        return Ending(LIMIT, session.limit_hit, submission, answer, confidence, verification)
    return Ending(FAILURE, verification.reason, submission, answer, confidence, verification)


def judge_conduct(job: Job, world: World, session: LiveSession, recorder: Recorder, ending: Ending) -> Ending:
    """The same ending, with what the verifier found about acts that nobody handed in."""
    judged = verify(job, world, session, recorder, Submission(), ending)
    return msgspec.structs.replace(ending, submission=None, verification=judged.verification)


def _count_unsafe(verification: Verification, session: LiveSession) -> None:
    """A verification that classes what was done as critical makes it a violation, at which runs may stop."""
    if verification.measures.get(SAFETY) == CRITICAL:
        session.violations[CRITICAL] = session.violations.get(CRITICAL, 0) + 1


def _keep_artifact(world: World, recorder: Recorder, name: str, digest: str) -> None:
    data = world.artifact(name)
    if data is not None and recorder.keep(data) != digest:
        message = f"artifact '{name}' does not have the hash the verification gives"
        raise ValueError(message)


def state_hash(world: World) -> str | None:
    """SHA-256 of the state that the episode leaves; None where the world shows none. Raises whatever it raises."""
    state = world.state()
    return None if state is None else sha256(encode(chainable(state))).hexdigest()


def _short(answer: bytes) -> str:
    return answer.decode() if len(answer) <= ANSWER_COLUMN else f"sha256:{sha256(answer).hexdigest()}"
