"""The hostile zoo, at a small size."""

from __future__ import annotations

import pytest

from proctor.worlds.sandbox import available
from tests.adversarial.attackers.zoo import attack


@pytest.mark.skipif(available() is not None, reason="needs a sandbox")
def test_no_hostile_agent_obtains_anything() -> None:
    tally = attack(16, 3)
    assert tally.obtained == ()
    assert tally.held
