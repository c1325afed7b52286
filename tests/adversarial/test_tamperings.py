"""The tamperer at a size for every day; `python -m tests.adversarial tamperings` is the whole of it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.adversarial.attackers.tampering import rates, rewriting
from tests.adversarial.attackers.tamperings import attack

SECURITY = Path(__file__).parents[2] / "docs" / "security.md"


def test_no_tampering_is_accepted() -> None:
    tally = attack(60, 3, suites=("hello", "memory"))
    assert tally.held, "\n".join(tally.obtained)
    assert tally.figures["refused"] > 40


def test_what_nobody_can_find_is_said_in_the_documentation() -> None:
    text = re.sub(r"\s+", " ", SECURITY.read_text())
    for name, (_, reason) in {**rewriting.BEYOND, **rates.NOT_FOUND}.items():
        assert reason in text, name
