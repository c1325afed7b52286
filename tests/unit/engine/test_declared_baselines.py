"""A baseline that the bench makes itself is not a matter of declaration."""

from __future__ import annotations

import pytest

from proctor.api import run
from proctor.core.errors import InputError
from proctor.spec.system import System


def test_nobody_declares_what_the_bench_imposes() -> None:
    system = System.model_validate({"name": "s", "baselines": {"model-free": "null"}})
    with pytest.raises(InputError, match="the bench makes an agent of kind 'oracle' model-free itself"):
        run("tiers-quick", agent="oracle:tier3", system=system, seed=1)
