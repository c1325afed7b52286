"""Runs that a gate made to be sure of another, or a person played: which they are, and which run is `latest`.

A pipeline notes them before they start. They are found by their configuration, so that a killed one is known too.
"""

from __future__ import annotations

from pathlib import Path

from proctor.core.errors import InputError
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.pipeline.stages import pipelines

CONFIRMING = "confirming"
"""The note of a pipeline about the run it made to confirm another."""
CONFIRMING_AGAIN = "confirming-again"
REPEATING = "repeating"
"""That about the run in which it repeated scenarios that turned."""
HUMAN = "human"
"""The agent that is a person at the terminal."""
PLAYED = "play-"
"""Begins the name of the suite of what `proctor play` records."""
_WORDS = {
    CONFIRMING: "confirming rerun",
    CONFIRMING_AGAIN: "second confirming rerun",
    REPEATING: "repeats of scenarios that turned wrong",
}


def made_by_gates(project: Path) -> dict[str, str]:
    """The runs that gates of a project made to be sure: configuration hash → what it is and of which pipeline."""
    return {
        noted["config_hash"]: f"{words}, made by pipeline {pipeline.name}"
        for pipeline in pipelines(project)
        for note, words in _WORDS.items()
        if (noted := pipeline.noted(note)) is not None
    }


def run_meant(store: EvidenceStore, project: Path, name: str) -> RunRecord:
    """The run of this name; `latest` is the newest that no gate made to be sure of another.

    Otherwise the same command, given again, would be about the rerun of what it was about before.
    """
    own = _not_by_gates(store, project) if name == "latest" else []
    return own[-1] if own else store.run(name)


def run_to_gate(store: EvidenceStore, project: Path, name: str) -> RunRecord:
    """The same for a gate: its `latest` is none that a person played either, which is about no agent."""
    if name != "latest":
        return store.run(name)
    own = _not_by_gates(store, project)
    begun = [run for run in own if not _is_played(run)]
    if begun:
        return begun[-1]
    if own:
        message = "there is no run of an agent here, only played ones; begin one with `proctor run`"
        raise InputError(message)
    return store.run(name)


def _not_by_gates(store: EvidenceStore, project: Path) -> list[RunRecord]:
    made = made_by_gates(project)
    return [run for run in store.runs() if run.config_hash not in made]


def _is_played(run: RunRecord) -> bool:
    return run.agent == HUMAN and run.suite.startswith(PLAYED)
