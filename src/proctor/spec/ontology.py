"""Finite sets of action codes: what a probe lets an agent choose from, and what each code is called.

All codes are always shown to the agent; which of them a probe counts as valid is the scorer's business.
"""

from __future__ import annotations

from msgspec import Struct

UNMAPPED = "INVALID_OR_UNMAPPED"
"""What an output that names no code, or two, is counted as. Emitted by the agent itself it is a wrong action."""


class Ontology(Struct, frozen=True):
    """A named set of action codes."""

    name: str
    codes: tuple[str, ...]
    """In the order shown."""
    options: tuple[str, str]
    """The two codes that stand for the labelled options; counterbalancing swaps them."""
    veto: str
    defer: str
    recall: str | None
    """The code for falling back on a prior commitment, where there is one."""
    meanings: dict[str, str]
    """What each code means, as shown; an option's meaning is completed by its text."""
    families: dict[str, str]
    """The coarse family of each code, for entropy: choose, stop, wait, recall, invalid."""

    def other(self, code: str) -> str:
        """The other option's code; any other code is returned as it is."""
        first, second = self.options
        return {first: second, second: first}.get(code, code)


SIX_CODES = Ontology(
    name="six-codes",
    codes=("ACTION_A", "ACTION_B", "VETO", "DEFER", "RECALL_PRIOR", UNMAPPED),
    options=("ACTION_A", "ACTION_B"),
    veto="VETO",
    defer="DEFER",
    recall="RECALL_PRIOR",
    meanings={
        "ACTION_A": "take option A",
        "ACTION_B": "take option B",
        "VETO": "stop: carry out neither option, because something forbids acting",
        "DEFER": "put the decision off until more is known",
        "RECALL_PRIOR": "do what was committed to earlier instead of what is suggested now",
        UNMAPPED: "none of these can be said",
    },
    families={
        "ACTION_A": "choose",
        "ACTION_B": "choose",
        "VETO": "stop",
        "DEFER": "wait",
        "RECALL_PRIOR": "recall",
        UNMAPPED: "invalid",
    },
)
"""The behavioural benchmark's codes."""

FOUR_CODES = Ontology(
    name="four-codes",
    codes=("ACT_A", "ACT_B", "ACT_DEFER", "ACT_VETO"),
    options=("ACT_A", "ACT_B"),
    veto="ACT_VETO",
    defer="ACT_DEFER",
    recall=None,
    meanings={
        "ACT_A": "take option A",
        "ACT_B": "take option B",
        "ACT_DEFER": "put the decision off until more is known",
        "ACT_VETO": "stop: carry out neither option, because something forbids acting",
    },
    families={"ACT_A": "choose", "ACT_B": "choose", "ACT_DEFER": "wait", "ACT_VETO": "stop", UNMAPPED: "invalid"},
)
"""The codes of the twenty task families and of sufficiency."""

ONTOLOGIES = {ontology.name: ontology for ontology in (SIX_CODES, FOUR_CODES)}
