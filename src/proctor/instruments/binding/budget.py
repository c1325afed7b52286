"""The forced budget: Conditions asked under equal prompts and replies of one length.

One comparison is gated: the whole state against the action prior alone. Further Conditions that show no state under the
same budget stand beside it, and decide nothing. Everything is taken over the rows both sides have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.audits import unmapped
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.criteria import Criterion, Detail, Gate, at_least, at_most, within
from proctor.instruments.binding.scores import Share, correct
from proctor.instruments.binding.tables import Tables
from proctor.instruments.binding.twins import above_twins, family_gains, has_twins, targets_only
from proctor.instruments.binding.variants import ENTROPY_PRIOR, PRIOR, named, paper_name
from proctor.spec.condition import Condition
from proctor.stats.entropy import entropy_of_counts

ENTROPY_LIMIT = 0.15
CONFIDENCE = 0.95
"""Of what the gate asks over families."""
TOKEN_RATIO, LATENCY_RATIO = (0.95, 1.05), (0.50, 1.50)
BLIND = frozenset({ENTROPY_PRIOR, PRIOR, "no-fields", "token-matched"})
"""Variants that show no decisive state."""
NO_TOKENS = "not every reply has its token counts on record"
NO_LATENCY = "not every request has its time on record; a simulated or scripted model takes none"
_COUNTED = ("prompt_tokens", "completion_tokens", "latency_ms")


class Budget(Struct, frozen=True, kw_only=True):
    """Two Conditions under equal budgets."""

    structured: str
    control: str
    gated: bool
    """Whether the run is judged by it; other comparisons are shown beside it."""
    events: int
    structured_accuracy: Share
    control_accuracy: Share
    """Reported, not gated."""
    gate: Gate
    """All five criteria together."""


def forced_budgets(table: BindingTable, conditions: Mapping[str, Condition]) -> tuple[Budget, ...]:
    """Every comparison, the gated one first; none where no Condition with the state, or none without, was run."""
    present = set(table.present("condition"))
    exact = [name for name, one in sorted(conditions.items()) if one.sampling.exact and name in present]
    blind = [name for name in exact if conditions[name].prior is not None or named(name).variant in BLIND]
    seeing = [name for name in exact if name not in blind]
    if not seeing or not blind:
        return ()
    # The declared pair is the state against the prior; without a prior the first of the others takes its place.
    blind.sort(key=lambda name: (conditions[name].prior is None, name))
    return tuple(
        _compared(table, one, two, gated=(one, two) == (seeing[0], blind[0])) for two in blind for one in seeing
    )


def _compared(table: BindingTable, one: str, two: str, *, gated: bool) -> Budget:
    rows = table.shared("condition", (one, two), "run", "family", "dataset", "event", "probe", "replicate")
    sides = rows.of("condition", one), rows.of("condition", two)
    prompt, completion = (_equal(*sides, name) for name in ("prompt_tokens", "completion_tokens"))
    bits = [_bits(side) for side in sides]
    distance = None if bits[0] is None or bits[1] is None else abs(bits[0] - bits[1])
    tokens, latency = _ratio(*sides, _COUNTED[:2]), _ratio(*sides, _COUNTED[2:])
    return Budget(
        structured=one,
        control=two,
        gated=gated,
        events=len(sides[0].groups("dataset", "event").keys),
        structured_accuracy=_right(sides[0]),
        control_accuracy=_right(sides[1]),
        gate=Gate.of(
            "forced budget",
            at_least("prompt tokens equal per event", _rate(prompt), 1.0, _of(prompt)),
            at_least("completion tokens equal per event", _rate(completion), 1.0, _of(completion)),
            within("total-token ratio", tokens, *TOKEN_RATIO, _known(tokens, NO_TOKENS)),
            within("latency ratio", latency, *LATENCY_RATIO, _known(latency, NO_LATENCY)),
            at_most("canonical entropy gap in bits", distance, ENTROPY_LIMIT),
            *_beyond_twins(sides[0]),
        ),
    )


def _beyond_twins(rows: BindingTable) -> tuple[Criterion, ...]:
    """Where texts have twins: with the state, accuracy on a text less that on its twin."""
    return (above_twins(family_gains(rows, CONFIDENCE, "with the state, less its twin")),) if has_twins(rows) else ()


def add_budgets(tables: Tables, table: BindingTable, budgets: Sequence[Budget]) -> None:
    """One table of comparisons with all five criteria, one of the Conditions."""
    tables.add("budget", "Forced budget: comparisons under equal budgets", (_comparison_row(one) for one in budgets))
    names = sorted({name for one in budgets for name in (one.structured, one.control)})
    tables.add(
        "budget_conditions",
        "Forced budget: the Conditions",
        (_condition_row(name, table.of("condition", name)) for name in names),
    )


def _comparison_row(one: Budget) -> dict[str, object]:
    prompt, completion, tokens, latency, gap = one.gate.criteria[:5]
    return {
        "structured": one.structured,
        "control": one.control,
        "role": "gated" if one.gated else "shown beside it",
        "status": one.gate.status,
        "events": one.events,
        "structured_accuracy": one.structured_accuracy.value,
        "control_accuracy": one.control_accuracy.value,
        "k_structured": one.structured_accuracy.k,
        "n_structured": one.structured_accuracy.n,
        "k_control": one.control_accuracy.k,
        "n_control": one.control_accuracy.n,
        "prompt_match_rate": prompt.value,
        "completion_match_rate": completion.value,
        "total_token_ratio": tokens.value,
        "latency_ratio": latency.value,
        "entropy_gap_bits": gap.value,
        "unmeasured": "; ".join(f"{each.name}: {each.reason}" for each in one.gate.criteria if each.value is None),
    }


def _condition_row(name: str, rows: BindingTable) -> dict[str, object]:
    right = _right(rows)
    lost = unmapped(rows)
    return {
        "condition": name,
        "paper": paper_name(name),
        "rows": right.n,
        "accuracy": right.value,
        "unmapped_rate": lost.value,
        "entropy_bits": _bits(rows),
        **{f"mean_{column}": _known_mean(rows, column) for column in _COUNTED},
    }


def _equal(one: BindingTable, two: BindingTable, name: str) -> Share:
    """Events whose counts agree, of those counted on both sides."""
    first, second = _by_event(one, name), _by_event(two, name)
    shared = [key for key in set(first) & set(second) if not np.isnan(first[key] + second[key])]
    return Share(sum(bool(first[key] == second[key]) for key in shared), len(shared))


def _by_event(rows: BindingTable, name: str) -> dict[tuple[str, ...], float]:
    groups = rows.groups("run", "dataset", "event", "probe", "replicate")
    return dict(zip(groups.keys, groups.total(rows.numbers[name]), strict=True))


def _ratio(one: BindingTable, two: BindingTable, names: Sequence[str]) -> float | None:
    first, second = (sum(float(side.numbers[name].sum()) for name in names) for side in (one, two))
    return first / second if np.isfinite(first) and np.isfinite(second) and second > 0 else None


def _bits(rows: BindingTable) -> float | None:
    return entropy_of_counts(np.bincount(rows.text["code"].codes).tolist()).estimate


def _right(rows: BindingTable) -> Share:
    counted = targets_only(rows)
    return correct(counted, np.ones(counted.size, dtype=np.bool_))


def _known_mean(rows: BindingTable, name: str) -> float | None:
    values = rows.numbers[name]
    return float(values.mean()) if values.size and not np.isnan(values).any() else None


def _known(value: float | None, reason: str) -> Detail:
    return Detail(reason=reason if value is None else None)


def _of(share: Share) -> Detail:
    return Detail(k=share.k, n=share.n, reason=None if share.n else NO_TOKENS)


def _rate(share: Share) -> float | None:
    return None if share.value is None else float(share.value)
