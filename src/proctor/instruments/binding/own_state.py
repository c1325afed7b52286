"""The gate of an agent whose own named state was lesioned: does what it keeps control what it does?

Taking the state away and giving another event's must lower the composite. Declared unusable, and put into each other's
place, it still holds what the agent wrote: an agent may rightly go by it, so these two are reported and not gated.
"""

from __future__ import annotations

from collections.abc import Sequence

from proctor.instruments.binding.criteria import MET, NOT_MET, Criterion, Detail, Gate, above
from proctor.instruments.binding.inference import Inference
from proctor.instruments.binding.variants import REMOVED, SCRAMBLED, SWAPPED, UNUSABLE, named

OWN_STATE = "own state"
LOST = (REMOVED, SCRAMBLED)
"""Lesions after which nothing of this event is left in the state."""
LESIONS = (*LOST, UNUSABLE, SWAPPED)


def own_state_gate(structured: str, controls: Sequence[Inference], more: Sequence[Criterion] = ()) -> Gate | None:
    """The gate over the composite contrasts and further criteria; None where own state was not lesioned."""
    contrasts = own_state_contrasts(controls)
    if REMOVED not in contrasts:
        return None
    fell = (_criterion(structured, name, contrasts[name]) for name in LOST if name in contrasts)
    return Gate.of(OWN_STATE, *fell, *more)


def own_state_contrasts(controls: Sequence[Inference]) -> dict[str, Inference]:
    """The composite contrasts with each lesion of own state, by variant."""
    by_variant = {named(one.contrast.removeprefix("composite over ")).variant: one for one in controls}
    return {name: by_variant[name] for name in LESIONS if name in by_variant}


def _criterion(structured: str, lesion: str, one: Inference) -> Criterion:
    name = f"{structured} over {lesion}"
    if one.above_zero is None:
        return above(name, None, 0.0, Detail(reason=f"no interval can be given over {one.across.n} corpora"))
    return Criterion(
        name=name,
        rule=f"composite contrast above 0 by the {one.decides}",
        limit=0.0,
        value=one.bound,
        status=MET if one.above_zero else NOT_MET,
        n=one.events.n if one.events is not None else one.across.n,
    )
