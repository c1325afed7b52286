"""A study of predictive validity in words, for `proctor predict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proctor.instruments.predictive.gain import Study
    from proctor.instruments.predictive.localisation import GuardEffect, Shown
    from proctor.stats.estimate import Estimate


def study_text(name: str, one: Study) -> str:
    """One study: AUC, gain, criteria and sensitivity."""
    from proctor.cli.output import table

    design = one.design
    lines = [
        f"{name}: does '{design.added}' predict '{design.outcome}' beyond {', '.join(design.baseline)}?",
        f"{one.n} records, {one.positives} successes, {one.clusters} clusters ({design.cluster}); "
        f"{one.missing} records lacked something and were left out",
        *_categories(one),
        "",
        table(
            ["out of fold, by cluster", "value", "95 % interval"],
            [
                ["AUC of the baseline", *_cells(one.baseline)],
                ["AUC with the score", *_cells(one.augmented)],
                ["gain", *_cells(one.gain, "+")],
                *(
                    [[f"gain within {design.within} (primary)", *_cells(one.gain_within, "+")]]
                    if one.gain_within
                    else []
                ),
                [f"AUC with the score{_ranked(one)}, less one half", *_cells(one.over_chance, "+")],
                ["gain of the score shuffled", *_null(one)],
                *[[f"AUC of '{name}' alone", *_cells(estimate)] for name, estimate in one.single.items()],
            ],
            right=(1,),
        ),
        "",
        "intervals of AUCs are DeLong's and take rows as independent; those of gains resample clusters",
        *[_criterion(item.name, item.limit, item.value, item.met) for item in one.criteria],
        *_parts(one),
    ]
    return "\n".join(lines) + "\n"


def _cells(estimate: Estimate, sign: str = "") -> list[str]:
    """Value and bounds; `sign` is `+` for differences, which may lie on either side of 0."""
    if estimate.estimate is None:
        return ["–", estimate.reason or ""]
    if estimate.low is None or estimate.high is None:
        return [f"{estimate.estimate:{sign}.3f}", estimate.reason or ""]
    return [f"{estimate.estimate:{sign}.3f}", f"{estimate.low:{sign}.3f} … {estimate.high:{sign}.3f}"]


def _ranked(one: Study) -> str:
    return f" within {one.design.within}" if one.gain_within else ""


def _categories(one: Study) -> list[str]:
    """Said, because one cell that is no number makes a whole column of quantities a list of names."""
    counted = [f"{name} ({count})" for name, count in one.categories.items()]
    return [f"read as categories: {', '.join(counted)}; everything else as numbers"] if counted else []


def _null(one: Study) -> list[str]:
    interval = one.null_interval
    if interval is None:
        return ["–", "too few shuffles" if one.null else "not measured"]
    middle = sum(one.null) / len(one.null)
    return [f"{middle:+.3f}", f"{interval[0]:+.3f} … {interval[1]:+.3f} ({len(one.null)} shuffles)"]


def _criterion(name: str, limit: str, value: float | None, met: bool | None) -> str:
    word = {True: "met", False: "not met: a boundary of the claim", None: "not measured"}[met]
    return f"{name}, {limit}: {'–' if value is None else f'{value:.3f}'}, {word}"


def _parts(one: Study) -> list[str]:
    lines = []
    for kind, words in (("without", "with one {} left out"), ("within", "within one {}")):
        for column in dict.fromkeys(part.column for part in one.parts if part.kind == kind):
            parts = [part for part in one.parts if part.kind == kind and part.column == column]
            known = [part.gain for part in parts if part.gain is not None]
            positive = sum(gain > 0 for gain in known)
            unknown = f"; {len(parts) - len(known)} cannot be told" if len(known) < len(parts) else ""
            lines.append(f"gain above 0 {words.format(column)}: {positive} of {len(known)}{unknown}")
    return lines


def guard_text(guard: GuardEffect, over_task: GuardEffect) -> str:
    """What the guard changed, hits and violations: against the same notes, and beside it against no notes."""
    word = {True: "does no harm", False: "may do harm", None: "cannot be told"}[guard.harmless]
    return (
        f"binding guard against {guard.against}: {_change(guard, f': {word} at a margin of 0.03')}\n"
        f"guard and notes against {over_task.against}, which sees no notes: {_change(over_task)}"
    )


def _change(effect: GuardEffect, judged: str = "") -> str:
    hit, broken = _cells(effect.hit, "+"), _cells(effect.violations, "+")
    return f"hits {hit[0]} ({hit[1]}){judged}; answers with a hard violation {broken[0]} ({broken[1]})"


def shown_text(shown: Shown) -> str:
    """How often what was shown holds the answer."""
    listed, noted = (100 * count / max(1, shown.issues) for count in (shown.listed, shown.noted))
    return (
        f"a reference file is among the files listed in {shown.listed} of {shown.issues} issues ({listed:.0f} %), "
        f"among those of the notes in {shown.noted} ({noted:.0f} %)"
    )
