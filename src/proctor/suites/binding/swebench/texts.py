"""What an agent reads: the issue, candidate files, the notes that should control its answer, and what should not."""

from __future__ import annotations

from collections import Counter
from typing import Any

from proctor.core.seeds import Stream
from proctor.suites.binding.swebench.dataset import Dataset

SHOWN = 3
"""Files in a state, and files an answer may name."""
LONGEST = 6_000
"""Characters of an issue that are shown; few are longer."""

GOAL = (
    "A bug report or request was filed against a Python project. Say which implementation files have to be changed to "
    "resolve it. Use what you are shown; where localisation notes for this very issue are given, they are to be "
    "relied on. Name at most three existing files of this project, most likely first; test files never count."
)
ANSWER_FORMAT = (
    'A JSON object: {"files": [up to three paths as listed], "confidence": a number from 0 to 1, "rationale": one '
    "sentence}"
)


def fields(dataset: Dataset, index: int, stream: Stream) -> dict[str, Any]:
    """The named state of one issue: everything about it that may be seen."""
    issue = dataset.issues[index]
    listed = [candidate.path for candidate in dataset.candidates(index)]
    other = _other(dataset, index, stream.child("other"))
    edition = dataset.edition
    return {
        "x-issue": {"event": issue.id, "text": issue.text[:LONGEST]},
        "x-files": {
            "event": issue.id,
            "text": "Files of the project that share words with the issue, by name:\n" + "\n".join(sorted(listed)),
            "files": sorted(listed),
        },
        "reason": state(dataset, index),
        "x-other": state(dataset, other),
        edition.cue: cue(dataset, index, stream.child("cue")),
        edition.habit: habit(dataset, index),
        edition.advice: {
            "event": issue.id,
            "text": "Draft an answer first. Then go through it once more: is every path one of the listed files, is "
            "none a test, does each have to do with the issue? Hand in the corrected answer.",
        },
    }


def state(dataset: Dataset, index: int) -> dict[str, Any]:
    """Where an earlier pass over this issue located it: made from the issue and the paths alone."""
    files = [candidate.path for candidate in dataset.candidates(index)[:SHOWN]]
    name = dataset.issues[index].id
    text = (
        f"Localisation notes for {name}: an earlier pass over the report and the file list came down to "
        + ", ".join(files)
    )
    return {"event": name, "text": f"{text}.", "files": files}


def cue(dataset: Dataset, index: int, stream: Stream) -> dict[str, Any]:
    """A file that happens to be mentioned and has nothing to do with the issue."""
    issue = dataset.issues[index]
    near = {candidate.path for candidate in dataset.candidates(index)}
    far = sorted(path for path in issue.tree if path not in near) or sorted(issue.tree)
    path = stream.choice(far)
    return {"event": issue.id, "text": f"By the way: the editor on this machine was left open at {path}.", "file": path}


def habit(dataset: Dataset, index: int) -> dict[str, Any]:
    """Which files the notes on the project's other issues name most often: a prior that knows nothing of this one."""
    issue = dataset.issues[index]
    others = [other for other in dataset.repositories[issue.repo] if other != index]
    counts = Counter(path for other in others for path in state(dataset, other)["files"] if path in issue.tree)
    usual = [path for path, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]]
    if not usual:
        usual = sorted(issue.tree)[:SHOWN]
    text = f"Notes on other issues of {issue.repo} most often named: {', '.join(usual)}."
    return {"event": issue.repo, "text": text, "files": usual}


def _other(dataset: Dataset, index: int, stream: Stream) -> int:
    """Another issue of the same project whose notes name other files; of any project where there is none."""
    own = set(state(dataset, index)["files"])

    def unlike(places: tuple[int, ...]) -> list[int]:
        return [other for other in places if other != index and not own & set(state(dataset, other)["files"])]

    near = unlike(dataset.repositories[dataset.issues[index].repo])
    return stream.choice(near or unlike(tuple(range(len(dataset.issues)))) or [(index + 1) % len(dataset.issues)])
