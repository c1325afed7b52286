"""The suite `binding-interface`: are reported fields coupled to the action, or do they decorate it?

Nine Conditions report in one common schema and differ in how the reports come about. The structured one is asked first,
and its replies are kept: they serve as the reports of other events where fields are scrambled, and a later stage asks
again after one reported field was exchanged (in version 2.0 after the agent's own words about one field were). Beside
it stand the arms under a forced budget, on the four-code families: with the whole state, with an action prior alone,
and with the surface alone (`token-matched`). Prompts are filled to equal length, replies have exactly so many tokens.
"""

from __future__ import annotations

from proctor.agents.structured.modules import PRESETS
from proctor.spec.condition import DECISIVE, REST, Condition, Read, Sampling, Scaffold
from proctor.spec.reporting import REPORT_FIELD
from proctor.spec.suite import Entry, Stage, Suite
from proctor.suites.binding.benchmark import EPOCH, REPLICATES
from proctor.suites.binding.conditions import CALIBRATION, COOL, NO_FIELDS
from proctor.suites.binding.corpora import CORPORA
from proctor.suites.binding.families import FAMILIES
from proctor.suites.binding.families.conditions import CALIBRATED
from proctor.suites.binding.families.event import SITUATION
from proctor.worlds.choice.own_words import EXCHANGED as EXCHANGED_WORDS
from proctor.worlds.choice.own_words import OWN
from proctor.worlds.choice.reasking import EXCHANGED

REPORTS, INTERFACE, AGAIN = "reports", "interface", "again"
COMPLETION = 32
"""Tokens of every reply under the forced budget."""
_EVENTS, _PROBES = 5, 6
_CALIBRATION_EVENTS, _BUDGET_EVENTS, _SMALL_BUDGET_EVENTS = 3, 6, 2
_REMOVE = Read(do="remove")
_SCRAMBLED = {REPORT_FIELD: Read(do="scramble", donor="unlike")}
_NINE = {
    "coupled": "A4_full",
    "compressed": "A4_compressed",
    "plain": "A5_plain",
    "random-fields": "A5_schema_random_fields",
    "posthoc-fields": "A5_schema_posthoc_fields",
    "scrambled-fields": "A5_schema_scrambled_fields",
    "structured-posthoc": "A4_posthoc_fields",
    "structured-scrambled": "A4_scrambled_fields",
    "scratchpad": "A5_long_scratchpad",
}


def _matched(name: str, variant: str) -> Condition:
    preset = PRESETS[variant]
    scrambled = preset.scaffold.fields == "scrambled"
    return Condition(
        id=name,
        reads=_SCRAMBLED if scrambled else {},
        sampling=Sampling(temperature=preset.temperature),
        scaffold=preset.scaffold,
        after=REPORTS if scrambled else None,
    )


NINE = tuple(_matched(name, variant) for name, variant in _NINE.items())
"""The matched-interface Conditions."""

REASKED = tuple(
    Condition(
        id=f"reask-{field}",
        # The other fields are left out: no other report can answer for the exchanged one.
        reads={
            SITUATION: Read(do="keep"),
            field: Read(do="replace", value=EXCHANGED),
            DECISIVE: _REMOVE,
            REST: _REMOVE,
        },
        sampling=Sampling(temperature=COOL),
        scaffold=Scaffold(keys="compact"),
        after=REPORTS,
    )
    for field in ("reason", "memory", "veto", "self")
)
"""One reported field exchanged, and asked again."""

WORDS = Condition(id="words", sampling=Sampling(temperature=COOL), scaffold=Scaffold(keys="words"))
"""What each field says, in the agent's own words."""
WORDS_AGAIN = tuple(
    Condition(
        id=words,
        # No field is called so: which one is replaced, the row knows.
        reads={"x-words": Read(do="replace", value=words)},
        sampling=Sampling(temperature=COOL),
        scaffold=Scaffold(keys="compact"),
        after=WORDS.id,
    )
    for words in (OWN, EXCHANGED_WORDS)
)
"""The original question again, with those words in a field's place: as they were, and with two phrases exchanged."""

_EXACT = Sampling(temperature=COOL, tokens=COMPLETION, exact=True)
STRUCTURED_STATE = Condition(id="structured-state", sampling=_EXACT, scaffold=Scaffold(keys="compact"))
NO_STATE = Condition(
    id="entropy-prior-no-state",
    reads={DECISIVE: _REMOVE, REST: _REMOVE},
    sampling=_EXACT,
    scaffold=Scaffold(keys="compact"),
    prior="family",
    after=CALIBRATION,
)
TOKEN_MATCHED = Condition(
    # What the arm without fields of the cell matrix shows, with the tokens that the fields would have taken.
    id="token-matched",
    reads=NO_FIELDS.reads,
    sampling=_EXACT,
    scaffold=Scaffold(keys="compact"),
)
BUDGET = (STRUCTURED_STATE, NO_STATE, TOKEN_MATCHED)
"""The arms under a forced budget. The first two are the audited pair; the third is reported beside it."""


def suite() -> Suite:
    """The examination."""
    return interface_suite(
        "1.0",
        (
            *_families(CALIBRATION, (CALIBRATED,), n=_CALIBRATION_EVENTS),
            *_corpora(REPORTS, NINE[:1], replicates=REPLICATES),
            *_corpora(INTERFACE, NINE[1:], replicates=REPLICATES),
            *_families(INTERFACE, BUDGET, n=_BUDGET_EVENTS, first=_CALIBRATION_EVENTS),
            *_corpora(AGAIN, REASKED),
        ),
        REASKED,
        (),
        "asking again with one reported field exchanged",
    )


def interface_suite(
    version: str,
    entries: tuple[Entry, ...],
    again: tuple[Condition, ...],
    stages: tuple[Stage, ...],
    how_again: str,
) -> Suite:
    """What the suite is in every version, with the entries of one and its way of asking again."""
    return Suite(
        name="binding-interface",
        version=version,
        title="Matched interfaces and forced budgets",
        description="Nine ways in which reported fields come about, under one schema and over the seven corpora; "
        f"{how_again}; whole state against an action prior and against no field, under equal budgets.",
        epoch=EPOCH,
        streams="binding",
        stages=(
            Stage(id=CALIBRATION, freeze="codes"),
            Stage(id=REPORTS, freeze="replies"),
            *stages,
            Stage(id=INTERFACE),
            Stage(id=AGAIN),
        ),
        conditions=(CALIBRATED, *NINE, *again, *BUDGET),
        entries=entries,
    )


def budget() -> Suite:
    """The forced budget alone, in rows that a small model on one core gets through."""
    return Suite(
        name="binding-budget",
        version="1.0",
        title="Forced budgets",
        description="Twenty families, two events each: whole state against an action prior and against no field, with "
        "prompts of equal length and replies of exactly so many tokens.",
        epoch=EPOCH,
        streams="binding-families",
        stages=(Stage(id=CALIBRATION, freeze="codes"), Stage(id=INTERFACE)),
        conditions=(CALIBRATED, *BUDGET),
        entries=(
            *_families(CALIBRATION, (CALIBRATED,), n=_CALIBRATION_EVENTS),
            *_families(INTERFACE, BUDGET, n=_SMALL_BUDGET_EVENTS, first=_CALIBRATION_EVENTS),
        ),
    )


def _corpora(stage: str, arms: tuple[Condition, ...], replicates: int = 1) -> tuple[Entry, ...]:
    names = tuple(arm.id for arm in arms)
    return tuple(
        Entry(family=family.spec.id, n=_EVENTS * _PROBES, conditions=names, replicates=replicates, stage=stage)
        for family in CORPORA
    )


def _families(stage: str, arms: tuple[Condition, ...], *, n: int, first: int = 0) -> tuple[Entry, ...]:
    names = tuple(arm.id for arm in arms)
    return tuple(Entry(family=family.spec.id, n=n, first=first, conditions=names, stage=stage) for family in FAMILIES)
