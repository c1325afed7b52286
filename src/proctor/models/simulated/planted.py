"""What is planted in a simulant: how often it follows each component, a cue, a prior, and plain noise.

| option | usual | meaning |
| --- | --- | --- |
| `reason` | .9 | share of usable reasons and plans that are followed |
| `memory` | .8 | share of usable memories |
| `veto` | .95 | share of usable vetoes and constraints |
| `self` | .9 | share of usable self-states |
| `cue` | .05 | share of irrelevant cues that are followed all the same |
| `prior` | | what it does when it follows nothing, e.g. `A:.5|B:.5`; without one, what the situation leans to |
| `noise` | .01 | share of replies that are any listed action, drawn evenly |
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.models.contract import ModelString
from proctor.models.options import parse_share

RATES: Final = {"reason": 0.9, "memory": 0.8, "veto": 0.95, "self": 0.9, "cue": 0.05, "noise": 0.01}
KNOWN: Final = {
    "reason": "share of usable reasons followed",
    "memory": "share of usable memories followed",
    "veto": "share of usable vetoes followed",
    "self": "share of usable self-states followed",
    "cue": "share of irrelevant cues followed",
    "noise": "share of replies drawn evenly from all actions",
    "prior": "what is done otherwise, e.g. A:.5|B:.5",
}
ORDER: Final = (
    ("veto", "veto"),
    ("constraints", "veto"),
    ("memory", "memory"),
    ("self", "self"),
    ("reason", "reason"),
    ("plan", "reason"),
)
"""In which order fields are looked at, and whose rate each is followed with."""


class Planted(Struct, frozen=True):
    """The rates of one simulant."""

    rates: dict[str, float]
    prior: tuple[tuple[str, float], ...] = ()
    """(name of an action, weight); empty: whatever the situation leans to."""

    @classmethod
    def read(cls, text: ModelString) -> Planted:
        """The rates an option string plants, or one sentence on what is wrong with it."""
        text.known(KNOWN)
        if text.detail:
            message = f"model '{text.named}': simulated models are set by options alone, e.g. simulated,reason=.9"
            raise InputError(message)
        given = {name: parse_share("simulated", name, text.options[name]) for name in RATES if name in text.options}
        return cls({**RATES, **given}, _prior(text.options["prior"]) if "prior" in text.options else ())

    def weights(self, codes: list[str]) -> dict[str, float]:
        """The prior over the codes of a prompt; actions it does not list are left out."""
        shares: dict[str, float] = {}
        for name, weight in self.prior:
            code = next((code for code in codes if code == name or name in code.split("_")), None)
            if code is not None:
                shares[code] = shares.get(code, 0.0) + weight
        return shares


def _prior(text: str) -> tuple[tuple[str, float], ...]:
    weights: list[tuple[str, float]] = []
    for piece in text.split("|"):
        name, colon, weight = piece.partition(":")
        if not colon or not name.strip():
            message = f"'simulated': prior={text} is no list of actions with weights; write e.g. prior=A:.5|B:.5"
            raise InputError(message)
        weights.append((name.strip().upper(), parse_share("simulated", "prior", weight)))
    if not sum(weight for _, weight in weights):
        message = f"'simulated': prior={text} gives every action weight 0; give at least one more"
        raise InputError(message)
    return tuple(weights)
