"""Whether the model-free baseline lacks a model, and nothing else (§12.3.2).

A baseline that has one (M3 at the threshold) is no baseline, and one that fails what needs no model (S1, D1, E1) is
merely broken: anything would be above it. Either way the gate is not evaluable.
"""

from __future__ import annotations

from proctor.instruments.agency.criterion import percent
from proctor.instruments.agency.threshold import exact
from proctor.instruments.agency.tiers.lived import Subject, count, rate

MODEL = "M3"
NEEDS_NO_MODEL = ("S1", "D1", "E1")
LEAST = 10
"""Instances of each cell; with fewer, what is broken passes and what has a model fails by luck."""


def why_unfit(subject: Subject) -> str | None:
    """Why the baseline is unfit, with its numbers; None where it is fit."""
    theta = exact(subject.rules.threshold)
    missing = [cell for cell in (MODEL, *NEEDS_NO_MODEL) if not count(subject.baseline.get(cell, [])).n]
    if missing:
        return f"the model-free baseline was not measured on {', '.join(missing)}"
    few = [f"{n} on {cell}" for cell in (MODEL, *NEEDS_NO_MODEL) if (n := count(subject.baseline[cell]).n) < LEAST]
    if few:
        return f"the model-free baseline was measured too seldom: {', '.join(few)}, needs {LEAST}"
    model = count(subject.baseline[MODEL])
    if rate(model) >= theta:
        return f"the model-free baseline has a model: {model.k}/{model.n} on {MODEL}, below {percent(theta)} is asked"
    for cell in NEEDS_NO_MODEL:
        found = count(subject.baseline[cell])
        if rate(found) < theta:
            asked = f"{percent(theta)} is asked"
            return f"the model-free baseline fails what needs no model: {found.k}/{found.n} on {cell}, {asked}"
    return None
