"""Declared caps: each that was hit was in force, and none was exceeded without being hit."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from proctor.evidence.events import Called, EpisodeClosed, EpisodeOpened, LimitHit, ModelAsked, Returned
from proctor.evidence.grammar.calls import BAD_ARGUMENTS, UNKNOWN
from proctor.evidence.grammar.setting import Setting
from proctor.evidence.row import STUCK, WALL_CLOCK
from proctor.spec.task import Budget

OF_BUDGET = ("actions", "queries", "tokens", "milliseconds", "cost")
"""Caps of an episode that end it."""
OF_AGENT = frozenset({"turns", "context"})
"""Caps that a model's agent string sets, or its model: only whoever asked one can reach them."""
OF_CALL = "call_tokens"
OF_BENCH = frozenset({WALL_CLOCK, STUCK})
"""What keeps an agent that hangs from holding up a run: in force for everybody."""


class Caps:
    """The caps of one episode."""

    def __init__(self) -> None:
        self._budget: Budget | None = None
        self._hit: dict[str, int] = {}
        self._twice: str | None = None
        self._carried_out: list[str] = []
        self._calls = 0
        self._asked = False
        self._time = 0

    def opened(self, number: int, event: EpisodeOpened) -> None:
        self._budget = event.task.budget

    def called(self, number: int, event: Called) -> None:
        self._calls += 1
        if event.violation not in (UNKNOWN, BAD_ARGUMENTS):
            self._carried_out.append(event.tool)

    def returned(self, number: int, event: Returned) -> None:
        self._time = max(self._time, event.at)

    def asked(self, number: int, event: ModelAsked) -> None:
        self._asked = True

    def limit(self, number: int, event: LimitHit) -> None:
        own = sum(name != WALL_CLOCK for name in self._hit)
        if event.limit in self._hit or (event.limit != WALL_CLOCK and own):
            self._twice = event.limit
        self._hit[event.limit] = number

    def closed(self, number: int, event: EpisodeClosed) -> None:
        self._time = max(self._time, event.milliseconds)

    def problems(self, setting: Setting) -> Iterator[str]:
        """What is wrong with the whole."""
        budget = self._budget
        if budget is None:
            return
        if self._twice is not None:
            yield f"the limit {self._twice[:40]!a} was hit after another one had ended the episode"
        if self._asked and not setting.asks_models:
            yield "a model was asked, and its agent is of a kind that asks none"
        for name in self._hit:
            if not self._in_force(name, budget, setting):
                yield f"the limit {name[:40]!a} was hit, and none of that name is in force"
        reads = sum((setting.effects or {}).get(tool) == "read" for tool in self._carried_out)
        for name, used, most in (("actions", self._calls, budget.actions), ("queries", reads, budget.queries)):
            if most is None or (name == "queries" and setting.effects is None):
                continue
            if used > most:
                yield f"it has {used} {name}, and {most} were permitted"
            if name in self._hit and used < most:
                yield f"the limit on {name} was hit after {used} of {most}"
        if "milliseconds" in self._hit and budget.milliseconds is not None and self._time < budget.milliseconds:
            yield f"the limit on time was hit after {self._time} of {budget.milliseconds} ms"

    def spent(self, tokens: int | None, cost: str | None) -> Iterator[str]:
        """Whether more was spent than permitted, with no limit to end it; `cost` is a decimal amount."""
        budget = self._budget
        if budget is None or self._hit:
            return
        if budget.tokens is not None and (tokens or 0) > budget.tokens:
            yield f"it used {tokens} tokens, {budget.tokens} were permitted, and nothing ended it"
        try:
            over = budget.cost is not None and Decimal(cost or "0") > Decimal(budget.cost)
        except InvalidOperation:
            over = False
        if over:
            yield f"it cost {cost}, {budget.cost} was permitted, and nothing ended it"

    def _in_force(self, name: str, budget: Budget, setting: Setting) -> bool:
        if name in OF_BUDGET:
            return getattr(budget, name) is not None
        if name in OF_AGENT:
            return self._asked
        return name in OF_BENCH or (name == OF_CALL and setting.call_tokens)
