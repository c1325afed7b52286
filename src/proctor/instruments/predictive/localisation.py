"""From ten rows to one record: a model and an issue, with outcome, predictors and the binding composite.

The outcome is the majority of the three task-only answers: a reference file among the first three, and no hard
violation. The composite uses no reference file in any part: overlap with the shown notes where they are current,
resistance where they are another issue's or a cue is dangled, difference from what the prior alone gives. A missing
part makes the record missing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import Any

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import LocalisationMeasures, measures_of
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS
from proctor.instruments.predictive.design import Design
from proctor.instruments.predictive.records import Records
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_difference

TASK_ONLY = ("task", "task-again")
PARTS = ("bound_current", "bound_decisive", "resists_scrambled", "resists_cue", "unlike_prior")
"""The five parts of the composite."""
ORACLE_FREE = ("model", "repo", "top_score", "issue_words", "entropy", "vote_margin", "rationale_words", "confidence")
"""Baseline features that use no reference."""
WITH_REFERENCE = (*ORACLE_FREE, "rank", "recall", "references")
"""The paper's baseline: three features look at the reference, so both are reported."""
MARGIN = -0.03
"""The guard does no harm if the lower bound of its change in hits is at least this."""


class Answer(msgspec.Struct, frozen=True):
    """What one row says."""

    clean: bool
    """A reference file was named and nothing was violated."""
    violations: tuple[str, ...]
    files: tuple[str, ...]
    measures: LocalisationMeasures


class GuardEffect(msgspec.Struct, frozen=True):
    """The guard against the task-only answers on the same issues."""

    hit: BootstrapEstimate
    """Change in clean hits."""
    violations: BootstrapEstimate
    """Change in the share of answers with a hard violation."""

    @property
    def harmless(self) -> bool | None:
        """Whether hits are non-inferior; None where that cannot be told."""
        return None if self.hit.low is None else self.hit.low >= MARGIN


def design(features: Sequence[str] = WITH_REFERENCE, **more: Any) -> Design:
    """The study of the binding paper on these records."""
    return Design(
        outcome="hit3",
        cluster="issue",
        baseline=tuple(features),
        added="binding",
        within="model",
        leave_out=("repo", "model"),
        **more,
    )


def records(runs: Iterable[Evidence]) -> Records:
    """One record for each model and issue of these runs; what could not be measured is missing."""
    rows = [record for run in runs for record in _of_run(run)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Records({name: [row.get(name) for row in rows] for name in names}, "localisation records")


def guard_effect(runs: Iterable[Evidence], *, draws: int = 10_000) -> GuardEffect:
    """What the guard changed, paired by model and issue."""
    hits: list[tuple[float | None, float | None]] = []
    broken: list[tuple[float | None, float | None]] = []
    issues: list[str] = []
    for run in runs:
        for issue, answers in _answers(run).items():
            plain = [answer for name in TASK_ONLY for answer in answers.get(name, ())]
            guarded = answers.get("guard", [])
            issues.append(issue)
            hits.append((_share(answer.clean for answer in guarded), _share(answer.clean for answer in plain)))
            broken.append(
                (
                    _share(bool(answer.violations) for answer in guarded),
                    _share(bool(answer.violations) for answer in plain),
                )
            )
    return GuardEffect(_difference(hits, issues, draws), _difference(broken, issues, draws))


def _difference(
    pairs: Sequence[tuple[float | None, float | None]], issues: Sequence[str], draws: int
) -> BootstrapEstimate:
    from proctor.core.seeds import Stream

    rng = Stream.keyed("predictive", "guard").numpy()
    return bootstrap_difference([one for one, _ in pairs], [two for _, two in pairs], issues, draws=draws, rng=rng)


def _share(values: Iterable[bool]) -> float | None:
    listed = [bool(value) for value in values]
    return sum(listed) / len(listed) if listed else None


def _answers(run: Evidence) -> dict[str, dict[str, list[Answer]]]:
    """By issue and condition, in presentation order. Rows that the bench broke are missing."""
    answers: dict[str, dict[str, list[Answer]]] = {}
    for row in run.rows:
        measures = measures_of(LocalisationMeasures, row) if row.outcome in (SUCCESS, FAILURE, LIMIT) else None
        if measures is None:
            continue
        broken = tuple(name for name in measures.violations.split(",") if name)
        answer = Answer(row.outcome == SUCCESS, broken, tuple(json.loads(measures.files)), measures)
        answers.setdefault(measures.issue, {}).setdefault(run.arms[row.arm].condition, []).append(answer)
    return answers


def _of_run(run: Evidence) -> list[dict[str, Any]]:
    return [_record(run.frozen.agent, issue, answers) for issue, answers in sorted(_answers(run).items())]


def _record(model: str, issue: str, answers: Mapping[str, Sequence[Answer]]) -> dict[str, Any]:
    task = [answer for name in TASK_ONLY for answer in answers.get(name, ())]
    first = next((listed[0] for listed in answers.values()), None)
    shared = None if first is None else first.measures
    record: dict[str, Any] = {
        "model": model,
        "issue": issue,
        "repo": None if shared is None else shared.repo,
        "hit3": int(sum(answer.clean for answer in task) * 2 > len(task)) if len(task) == 3 else None,
        "violation": int(sum(bool(answer.violations) for answer in task) * 2 > len(task)) if len(task) == 3 else None,
        "issue_words": None if shared is None else shared.issue_words,
        "top_score": None if shared is None else _number(shared.top_score),
        "rank": None if shared is None else shared.rank,
        "recall": None if shared is None else _number(shared.recall),
        "references": None if shared is None else shared.references,
        **_agreement(task),
        **_manner(task),
        **_binding(answers),
    }
    parts = [record[name] for name in PARTS]
    record["binding"] = None if any(part is None for part in parts) else sum(parts) / len(parts)
    return record


def _agreement(task: Sequence[Answer]) -> dict[str, float | None]:
    """How far the three task-only answers agree on the first file."""
    if len(task) != 3:
        return {"entropy": None, "vote_margin": None}
    votes = Counter(answer.files[0] if answer.files else "" for answer in task).most_common()
    shares = [count / 3 for _, count in votes]
    second = votes[1][1] if len(votes) > 1 else 0
    return {"entropy": -sum(share * log2(share) for share in shares) + 0.0, "vote_margin": (votes[0][1] - second) / 3}


def _manner(task: Sequence[Answer]) -> dict[str, float | None]:
    """How long it argues and how sure it says it is, averaged over the task-only answers that say so."""
    return {
        "rationale_words": _mean([_number(answer.measures.rationale_words) for answer in task]),
        "confidence": _mean([_number(answer.measures.confidence) for answer in task]),
    }


def _binding(answers: Mapping[str, Sequence[Answer]]) -> dict[str, float | None]:
    def one(condition: str) -> Answer | None:
        listed = answers.get(condition)
        return listed[0] if listed else None

    current, decisive = one("current-state"), one("decisive-only")
    scrambled, cued, prior = one("scrambled-state"), one("irrelevant-cue"), one("prior-only")
    other = None if scrambled is None else _number(scrambled.measures.overlap_other)
    return {
        "bound_current": None if current is None else _number(current.measures.overlap_state),
        "bound_decisive": None if decisive is None else _number(decisive.measures.overlap_state),
        "resists_scrambled": None if other is None else 1.0 - other,
        "resists_cue": None if cued is None else 1.0 - cued.measures.cue_followed,
        "unlike_prior": None if prior is None or current is None else 1.0 - _jaccard(prior.files, current.files),
    }


def _jaccard(one: Sequence[str], two: Sequence[str]) -> float:
    """Shared files over all files of both. Two answers that name nothing are alike."""
    union = set(one) | set(two)
    return len(set(one) & set(two)) / len(union) if union else 1.0


def _number(value: str | int | None) -> float | None:
    return None if value is None or value == "" else float(value)


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None
