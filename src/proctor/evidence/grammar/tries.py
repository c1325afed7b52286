"""First tries: what stands beside the chain of an episode that was lived twice, and how often the row says it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from proctor.evidence.first_tries import first_try
from proctor.evidence.grammar.endings import BENCH_REASONS
from proctor.evidence.row import INFRASTRUCTURE, OUTCOMES, Row

_KEYS = {"outcome", "reason", "said", "tokens", "cost"}
_AMOUNT = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?(E[+-]?[0-9]{1,3})?\Z")
_OURS = frozenset().union(*BENCH_REASONS.values())


def try_problems(row: Row, aside: bytes | None) -> Iterator[str]:
    """What no first try could have left."""
    told = first_try(aside)
    if told is None:
        return
    if not {"outcome", "reason"} <= told.keys() <= _KEYS or told["outcome"] not in OUTCOMES:
        yield "its first try is told as none is"
    elif told["outcome"] != INFRASTRUCTURE:
        yield f"its first try was measured ({told['outcome']}), and what was measured is not tried again"
    elif told["reason"] not in _OURS:
        yield f"its first try ended for {_short(told['reason'])}, of which no bench fails"
    if type(told.get("tokens", 0)) is not int or told.get("tokens", 0) < 0:
        yield "its first try used a number of tokens that is none"
    if not _AMOUNT.match(str(told.get("cost", "0"))):
        yield "its first try cost an amount that is none"


def _short(value: Any) -> str:
    return ascii(value)[:40]
