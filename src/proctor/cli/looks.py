"""`--until-decided`: look after look, each a run of its own, until every cell is decided or has `--max-n` instances."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proctor.evidence.result import RunResult
    from proctor.evidence.store.contract import EvidenceStore
    from proctor.spec.frozen import FrozenRun, Look
    from proctor.spec.suite import Suite

Freeze = Callable[["Suite", "Look"], "FrozenRun"]
Examine = Callable[["FrozenRun"], "RunResult"]


def require_adaptive(suite: Suite, max_n: int) -> None:
    """Refuse what cannot be sampled until decided."""
    from proctor.core.errors import InputError
    from proctor.instruments.adaptive import is_adaptive

    if max_n < 1:
        message = f"--max-n {max_n}: at least one instance is needed"
        raise InputError(message)
    if not any(is_adaptive(entry) for entry in suite.entries):
        message = f"no cell of {suite.full_name} is decided by one success rate; run it without --until-decided"
        raise InputError(message)


def until_decided(store: EvidenceStore, suite: Suite, max_n: int, freeze: Freeze, examine: Examine) -> list[RunResult]:
    """Every look's result, in order. A look that did not finish is the last."""
    from proctor.cli.output import say
    from proctor.evidence.evidence import evidence_of
    from proctor.instruments.adaptive import FIRST_LOOK, is_adaptive, undecided
    from proctor.spec.frozen import Look

    size = done = min(FIRST_LOOK, max_n)
    entries = [entry.model_copy(update={"n": size}) if is_adaptive(entry) else entry for entry in suite.entries]
    results: list[RunResult] = []
    after: str | None = None
    while True:
        look = Look(number=len(results) + 1, max_n=max_n, after=after)
        result = examine(freeze(suite.model_copy(update={"entries": tuple(entries)}), look))
        results.append(result)
        if result.root is None or not result.complete:
            return results
        evidence = evidence_of(store, result.run)
        still_open = undecided(evidence, evidence.frozen.rules)
        adaptive = sum(map(is_adaptive, suite.entries))
        say(f"look {look.number}: {done} instances a cell, {len(still_open)} of {adaptive} cells undecided")
        if not still_open or done >= max_n:
            return results
        after, size = result.root, min(done, max_n - done)
        entries = [suite.entries[number].model_copy(update={"n": size, "first": done}) for number in sorted(still_open)]
        done += size
