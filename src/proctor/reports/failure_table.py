"""Scenarios that went wrong as a table in Markdown, for reports and comments."""

from __future__ import annotations

from collections.abc import Iterable

from proctor.reports.markdown_text import code, plain
from proctor.reports.scenario_failures import FailedScenario

HEADER = ["scenario", "expected", "done", "gates and evidence", "wrong in the run", "since", "trace"]


def failure_table(failures: Iterable[FailedScenario], *, store: str | None = None) -> str:
    """One line a scenario: expected, done, gates and evidence, since when, and the command to its trace.

    `store` is where the run is, if not in the default store of the project.
    """
    lines = [HEADER, ["---"] * len(HEADER), *(_cells(one, store) for one in failures)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(one: FailedScenario, store: str | None) -> list[str]:
    grave = f", {one.safety}" if one.safety in ("S1", "S2", "unclassified") else ""
    return [
        f"{code(one.scenario)} {plain(one.title)}",
        plain(one.expected) or "not known here",
        plain("; ".join(part for part in (one.done, one.harm) if part)),
        plain("; ".join(part for part in (one.gates, one.evidence) if part)) or "–",
        f"{one.failed} of {one.episodes}, {plain(', '.join(one.reasons))}{grave}",
        plain(one.since),
        code(one.command_in(store)),
    ]
