"""From the rows of `binding-swebench` to one record: a model and an issue, with outcome, predictors and the composite.

The outcome is the majority of the three task-only answers: a reference file among the first three, and no hard
violation. The composite uses no reference file in any part, and every part is a difference: what an answer shares with
the notes (another issue's notes, a cue, the habit) where they were shown, against an answer to the same without them
that is no part of the outcome. So whoever reads none of them has a composite of 0 on average, whatever he knows of the
issue. A missing part makes the record missing.

Runs of version 1.0 have no such answers: their composite is the paper's, and no claim rests on it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import Any

import msgspec

from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.evidence.evidence import Evidence
from proctor.evidence.measures import LocalisationMeasures, measures_of
from proctor.evidence.row import FAILURE, LIMIT, SUCCESS
from proctor.instruments.predictive.design import Design
from proctor.instruments.predictive.gain import Criterion, Study, study
from proctor.instruments.predictive.records import Records
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_difference

TASK_ONLY = ("task", "task-again")
PARTS = ("bound_current", "bound_decisive", "resists_scrambled", "resists_cue", "unlike_prior")
"""The five parts of the composite."""
ORACLE_FREE = ("model", "repo", "top_score", "issue_words", "entropy", "vote_margin", "rationale_words", "confidence")
"""Baseline features that use no reference."""
WITH_REFERENCE = (*ORACLE_FREE, "rank", "recall", "references")
"""The paper's baseline: three features look at the reference, so both are reported."""
SCRAMBLED = "follows_scrambled"
"""The control: the same difference with another issue's notes, which say nothing of this one."""
APART, BARE = "task-apart", "bare"
"""The conditions that show what the diagnostic ones show, without what is examined; no part of the outcome."""
UNCOMPARED = (
    "binding-swebench@1.0 does not compare overlap with the notes with overlap without them, so that whoever never "
    "read them can meet its criteria: no claim; run version 2.0 for one"
)
NOTED = 3
"""Files that notes name: the first of the candidates."""
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
    """The guard against other answers on the same issues."""

    hit: BootstrapEstimate
    """Change in clean hits."""
    violations: BootstrapEstimate
    """Change in the share of answers with a hard violation."""
    against: str = "the task alone"
    """What the guarded answers are compared with."""

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


class Shown(msgspec.Struct, frozen=True):
    """How often the files that were shown hold one of the reference."""

    issues: int
    listed: int
    """Issues with a reference file among the candidates listed."""
    noted: int
    """Issues with one among the files of the notes."""


def localisation_study(table: Records, features: Sequence[str] = WITH_REFERENCE, **more: Any) -> Study:
    """The study with its control: another issue's notes must not predict success on this one."""
    found = study(table, design(features, **more))
    if all(value is None for value in table[SCRAMBLED]):
        extra = Criterion("overlap without the notes", "taken off (binding-swebench 2.0)", None, None)
    else:
        control = study(table, msgspec.structs.replace(found.design, added=SCRAMBLED, shuffles=0))
        low = control.primary.low
        met = None if low is None else not (low > 0.0 and control.coefficient > 0.0)
        extra = Criterion("lower bound of the gain of another issue's notes", "not above 0", low, met)
    return msgspec.structs.replace(found, criteria=(*found.criteria, extra))


def version_of(runs: Iterable[Evidence]) -> str:
    """The version of the suite that all these runs are of; different ones are refused."""
    versions = sorted({run.frozen.suite.version for run in runs})
    if len(versions) > 1:
        message = f"runs of binding-swebench in versions {' and '.join(versions)} are not comparable; give one version"
        raise InputError(message)
    return versions[0]


def reference_shown(runs: Iterable[Evidence]) -> Shown:
    """How often the reference is among what was shown; whatever runs they are, an issue counts once."""
    first: dict[str, LocalisationMeasures] = {}
    for run in runs:
        for issue, answers in _answers(run).items():
            first.setdefault(issue, next(iter(answers.values()))[0].measures)
    listed = [measures for measures in first.values() if (_number(measures.recall) or 0.0) > 0.0]
    return Shown(len(first), len(listed), sum(measures.rank <= NOTED for measures in listed))


def records(runs: Iterable[Evidence]) -> Records:
    """One record for each model and issue of these runs; what could not be measured is missing."""
    rows = [record for run in runs for record in _of_run(run)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Records({name: [row.get(name) for row in rows] for name in names}, "localisation records")


def guard_effect(runs: Iterable[Evidence], *, draws: int = 10_000) -> GuardEffect:
    """What the guard changed against the same agent that sees the same notes, paired by model and issue."""
    return _guard_effect(runs, ("current-state",), "the same notes without it", draws)


def guard_over_task(runs: Iterable[Evidence], *, draws: int = 10_000) -> GuardEffect:
    """What guard and notes together changed against the task alone, which sees no notes."""
    return _guard_effect(runs, TASK_ONLY, "the task alone", draws)


def _guard_effect(runs: Iterable[Evidence], against: Sequence[str], words: str, draws: int) -> GuardEffect:
    hits: list[tuple[float | None, float | None]] = []
    broken: list[tuple[float | None, float | None]] = []
    issues: list[str] = []
    for run in runs:
        for issue, answers in _answers(run).items():
            plain = [answer for name in against for answer in answers.get(name, ())]
            guarded = answers.get("guard", [])
            issues.append(issue)
            hits.append((_share(answer.clean for answer in guarded), _share(answer.clean for answer in plain)))
            broken.append(
                (
                    _share(bool(answer.violations) for answer in guarded),
                    _share(bool(answer.violations) for answer in plain),
                )
            )
    return GuardEffect(_difference(hits, issues, draws), _difference(broken, issues, draws), words)


def _difference(
    pairs: Sequence[tuple[float | None, float | None]], issues: Sequence[str], draws: int
) -> BootstrapEstimate:
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
    paired = run.frozen.suite.version != "1.0"
    return [_record(run.frozen.agent, issue, answers, paired) for issue, answers in sorted(_answers(run).items())]


def _record(model: str, issue: str, answers: Mapping[str, Sequence[Answer]], paired: bool) -> dict[str, Any]:
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
        **(_differences(answers) if paired else _binding(answers)),
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


def _one(answers: Mapping[str, Sequence[Answer]], condition: str) -> Answer | None:
    listed = answers.get(condition)
    return listed[0] if listed else None


def _differences(answers: Mapping[str, Sequence[Answer]]) -> dict[str, float | None]:
    """The five parts, each against the answer to the same without what is examined."""
    current, decisive, cued = (_one(answers, name) for name in ("current-state", "decisive-only", "irrelevant-cue"))
    scrambled, prior = _one(answers, "scrambled-state"), _one(answers, "prior-only")
    apart, bare = _one(answers, APART), _one(answers, BARE)
    followed = _more(scrambled, apart, "overlap_other")
    cue = _more(cued, current, "cue_followed")
    unlike = None
    if prior is not None and current is not None and bare is not None:
        unlike = _jaccard(bare.files, current.files) - _jaccard(prior.files, current.files)
    return {
        "bound_current": _more(current, apart, "overlap_state"),
        "bound_decisive": _more(decisive, bare, "overlap_state"),
        "resists_scrambled": None if followed is None else 0.0 - followed,
        "resists_cue": None if cue is None else 0.0 - cue,
        "unlike_prior": unlike,
        SCRAMBLED: followed,
    }


def _more(one: Answer | None, two: Answer | None, measure: str) -> float | None:
    """How much more of a measure the first answer has."""
    if one is None or two is None:
        return None
    first, second = (_number(getattr(answer.measures, measure)) for answer in (one, two))
    return None if first is None or second is None else first - second


def _binding(answers: Mapping[str, Sequence[Answer]]) -> dict[str, float | None]:
    """The paper's parts, which compare with nothing."""
    current, decisive = _one(answers, "current-state"), _one(answers, "decisive-only")
    scrambled, cued = _one(answers, "scrambled-state"), _one(answers, "irrelevant-cue")
    prior = _one(answers, "prior-only")
    other = None if scrambled is None else _number(scrambled.measures.overlap_other)
    return {
        "bound_current": None if current is None else _number(current.measures.overlap_state),
        "bound_decisive": None if decisive is None else _number(decisive.measures.overlap_state),
        "resists_scrambled": None if other is None else 1.0 - other,
        "resists_cue": None if cued is None else 1.0 - cued.measures.cue_followed,
        "unlike_prior": None if prior is None or current is None else 1.0 - _jaccard(prior.files, current.files),
        SCRAMBLED: None,
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
