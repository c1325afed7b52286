"""The suite `binding-own-state`: does what an agent writes into its named state control what it does?

The first stage leaves the state alone and keeps what was written. Later arms take it away, declare it unusable, put the
fields in each other's place, or give each event what the agent kept about another one.
"""

from __future__ import annotations

from proctor.spec.condition import DECISIVE, REST, Condition, Read
from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding.own_state.family import family

KEPT = "kept"


def _everywhere(read: Read) -> dict[str, Read]:
    return {DECISIVE: read, REST: read}


CONDITIONS = (
    Condition(id="structured"),
    Condition(id="removed", reads=_everywhere(Read(do="remove"))),
    Condition(id="unusable", reads=_everywhere(Read(do="declare_unusable"))),
    Condition(id="swapped", reads=_everywhere(Read(do="swap", field=REST))),
    Condition(id="scrambled", reads=_everywhere(Read(do="scramble", donor="unlike")), after=KEPT),
)


def suite() -> Suite:
    """The examination."""
    later = tuple(condition.id for condition in CONDITIONS if condition.id != "structured")
    return Suite(
        name="binding-own-state",
        version="1.0",
        title="Causal state binding of an agent's own state",
        description="Two turns: information first, the question later. What the agent kept in its named state is taken "
        "away, declared unusable, swapped, or replaced by what it kept about another event.",
        epoch="2026-01-01T00:00:00Z",
        stages=(Stage(id=KEPT, freeze="states"), Stage(id="lesioned")),
        conditions=CONDITIONS,
        entries=(
            Entry(family=family.spec.id, n=family.instances, conditions=("structured",), stage=KEPT),
            Entry(family=family.spec.id, n=family.instances, conditions=later, stage="lesioned"),
        ),
    )
