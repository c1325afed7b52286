"""The text–label consistency screen for counterfactuals: does the visible text say what the label says?

A counterfactual regenerates text and target together. The screen reads the text like anybody would, without the
target, and compares: what can be read and does not agree is a contradiction in what is shown, and such a row is kept as
a boundary row, never as evidence.
"""

from __future__ import annotations

from typing import Literal

from proctor.models.simulated.rules_benchmark import implied
from proctor.suites.binding.corpora.probes import Built

_ORDER = ("veto", "memory", "self", "reason", "x-situation")
"""What decides before what."""


def screened(built: Built) -> Literal["pass", "boundary"]:
    """`pass` where the fields, read in order of precedence, give the target."""
    for name in _ORDER:
        field = built.state.get(name)
        code = None if field is None else implied(name, field["text"], built.options)
        if code is not None:
            return "pass" if code == built.hidden["target"] else "boundary"
    return "boundary"
