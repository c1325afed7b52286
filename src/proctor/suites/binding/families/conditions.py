"""The Conditions of the four-code families.

Most are those of the benchmark. The strict lesion differs: a family has one decisive field, the same in all its events,
so that taking out that field alone tells nothing by its absence, and everything else can stay as it is.

The sufficiency set shows the whole state, the decisive field alone, the surface alone, an action prior alone or another
event's decisive field; a last one adds a cue that misleads. The prior is the one that the structured arm emitted on
events of its own before (stage `calibration`), family by family: a prior declared by the suite's maker would be made
from the targets, and hand the scorer's side to the model.
"""

from __future__ import annotations

from proctor.spec.condition import DECISIVE, REST, Condition, Read, Sampling, Scaffold
from proctor.suites.binding import conditions
from proctor.suites.binding.conditions import CALIBRATION, COOL
from proctor.suites.binding.families.event import CUE, SITUATION

STYLES = ("react", "planner", "reflection")
_COMPACT = Scaffold(keys="compact")
_REMOVE, _KEEP = Read(do="remove"), Read(do="keep")
_UNLIKE = Read(do="scramble", donor="unlike")

LESION_STRICT = Condition(
    id="lesion-strict", reads={DECISIVE: _REMOVE}, sampling=Sampling(temperature=COOL), scaffold=Scaffold()
)
VARIANTS = (
    conditions.STRUCTURED,
    conditions.STOCHASTIC_FULL,
    conditions.NO_FIELDS,
    conditions.SCRAMBLED,
    conditions.MATCHED_FAMILY,
    conditions.MATCHED_GLOBAL,
    conditions.LESION,
    LESION_STRICT,
    conditions.ENTROPY_PRIOR,
)
"""What the cell matrix compares, before a scaffold style is set."""


def in_style(condition: Condition, style: str) -> Condition:
    """The Condition under a scaffold style, its id prefixed. Where nobody is asked, only the id tells."""
    scaffold = condition.scaffold
    changes = {} if scaffold is None else {"scaffold": scaffold.model_copy(update={"style": style})}
    return condition.model_copy(update={"id": f"{style}-{condition.id}", **changes})


def compact(condition: Condition) -> Condition:
    """The Condition with replies of an action and one sentence, which a small model manages."""
    scaffold = condition.scaffold
    if scaffold is None:
        return condition
    return condition.model_copy(update={"scaffold": scaffold.model_copy(update={"keys": "compact"})})


CONTROLS = tuple(compact(one) for one in VARIANTS if one.id not in ("matched-global", "entropy-prior"))
"""The seven of the control rows."""

CALIBRATED = compact(conditions.STRUCTURED)
"""What is asked on the calibration events."""


def _shown(name: str, reads: dict[str, Read]) -> Condition:
    return Condition(id=name, reads=reads, sampling=Sampling(temperature=COOL), scaffold=_COMPACT)


FULL = _shown("full", {CUE: _REMOVE})
ONLY_DECISIVE = _shown("only-decisive", {DECISIVE: _KEEP, REST: _REMOVE})
SURFACE_ONLY = _shown("surface-only", {SITUATION: _KEEP, DECISIVE: _REMOVE, REST: _REMOVE})
PRIOR_ONLY = Condition(
    id="prior-only",
    reads={DECISIVE: _REMOVE, REST: _REMOVE},
    sampling=Sampling(temperature=COOL),
    scaffold=_COMPACT,
    prior="family",
    after=CALIBRATION,
)
SCRAMBLED_FIELD = _shown("scrambled-field", {DECISIVE: _UNLIKE, REST: _REMOVE})
IRRELEVANT_CUE = _shown("irrelevant-cue", {})
SUFFICIENCY = (FULL, ONLY_DECISIVE, SURFACE_ONLY, PRIOR_ONLY, SCRAMBLED_FIELD, IRRELEVANT_CUE)
"""The six of the sufficiency experiment."""
