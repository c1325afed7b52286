"""The world of one localisation: shows what the condition lets be seen, and scores the files that are named.

Everything the predictors use is measured without the reference; what needs it (`hit`, `rank`, `recall`, `references`)
is kept under names of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from proctor.core.canonical import encode
from proctor.evidence.measures import LOCALISATION, TAG
from proctor.guard import Field, Guard
from proctor.spec.condition import visible
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.binding.swebench.dataset import Dataset, Issue
from proctor.suites.binding.swebench.paths import cleaned, is_test, violations
from proctor.suites.binding.swebench.texts import SHOWN
from proctor.worlds.world import BaseWorld, EpisodeContext, Place

GUARDED = "guard"
"""The condition whose answers pass through the binding guard before they are scored."""
LONGEST_PATH = 512
"""Characters of a named path that are kept: no project has a longer one."""
SCRAMBLED = "scrambled-state"
CUED = "irrelevant-cue"


class LocalisationWorld(BaseWorld):
    """One issue."""

    def __init__(self, instance: Instance, place: Place, dataset: Dataset) -> None:
        super().__init__(instance, place)
        self._dataset = dataset
        self._issue: Issue = dataset.issues[instance.hidden["place"]]
        self._condition = ""
        self._shown: dict[str, Any] = dict(instance.state)

    def set_context(self, context: EpisodeContext) -> None:
        self._condition = context.condition.id
        decisive = tuple(self.instance.hidden["decisive"])
        self._shown = visible(self.instance.state, context.condition, decisive, context.donor_state)

    def observe(self) -> dict[str, Any]:
        return {**self.instance.observation, "state": self._shown}

    def verify(self, submission: Submission) -> Verification:
        answer = submission.answer
        files = named_files(answer, self._issue.tree)
        if files is None:
            return Verification(False, "unreadable", format_error=True, measures=self._measures([], answer, ("empty",)))
        if self._condition == GUARDED:
            files = self._guarded(files)
        broken = self._violations(files)
        hit = any(path in self._issue.reference for path in files)
        measures = self._measures(files, answer, broken)
        if broken:
            return Verification(False, broken[0], measures=measures)
        return Verification(hit, "correct" if hit else "missed", measures=measures)

    def _guarded(self, files: list[str]) -> list[str]:
        """What the guard lets through: existing implementation files that agree with the notes, or else the notes."""
        notes = self._shown.get("reason")
        kept = tuple(path for path in files if path in self._issue.tree and not is_test(path))
        if notes is None:
            return list(kept)
        implied = tuple(notes["files"])
        # An answer that names one of the noted files agrees with them: the guard asks for binding, not for a copy.
        proposed = implied if set(kept) & set(implied) else kept
        ruling = Guard[tuple[str, ...]](defer=()).rule(
            proposed, event=self._issue.id, field=Field(notes["event"], implied)
        )
        return list(ruling.action if ruling.changed else kept)

    def _violations(self, files: Sequence[str]) -> tuple[str, ...]:
        scrambled: Collection[str] = ()
        if self._condition == SCRAMBLED:
            scrambled = self.instance.state["x-other"]["files"]
        return violations(
            files, tree=self._issue.tree, elsewhere=self._dataset.elsewhere(self._issue.repo), scrambled=scrambled
        )

    def _measures(self, files: Sequence[str], answer: Any, broken: Sequence[str]) -> dict[str, int | str]:
        state, issue = self.instance.state, self._issue
        listed = [candidate.path for candidate in self._dataset.candidates(self.instance.hidden["place"])]
        ranks = [number for number, path in enumerate(listed, 1) if path in issue.reference]
        confidence = answer.get("confidence") if isinstance(answer, dict) else None
        rationale = answer.get("rationale") if isinstance(answer, dict) else None
        measures: dict[str, int | str] = {
            TAG: LOCALISATION,
            "issue": issue.id,
            "repo": issue.repo,
            "files": encode(list(files)).decode(),
            "hit": int(any(path in issue.reference for path in files)),
            "violations": ",".join(broken),
            "overlap_state": _overlap(files, state["reason"]["files"]),
            "overlap_other": _overlap(files, state["x-other"]["files"]),
            "cue_followed": int(state[self._dataset.edition.cue]["file"] in files),
            "issue_words": len(issue.text.split()),
            "top_score": format(self._dataset.candidates(self.instance.hidden["place"])[0].score, ".6f"),
            "rank": ranks[0] if ranks else len(listed) + 1,
            "recall": format(len(ranks) / len(issue.reference), ".6f") if issue.reference else "",
            "references": len(issue.reference),
        }
        if isinstance(rationale, str):
            measures["rationale_words"] = len(rationale.split())
        if isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1:
            measures["confidence"] = format(float(confidence), ".6f")
        return measures


def named_files(answer: Any, tree: Collection[str] = ()) -> list[str] | None:
    """The first three distinct files of an answer; None where it cannot be read as naming any."""
    listed = answer.get("files") if isinstance(answer, dict) else answer
    if isinstance(listed, str):
        listed = [listed]
    if not isinstance(listed, list) or not all(isinstance(path, str) for path in listed):
        return None
    return list(dict.fromkeys(path[:LONGEST_PATH] for path in (cleaned(each, tree) for each in listed) if path))[:SHOWN]


def _overlap(files: Sequence[str], others: Sequence[str]) -> str:
    """Shared files over all files of both, as a decimal."""
    union = set(files) | set(others)
    return format(len(set(files) & set(others)) / len(union), ".6f") if union else "0.000000"
