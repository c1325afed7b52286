"""How episodes end: outcome and reason follow from what came before, by a table.

A new way to end is a line in one of these tables.
"""

from __future__ import annotations

from collections.abc import Iterator

from proctor.evidence.events import AgentFailed, BenchFailed, EpisodeClosed, LimitHit, Observed, Submitted, Verified
from proctor.evidence.grammar.setting import Setting
from proctor.evidence.row import (
    FAILURE,
    HOST,
    INFRASTRUCTURE,
    LIMIT,
    MEMORY_FAILED,
    NOT_IMPOSED,
    RUN_LIMIT,
    SERVICE,
    SUCCESS,
    WALL_CLOCK,
    WORLD_BROKE,
)

AGENT_REASONS = frozenset(
    {"agent_crashed", "agent_protocol", "agent_unavailable", "request_refused", MEMORY_FAILED, WORLD_BROKE}
)
"""What an agent can fail of. `world_broke` is judged last, whatever was handed in, found or failed before."""
SERVICE_REASONS = frozenset({"model_unavailable", "model_refused", "server_unavailable", "agent_not_started"})
BENCH_REASONS: dict[str, frozenset[str]] = {
    "world": frozenset({"world", "world_setup", "verifier"}),
    "world_setup": frozenset({"world_setup"}),
    HOST: frozenset({HOST}),
    "verifier": frozenset({"verifier"}),
    "transport": frozenset({"transport"}),
    "bench_late": frozenset({"bench_late"}),
    "instance": frozenset({"instance"}),
    "memory": frozenset({"memory"}),
    RUN_LIMIT: frozenset({RUN_LIMIT}),
    NOT_IMPOSED: frozenset({NOT_IMPOSED}),
    SERVICE: SERVICE_REASONS,
}
"""Where the bench can fail, and what such an episode's reason can be."""
NEVER_BEGAN = frozenset({"instance", "memory", "world", "world_setup"})
"""Where it can fail before there is an episode."""
MISSING_ARTIFACT = "missing_artifact"
"""The reason that the bench itself gives where a success left nothing behind."""


class Endings:
    """The end of one episode."""

    def __init__(self) -> None:
        self._opened = False
        self._handed_in = False
        """By whoever acted last."""
        self._limits: list[str] = []
        self._failed: AgentFailed | None = None
        self._world_broke = False
        """At what the agent did, and nothing was found to be the bench's fault since."""
        self._too_late: int | None = None
        self._broken: list[BenchFailed] = []
        self._verified: Verified | None = None
        self._closed: EpisodeClosed | None = None

    def opened(self, number: int, event: object) -> None:
        self._opened = True

    def observed(self, number: int, event: Observed) -> None:
        self._handed_in = False

    def submitted(self, number: int, event: Submitted) -> None:
        self._handed_in = True

    def limit(self, number: int, event: LimitHit) -> None:
        self._limits.append(event.limit)

    def failed(self, number: int, event: AgentFailed) -> None:
        if event.reason == WORLD_BROKE:
            self._world_broke = True
        elif self._handed_in or self._failed is not None or self._verified is not None or self._broken:
            self._too_late = number
        self._failed = event

    def broke(self, number: int, event: BenchFailed) -> None:
        self._broken.append(event)
        self._world_broke = False

    def verified(self, number: int, event: Verified) -> None:
        self._verified = event

    def closed(self, number: int, event: EpisodeClosed) -> None:
        self._closed = event

    def problems(self, setting: Setting) -> Iterator[str]:
        """What is wrong with the whole."""
        closed = self._closed
        if closed is None:
            return
        yield from self._verdict(setting)
        if self._failed is not None and self._failed.reason not in AGENT_REASONS:
            yield f"the agent failed of {self._failed.reason[:40]!a}, which is no declared reason"
        if self._too_late is not None:
            yield f"event {self._too_late} lets the agent fail when it had ended already"
        for event in self._broken:
            if event.where not in BENCH_REASONS or (not self._opened and event.where not in NEVER_BEGAN):
                yield f"the bench failed at {event.where[:40]!a}, where it cannot"
            if event.final and event.where != SERVICE:
                yield "the bench failed for good, and no service did"
        expected = self._expected(closed)
        if expected is not None and (closed.outcome, closed.reason) not in expected:
            follows = " or ".join(f"{outcome} ({reason})" for outcome, reason in sorted(expected)) or "nothing"
            says = f"{closed.outcome[:40]!a} ({closed.reason[:60]!a})"
            yield f"it ends as {says}; from its events follows {follows[:200]}"
        if (self._broken or self._world_broke) and closed.state is not None:
            yield "world or bench broke, and there is a final state all the same"

    def _verdict(self, setting: Setting) -> Iterator[str]:
        verified = self._verified
        if verified is None:
            return
        own = verified.reason in setting.reasons
        missing = verified.reason == MISSING_ARTIFACT and setting.leaves_artifacts and not verified.success
        if not (own or missing):
            yield f"its verdict has the reason {verified.reason[:40]!a}, which the family does not declare"
        if verified.success and verified.format_error:
            yield "an answer that could not be read is called a success"
        if verified.success and setting.leaves_artifacts and not verified.artifacts:
            yield "a success that leaves nothing behind, in a family whose successes do"
        if not verified.success and verified.reason == "correct":
            yield "its verdict is a failure with the reason 'correct'"
        if verified.success and "correct" in setting.reasons and verified.reason != "correct":
            yield f"its verdict is a success with the reason {verified.reason[:40]!a}"

    def _expected(self, closed: EpisodeClosed) -> set[tuple[str, str]] | None:
        """The endings that its events lead to."""
        if self._world_broke:
            return {(FAILURE, WORLD_BROKE)}
        if self._broken:
            return {(INFRASTRUCTURE, reason) for reason in BENCH_REASONS.get(self._broken[-1].where, ())}
        verified = self._verified
        if self._handed_in:
            if verified is None:
                return set()
            if verified.success:
                return {(SUCCESS, verified.reason)}
            own = [limit for limit in self._limits if limit != WALL_CLOCK]
            return {(LIMIT, own[0])} if own else {(FAILURE, verified.reason)}
        if self._failed is not None:
            if self._failed.reason == "agent_crashed" and self._limits:
                return {(LIMIT, self._limits[0])}
            return {(FAILURE, self._failed.reason)}
        if WALL_CLOCK in self._limits:
            return {(LIMIT, WALL_CLOCK)}
        return {(LIMIT, self._limits[0])} if self._limits else set()
