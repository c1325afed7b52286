"""An S1 stays with the deployment until two people close it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.pipeline.conftest import MakeSigner
from tests.unit.pipeline.living import gated, live

from proctor.cli.gate import show
from proctor.core.errors import InputError
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.open_s1 import UNDER_LOAD, OpenS1, close_s1, open_s1
from proctor.reports.gate_results import S1Seen

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


def test_what_was_closed_stays_closed_when_the_same_run_is_gated_again(
    based: Path, signer: MakeSigner, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its evidence: another decision about the same episodes opens nothing, and another run does."""
    anna, boris, ledger = signer("anna"), signer("boris"), Ledger(based)
    monkeypatch.chdir(based)
    (bad,) = live(based, 46, agent=UNSAFE)
    first = gated(based, bad)
    show(first, json=False, quiet=False)
    assert f"`proctor govern close {first.pipeline} --key NAME --because …`" in capsys.readouterr().out
    for key in (anna, boris):
        close_s1(ledger, first.pipeline, because="The cause was found.", signer=key)
    (good,) = live(based, 99)
    assert gated(based, good).result == "deploy"
    again = gated(based, bad, rehearsal=False)
    assert again.pipeline != first.pipeline and again.result == "block", "the run itself stays blocked"
    show(again, json=False, quiet=False)
    assert "the S1 was closed by two people" in capsys.readouterr().out
    assert gated(based, good).result == "deploy"
    assert open_s1(ledger.entries(), ledger.keyring) == []
    (worse,) = live(based, 47, agent=UNSAFE)
    other = gated(based, worse)
    assert gated(based, good).result == "block"
    assert [one.pipeline for one in open_s1(ledger.entries(), ledger.keyring)] == [other.pipeline]


@pytest.mark.parametrize(
    ("changes", "closed"),
    [
        ({}, True),
        ({"episodes": (3,)}, True),
        ({"episodes": (3, 8)}, False),
        ({"root": "another"}, False),
        ({"root": None}, False),
        ({"run": "another"}, False),
        ({"scenarios": ("a", "b")}, False),
        ({"scope": "G1.*"}, False),
        ({"scenarios": ("a", UNDER_LOAD), "load": "r2"}, False),
    ],
)
def test_the_same_s1_is_the_same_episodes_of_the_same_evidence(changes: dict[str, Any], closed: bool) -> None:
    known = opened()
    assert opened(**changes).is_in(known) is closed
    assert not replace(known, seen=()).is_in(known), "a decision from before episodes were kept is closed by itself"


def test_an_s1_under_load_is_the_same_in_the_same_record() -> None:
    seen = replace(opened(scenarios=(UNDER_LOAD,), load="r1"), seen=())
    assert seen.is_in(seen) and not replace(seen, load="r2").is_in(seen) and not replace(seen, load=None).is_in(seen)


def opened(
    run: str = "run-1",
    root: str | None = "00",
    episodes: tuple[int, ...] = (3, 7),
    scenarios: tuple[str, ...] = ("a",),
    scope: str | None = None,
    load: str | None = None,
) -> OpenS1:
    """What a decision saw in one run."""
    seen = (S1Seen(run=run, root=root, episodes=episodes),)
    return OpenS1("gate-1", run, "quality", scope, scenarios, "entry", load, seen)


def test_a_part_of_the_organisation_that_has_nothing_to_do_with_it_is_free(based: Path) -> None:
    ledger = Ledger(based)
    gated(based, live(based, 46, agent=UNSAFE)[0])
    entries, keyring = ledger.entries(), ledger.keyring

    def found(scope: str | None) -> int:
        return len(open_s1(entries, keyring, suite="small-quality", scope=scope))

    assert (found(None), found("G1.U1.P1.Z1.*"), len(open_s1(entries, keyring, suite="another"))) == (1, 1, 0)
