"""A baseline that is taken in where a ledger is kept: the newest rules that people approved are in force."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.living import NAME, accepted, gated, known_signer, live
from tests.unit.pipeline.small_quality import RULES, SUITE, write_project

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.instruments.quality.project import read_governed
from proctor.pipeline import ledger as ledger_module
from proctor.pipeline.baseline.accepted import baseline_path, import_baseline, with_lineage
from proctor.pipeline.baseline.file import BaselineFile, read_baseline, sign
from proctor.pipeline.baseline.lawful import record_of
from proctor.pipeline.governance import approved_charter
from proctor.pipeline.keys import PUBLIC_FOLDER
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.proposals import decide_proposal, propose
from proctor.pipeline.scenarios import charter_of_suite

PLAIN = {"DA": 0.5, "GCR": 0.25, "EQS": 0.25}
HEAVY = {"DA": 0.6, "GCR": 0.2, "EQS": 0.2}
OTHER = {"DA": 0.4, "GCR": 0.3, "EQS": 0.3}


def weigh(project: Path, weights: dict[str, float] | None) -> None:
    """Write rules with these weights; with None those of the first."""
    changed = {} if weights is None else {"weights": weights}
    (project / "proctor.rules.yaml").write_text(json.dumps({**RULES, **changed}))


def approve(project: Path, weights: dict[str, float] | None, *, at: str | None = None) -> None:
    """Two people change the rules of a project, by the clock of that day."""
    weigh(project, weights)
    anna, ben = known_signer(project, "anna"), known_signer(project, "ben")
    ledger = Ledger(project)
    with pytest.MonkeyPatch.context() as patched:
        if at is not None:
            patched.setattr(ledger_module, "format_timestamp", lambda _: at)
        wanted = propose(
            ledger,
            charter_of_suite(SUITE, project),
            justification="this is what matters",
            evidence=[project / "cases.json"],
            signer=anna,
        )
        decide_proposal(ledger, wanted.id, approve=True, reason="agreed by all", signer=ben)


def exported(project: Path) -> BaselineFile:
    return with_lineage(read_baseline(baseline_path(project, NAME)), Ledger(project), known_signer(project))


def charter_in_force(project: Path) -> str:
    ledger = Ledger(project)
    found = approved_charter(ledger.entries(), ledger.keyring, NAME)
    assert found is not None
    return found[0].hash


def ci(project: Path, place: Path) -> Path:
    """A clone that keeps its ledger between jobs, and knows everybody's key."""
    place.mkdir()
    write_project(place)
    for name in ("anna", "ben", "zoe"):
        known_signer(project, name)
    shutil.copytree(project / PUBLIC_FOLDER, place / PUBLIC_FOLDER)
    return place


def refused_here(project: Path, weights: dict[str, float] | None, seed: int) -> None:
    weigh(project, weights)
    (name,) = live(project, seed)
    with pytest.raises(InputError, match="differs from its approved rules"):
        gated(project, name)


def test_rules_approved_since_take_the_place_of_those_a_kept_ledger_has(based: Path, tmp_path: Path) -> None:
    old, clone = exported(based), ci(based, tmp_path / "ci")
    approve(based, PLAIN)
    new = exported(based)
    assert (old.version, old.digest) == (new.version, new.digest), "only the approvals are new"
    import_baseline(old, clone, signer=None)
    (name,) = live(clone, 9)
    assert gated(clone, name).result == "deploy"
    assert import_baseline(new, clone, signer=None)
    refused_here(clone, None, 10)
    weigh(clone, PLAIN)
    (name,) = live(clone, 11)
    decision = gated(clone, name)
    assert (decision.result, "approved by ben, proposed by anna" in decision.standing) == ("deploy", True)
    fresh = ci(based, tmp_path / "fresh")
    import_baseline(new, fresh, signer=None)
    assert charter_in_force(fresh) == charter_in_force(clone) == charter_in_force(based)
    again = exported(clone)
    assert again.lineage == new.lineage, "what this ledger exports leads to the same rules"


def test_a_baseline_accepted_under_rules_approved_since_is_taken_in(based: Path, tmp_path: Path) -> None:
    clone = ci(based, tmp_path / "ci")
    import_baseline(exported(based), clone, signer=None)
    approve(based, PLAIN)
    second = accepted(based, *live(based, 11, 12, 13, 14, 15), release="2.0")
    import_baseline(second, clone, signer=None)
    assert charter_in_force(clone) == second.charter == charter_in_force(based)


def test_an_earlier_export_does_not_bring_its_rules_back(based: Path, tmp_path: Path) -> None:
    old, clone = exported(based), ci(based, tmp_path / "ci")
    approve(based, PLAIN)
    import_baseline(exported(based), clone, signer=None)
    assert not import_baseline(old, clone, signer=None)
    assert charter_in_force(clone) == charter_in_force(based)
    refused_here(clone, None, 9)


def grafted(newer: BaselineFile, older: BaselineFile, project: Path) -> BaselineFile:
    """A newer baseline with the approvals of an older one and its own acceptance: one known key can write this."""
    file = msgspec.structs.replace(newer, version=newer.version + 1)
    zoe = known_signer(project)
    place = project.parent / "elsewhere"
    entry = Ledger(place).append("acceptance", record_of(file, read_governed(project)), signer=zoe)
    return sign(msgspec.structs.replace(file, lineage=(*older.lineage, jsonable(entry))), zoe)


def test_an_older_lineage_under_a_newer_baseline_brings_no_rules_back(based: Path, tmp_path: Path) -> None:
    old, clone = exported(based), ci(based, tmp_path / "ci")
    approve(based, PLAIN)
    new = exported(based)
    import_baseline(new, clone, signer=None)
    import_baseline(grafted(new, old, based), clone, signer=None)
    assert charter_in_force(clone) == charter_in_force(based)
    refused_here(clone, None, 9)
    with pytest.raises(InputError, match="versions only rise"):
        import_baseline(new, clone, signer=None)


def test_rules_that_one_person_approved_alone_are_not_brought_in(based: Path, tmp_path: Path) -> None:
    clone = ci(based, tmp_path / "ci")
    import_baseline(exported(based), clone, signer=None)
    before = charter_in_force(clone)
    weigh(based, PLAIN)
    ledger, anna, zoe = Ledger(based), known_signer(based, "anna"), known_signer(based)
    charter = charter_of_suite(SUITE, based)
    reason = "this is what matters"
    wanted = propose(ledger, charter, justification=reason, evidence=[based / "cases.json"], signer=anna)
    body = {"suite": NAME, "proposal": wanted.id, "reason": reason, "to": charter.hash}
    ledger.append("approval", body, signer=anna)
    ledger.append("approval", body)
    (based / PUBLIC_FOLDER / "eve.pub").unlink(missing_ok=True)
    ledger.append("approval", body, signer=known_signer(tmp_path, "eve"))
    import_baseline(sign(exported(based), zoe), clone, signer=None)
    assert charter_in_force(clone) == before
    refused_here(clone, PLAIN, 9)


def test_approvals_that_part_from_those_in_force_are_refused(based: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(based, other)
    clone = ci(based, tmp_path / "ci")
    approve(based, PLAIN)
    approve(other, OTHER)
    import_baseline(exported(based), clone, signer=None)
    before = Ledger(clone).path.read_bytes()
    with pytest.raises(InputError, match=r"do not go on from the rules in force here.*propose its change here"):
        import_baseline(exported(other), clone, signer=None)
    assert Ledger(clone).path.read_bytes() == before
    # Written past the command, it counts for nothing either.
    file = exported(other)
    Ledger(clone).append(
        "import",
        {"suite": NAME, "baseline": file.digest, "charter": file.charter, "lineage": list(file.lineage)},
    )
    assert charter_in_force(clone) == charter_in_force(based)


def test_an_approval_from_another_past_is_not_put_after_a_rollback(based: Path, tmp_path: Path) -> None:
    """Anna and Ben once agreed on OTHER in another copy; here the rules went to PLAIN and back since."""
    other = tmp_path / "other"
    shutil.copytree(based, other)
    approve(other, OTHER)
    approve(based, PLAIN, at="2999-01-01T00:00:00Z")
    approve(based, None, at="2999-01-02T00:00:00Z")
    clone, file, zoe = ci(based, tmp_path / "ci"), exported(based), known_signer(based)
    import_baseline(file, clone, signer=None)
    before = charter_in_force(clone)
    extra = [one for one in exported(other).lineage if one["kind"] in ("proposal", "approval")]
    crafted = sign(msgspec.structs.replace(file, lineage=(*file.lineage, *extra)), zoe)
    with pytest.raises(InputError, match="do not go on from the rules in force here"):
        import_baseline(crafted, clone, signer=None)
    assert charter_in_force(clone) == before


def test_the_lineage_of_another_suite_brings_in_nothing(based: Path, tmp_path: Path) -> None:
    clone = ci(based, tmp_path / "ci")
    import_baseline(exported(based), clone, signer=None)
    before = charter_in_force(clone)
    approve(based, PLAIN)
    lineage = exported(based).lineage
    renamed = [
        {**one, "body": {**one["body"], "suite": "other"}} if one["kind"] in ("proposal", "approval") else one
        for one in lineage
    ]
    file, zoe = exported(based), known_signer(based)
    with pytest.raises(Exception, match="it carries was changed"):
        import_baseline(sign(msgspec.structs.replace(file, lineage=tuple(renamed)), zoe), clone, signer=None)
    with pytest.raises(InputError, match="end with another baseline"):
        import_baseline(sign(msgspec.structs.replace(file, suite="other"), zoe), clone, signer=None)
    # Written past the command as that of another suite, it says nothing about this one.
    Ledger(clone).append("import", {"suite": "other", "baseline": "0" * 64, "lineage": list(lineage)})
    assert charter_in_force(clone) == before
