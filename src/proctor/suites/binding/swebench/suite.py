"""The suite `binding-swebench`: ten rows for each pair of model and issue, on a dataset the user has.

Three task-only answers (one cool, two warm), five diagnostic conditions, one answer behind the guard and one with the
same compute spent on repair. No condition shows anything of the reference.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.core.errors import NeedsData
from proctor.spec.condition import Condition
from proctor.spec.suite import Entry, Suite
from proctor.suites.binding.swebench.family import NAME, source

COOL, WARM = {"temperature": 0.2}, {"temperature": 0.9}
_SEEN = ("x-issue", "x-files")


def _condition(name: str, *shown: str, sampling: dict[str, float] = COOL, **reads: Any) -> Condition:
    """Only the fields named are shown."""
    kept = dict.fromkeys(shown, "keep")
    return Condition.parse(
        {"id": name, "reads": {"decisive": "remove", "rest": "remove", **kept, **reads}, "sampling": sampling},
        source="binding-swebench",
    )


CONDITIONS = (
    _condition("task", *_SEEN),
    _condition("task-again", *_SEEN, sampling=WARM),
    _condition("current-state", *_SEEN, "reason"),
    _condition("decisive-only", "reason"),
    _condition("scrambled-state", *_SEEN, reason={"do": "swap", "field": "x-other"}),
    _condition("prior-only", "x-prior"),
    _condition("irrelevant-cue", *_SEEN, "reason", "x-cue"),
    _condition("guard", *_SEEN, "reason"),
    _condition("repair", *_SEEN, "x-repair"),
)


class LocalisationSuite:
    """What is registered: a suite once it is given a folder."""

    def __call__(self) -> Suite:
        """What the bare name gives: a sentence on what is missing."""
        message = "suite 'binding-swebench' needs a folder with issues.jsonl and trees.jsonl: give --data FOLDER"
        raise NeedsData(message)

    def on_data(self, folder: Path) -> Suite:
        """The suite on the dataset in this folder."""
        family = source.open_data(folder, "")
        count = len(family.dataset.issues)
        reference = f"{NAME}#{folder}"
        single = tuple(condition.id for condition in CONDITIONS if condition.id != "task-again")
        return Suite(
            name="binding-swebench",
            version="1.0",
            title="Does binding predict where an issue is located?",
            description="Issue-to-file localisation under ten conditions; localisation only, never issue resolution.",
            epoch="2026-01-01T00:00:00Z",
            entries=(
                Entry(family=reference, n=count, conditions=single),
                Entry(family=reference, n=count, conditions=("task-again",), replicates=2),
            ),
            conditions=CONDITIONS,
        )


suite = LocalisationSuite()
