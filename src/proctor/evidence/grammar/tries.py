"""First tries: what stands beside the chain of an episode that was lived twice, and how often the row says it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from proctor.evidence.first_tries import MOST_ATTEMPTS, first_try, may_try_again
from proctor.evidence.grammar.endings import BENCH_REASONS
from proctor.evidence.grammar.exclusions import cannot_fail
from proctor.evidence.grammar.opening import Opening
from proctor.evidence.grammar.setting import Setting
from proctor.evidence.row import INFRASTRUCTURE, OUTCOMES, Row

_KEYS = {"outcome", "reason", "said", "tokens", "cost"}
_AMOUNT = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?(E[+-]?[0-9]{1,3})?\Z")
_OURS = frozenset().union(*BENCH_REASONS.values())
_WHERE = {reason: where for where, reasons in BENCH_REASONS.items() for reason in reasons}


def try_problems(row: Row, aside: bytes | None, opening: Opening, setting: Setting) -> Iterator[str]:
    """What no first try could have left, and no number of attempts could have led to."""
    told = first_try(aside)
    tries = 1 if told is None else 2
    if row.attempts > tries * MOST_ATTEMPTS:
        yield f"it was begun {row.attempts} times; the bench begins nothing more than {tries * MOST_ATTEMPTS} times"
    elif told is None and row.attempts == MOST_ATTEMPTS and row.outcome != INFRASTRUCTURE and not opening.lost:
        yield f"it was begun {row.attempts} times, after which it is lived without its agent, and an agent lived it"
    if told is None:
        return
    if not {"outcome", "reason"} <= told.keys() <= _KEYS or told["outcome"] not in OUTCOMES:
        yield "its first try is told as none is"
        return
    if told["outcome"] != INFRASTRUCTURE:
        yield f"its first try was measured ({told['outcome']}), and what was measured is not tried again"
    elif told["reason"] not in _OURS:
        yield f"its first try ended for {_short(told['reason'])}, of which no bench fails"
    elif why := cannot_fail(_WHERE[told["reason"]], setting):
        yield f"of its first try is said that {why}"
    if type(told.get("tokens", 0)) is not int or told.get("tokens", 0) < 0:
        yield "its first try used a number of tokens that is none"
    if not _AMOUNT.match(str(told.get("cost", "0"))):
        yield "its first try cost an amount that is none"


class SecondTries:
    """How often the episodes of a run were tried and begun, in presentation order."""

    def __init__(self) -> None:
        self._once: dict[str, list[int]] = {}
        """Those that were not measured, and were not tried again although they could be, by stage."""
        self._lifetime = -1
        self._begun: int | None = None
        self.died: int | None = None
        """The first episode that was begun more often than it was tried: somebody died with it."""

    def add(self, row: Row, aside: bytes | None, stage: str, *, began: bool) -> Iterator[str]:
        """Take the next episode."""
        told = first_try(aside)
        if told is None and may_try_again(row):
            self._once.setdefault(stage, []).append(row.position)
        if self.died is None and row.attempts > 1 + (told is not None):
            self.died = row.position
        if row.lifetime != self._lifetime:
            self._lifetime, self._begun = row.lifetime, None
        if told is None and began:
            # A lifetime is lived, and begun again, as a whole.
            if self._begun is not None and row.attempts != self._begun:
                yield f"it was begun {row.attempts} times, and an episode before it in its lifetime {self._begun} times"
            self._begun = row.attempts

    def problems(self, cut_in: str | None) -> Iterator[tuple[int, str]]:
        """Position and what is wrong; `cut_in` is the stage in which the rules ended the run: first tries of that one
        stand as they are."""
        for stage, positions in self._once.items():
            if stage != cut_in:
                for position in positions:
                    yield position, "it was not measured, and there is no second try, which every such episode is given"


def _short(value: Any) -> str:
    return ascii(value)[:40]
