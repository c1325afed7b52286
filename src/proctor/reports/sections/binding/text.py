"""A binding reading for people: trouble with the interface, gates, then each contrast, then how far it reaches."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from proctor.reports.terminal import table

if TYPE_CHECKING:
    from proctor.instruments.binding.criteria import Criterion
    from proctor.instruments.binding.inference import Inference
    from proctor.instruments.binding.reading import BindingReading
    from proctor.instruments.binding.scores import Share
    from proctor.instruments.binding.sufficiency import Sufficiency

_WIDEST = 14
"""Contrasts shown; the rest is in the report and in --json."""


def binding_text(reading: BindingReading) -> str:
    """What a terminal shows of it."""
    parts = [
        _head(reading),
        reading.interface,
        _interface(reading),
        _gates(reading),
        _contrasts(reading),
        _sufficiency(reading),
        _budgets(reading),
        _claims(reading),
        reading.scope,
    ]
    return "\n\n".join(part for part in parts if part)


def _head(reading: BindingReading) -> str:
    records = reading.records
    if records is None:
        return "Causal state binding"
    collapsed = records.duplicate_events + records.repeated
    return f"Causal state binding · {records.scored:,} scored records, {collapsed:,} duplicates collapsed"


def _interface(reading: BindingReading) -> str:
    """Requests without a reply and replies that could not be read: what is below is then about the interface, too."""
    errors: dict[str, Counter[str]] = {"request": Counter(), "reply": Counter()}
    for one in reading.diagnostics:
        errors.setdefault(one.source, Counter())[one.type] += one.rows
    lost, unread = errors["request"], errors["reply"]
    silent = unread.pop("no_reply", 0)
    lines = [
        _counted(
            lost,
            "requests got no reply from the model",
            "they count as unmapped, not as choices: look at its address, its key and its limits",
        ),
        _counted(
            unread,
            "replies are not the requested JSON object",
            "what they do is read from their text where it names one action: `proctor show RUN POSITION` shows one",
        ),
        # A request without a reply is such a row, too, and has been named.
        f"{silent:,} records have no answer at all: nothing was handed in" if silent and not lost else "",
    ]
    return "\n".join(line for line in lines if line)


def _counted(kinds: Counter[str], what: str, advice: str) -> str:
    """How many, of which kinds, and where to look."""
    if not kinds:
        return ""
    each = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
    return f"{kinds.total():,} {what} ({each}); {advice}"


def _gates(reading: BindingReading) -> str:
    lines = []
    for gate in reading.gates:
        met = sum(one.status == "met" for one in gate.criteria)
        lines.append(f"{gate.name} gate: {gate.status}, {met} of {len(gate.criteria)} criteria met")
        lines += [f"  {one.status}: {_criterion(one)}" for one in gate.criteria if one.status != "met"]
    return "\n".join(lines)


def _criterion(one: Criterion) -> str:
    """What was found, and what was asked for."""
    if one.value is None:
        return f"{one.name}: {one.reason or 'no value'} (asked: {one.rule})"
    counted = one.k is not None and one.n is not None
    if counted and one.value == one.k:
        return f"{one.name}: {one.k} of {one.n} (asked: {one.rule})"
    # Counts belong to the value only where they make it up; a bound stands beside counts of something else.
    made_up = counted and one.n and abs(one.value - (one.k or 0) / one.n) < 1e-9
    beside = f", {one.k:,} of {one.n:,}" if made_up else ""
    # Means of decimals leave a rest of 1e-17 where they should leave nothing.
    return f"{one.name}: {round(one.value, 9) + 0.0:.4g}{beside} (asked: {one.rule})"


def _contrasts(reading: BindingReading) -> str:
    named: list[tuple[str, Inference]] = [(one.contrast, one) for one in reading.contrasts if one.units]
    if not reading.contrasts and any(gate.name == "own state" for gate in reading.gates):
        named += [(one.contrast, one) for one in reading.controls if one.units]
    named += [(f"structured over {one.control}", one.families) for one in reading.cells]
    if reading.coupling is not None:
        named += [(one.inference.contrast, one.inference) for one in reading.coupling.contrasts]
    if not named:
        return ""
    rows = [_row(name, one) for name, one in named[:_WIDEST]]
    level = f"{100 * named[0][1].across.confidence:.0f} % interval"
    text = table(["contrast", "mean", level, "positive", "above 0", "by"], rows, right=(1, 3))
    left = f"\n… and {len(named) - _WIDEST} more, in the report and in --json" if len(named) > _WIDEST else ""
    return text + left


def _row(name: str, one: Inference) -> list[str]:
    from proctor.instruments.binding.ranges import range_of_contrast, within

    across = one.events if one.events is not None else one.across
    limits = range_of_contrast(one.contrast)
    # Means of decimals leave a rest of -1e-17 where they should leave nothing.
    mean = "not measured" if across.estimate is None else f"{round(across.estimate, 9) + 0.0:.3f}"
    bounds = () if across.low is None or across.high is None else (across.low, across.high)
    interval = " – ".join(f"{within(bound, limits):.3f}" for bound in bounds) or "–"
    above = {True: "yes", False: "no", None: "not decided"}[one.above_zero]
    return [name, mean, interval, f"{one.across.positive}/{one.across.n}", above, one.decides]


def _sufficiency(reading: BindingReading) -> str:
    if not reading.sufficiency:
        return ""
    # One model is named by the run; its name would only widen the table.
    several = len(reading.sufficiency) > 1
    rows = [
        [*([one.model] if several else []), condition, *_accuracy(one, condition, share)]
        for one in reading.sufficiency
        for condition, share in one.accuracy.items()
        if share.n
    ]
    heads = [*(["model"] if several else []), "condition", "right", "accuracy", "95 % over families"]
    lines = [table(heads, rows, right=(len(heads) - 3, len(heads) - 2))]
    lines += [(f"{one.model}: " if several else "") + _followed(one) for one in reading.sufficiency]
    return "\n".join(lines)


def _followed(one: Sufficiency) -> str:
    """Recovery, and how often a field of another event was followed, as it was and behind the guard."""
    recovery = "undefined" if one.recovery is None else f"{one.recovery:.3f}"
    raw, after, acts = one.following.raw, one.following.guarded, one.following.guarded_acts
    if not raw.n:
        return f"recovery {recovery}"
    return (
        f"recovery {recovery}; another event's field was followed in {raw.k}/{raw.n}, behind the guard in "
        f"{acts.k}/{acts.n} ({after.k}/{after.n} counting deferrals of the guard where that field asks to defer)"
    )


def _budgets(reading: BindingReading) -> str:
    if not reading.budgets:
        return ""
    rows = [
        [
            f"{one.structured} over {one.control}",
            *(f"{share.k}/{share.n}" for share in (one.structured_accuracy, one.control_accuracy)),
            *("not measured" if each.value is None else f"{each.value:.3f}" for each in one.gate.criteria),
            "gated" if one.gated else "beside it",
        ]
        for one in reading.budgets
    ]
    criteria = ["prompts", "replies", "tokens", "time", "entropy gap", "less its twin"]
    held = criteria[: len(reading.budgets[0].gate.criteria)]
    head = ["forced budget", "right", "control", *held, ""]
    return table(head, rows, right=tuple(range(1, len(head) - 1)))


def _claims(reading: BindingReading) -> str:
    """What may be said, line by line of the ledger.

    What speaks against a claim stands with the gates; where all of them are met, or none would help, it is said here.
    """
    from proctor.evidence.evidence import INCOMPLETE
    from proctor.instruments.binding.claims import ELSEWHERE
    from proctor.instruments.binding.versions import OLD, QUICK

    if not reading.claims:
        return ""
    passed = not reading.interface and all(gate.status == "met" for gate in reading.gates)
    lines = []
    for one in reading.claims:
        never = next((why for why in (QUICK, OLD) if one.contrary.startswith(why)), "")
        if one.contrary.startswith(INCOMPLETE):
            never = one.contrary.partition("; ")[0]
        if one.contrary.startswith(ELSEWHERE):
            lines.append(f"  {one.block}: {ELSEWHERE}")
            continue
        reason = f": {never or one.contrary}" if never or (passed and one.contrary) else ""
        lines.append(f"  {one.block}: {one.supported or f'none is supported{reason}'}")
    return "\n".join(["Claims", *lines])


def _accuracy(one: Sufficiency, condition: str, share: Share) -> list[str]:
    """Counts, accuracy, and an interval over families where there are several."""
    from proctor.instruments.binding.sufficiency import interval

    estimate = interval(one, condition)
    bounds = estimate.reason or "" if estimate.low is None else f"{estimate.low:.3f} – {estimate.high:.3f}"
    return [f"{share.k}/{share.n}", f"{share.k / share.n:.3f}", bounds]
