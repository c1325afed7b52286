"""The suite `binding-swebench`: twelve rows for each pair of model and issue, on a dataset the user has.

Three task-only answers (one cool, two warm) make the outcome. Five diagnostic conditions show notes, another issue's
notes, a cue or a habit; each is compared with an answer to the same without them: `task-apart`, a task-only answer
that is no part of the outcome, and `bare`, which shows nothing but the issue's name. One answer passes through the
guard, and one has the same compute spent on repair. No condition shows anything of the reference.

Version 1.0, with ten rows, has neither: it is there for comparison with the paper.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.core.errors import NeedsData
from proctor.spec.condition import Condition
from proctor.spec.suite import Entry, Suite
from proctor.suites.binding.swebench import family
from proctor.suites.binding.swebench.dataset import FIRST, SECOND, Edition

COOL, WARM = {"temperature": 0.2}, {"temperature": 0.9}
_SEEN = ("x-issue", "x-files")
AGAIN = "task-again"


def _condition(name: str, *shown: str, sampling: dict[str, float] = COOL, **reads: Any) -> Condition:
    """Only the fields named are shown."""
    kept = dict.fromkeys(shown, "keep")
    return Condition.parse(
        {"id": name, "reads": {"decisive": "remove", "rest": "remove", **kept, **reads}, "sampling": sampling},
        source="binding-swebench",
    )


def _conditions(edition: Edition) -> tuple[Condition, ...]:
    """The nine conditions of both versions."""
    return (
        _condition("task", *_SEEN),
        _condition(AGAIN, *_SEEN, sampling=WARM),
        _condition("current-state", *_SEEN, "reason"),
        _condition("decisive-only", "reason"),
        _condition("scrambled-state", *_SEEN, reason={"do": "swap", "field": "x-other"}),
        _condition("prior-only", edition.habit),
        _condition("irrelevant-cue", *_SEEN, "reason", edition.cue),
        _condition("guard", *_SEEN, "reason"),
        _condition("repair", *_SEEN, edition.advice),
    )


PAPER = _conditions(FIRST)
CONDITIONS = (*_conditions(SECOND), _condition("task-apart", *_SEEN), _condition("bare"))


class LocalisationSuite:
    """What is registered: a suite once it is given a folder."""

    def __init__(
        self, version: str, description: str, source: family.LocalisationSource, conditions: tuple[Condition, ...]
    ) -> None:
        self._version = version
        self._description = description
        self._source = source
        self._conditions = conditions

    def __call__(self) -> Suite:
        """What the bare name gives: a sentence on what is missing."""
        message = "suite 'binding-swebench' needs a folder with issues.jsonl and trees.jsonl: give --data FOLDER"
        raise NeedsData(message)

    def on_data(self, folder: Path) -> Suite:
        """The suite on the dataset in this folder."""
        opened = self._source.open_data(folder, "")
        count = len(opened.dataset.issues)
        reference = f"{opened.spec.id}#{folder}"
        single = tuple(condition.id for condition in self._conditions if condition.id != AGAIN)
        return Suite(
            name="binding-swebench",
            version=self._version,
            title="Does binding predict where an issue is located?",
            description=self._description,
            epoch="2026-01-01T00:00:00Z",
            entries=(
                Entry(family=reference, n=count, conditions=single),
                Entry(family=reference, n=count, conditions=(AGAIN,), replicates=2),
            ),
            conditions=self._conditions,
        )


paper = LocalisationSuite(
    "1.0",
    "Issue-to-file localisation under ten conditions; localisation only, never issue resolution.",
    family.first,
    PAPER,
)
suite = LocalisationSuite(
    "2.0",
    "Issue-to-file localisation with and without notes, in twelve rows; localisation only, never issue resolution.",
    family.source,
    CONDITIONS,
)
