"""Conditions by their names: which scaffold style and which variant, what the paper calls it, what its fields weigh.

A prefix as in `react.structured` names a scaffold style; what is left names the variant. The paper's identifiers are
accepted as aliases, so that evidence labelled either way is read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from proctor.spec.condition import Condition, Scaffold

STYLES = ("plain", "react", "planner", "reflection")
STRUCTURED, NONE = "structured", "none"
NO_REASON, NO_VETO, STOCHASTIC = "no-reason", "no-veto", "stochastic"
FULL, ONLY, SURFACE, PRIOR = "full", "only-decisive", "surface-only", "prior-only"
SCRAMBLED_FIELD, IRRELEVANT = "scrambled-field", "irrelevant-cue"
LESION_STRICT, ENTROPY_PRIOR = "lesion-strict", "entropy-prior"
GRID = "grid"
WORDS, OWN_WORDS, EXCHANGED_WORDS = "words", "own-words", "exchanged-words"
REMOVED, UNUSABLE, SWAPPED, SCRAMBLED = "removed", "unusable", "swapped", "scrambled"


class Variant(Struct, frozen=True):
    """One line of the registry."""

    id: str
    paper: str
    """The paper's protocol identifier; empty for what is ours."""
    definition: str
    role: str
    aliases: tuple[str, ...] = ()


REGISTRY: tuple[Variant, ...] = (
    Variant(STRUCTURED, "A4", "all modules on, every field as it is", "primary structured variant"),
    Variant(STOCHASTIC, "A5", "self, memory, reason and veto off, temperature 0.9", "primary stochastic comparator"),
    Variant(NO_REASON, "A4_no_reason", "structured without its reasons", "reason lesion"),
    Variant(NO_VETO, "A4_no_veto", "structured without its veto", "veto lesion"),
    Variant("stochastic-full", "stochastic full-context", "all fields, temperature 0.9", "stochastic control"),
    Variant("no-fields", "stochastic no-fields", "no state field, surface and codes kept", "no-context control"),
    Variant(SCRAMBLED, "stochastic scrambled-context", "the state of another event", "no-context control"),
    Variant("matched-family", "distribution-matched", "draws from the family's action prior", "no-context control"),
    Variant("matched-global", "", "draws from the action prior of all families", "no-context control"),
    Variant("lesion", "target_lesion", "the decisive text stays and is declared unusable", "lesion"),
    Variant(LESION_STRICT, "target_lesion_strict", "the decisive text is removed", "lesion"),
    Variant(ENTROPY_PRIOR, "entropy_prior_no_field", "no field, the action prior is shown", "entropy-prior control"),
    Variant("token-matched", "token-prompt control", "no field, prompt padded to equal tokens", "token control"),
    Variant(
        "cooler",
        "A5_entropy_attempt",
        "stochastic at temperature 0.2",
        "strong stochastic control",
        ("lower-temperature stochastic attempt",),
    ),
    Variant(
        GRID,
        "A5_empirical_entropy_attempt",
        "stochastic at one temperature and top-p of the grid",
        "entropy calibration",
        ("A5_attempt_t02_p07", "A5_attempt_t020_p075"),
    ),
    Variant(
        "compute",
        "A5_compute_matched",
        "stochastic with the structured budget",
        "strong stochastic control",
        ("compute-control attempt",),
    ),
    Variant("self-consistency", "A5_self_consistency", "the most frequent of several", "strong stochastic control"),
    Variant(FULL, "full_state", "the whole state", "sufficiency"),
    Variant(ONLY, "only_decisive_causal_field", "the decisive field and nothing else", "sufficiency"),
    Variant(SURFACE, "surface_context_only", "the surface and no field", "sufficiency control"),
    Variant(PRIOR, "action_prior_only", "the action prior and nothing else", "sufficiency control"),
    Variant(SCRAMBLED_FIELD, "scrambled_decisive_field", "another event's decisive field", "sufficiency control"),
    Variant(IRRELEVANT, "irrelevant_cue", "the whole state and a misleading cue", "sufficiency"),
    Variant("coupled", "A4_full", "matched interface, fields made before the action", "positive matched interface"),
    Variant("compressed", "A4_compressed", "as coupled, in fewest words", "sensitivity, not a control"),
    Variant("plain", "A5_plain", "stochastic over the matched interface", "coupling control"),
    Variant(
        "random-fields",
        "A5_schema_random_fields",
        "fields drawn at random",
        "coupling control",
        ("random-field schema A5",),
    ),
    Variant(
        "posthoc-fields",
        "A5_schema_posthoc_fields",
        "fields after the action",
        "coupling control",
        ("post-hoc schema A5", "A5_schema_posthoc"),
    ),
    Variant(
        "scrambled-fields",
        "A5_schema_scrambled_fields",
        "another event's fields",
        "coupling control",
        ("scrambled-field schema A5",),
    ),
    Variant(
        "structured-posthoc",
        "A4_posthoc_fields",
        "structured, fields after the action",
        "coupling control",
        ("A4 post-hoc fields",),
    ),
    Variant(
        "structured-scrambled",
        "A4_scrambled_fields",
        "structured, another event's fields",
        "coupling control",
        ("A4 scrambled fields",),
    ),
    Variant(
        "scratchpad",
        "A5_long_scratchpad",
        "stochastic with a long scratchpad",
        "coupling control",
        ("long-scratchpad A5",),
    ),
    Variant("reask-reason", "", "asked again with the reported reason exchanged", "content-only coupling"),
    Variant("reask-memory", "", "asked again with the reported memory exchanged", "content-only coupling"),
    Variant("reask-veto", "", "asked again with the reported veto exchanged", "content-only coupling"),
    Variant("reask-self", "", "asked again with the reported self-state exchanged", "content-only coupling"),
    Variant(WORDS, "", "reports what each field says in its own words", "content-only coupling"),
    Variant(OWN_WORDS, "", "asked again with its own words in a field's place", "content-only coupling"),
    Variant(EXCHANGED_WORDS, "", "the same with two phrases exchanged", "content-only coupling"),
    Variant("structured-state", "structured_state", "the whole state, equal prompts and replies", "forced budget"),
    Variant("entropy-prior-no-state", "entropy_prior_no_state", "the action prior alone, as long", "forced budget"),
    Variant(REMOVED, "", "the agent's own state is taken away", "lesion of own state"),
    Variant(UNUSABLE, "", "the agent's own state is declared unusable", "lesion of own state"),
    Variant(SWAPPED, "", "the agent's own fields stand in each other's place", "lesion of own state"),
)
_BY_ALIAS = {name.lower(): one.id for one in REGISTRY for name in (one.id, one.paper, *one.aliases) if name}

_BY_ID = {one.id: one for one in REGISTRY}
_SETTING = re.compile(r"grid-t\d+-p\d+")


class Named(Struct, frozen=True):
    """A Condition id taken apart."""

    style: str
    """Scaffold style; `plain` where none is named."""
    variant: str


def named(condition: str, declared: Condition | None = None) -> Named:
    """Style and variant of a Condition id; an unknown id is its own variant. A declared scaffold knows its style."""
    style = declared.scaffold.style if declared is not None and declared.scaffold is not None else None
    for prefix in STYLES if style is None else (style,):
        for mark in (".", "-", "_"):
            rest = condition.removeprefix(f"{prefix}{mark}")
            if rest != condition and (style is not None or rest.lower() in _BY_ALIAS):
                return Named(prefix, _BY_ALIAS.get(rest.lower(), rest))
    return Named(style or "plain", _BY_ALIAS.get(condition.lower(), condition))


def registered(condition: str) -> Variant | None:
    """The line of the registry a Condition belongs to; settings of the grid share one."""
    variant = named(condition).variant
    return _BY_ID.get(GRID if _SETTING.fullmatch(variant) else variant)


def paper_name(condition: str) -> str:
    """What the paper calls this Condition; empty where it does not."""
    variant = registered(condition)
    return variant.paper if variant is not None else ""


def references(conditions: Iterable[str]) -> dict[str, str]:
    """For each Condition the structured one of its scaffold style; Conditions of a style without one are left out."""
    listed = sorted(conditions)
    structured = {named(name).style: name for name in listed if named(name).variant == STRUCTURED}
    return {name: structured[named(name).style] for name in listed if named(name).style in structured}


UNCOUPLED = frozenset({"random", "posthoc", "scrambled", "scratchpad"})
"""How fields may have come about without any way of acting on the action."""
TERMS = ("reason", "memory", "veto", "self")
_MODULE = {"reason": "reason", "memory": "memory", "veto": "veto", "self": "self_state"}
UNKNOWN_PROVENANCE = 0.5


def provenance_weights(condition: Condition | None, *, scaffolded: bool) -> dict[str, float]:
    """How much each reported field counts: 1 if made by a module before the action, 0 if afterwards or from elsewhere.

    A field that is reported although its module is off has unknown provenance, and so has every field of an agent
    that is no scaffold of ours (`scaffolded` false): 0.5.
    """
    scaffold = condition.scaffold if condition is not None else None
    if scaffold is None:
        scaffold = Scaffold() if scaffolded else None
    if scaffold is None:
        return dict.fromkeys(TERMS, UNKNOWN_PROVENANCE)
    if scaffold.fields in UNCOUPLED:
        return dict.fromkeys(TERMS, 0.0)
    return {term: 1.0 if getattr(scaffold, _MODULE[term]) else UNKNOWN_PROVENANCE for term in TERMS}
