"""Content-only coupling by an agent's own words: they stand where a field stood, once as reported, once exchanged.

The effect of a row is 1{code = y⁺ | words as reported} − 1{code = y⁺ | phrases exchanged}, where the field calls for
y⁺; where it is the field's twin that stands there, it is the other way round. Whoever answers by anything that is the
same in both has an effect of 0. So has whoever answers by an order of phrases that it reports without reading, since it
reports a text and its twin alike: hence a field counts only in events where both were asked about. Words that could
not be exchanged have an effect of 0 and are counted. Each field has to be above 0 by itself: whoever remembers all rows
of an event finds out which commitment is the odd one, and no reason or self-state is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.content import ContentIndex, above_controls
from proctor.instruments.binding.criteria import Criterion, Detail, Gate, above
from proctor.instruments.binding.inference import MIN_UNITS, Inference, infer
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.twins import above_twins
from proctor.instruments.binding.variants import EXCHANGED_WORDS, OWN_WORDS, TERMS
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import mean

PLACE = ("run", "dataset", "event", "probe", "component", "replicate", "arm_of")
"""What the two rows of a pair share."""
_ASKED = ("dataset", "event", "component", "run", "replicate", "arm_of")
"""What the rows about a text and about its twin share."""
INDEX = "all four: content-only AFCI"
ACTS = "effect of exchanged words"


class FieldEffect(Struct, frozen=True, kw_only=True):
    """What exchanging the words about one field did to the action."""

    term: str
    effect: Inference
    """Over corpora, or over events where those are few."""
    pairs: int
    exchanged: int
    """Pairs whose words could be exchanged."""
    spelled: int
    """Pairs whose words named an action."""

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval."""
        return self.effect.across if self.effect.events is None else self.effect.events


class _Pair(Struct, frozen=True):
    """One row asked again twice."""

    dataset: str
    event: str
    term: str
    effect: float
    exchanged: bool
    spelled: bool


def has_own_words(table: BindingTable) -> bool:
    """Whether words were shown again, as they were and exchanged."""
    return all(name in table.text["variant"].labels for name in (OWN_WORDS, EXCHANGED_WORDS))


def field_effects(table: BindingTable, *, confidence: float = 0.95) -> tuple[FieldEffect, ...]:
    """One for each field that was asked about again."""
    pairs = _pairs(table)
    effects = []
    for term in TERMS:
        own = [pair for pair in pairs if pair.term == term]
        if not own:
            continue
        by_dataset, by_event = _by(own, "dataset"), _by(own, "dataset", "event")
        effects.append(
            FieldEffect(
                term=term,
                effect=infer(
                    f"{term}: its words exchanged",
                    {dataset: value for (dataset,), value in by_dataset.items()},
                    events=list(by_event.values()) if len(by_dataset) < MIN_UNITS else None,
                    confidence=confidence,
                ),
                pairs=len(own),
                exchanged=sum(pair.exchanged for pair in own),
                spelled=sum(pair.spelled for pair in own),
            )
        )
    return tuple(effects)


def words_index(table: BindingTable, *, confidence: float = 0.95) -> ContentIndex | None:
    """The mean over the four fields; None where the words about one of them could never be exchanged."""
    pairs = _pairs(table)
    if {pair.term for pair in pairs if pair.exchanged} != set(TERMS):
        return None
    for unit in ("dataset", "event"):
        values = _means(pairs, by_event=unit == "event")
        if len(values) >= MIN_UNITS or unit == "event":
            estimate = mean(values, confidence=confidence)
            return ContentIndex(estimate=estimate, beyond_chance=estimate, unit=unit, rows=len(pairs))
    return None


def words_gate(
    controls: Sequence[tuple[str, bool | None]], effects: Sequence[FieldEffect], index: ContentIndex | None
) -> Gate:
    """Structured above every control, and every field's own words turn the action."""
    if index is None:
        reason = "no reported words were exchanged that imply a code without spelling it, in all four fields"
        content: list[Criterion] = [above(ACTS, None, 0.0, Detail(reason=reason))]
    else:
        content = [above_twins(one.effect) for one in effects]
    return Gate.of("coupling", above_controls(controls), *content)


def add_own_words(tables: Tables, effects: Sequence[FieldEffect], index: ContentIndex | None) -> None:
    """One row a field, and one for the index."""
    rows: list[dict[str, object]] = [
        {
            "field": one.term,
            "effect": one.estimate.estimate,
            "low": one.estimate.low,
            "high": one.estimate.high,
            "pairs": one.pairs,
            "exchanged": one.exchanged,
            "spelled": one.spelled,
            "interval_over": "dataset" if one.effect.events is None else "event",
        }
        for one in effects
    ]
    if index is not None:
        rows.append(
            {
                "field": INDEX,
                "effect": index.estimate.estimate,
                "low": index.estimate.low,
                "high": index.estimate.high,
                "pairs": index.rows,
                "exchanged": sum(one.exchanged for one in effects),
                "spelled": sum(one.spelled for one in effects),
                "interval_over": index.unit,
            }
        )
    tables.add("own_words", "Effect of exchanging an agent's own words, when asked again", rows)


def _pairs(table: BindingTable) -> list[_Pair]:
    """Rows about a field whose words were shown both ways, of texts whose twin was asked about as well."""
    sides = {}
    for name in (OWN_WORDS, EXCHANGED_WORDS):
        rows = table.of("variant", name)
        keys = zip(*(rows.values(column) for column in PLACE), strict=True)
        cells = zip(
            rows.values("code"),
            rows.values("target"),
            rows.values("field_code"),
            (rows.numbers["declared"] > 0).tolist(),
            strict=True,
        )
        sides[name] = {key: cell for key, cell in zip(keys, cells, strict=True) if key[PLACE.index("component")]}
    found: dict[tuple[str, ...], dict[str, _Pair]] = {}
    for key, (code, target, calls, spelled) in sides[OWN_WORDS].items():
        other = sides[EXCHANGED_WORDS].get(key)
        if other is None:
            continue
        exchanged = bool(calls) and other[2] == calls
        turn = 1.0 if target == calls else -1.0
        effect = turn * ((code == calls) - (other[0] == calls)) if exchanged else 0.0
        named = dict(zip(PLACE, key, strict=True))
        asked = tuple(named[name] for name in _ASKED)
        pair = _Pair(named["dataset"], named["event"], named["component"], effect, exchanged, spelled)
        found.setdefault(asked, {})[named["probe"]] = pair
    return [pair for texts in found.values() if len(texts) > 1 for pair in texts.values()]


def _by(pairs: Sequence[_Pair], *names: str) -> dict[tuple[str, ...], float]:
    """The mean effect by dataset, or by event."""
    groups: dict[tuple[str, ...], list[float]] = {}
    for pair in pairs:
        groups.setdefault(tuple(str(getattr(pair, name)) for name in names), []).append(pair.effect)
    return {key: float(np.mean(values)) for key, values in groups.items()}


def _means(pairs: Sequence[_Pair], *, by_event: bool) -> list[float]:
    """Per unit the mean over the four fields; units that lack a field have none."""
    units: dict[tuple[str, ...], dict[str, list[float]]] = {}
    for pair in pairs:
        unit = (pair.dataset, pair.event) if by_event else (pair.dataset,)
        units.setdefault(unit, {}).setdefault(pair.term, []).append(pair.effect)
    whole = (terms for terms in units.values() if set(TERMS) <= set(terms))
    return [float(np.mean([np.mean(values) for values in terms.values()])) for terms in whole]
