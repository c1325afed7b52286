"""The agent family: which modules each variant has, at which temperature, and which state fields a module uses.

Names are those of the paper's tables. A Condition that sets a scaffold says the same in its own words; these presets
are for `structured:MODEL,variant=A2`.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from proctor.spec.condition import Scaffold

MODULES: Final = ("branch", "self_state", "memory", "reason", "veto")
FIELDS_OF: Final[dict[str, tuple[str, ...]]] = {
    "branch": (),
    "self_state": ("self",),
    "memory": ("memory",),
    "reason": ("reason", "plan"),
    "veto": ("veto", "constraints"),
}
"""The state fields that a module reads; without it they are shown, and declared unusable."""

COLD, WARM, HOT = 0.2, 0.9, 1.0


class Preset(Struct, frozen=True):
    """A variant: modules and sampling."""

    scaffold: Scaffold
    temperature: float
    samples: int = 1


_NONE: Final = Scaffold(branch=False, self_state=False, memory=False, reason=False, veto=False)
_BRANCH: Final = Scaffold(self_state=False, memory=False, reason=False, veto=False)


def _reporting(scaffold: Scaffold, **changes: str) -> Scaffold:
    return scaffold.model_copy(update={"keys": "matched", **changes})


PRESETS: Final[dict[str, Preset]] = {
    "A0": Preset(_NONE, 0.1),
    "A1": Preset(_BRANCH, COLD),
    "A2": Preset(Scaffold(memory=False, veto=False), COLD),
    "A3": Preset(Scaffold(veto=False), COLD),
    "A4": Preset(Scaffold(), COLD),
    "A4_no_reason": Preset(Scaffold(reason=False), COLD),
    "A4_no_veto": Preset(Scaffold(veto=False), COLD),
    "A5": Preset(_BRANCH, WARM),
    "A5_entropy_attempt": Preset(_BRANCH, COLD),
    "A5_compute_matched": Preset(_BRANCH, WARM),
    "A5_self_consistency": Preset(_BRANCH, WARM, samples=5),
    "A5_empirical_entropy_attempt": Preset(_BRANCH, HOT),
    "A4_full": Preset(_reporting(Scaffold()), COLD),
    "A4_compressed": Preset(_reporting(Scaffold(), fields="compressed"), COLD),
    "A5_plain": Preset(_reporting(_BRANCH), WARM),
    "A5_schema_random_fields": Preset(_reporting(_BRANCH, fields="random"), WARM),
    "A5_schema_posthoc_fields": Preset(_reporting(_BRANCH, fields="posthoc"), WARM),
    "A5_schema_scrambled_fields": Preset(_reporting(_BRANCH, fields="scrambled"), WARM),
    "A4_posthoc_fields": Preset(_reporting(Scaffold(), fields="posthoc"), COLD),
    "A4_scrambled_fields": Preset(_reporting(Scaffold(), fields="scrambled"), COLD),
    "A5_long_scratchpad": Preset(_reporting(_BRANCH, fields="scratchpad"), WARM),
}
"""Tables 3 and 5, by protocol identifier."""


def modules_off(scaffold: Scaffold) -> tuple[str, ...]:
    """The modules that are switched off, in order."""
    return tuple(module for module in MODULES if not getattr(scaffold, module))


def unused_fields(scaffold: Scaffold) -> frozenset[str]:
    """The state fields that no module of this scaffold may use."""
    return frozenset(name for module in modules_off(scaffold) for name in FIELDS_OF[module])
