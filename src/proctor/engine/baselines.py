"""Who lives the entries of a suite that ask for a baseline, worked out before a run (white paper §12.3.2).

The harness takes the ability away from the agent itself where it can; else the system declares another agent; else the
entries are not run, and what compares with them is not evaluable.
"""

from __future__ import annotations

from typing import TypedDict

from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.lookup import kind_of
from proctor.core.errors import InputError
from proctor.spec.suite import Suite

PLANTED = "not a result"
"""How the labels of oracles and planted agents end."""


class BaselineFacts(TypedDict):
    """What a frozen run says of it."""

    baseline_source: str | None
    no_baseline: str | None


def baseline_facts(suite: Suite, kind: AgentKind, context: AgentContext) -> BaselineFacts:
    """Refuses, in one sentence, a declared agent that cannot be run here."""
    asked = sorted({entry.baseline for entry in suite.entries if entry.baseline is not None})
    facts = BaselineFacts(baseline_source=None, no_baseline=None)
    for baseline in asked:
        declared = context.system.baselines.get(baseline)
        if declared is not None and baseline in kind.baselines and not kind.baselines_by_shape:
            message = (
                f"system.baselines.{baseline}: the bench makes an agent of kind '{kind.name}' {baseline} itself; take "
                "the declaration out"
            )
            raise InputError(message)
        if declared is not None:
            agent = AgentString.parse(declared)
            other = kind_of(agent)
            if other.label.endswith(PLANTED) and not kind.label.endswith(PLANTED):
                message = (
                    f"system.baselines.{baseline}: '{declared}' knows the tasks ({other.label}) and fails where it is "
                    "told to; declare your own system without the ability"
                )
                raise InputError(message)
            if other.check is not None:
                other.check(agent, context)
            facts["baseline_source"] = None if other.source is None else other.source(agent, context)
        elif baseline not in kind.baselines:
            facts["no_baseline"] = (
                f"the bench cannot make an agent of kind '{kind.name}' {baseline}; declare one under "
                f"system.baselines.{baseline}"
            )
    return facts
