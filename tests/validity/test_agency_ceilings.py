"""Every cell under every regime it is used with can be passed: an optimal policy reaches 0.90 or more (1,000 draws)."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.conformance.family import check_family
from proctor.engine.names import load_family
from proctor.engine.usage import regimes_used_with
from proctor.suites.agency import agency

FAMILIES = sorted({entry.family for entry in agency().entries})


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_the_ceiling_is_attainable(name: str) -> None:
    found = check_family(
        load_family(name, Path()), regimes=regimes_used_with(name), thorough=True, fresh_process=False, only=["ceiling"]
    )
    assert found.ok, found.results
