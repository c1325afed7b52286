"""Exclusions: an episode that counts for nothing carries the marks of what kept it from being measured.

A failure is worth more to its author as an exclusion, so the reason alone is not believed. What broke, broke at an act;
a host in trouble gave its number; time that was lost is on the row; a service, a model or an agent's process can only
fail where there is one. What all that leaves is the author's word, and a second try that came to the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from proctor.evidence.events import AgentFailed, BenchFailed, Called, LimitHit, Observed, Returned, Submitted
from proctor.evidence.grammar.setting import Setting
from proctor.evidence.host_trouble import HOST_TROUBLE
from proctor.evidence.row import HOST, INFRASTRUCTURE, NOT_IMPOSED, RUN_LIMIT, SERVICE, WALL_CLOCK, Row

BENCH_LATE, TRANSPORT = "bench_late", "transport"
BEFORE_IT_BEGAN = frozenset({"instance", "memory"})
"""Where the bench can fail only before there is an episode."""
AT_AN_ACT = frozenset({HOST, "world", "verifier"})
"""Where it fails at something that was done, looked at or judged."""
_EARLY = 0.98
"""Clocks differ: so much of a time is all of it."""


class Exclusions:
    """What speaks for the exclusion of one episode."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self._acted = False
        self._shown = False
        self._ended = False
        """Something was handed in, or the agent came to its end otherwise."""
        self._broke: tuple[BenchFailed, bool, bool] | None = None
        """With whether there was anything that could break then, and whether the agent had been shown its task."""
        self._cut_off = False
        self.began = False

    def opened(self, number: int, event: object) -> None:
        self.began = True

    def observed(self, number: int, event: Observed) -> None:
        self._shown = True

    def called(self, number: int, event: Called) -> None:
        self._acted = True
        self._open.add(event.call)

    def returned(self, number: int, event: Returned) -> None:
        self._open.discard(event.call)

    def ending(self, number: int, event: Submitted | LimitHit | AgentFailed) -> None:
        self._acted = self._ended = True
        self._cut_off = self._cut_off or (isinstance(event, LimitHit) and event.limit == WALL_CLOCK)

    def broke(self, number: int, event: BenchFailed) -> None:
        self._broke = (event, bool(self._open) or self._ended or not self._acted, self._shown)

    def problems(self, setting: Setting) -> Iterator[str]:
        """What is wrong with the whole."""
        if self._broke is None:
            return
        event, possible, shown = self._broke
        where = event.where
        if where in BEFORE_IT_BEGAN and self.began:
            yield f"the bench failed at {where!a} before there was an episode, and there is one"
        if where in AT_AN_ACT and not possible:
            yield f"it is excluded for {where!a}, and every act before was answered: nothing broke"
        if where in (HOST, "verifier") and not self._acted:
            yield f"it is excluded for {where!a}, and nothing had been done"
        if setting.counted and not (event.trouble in HOST_TROUBLE if where == HOST else event.trouble == ""):
            yield f"it is excluded for {where[:40]!a}, and the host's answer is {event.trouble[:40]!a}"
        if why := cannot_fail(where, setting):
            yield why
        if where == TRANSPORT and setting.plain and not (possible and self._acted):
            yield "it is excluded for 'transport', and its agent is a program of the bench's own that needs none"
        if where in (SERVICE, BENCH_LATE) and not shown:
            yield f"it is excluded for {where!a}, and no agent had been shown its task"

    def beside(self, row: Row, setting: Setting) -> Iterator[str]:
        """What the row says beside the chain: whether an episode that real time ended took that time, and whether
        anything was spent where nobody is asked."""
        if setting.plain and (row.tokens is not None or row.cost is not None):
            yield "it used tokens or money, and its agent is a program of the bench's own that asks nobody"
        late = self._broke is not None and self._broke[0].where == BENCH_LATE
        if (late or self._cut_off) and row.elapsed_us < _EARLY * 1_000_000 * setting.real_seconds:
            yield f"real time ended it after {row.elapsed_us} \N{MICRO SIGN}s; it had {setting.real_seconds:g} s"


def cannot_fail(where: str, setting: Setting) -> str:
    """Why an episode of this setting cannot have been excluded for this; empty where it can."""
    if where in (SERVICE, BENCH_LATE) and setting.plain:
        return f"it is excluded for {where!a}, and its agent is a program of the bench's own that waits for nobody"
    if where == RUN_LIMIT and not setting.run_limited:
        return "it is excluded for the limit of the run, which declares none"
    if where == NOT_IMPOSED and not setting.baseline:
        return "it is excluded as a baseline that could not be imposed, and its arm asks for none"
    return ""


class MemoryLost:
    """Exclusions for a memory that could not be moved: all that follows a move until the next, or none of it."""

    def __init__(self) -> None:
        self._lifetime = -1
        self._action: str | None = None
        self._lost: bool | None = None

    def add(self, row: Row, moved: str | None, *, again: bool) -> Iterator[str]:
        """Take the next episode; `moved` is what the program does to the memory before it, `again`: its record is that
        of a second try, which is a life of its own."""
        if row.lifetime != self._lifetime:
            self._lifetime, self._action, self._lost = row.lifetime, None, None
        if moved is not None:
            self._action, self._lost = moved, None
        lost = row.outcome == INFRASTRUCTURE and row.reason == "memory"
        if lost and self._action not in ("restore", "clear"):
            yield "it is excluded for a memory that could not be moved, and nothing had to be moved"
        if again:
            return
        if self._lost is not None and lost != self._lost:
            yield "its memory could be moved before an episode of its phase and not before another one"
        self._lost = lost
