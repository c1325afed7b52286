"""The suites of the four-code families.

`binding-families` is the cell matrix: families × scaffold styles × Conditions × replicates. `binding-controls` is its
small companion, without styles, in 420 rows that a small model on one core gets through. `binding-sufficiency` asks
whether the decisive field alone brings the action back, in 720 rows. All three take their priors from a calibration
stage on events of its own.
"""

from __future__ import annotations

from proctor.spec.condition import Condition
from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding.benchmark import EPOCH, REPLICATES
from proctor.suites.binding.conditions import CALIBRATION, STRUCTURED
from proctor.suites.binding.families import FAMILIES
from proctor.suites.binding.families.conditions import (
    CALIBRATED,
    CONTROLS,
    STYLES,
    SUFFICIENCY,
    VARIANTS,
    in_style,
)
from proctor.suites.binding.families.family import DECLARED

MAIN = "main"
_STAGES = (Stage(id=CALIBRATION, freeze="codes"), Stage(id=MAIN))
_MATRIX_EVENTS, _MATRIX_CALIBRATION = 15, 12
_CONTROL_EVENTS, _SUFFICIENCY_EVENTS, _SMALL_CALIBRATION = 3, 6, 3


def families() -> Suite:
    """The cell matrix."""
    variants = tuple(in_style(one, style) for style in STYLES for one in VARIANTS)
    styled = tuple(in_style(STRUCTURED, style) for style in STYLES)
    return Suite(
        name="binding-families",
        version="1.0",
        title="Causal state binding in twenty families",
        description="Twenty families with four action codes under three scaffold styles: the structured arm against "
        "controls that keep format, prior or surface and lose the state that decides.",
        epoch=EPOCH,
        stages=_STAGES,
        conditions=variants,
        entries=(
            *_entries(styled, n=_MATRIX_CALIBRATION, stage=CALIBRATION),
            *_entries(variants, n=_MATRIX_EVENTS, first=_MATRIX_CALIBRATION, replicates=REPLICATES),
        ),
    )


def controls() -> Suite:
    """The control rows for small models."""
    return Suite(
        name="binding-controls",
        version="1.0",
        title="Causal state binding, control rows",
        description="Twenty families, three events each, seven Conditions, replies of an action and one sentence: the "
        "controls of the cell matrix in a size that a small model on one core gets through.",
        epoch=EPOCH,
        streams="binding-families",
        stages=_STAGES,
        conditions=CONTROLS,
        entries=(
            *_entries((CALIBRATED,), n=_SMALL_CALIBRATION, stage=CALIBRATION),
            *_entries(CONTROLS, n=_CONTROL_EVENTS, first=_SMALL_CALIBRATION),
        ),
    )


def sufficiency() -> Suite:
    """The sufficiency experiment. Its decisive fields name their codes: the one declared exception."""
    return Suite(
        name="binding-sufficiency",
        version="1.0",
        title="Sufficiency of the decisive field",
        description="Twenty families, six events each, six Conditions. The decisive field names the code it calls for: "
        "this asks whether the current field is followed, not whether anything is worked out.",
        epoch=EPOCH,
        streams="binding-families",
        stages=_STAGES,
        conditions=(CALIBRATED, *SUFFICIENCY),
        entries=(
            *_entries((CALIBRATED,), n=_SMALL_CALIBRATION, stage=CALIBRATION, field=DECLARED),
            *_entries(SUFFICIENCY, n=_SUFFICIENCY_EVENTS, first=_SMALL_CALIBRATION, field=DECLARED),
        ),
    )


def _entries(
    arms: tuple[Condition, ...],
    *,
    n: int,
    first: int = 0,
    replicates: int = 1,
    stage: str = MAIN,
    field: str | None = None,
) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            family=family.spec.id,
            n=n,
            first=first,
            conditions=tuple(arm.id for arm in arms),
            replicates=replicates,
            stage=stage,
            knobs={} if field is None else {"field": field},
        )
        for family in FAMILIES
    )
