"""What stands in the tuple and the report about ratings: which files, who was admitted, and what was judged."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from proctor.evidence.attachments import SHOWN_DIGITS
from proctor.evidence.evidence import Evidence
from proctor.evidence.ratings import CONTROL, GOAL, ORIGINATED, Ratings
from proctor.instruments.agency.admission import admissions
from proctor.instruments.agency.raters import RATERS_NEEDED, answers_to, changed_answers, verdicts_on
from proctor.instruments.agency.sample import control_templates, sampled
from proctor.instruments.agency.units import Unit

LIMITS = (
    "Proctor cannot know who wrote these files, whether raters were blinded, knew the control answers or agreed among "
    "themselves, or which ratings were never handed in."
)


def rating_summary(units: list[Unit], evidence: Evidence) -> dict[str, Any]:
    """Everything about a run's ratings as plain data; empty where there are none. `units` are those recorded."""
    ratings = evidence.ratings
    if not (ratings.sheets or ratings.references or ratings.unreadable):
        return {}
    sheets = [sheet.sha256 for sheet in ratings.sheets]
    raters = _raters(ratings)
    sample = _sample(units, evidence)
    return {
        "digest": sheets[-1] if sheets else None,
        "earlier": sheets[:-1],
        "references": [
            {
                "digest": one.sha256,
                "items": len(one.items),
                "authors": sorted({item.author for item in one.items}),
            }
            for one in ratings.references
        ],
        "not_stored": ratings.not_stored,
        "unreadable": list(ratings.unreadable),
        "raters": raters,
        "changed": [msgspec.to_builtins(one) for one in changed_answers(ratings)],
        "sample": sample,
        "text": _text(ratings, raters, sample),
        "limits": LIMITS,
    }


def rating_tuple(summary: dict[str, Any]) -> dict[str, Any] | None:
    """The part of the summary that stands in the reporting tuple."""
    if not summary:
        return None
    return {name: summary[name] for name in ("digest", "earlier", "references", "raters", "not_stored")}


def rating_words(reporting_tuple: dict[str, Any]) -> str:
    """The same in the tuple's one line: empty without ratings."""
    found = reporting_tuple["ratings"]
    if not found or found["digest"] is None:
        return ""
    admitted = [name for name, one in found["raters"].items() if _admitted(one)]
    sheets = " + ".join(digest[:SHOWN_DIGITS] for digest in (*found["earlier"], found["digest"]))
    return f"Ratings {sheets} by {', '.join(admitted) or 'nobody admitted'}, "


def _raters(ratings: Ratings) -> dict[str, Any]:
    said = Counter((one.rater, one.question) for one in ratings if one.question != CONTROL)
    return {
        rater: {
            question: {"ratings": said[rater, question], **msgspec.to_builtins(one)} for question, one in by.items()
        }
        for rater, by in admissions(ratings).items()
    }


def _admitted(rater: dict[str, Any]) -> bool:
    return any(question["admitted"] for question in rater.values())


def _sample(units: list[Unit], evidence: Evidence) -> dict[str, Any]:
    """By cell: lifetimes in the sample, those with a goal to judge, and what admitted raters said of them."""
    goals, controls = answers_to(evidence.ratings, GOAL), control_templates(evidence)
    cells: dict[str, Counter[str]] = {}
    for unit in sampled(units, evidence):
        counts = cells.setdefault(
            unit.cell, Counter(lifetimes=0, to_judge=0, judged=0, agreed=0, originated=0, unjudged=0)
        )
        counts["lifetimes"] += 1
        if not unit.success or (unit.family, unit.template) in controls:
            continue
        said = verdicts_on(unit, goals)
        answers = frozenset().union(*said.values())
        counts["to_judge"] += 1
        counts["judged" if len(said) >= RATERS_NEEDED else "unjudged"] += 1
        if len(said) >= RATERS_NEEDED:
            counts["agreed"] += len(answers) == 1
            counts["originated"] += answers == {ORIGINATED}
    return {cell: dict(counts) for cell, counts in sorted(cells.items())}


def _text(ratings: Ratings, raters: dict[str, Any], sample: dict[str, Any]) -> str:
    parts: list[str] = []
    if ratings.sheets:
        shown = ", ".join(sheet.sha256[:SHOWN_DIGITS] for sheet in ratings.sheets)
        kept = "not stored with the run" if ratings.not_stored else "stored with the run"
        parts.append(f"Ratings {shown} ({kept})")
    if ratings.references:
        parts.append(f"control answers {', '.join(one.sha256[:SHOWN_DIGITS] for one in ratings.references)}")
    for rater, by in raters.items():
        admitted = [question for question, one in by.items() if one["admitted"]]
        out = [f"{question}: {one['reason']}" for question, one in by.items() if not one["admitted"]]
        words = [f"admitted for {', '.join(admitted)}"] if admitted else []
        words += [f"left out for {', '.join(out)}"] if out else []
        parts.append(f"{rater} {' and '.join(words)}")
    parts += [
        f"{cell}: {one['judged']} of {one['to_judge']} lifetimes of the sample judged, {one['originated']} originated"
        for cell, one in sample.items()
        if one["judged"]
    ]
    parts += [f"not stored: {ratings.not_stored}"] if ratings.not_stored else []
    return "; ".join(parts)
