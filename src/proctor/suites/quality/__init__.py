"""The suite `quality`: scenarios of an organisation, and what is needed to write, generate and check them.

A domain is a `ScenarioSet`; `generator` makes scenarios from templates, `lint` checks a set against the design
principles of the harness paper.
"""

from __future__ import annotations

from pathlib import Path

from proctor.spec.documents import read_document
from proctor.spec.suite import Suite


def suite() -> Suite:
    """The suite as declared in `quality.yaml`."""
    path = Path(__file__).with_name("quality.yaml")
    return Suite.parse(read_document(path), source=path.name)
