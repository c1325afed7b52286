"""The suite `hello`: six small families under two regimes, a first examination that takes minutes.

Reading a message, keeping a ledger, finding a way past blocked roads, sorting real files, booking in a real database
and bringing pages through a flaky pipeline. The state of the world or an exact answer decides every one of them.
"""

from __future__ import annotations

from pathlib import Path

from proctor.spec.documents import read_document
from proctor.spec.suite import Suite


def suite() -> Suite:
    """The suite as declared in `suite.yaml`."""
    path = Path(__file__).with_name("suite.yaml")
    return Suite.parse(read_document(path), source=path.name)
