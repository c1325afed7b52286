"""The world of a binding probe: one question, named state under a condition, a finite set of action codes."""

from proctor.worlds.choice.canonicaliser import Canonical, canonical
from proctor.worlds.choice.world import (
    OBSERVATION_SCHEMA,
    PLAIN_OBSERVATION_SCHEMA,
    REASONS,
    ChoiceWorld,
    actions_shown,
    answer_schema,
)

__all__ = [
    "OBSERVATION_SCHEMA",
    "PLAIN_OBSERVATION_SCHEMA",
    "REASONS",
    "Canonical",
    "ChoiceWorld",
    "actions_shown",
    "answer_schema",
    "canonical",
]
