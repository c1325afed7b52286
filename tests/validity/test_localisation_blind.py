"""Whoever reads no notes has nothing to gain from them: the study comes out null, whatever he knows of the issues."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from proctor import api
from proctor.agents.contract import Session
from proctor.core.seeds import Stream
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.predictive import localisation
from proctor.instruments.predictive.gain import Study
from proctor.spec.task import Submission, TaskView
from proctor.suites.binding.swebench.dataset import Dataset
from proctor.suites.binding.swebench.suite import LocalisationSuite, paper, suite
from tests.unit.suites.binding.swebench import repository

FEATURES = ("model", "repo", "confidence", "rationale_words")
Answerer = Callable[[dict[str, Any], Stream], list[str]]


class Blind:
    """Answers by a function of what is shown and of the episode's own chance."""

    def __init__(self, answer: Answerer) -> None:
        self._answer = answer

    async def run(self, task: TaskView, session: Session) -> Submission:
        chance = Stream.keyed("blind", task.nonce)
        files = self._answer(session.observations[0].fields, chance)
        answer = {"files": files, "confidence": round(chance.random(), 3), "rationale": "said the same way every time"}
        return Submission(answer=answer)


class Other(Blind):
    """A second model."""


def runs_of(
    folder: Path, place: Path, answerers: Sequence[Answerer], version: LocalisationSuite = suite
) -> list[Evidence]:
    declared, store = version.on_data(folder), str(place / "store.db")
    kinds = zip((Blind, Other), answerers, strict=True)
    names = [api.run(declared, agent=kind(one), seed=5, store=store, preflight=False).run for kind, one in kinds]
    with Store(store) as opened:
        return [evidence_of(opened, name) for name in names]


def knows(folder: Path, share: float, steady: bool) -> Answerer:
    """Knows the answer to some issues by their id; not steady: now and then, more often for some than for others."""
    issues = {issue.id: issue for issue in Dataset(folder).issues}

    def answer(seen: dict[str, Any], chance: Stream) -> list[str]:
        issue = issues[seen["issue"]]
        trait = Stream.keyed("knows", str(share), issue.id)
        known = trait.chance(share) if steady else chance.chance(trait.random())
        if known:
            return list(issue.reference[:3])
        return (trait if steady else chance).sample(sorted(issue.tree), 3)

    return answer


def reads_only_the_issue(seen: dict[str, Any], chance: Stream) -> list[str]:
    """Looks for the issue's words in the file list, and reads no field besides."""
    state = seen["state"]
    if "x-issue" not in state:
        return ["setup.py"]
    words = set(state["x-issue"]["text"].lower().split())
    fitting = [path for path in state["x-files"]["files"] if words & set(path.removesuffix(".py").split("/"))]
    return chance.sample(fitting or state["x-files"]["files"], 2)


def study_of(runs: list[Evidence]) -> Study:
    return localisation.localisation_study(localisation.records(runs), FEATURES, shuffles=0, draws=2_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository.write(tmp_path_factory.mktemp("data") / "own", per_project=40)


def null(found: Study) -> bool:
    """Whether chance alone explains the gain, or what was gained from."""
    lows = [found.primary.low, found.over_chance.low]
    return not found.passed and any(low is not None and low <= 0 for low in lows)


def test_knowing_ids_met_every_criterion_of_the_first_version(folder: Path, tmp_path: Path) -> None:
    """Why there is a second one: the paper's composite is credited to whoever knows the answers beforehand."""
    found = study_of(runs_of(folder, tmp_path, [knows(folder, 0.4, True), knows(folder, 0.7, True)], paper))
    assert all(criterion.met for criterion in found.criteria[:4])
    assert found.criteria[4].met is None, "which is no claim"
    assert not found.passed


def test_knowing_ids_is_nothing_where_overlap_without_notes_is_taken_off(folder: Path, tmp_path: Path) -> None:
    runs = runs_of(folder, tmp_path, [knows(folder, 0.4, True), knows(folder, 0.7, True)])
    assert set(localisation.records(runs)["binding"]) == {0.0}
    found = study_of(runs)
    assert null(found)
    assert found.primary.estimate == 0.0
    assert found.coefficient == 0.0


def test_a_changeable_memory_of_ids_is_null_as_well(folder: Path, tmp_path: Path) -> None:
    assert null(study_of(runs_of(folder, tmp_path, [knows(folder, 0.4, False), knows(folder, 0.7, False)])))


def test_reading_the_issue_and_no_notes_is_null(folder: Path, tmp_path: Path) -> None:
    assert null(study_of(runs_of(folder, tmp_path, [reads_only_the_issue, knows(folder, 0.5, False)])))


def test_copying_whatever_notes_are_shown_is_null_if_they_are_another_issue_s(folder: Path, tmp_path: Path) -> None:
    """Notes of another issue in place of this one's, always: binding to them is perfect and predicts nothing."""
    dataset = Dataset(folder)
    notes = {
        issue.id: [one.path for one in dataset.candidates(place)[:3]] for place, issue in enumerate(dataset.issues)
    }
    ids = sorted(notes)
    known = knows(folder, 0.5, False)

    def copies(seen: dict[str, Any], chance: Stream) -> list[str]:
        if "reason" not in seen["state"]:
            return known(seen, chance)
        # As if the notes had been dealt anew among all issues.
        place = Stream.keyed("dealt", seen["issue"]).below(len(ids))
        return notes[ids[place]] if chance.chance(0.5) else known(seen, chance)

    assert null(study_of(runs_of(folder, tmp_path, [copies, knows(folder, 0.5, False)])))
