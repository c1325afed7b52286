"""The suites over the four-code families, version 2.0: cell matrix, control rows, sufficiency, interface and budget.

The matrix runs every family under three scaffold styles and all controls. The control rows are its small form, sized
for a model that runs on one core. Sufficiency shows the decisive field alone; in this version fields imply what they
call for and never spell it. Priors come from a calibration stage on events of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from proctor.spec.condition import Condition
from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding.benchmark import EPOCH
from proctor.suites.binding.conditions import CALIBRATION, STRUCTURED
from proctor.suites.binding.families.conditions import CALIBRATED, STYLES, in_style
from proctor.suites.binding.families.interface import (
    AGAIN,
    BUDGET,
    INTERFACE,
    NINE,
    REPORTS,
    WORDS,
    WORDS_AGAIN,
    interface_suite,
)
from proctor.suites.binding.twins.conditions import CONTROLS, SUFFICIENCY, VARIANTS
from proctor.suites.binding.twins.corpora import CORPORA
from proctor.suites.binding.twins.probes import NINE as ROWS
from proctor.suites.binding.twins.suites import REPLICATES, VERSION
from proctor.suites.binding.twins.topics import FAMILIES

MAIN = "main"
_STAGES = (Stage(id=CALIBRATION, freeze="codes"), Stage(id=MAIN))
_MATRIX, _MATRIX_CALIBRATION, _MATRIX_REPLICATES = 16, 8, 3
_CALIBRATED, _CONTROL, _SUFFICIENCY = 4, (4, 2), 6
"""Instances: two of them are the two sides of one event."""
_INTERFACE_EVENTS, _BUDGET, _SMALL_BUDGET = 4, 6, 2


def families() -> Suite:
    """The cell matrix."""
    variants = tuple(in_style(one, style) for style in STYLES for one in VARIANTS)
    styled = tuple(in_style(STRUCTURED, style) for style in STYLES)
    return Suite(
        name="binding-families",
        version=VERSION,
        title="Causal state binding in twenty families",
        description="Twenty families with four action codes under three scaffold styles, both sides of every event: "
        "the structured arm against controls that keep format, prior or surface and lose the state that decides. Not "
        "comparable with 1.0.",
        epoch=EPOCH,
        stages=_STAGES,
        conditions=variants,
        entries=(
            *_entries(styled, n=_MATRIX_CALIBRATION, stage=CALIBRATION),
            *_entries(variants, n=_MATRIX, first=_MATRIX_CALIBRATION, replicates=_MATRIX_REPLICATES),
        ),
    )


def controls() -> Suite:
    """The control rows for small models: two events of every other family, one of the rest."""
    return Suite(
        name="binding-controls",
        version=VERSION,
        title="Causal state binding, control rows",
        description="Twenty families, both sides of one or two events each, seven Conditions, replies of an action and "
        "one sentence: the controls of the cell matrix in a size that a small model on one core gets through.",
        epoch=EPOCH,
        streams="binding-families",
        stages=_STAGES,
        conditions=CONTROLS,
        entries=(
            *_entries((CALIBRATED,), n=_CALIBRATED, stage=CALIBRATION),
            *_entries(CONTROLS, n=_CONTROL, first=_CALIBRATED),
        ),
    )


def sufficiency() -> Suite:
    """The sufficiency experiment, with fields that imply what they call for."""
    return Suite(
        name="binding-sufficiency",
        version=VERSION,
        title="Sufficiency of the decisive field",
        description="Twenty families, both sides of three events each, six Conditions. The decisive field implies what "
        "it calls for and spells no code: whoever copies codes gets nowhere. Not comparable with 1.0.",
        epoch=EPOCH,
        streams="binding-families",
        stages=_STAGES,
        conditions=(CALIBRATED, *SUFFICIENCY),
        entries=(
            *_entries((CALIBRATED,), n=_CALIBRATED, stage=CALIBRATION),
            *_entries(SUFFICIENCY, n=_SUFFICIENCY, first=_CALIBRATED),
        ),
    )


def interface() -> Suite:
    """Matched interfaces and forced budgets."""
    return interface_suite(
        VERSION,
        (
            *_entries((CALIBRATED,), n=_CALIBRATED, stage=CALIBRATION),
            *_corpora(REPORTS, NINE[:1], replicates=REPLICATES),
            *_corpora(WORDS.id, (WORDS,)),
            *_corpora(INTERFACE, NINE[1:], replicates=REPLICATES),
            *_entries(BUDGET, n=_BUDGET, first=_CALIBRATED, stage=INTERFACE),
            *_corpora(AGAIN, WORDS_AGAIN),
        ),
        (WORDS, *WORDS_AGAIN),
        (Stage(id=WORDS.id, freeze="replies"),),
        "asking again with the agent's own words about one field, and with two phrases of them exchanged",
    )


def budget() -> Suite:
    """The forced budget alone, in rows that a small model on one core gets through."""
    return Suite(
        name="binding-budget",
        version=VERSION,
        title="Forced budgets",
        description="Twenty families, both sides of one event each: whole state against an action prior and against no "
        "field, with prompts of equal length and replies of exactly so many tokens.",
        epoch=EPOCH,
        streams="binding-families",
        stages=(Stage(id=CALIBRATION, freeze="codes"), Stage(id=INTERFACE)),
        conditions=(CALIBRATED, *BUDGET),
        entries=(
            *_entries((CALIBRATED,), n=_CALIBRATED, stage=CALIBRATION),
            *_entries(BUDGET, n=_SMALL_BUDGET, first=_CALIBRATED, stage=INTERFACE),
        ),
    )


def _entries(
    arms: Sequence[Condition],
    *,
    n: int | tuple[int, ...],
    first: int = 0,
    replicates: int = 1,
    stage: str = MAIN,
) -> tuple[Entry, ...]:
    """One entry a family; several sizes are taken in turn."""
    sizes = n if isinstance(n, tuple) else (n,)
    return tuple(
        Entry(
            family=family.spec.id,
            n=sizes[number % len(sizes)],
            first=first,
            conditions=tuple(arm.id for arm in arms),
            replicates=replicates,
            stage=stage,
        )
        for number, family in enumerate(FAMILIES)
    )


def _corpora(stage: str, arms: Sequence[Condition], replicates: int = 1) -> tuple[Entry, ...]:
    names = tuple(arm.id for arm in arms)
    return tuple(
        Entry(
            family=family.spec.id,
            n=_INTERFACE_EVENTS * len(ROWS),
            conditions=names,
            replicates=replicates,
            stage=stage,
        )
        for family in CORPORA
    )
