"""Runs that a gate made to be sure of another: which they are, and which run is meant by `latest`.

A pipeline notes them before they start. They are found by their configuration, so that a killed one is known too.
"""

from __future__ import annotations

from pathlib import Path

from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.pipeline.stages import pipelines

CONFIRMING = "confirming"
"""The note of a pipeline about the run it made to confirm another."""
CONFIRMING_AGAIN = "confirming-again"
REPEATING = "repeating"
"""That about the run in which it repeated scenarios that turned."""
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
    if name == "latest":
        made = made_by_gates(project)
        own = [run for run in store.runs() if run.config_hash not in made]
        if own:
            return own[-1]
    return store.run(name)
