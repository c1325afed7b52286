"""The attacker of input files, at a small size."""

from __future__ import annotations

from tests.adversarial.attackers.inputs import KINDS, attack


def test_no_damaged_file_brings_a_loader_down() -> None:
    tally = attack(40 * KINDS, 3)
    assert tally.obtained == ()
    assert tally.held
