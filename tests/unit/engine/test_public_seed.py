"""A result that is published on a public seed says so: whoever has the package can regenerate its tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.spec.evaluation import Evaluation

HIDDEN = "ab" * 32


@pytest.mark.parametrize(
    ("seed", "use", "label"),
    [
        (7, "research", "public seed"),
        (7, "procurement", "public seed"),
        (7, None, ""),
        (HIDDEN, "research", ""),
        (HIDDEN, None, ""),
    ],
)
def test_a_claim_on_a_public_seed_is_labelled(seed: int | str, use: str | None, label: str, tmp_path: Path) -> None:
    evaluation = None if use is None else Evaluation.model_validate({"use": use})
    suite = load_suite("hello", tmp_path)
    frozen = freeze(suite=suite, agent="null", folder=tmp_path, seed=seed, evaluation=evaluation)
    assert frozen.seed_label == label
