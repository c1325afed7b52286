"""When a Technical Report is mandatory: the four cases of §13.4."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.reports.evaluation import DECISION_BEARING

NOTICE = "A Technical Report is mandatory for any claim of E > 2 or R ≥ 3 (§13.4)."


def mandatory_cases(levels: Mapping[str, int | None], tier: str, use: str | None) -> tuple[str, ...]:
    """The cases that apply, a few words each; empty: it is not mandatory."""
    cases = []
    if not tier.startswith("None"):
        cases.append(f"Tier {tier} is reported")
    if (efficacy := levels.get("E")) is not None and efficacy > 2:
        cases.append(f"E = {efficacy} is above 2")
    if (robustness := levels.get("R")) is not None and robustness >= 3:
        cases.append(f"R = {robustness} is 3 or more")
    if use in DECISION_BEARING:
        cases.append(f"the declared use is {use}, by which others decide")
    return tuple(cases)
