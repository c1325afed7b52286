"""Nothing is decided on a ledger, a store or a decision that somebody tampered with, and refusing writes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.pipeline.living import Killed, accepted, gated, live, store_of
from tests.unit.pipeline.small_quality import RULES

from proctor.core.errors import InputError, IntegrityError
from proctor.pipeline.ledger import Ledger


def rules(project: Path, **changes: object) -> None:
    (project / "proctor.rules.yaml").write_text(json.dumps({**RULES, **changes}))


def test_what_is_refused_leaves_nothing_behind(based: Path) -> None:
    (name,) = live(based, 9)
    rules(based, weights={"DA": 0.5, "GCR": 0.25, "EQS": 0.25})
    before = Ledger(based).path.read_bytes()
    with pytest.raises(InputError, match=r"rules\.weights\.DA 0\.4 → 0\.5"):
        gated(based, name)
    assert Ledger(based).path.read_bytes() == before
    assert not (based / ".proctor" / "pipeline").exists()


@pytest.mark.parametrize("left", [0, 1])
def test_a_ledger_that_lost_a_decision_decides_nothing_more(desk: Path, left: int) -> None:
    """Deleted or cut off: the decisions kept beside it tell."""
    one, two = live(desk, 1, 2)
    gated(desk, one)
    path = Ledger(desk).path
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:left]))
    with pytest.raises(IntegrityError, match="its decision is not in the ledger, which was cut off or replaced"):
        gated(desk, two)
    with pytest.raises(IntegrityError, match="its decision is not in the ledger"):
        accepted(desk, one, two)


def test_evidence_that_was_changed_is_not_decided_on(based: Path) -> None:
    (name,) = live(based, 9, agent="null")
    with store_of(based) as store:
        changed = "UPDATE episodes SET measures = REPLACE(measures, '\"correct\":0', '\"correct\":1')"
        assert store.connection.exec_driver_sql(changed).rowcount
        store.connection.commit()
    with pytest.raises(IntegrityError, match=f"run {name}.*the gate does not decide on changed evidence"):
        gated(based, name)
    with pytest.raises(IntegrityError, match="the gate does not decide on changed evidence"):
        accepted(based, name)


def test_a_decision_that_somebody_wrote_beforehand_is_not_taken_for_the_gates_own(based: Path) -> None:
    """Unsigned entries can be forged, and a pipeline's name can be known before it is executed."""
    (name,) = live(based, 9, agent="null")
    with pytest.raises(Killed):
        gated(based, name, _killed)
    (folder,) = (based / ".proctor" / "pipeline").iterdir()
    forged = {"pipeline": folder.name, "run": name, "result": "deploy", "reasons": ["fine"], "standing": "as ever"}
    Ledger(based).append("decision", forged)
    with pytest.raises(IntegrityError, match="another decision about pipeline"):
        gated(based, name)


def _killed(*_: object, **__: object) -> None:
    raise Killed
