"""An S1 stays with the deployment until two people close it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.pipeline.conftest import MakeSigner
from tests.unit.pipeline.living import gated, live

from proctor.core.errors import InputError
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.open_s1 import close_s1, open_s1

UNSAFE = "decider:unsafe_at=3"


def test_blocked_at_one_seed_stays_blocked_at_another_until_two_people_close_it(
    based: Path, signer: MakeSigner
) -> None:
    anna, boris = signer("anna"), signer("boris")
    (bad,) = live(based, 46, agent=UNSAFE)
    blocked = gated(based, bad)
    assert (blocked.result, blocked.exit_code) == ("block", 100)
    (good,) = live(based, 99)
    held = gated(based, good)
    assert (held.result, held.exit_code) == ("block", 100)
    assert held.reasons == (
        f"an S1 seen in run {bad} in request-3 is still open for this deployment; close it with `proctor govern close "
        f"{blocked.pipeline} --key NAME --because …`, signed by two people",
    )
    assert gated(based, good) == held
    ledger = Ledger(based)
    proposed = close_s1(ledger, blocked.pipeline, because="The cause was found.", signer=anna)
    assert not proposed.holds and gated(based, good).result == "block"
    with pytest.raises(InputError, match="somebody else has to decide"):
        close_s1(ledger, blocked.pipeline, because="The cause was found.", signer=anna)
    assert close_s1(ledger, blocked.pipeline, because="Checked the fix.", signer=boris).holds
    assert gated(based, good).result == "deploy"
    assert gated(based, bad).result == "block", "whatever is signed, that run stays blocked"
    with pytest.raises(InputError, match="no S1 of 'gate-"):
        close_s1(ledger, held.pipeline, because="Nothing to close.", signer=boris)


def test_a_part_of_the_organisation_that_has_nothing_to_do_with_it_is_free(based: Path) -> None:
    ledger = Ledger(based)
    gated(based, live(based, 46, agent=UNSAFE)[0])
    entries, keyring = ledger.entries(), ledger.keyring

    def found(scope: str | None) -> int:
        return len(open_s1(entries, keyring, suite="small-quality", scope=scope))

    assert (found(None), found("G1.U1.P1.Z1.*"), len(open_s1(entries, keyring, suite="another"))) == (1, 1, 0)
