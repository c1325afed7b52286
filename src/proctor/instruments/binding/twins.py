"""Scores of rows whose decisive texts have twins (binding 2.0): B* = P(y⁺ | decisive) − P(y⁺ | twin) − u*.

A row is compared with the row that shows its twin, in the same event, Condition and replicate. u* is the larger of two
excesses of cue rows over their own baselines, and never below 0: changes of the action, less how often two baselines
differ; and how often the action is the option that the cue names. The second is there because whoever tosses a coin in
the baseline changes there as often as a cue moves it. A reply that is missing or names no action counts as a change on
either side, and never as y⁺ or as what a cue names. Rows without their partner are left out and counted.
`docs/design/binding-2.md` is the contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from proctor.instruments.binding.audits import unmapped_rows
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import MET, NOT_MET, Criterion, Detail, above
from proctor.instruments.binding.inference import Inference, infer
from proctor.instruments.binding.measures import BASELINE, NEUTRAL, TARGET
from proctor.instruments.binding.scores import COMPONENT_OF, NOTHING, Counted, Share
from proctor.spec.ontology import ONTOLOGIES
from proctor.stats.sample import BoolArray, FloatArray, IntArray

TWINS = 2
"""The design of rows that have twins."""
NINE_PROBES = (
    *("baseline", "reason_for", "reason_against", "memory", "veto", "self_for", "self_against"),
    *("cue_other", "cue_lean"),
)
"""The probes of the benchmark; the extended ones widen the target and the neutral sets."""
DEFERRED = ("target", "twin", "baseline", "cue")
"""Kinds of rows whose deferral rates stand beside the scores."""
SAME_PLACE = ("run", "dataset", "event", "condition", "replicate", "arm_of", "strength", "distance")
"""What a row and its twin share."""

_TEXT = (
    *("dataset", "event", "probe", "component", "role", "condition", "replicate", "before", "code", "how", "arm_of"),
    *("target", "ontology", "polarity", "cue_code"),
)
_NUMBERS = ("c", "distance", "design", "swapped")
_CODES = ("code", "target", "cue_code")
_PAIRED = ("twin_hit", "twin_deferred", "deferred", "moved", "drift", "named", "named_before")


@dataclass(frozen=True)
class TwinCounted(Counted):
    """The counts of one dataset under one Condition, and the scores that follow from them."""

    twins: Mapping[str, Share] = field(default_factory=dict)
    """Per component: rows whose twin shows the target of the row all the same."""
    drift: Share = NOTHING
    """Pairs of baseline replicates that differ."""
    named: Share = NOTHING
    """Rows with a cue that names an option: those that take it."""
    named_before: Share = NOTHING
    """The baselines of the same rows: those that take that option all the same."""
    deferrals: Mapping[str, Share] = field(default_factory=dict)
    """By kind of row: how many wait."""

    def gained(self, component: str) -> Fraction | None:
        """P(y⁺ | decisive) − P(y⁺ | twin)."""
        decisive, twin = self.followed(component), self.twins.get(component, NOTHING).value
        return None if decisive is None or twin is None else decisive - twin

    @property
    def false_positive(self) -> Fraction | None:
        """u*. Without two baselines of an event nothing is subtracted: the score can only be lower."""
        moved = self.moved
        return None if moved is None else max(Fraction(0), moved, self.directed or Fraction(0))

    @property
    def moved(self) -> Fraction | None:
        """Changes between cue rows and baselines, less those between baselines."""
        moved = self.neutral.value
        return None if moved is None else moved - (self.drift.value or Fraction(0))

    @property
    def directed(self) -> Fraction | None:
        """How much more often the option that the cue names is taken than in the baseline; None: no cue names one."""
        after, before = self.named.value, self.named_before.value
        return None if after is None or before is None else after - before

    @property
    def by_direction(self) -> bool:
        """Whether u* is what cues gave to the option that they name, and not what they changed."""
        moved, directed = self.moved, self.directed
        return moved is not None and directed is not None and directed > max(Fraction(0), moved)

    @property
    def avoided(self) -> Fraction:
        """How much less often the option that the cue names is taken than in the baseline, where that is more than u*.

        Whoever avoids what a remark names goes by the remark, too. It decides no score, since the larger of three noisy
        numbers would lie too high: the gate asks for it.
        """
        directed, lost = self.directed, self.false_positive
        return Fraction(0) if directed is None or lost is None or -directed <= lost else -directed


def has_twins(table: BindingTable) -> bool:
    """Whether these are rows of the design with twins."""
    return bool((table.numbers["design"] == TWINS).any()) if "design" in table.numbers else False


@dataclass(frozen=True)
class Paired:
    """Rows with what was found in their partners."""

    rows: BindingTable
    """Numbers besides those of the rows, NaN where they do not apply: `twin_hit` and `twin_deferred` (of a row with a
    target: its twin shows that target, waits), `deferred`, `moved` (of a neutral row), `drift` (of a baseline), `named`
    and `named_before` (of a neutral row whose cue names an option: it takes it, its baseline does)."""
    unpaired: int
    """Rows that should have a partner and have none: they are left out."""


def paired(table: BindingTable, *, extended: bool = False) -> Paired:
    """The rows B* is made of: no robustness arms, nothing at a distance, the nine probes unless asked."""
    if _PAIRED[0] in table.numbers:
        keep = np.ones(table.size, dtype=np.bool_) if extended else table.is_in("probe", NINE_PROBES)
        return Paired(table.where(keep), 0)
    keep = (table.numbers["design"] == TWINS) & table.is_in("arm_of", ("",)) & ~(table.numbers["distance"] > 0)
    if not extended:
        keep &= table.is_in("probe", NINE_PROBES)
    return pair(table.where(keep))


def pair(rows: BindingTable) -> Paired:
    """Every row with its partner."""
    at = partners(rows)
    there = at >= 0
    other = np.where(there, at, 0)
    unread, waits = unmapped_rows(rows), deferring(rows)
    aimed, calm = rows.is_in("role", (TARGET,)), rows.is_in("role", (NEUTRAL,))
    code, target, cue = _common(rows, "code"), _common(rows, "target"), _common(rows, "cue_code")
    cued = calm & there & ~rows.is_in("cue_code", ("",))
    differs = (code != code[other]) | unread | unread[other]
    numbers = {
        "twin_hit": _where(aimed & there, (code[other] == target) & ~unread[other]),
        "twin_deferred": _where(aimed & there, waits[other]),
        "deferred": waits.astype(np.float64),
        "moved": _where(calm & there, differs),
        "drift": _drift(rows, code, unread),
        "named": _where(cued, (code == cue) & ~unread),
        "named_before": _where(cued, (code[other] == cue) & ~unread[other]),
    }
    whole = rows.only(_TEXT, _NUMBERS)
    lost = (aimed | calm) & ~there
    return Paired(BindingTable(whole.text, {**whole.numbers, **numbers}).where(~lost), int(lost.sum()))


def gains(table: BindingTable) -> BindingTable:
    """Rows with a target and their twin's row, all columns, `c` being y⁺ shown less y⁺ shown on the twin: B* without
    u*."""
    at = partners(table)
    keep = table.is_in("role", (TARGET,)) & (at >= 0)
    code, target = _common(table, "code"), _common(table, "target")
    other = np.where(at >= 0, at, 0)
    hit = (code[other] == target) & ~unmapped_rows(table)[other]
    gained = table.numbers["c"] - hit
    return BindingTable(table.text, {**table.numbers, "c": gained}).where(keep)


def family_gains(table: BindingTable, confidence: float, name: str) -> Inference:
    """B* without u* of some rows, with families as units."""
    rows = gains(table)
    groups = rows.groups("family")
    sums = zip(groups.keys, groups.total(rows.numbers["c"]), groups.total(), strict=True)
    means = {key[0]: Fraction(round(total), round(n)) for key, total, n in sums}
    return infer(name, means, unit="family", confidence=confidence)


def above_twins(one: Inference) -> Criterion:
    """That B* without u* is above zero, by the rule that decides over families."""
    if one.above_zero is None:
        return above(one.contrast, None, 0.0, Detail(reason=f"no interval can be given over {one.across.n} families"))
    return Criterion(
        name=one.contrast,
        rule=f"above 0 by the {one.decides}",
        limit=0.0,
        value=one.bound,
        status=MET if one.above_zero else NOT_MET,
        n=one.across.n,
        reason=None if one.across.estimate is None else f"mean {one.across.estimate:.3f}",
    )


def targets_only(table: BindingTable) -> BindingTable:
    """Rows whose accuracy counts: with twins those that have a target, otherwise all."""
    return table.of("role", TARGET) if has_twins(table) else table


def partners(rows: BindingTable) -> IntArray:
    """For each row the row that shows its twin, in the same place; −1 where there is none."""
    _, place = np.unique(rows.key(*SAME_PLACE), return_inverse=True)
    probes, twins = rows.text["probe"], rows.text["twin"]
    width = max(len(probes.labels), 1)
    own = place * width + probes.codes
    wanted = np.array([probes.code(label) if label else -1 for label in twins.labels], dtype=np.int64)
    sought = wanted[twins.codes] if wanted.size else np.full(rows.size, -1)
    order = np.argsort(own, kind="stable")
    sorted_own = own[order]
    position = np.minimum(np.searchsorted(sorted_own, place * width + sought), max(rows.size - 1, 0))
    found = (sought >= 0) & (sorted_own[position] == place * width + sought)
    return np.where(found, order[position], -1).astype(np.int64)


def deferring(rows: BindingTable) -> BoolArray:
    """Rows whose action is to wait."""
    return rows.is_in("code", {ontology.defer for ontology in ONTOLOGIES.values()})


def count_twins(
    table: BindingTable, *by: str, extended: bool = False, pooled: bool = False
) -> dict[tuple[str, ...], TwinCounted]:
    """The counts of every combination of some columns, by default dataset and Condition; or of all rows together."""
    columns = () if pooled else by or ("dataset", "condition")
    rows = paired(table, extended=extended).rows
    aimed = rows.where(rows.is_in("role", (TARGET,)))
    targets = _by_component(aimed, columns, aimed.numbers["c"])
    twins = _by_component(aimed, columns, aimed.numbers["twin_hit"])
    calm = rows.where(rows.is_in("role", (NEUTRAL,)))
    first = rows.where(rows.is_in("role", (BASELINE,)))
    neutral, drift = _shares(calm, columns, "moved"), _shares(first, columns, "drift")
    named, named_before = _shares(calm, columns, "named"), _shares(calm, columns, "named_before")
    waits = {
        "target": _shares(aimed, columns, "deferred"),
        "twin": _shares(aimed, columns, "twin_deferred"),
        "baseline": _shares(first, columns, "deferred"),
        "cue": _shares(calm, columns, "deferred"),
    }
    return {
        key: TwinCounted(
            targets=targets.get(key, {}),
            neutral=neutral.get(key, NOTHING),
            twins=twins.get(key, {}),
            drift=drift.get(key, NOTHING),
            named=named.get(key, NOTHING),
            named_before=named_before.get(key, NOTHING),
            deferrals={kind: found.get(key, NOTHING) for kind, found in waits.items()},
        )
        for key in sorted(set(rows.groups(*columns).keys))
    }


def twin_events(rows: BindingTable) -> dict[tuple[str, ...], dict[str, float]]:
    """B* of each component by dataset and event, rows of one Condition.

    What u* is made of, and whether it is floored, is decided over the dataset: the larger of two numbers under every
    event would count chance as an effect.
    """
    rows = paired(rows).rows
    lost = _event_losses(rows)
    aimed = rows.of("role", TARGET)
    groups = aimed.groups("dataset", "event", "component")
    gained = groups.total(aimed.numbers["c"] - aimed.numbers["twin_hit"]) / groups.total()
    scores: dict[tuple[str, ...], dict[str, float]] = {}
    for (dataset, event, component), gain in zip(groups.keys, gained.tolist(), strict=True):
        name = COMPONENT_OF.get(component)
        if name is not None and (dataset, event) in lost:
            scores.setdefault((dataset, event), {})[name] = gain - lost[dataset, event]
    return scores


def _event_losses(rows: BindingTable) -> dict[tuple[str, ...], float]:
    """What u* takes off by dataset and event; events without a cue row are left out."""
    calm, first = rows.of("role", NEUTRAL), rows.of("role", BASELINE)
    cue, drift = _event_means(calm, "moved"), _event_means(first, "drift")
    named, before = _event_means(calm, "named"), _event_means(calm, "named_before")
    counted = {key[0]: one for key, one in count_twins(rows, "dataset").items()}
    lost: dict[tuple[str, ...], float] = {}
    for key, share in cue.items():
        one = counted[key[0]]
        if one.by_direction:
            lost[key] = named.get(key, 0.0) - before.get(key, 0.0)
        else:
            lost[key] = share - drift.get(key, 0.0) if one.false_positive else 0.0
    return lost


def _event_means(rows: BindingTable, name: str) -> dict[tuple[str, ...], float]:
    known = rows.where(~np.isnan(rows.numbers[name]))
    groups = known.groups("dataset", "event")
    return dict(zip(groups.keys, (groups.total(known.numbers[name]) / groups.total()).tolist(), strict=True))


def _by_component(
    rows: BindingTable, columns: Sequence[str], hits: FloatArray
) -> dict[tuple[str, ...], dict[str, Share]]:
    groups = rows.groups(*columns, "component")
    found: dict[tuple[str, ...], dict[str, Share]] = {}
    for key, n, k in zip(groups.keys, groups.total(), groups.total(hits), strict=True):
        component = COMPONENT_OF.get(key[-1])
        if component is not None:
            found.setdefault(key[:-1], {})[component] = Share(round(k), round(n))
    return found


def _shares(rows: BindingTable, columns: Sequence[str], name: str) -> dict[tuple[str, ...], Share]:
    known = rows.where(~np.isnan(rows.numbers[name]))
    groups = known.groups(*columns)
    return {
        key: Share(round(k), round(n))
        for key, n, k in zip(groups.keys, groups.total(), groups.total(known.numbers[name]), strict=True)
    }


def _drift(rows: BindingTable, code: IntArray, unread: BoolArray) -> FloatArray:
    """For each baseline: whether the next replicate of its event differs; NaN where there is none."""
    drift = np.full(rows.size, np.nan)
    first = np.flatnonzero(rows.is_in("role", (BASELINE,)))
    if first.size < 2:
        return drift
    place = rows.key("run", "dataset", "event", "condition", "arm_of", "probe")[first]
    order = np.lexsort((rows.text["replicate"].codes[first], place))
    ordered = first[order]
    one, two = ordered[:-1], ordered[1:]
    same = place[order][:-1] == place[order][1:]
    differs = (code[one] != code[two]) | unread[one] | unread[two]
    drift[one[same]] = differs[same]
    return drift


def _common(rows: BindingTable, name: str) -> IntArray:
    """A column of codes in numbers that all of them share."""
    labels = sorted({label for each in _CODES for label in rows.text[each].labels})
    number = {label: index for index, label in enumerate(labels)}
    column = rows.text[name]
    known = np.array([number[label] for label in column.labels], dtype=np.int64)
    return known[column.codes] if known.size else column.codes


def _where(mask: BoolArray, hits: BoolArray) -> FloatArray:
    return np.where(mask, hits.astype(np.float64), np.nan)
