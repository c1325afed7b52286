"""A result that is published on a seed which somebody could have played says so: a public one, and one of 64 digits
that nobody committed to beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.spec.evaluation import Evaluation

HIDDEN = "ab" * 32


@pytest.mark.parametrize(
    ("seed", "use", "committed", "label"),
    [
        (7, "research", False, "public seed"),
        (7, "procurement", False, "public seed"),
        (7, None, False, ""),
        (HIDDEN, "research", True, ""),
        (HIDDEN, "research", False, "seed chosen by the author, not committed beforehand"),
        (HIDDEN, None, False, ""),
    ],
)
def test_a_claim_on_a_seed_that_could_have_been_played_is_labelled(
    seed: int | str, use: str | None, committed: bool, label: str, tmp_path: Path
) -> None:
    evaluation = None if use is None else Evaluation.model_validate({"use": use})
    suite = load_suite("hello", tmp_path)
    frozen = freeze(suite=suite, agent="null", folder=tmp_path, seed=seed, evaluation=evaluation)
    assert frozen.seed_label(committed=committed) == label
