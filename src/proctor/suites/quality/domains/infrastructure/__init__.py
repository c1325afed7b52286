"""The domain `infrastructure`: infrastructure changes. Every other file here but `catalogue` holds templates."""

from __future__ import annotations

from functools import cache

from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.domains.assembly import assemble


@cache
def scenarios(seed: int = 0) -> ScenarioSet:
    """The domain's scenarios, a function of the seed alone."""
    return assemble(__name__, name="infrastructure", title="Infrastructure changes", seed=seed)
