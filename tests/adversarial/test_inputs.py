"""The attacker of input files, at a small size."""

from __future__ import annotations

from tests.adversarial.attackers.inputs import LOADERS, attack


def test_no_damaged_file_brings_a_loader_down() -> None:
    tally = attack(50 * len(LOADERS), 3)
    assert tally.obtained == ()
    assert tally.held
