"""Issue-to-file localisation as a family: instance i is issue i of the dataset."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.core.errors import InputError
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.task import Instance, Submission, TaskView
from proctor.suites.binding.swebench.dataset import FIRST, SECOND, Dataset, Edition
from proctor.suites.binding.swebench.paths import VIOLATIONS
from proctor.suites.binding.swebench.texts import ANSWER_FORMAT, GOAL, fields
from proctor.suites.binding.swebench.world import LocalisationWorld
from proctor.worlds.world import Place, World


class LocalisationFamily:
    """The issues of one dataset folder."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.spec = FamilySpec(
            id=dataset.edition.family,
            title="Which files does this issue concern?",
            description="Real issues of real projects; an answer names at most three implementation files.",
            environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
            criterion="A file of the reference patch is among the first three named, and no hard violation occurs.",
            verification="Named paths are compared with the repository's file list and with the reference patch.",
            reasons=("correct", "missed", "unreadable", *VIOLATIONS),
            templates=tuple(sorted(dataset.repositories)),
            observation_schema={
                "type": "object",
                "properties": {"issue": {"type": "string"}, "repository": {"type": "string"}, "state": {}},
            },
            answer_schema={
                "type": "object",
                "properties": {"files": {"type": "array"}, "confidence": {"type": "number"}, "rationale": {}},
                "required": ["files"],
            },
            data=dataset.digest,
        )

    @property
    def supply(self) -> int:
        """Instances there are: one per issue, and no more."""
        return len(self.dataset.issues)

    def instance(self, draw: Draw) -> Instance:
        index = draw.index % len(self.dataset.issues)
        issue = self.dataset.issues[index]
        return Instance(
            template=issue.repo,
            goal=GOAL,
            answer_format=ANSWER_FORMAT,
            observation={"issue": issue.id, "repository": issue.repo},
            # The notes that scramble come from the suite's data, not from the run: every agent meets the same.
            state=fields(self.dataset, index, draw.source.child("issue", index)),
            hidden={"place": index, "decisive": ["reason"], "reference": list(issue.reference)},
        )

    def world(self, instance: Instance, place: Place) -> World:
        return LocalisationWorld(instance, place, self.dataset)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return {"files": instance.hidden["reference"][:3]}

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    return Submission(answer={"files": instance.hidden["reference"][:3], "confidence": 1, "rationale": "reference"})


class LocalisationSource:
    """What is registered: a family once it is given a folder."""

    needs: Sequence[str] = ("a dataset folder",)

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def open_data(self, path: Path, part: str) -> LocalisationFamily:
        """The family on the dataset in this folder."""
        if part:
            name = self.edition.family
            message = f"'{name}' has no parts; write {name}#{path}"
            raise InputError(message)
        return LocalisationFamily(_dataset(path.resolve(), self.edition))


@lru_cache(maxsize=4)
def _dataset(folder: Path, edition: Edition) -> Dataset:
    return Dataset(folder, edition)


first = LocalisationSource(FIRST)
source = LocalisationSource(SECOND)
