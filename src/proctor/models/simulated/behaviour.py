"""How a simulant acts on what it read: noise, then components, then the cue, then its prior or the situation.

Every draw comes from the bytes of the request (its seed included), so that the same request is always answered alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from proctor.core.seeds import Stream
from proctor.models.simulated.planted import ORDER, Planted
from proctor.models.simulated.reading import PromptView, named_code, shown_prior
from proctor.spec.condition import PRIOR_FIELD

SITUATION, CUES = "x-situation", ("x-cue", "x-remark")

Implied = Callable[[str, str, dict[str, str]], str | None]
"""(field, text, names of the options by code) → the code that the text implies; None where it implies none."""


class Choice(Struct):
    """What a simulant does, and what it went by."""

    action: str
    followed: str = ""
    """The field it followed; empty where it followed none."""
    impulse: str = ""
    """What it would do on the situation alone."""
    implied: dict[str, str] = field(default_factory=dict)
    """What each usable field it looked at implies."""


def choose(sight: PromptView, planted: Planted, rules: Sequence[Implied], stream: Stream) -> Choice:
    """One decision. A prompt without actions is answered with nothing."""
    rates = planted.rates
    if not sight.codes:
        return Choice("")
    implied = _implications(sight, rules)
    impulse = _lean(sight, implied)
    if stream.chance(rates["noise"]):
        return Choice(stream.choice(sight.codes), "", impulse, implied)
    for name, component in ORDER:
        code = implied.get(name)
        if code is not None and stream.chance(rates[component]):
            return Choice(code, name, impulse, implied)
    cue = next((name for name in CUES if name in implied), None)
    if cue is not None and stream.chance(rates["cue"]):
        return Choice(implied[cue], cue, impulse, implied)
    return Choice(_otherwise(sight, planted, impulse, stream), "", impulse, implied)


def _implications(sight: PromptView, rules: Sequence[Implied]) -> dict[str, str]:
    implications: dict[str, str] = {}
    for name, text in sight.fields.items():
        if name == PRIOR_FIELD:
            continue
        code = named_code(text, sight.codes)
        for implied in rules:
            if code is not None:
                break
            code = implied(name, text, sight.options)
        # A rule may know actions that this prompt does not list.
        if code is not None and code in sight.codes:
            implications[name] = code
    return implications


def _lean(sight: PromptView, implied: dict[str, str]) -> str:
    return implied.get(SITUATION) or next(iter(sight.options), sight.codes[0])


def _otherwise(sight: PromptView, planted: Planted, impulse: str, stream: Stream) -> str:
    """What is done when nothing is followed: an own prior, one that is shown, or what the situation leans to."""
    weights = planted.weights(sight.codes)
    if not weights and PRIOR_FIELD in sight.fields:
        weights = shown_prior(sight.fields[PRIOR_FIELD], sight.codes)
    if sum(weights.values()) > 0:
        return stream.weighted(list(weights), list(weights.values()))
    if SITUATION in sight.fields:
        return impulse
    return stream.choice(list(sight.options) or sight.codes)
