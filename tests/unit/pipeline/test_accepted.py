"""The accepted baseline: kept, recorded, carried to another clone, and refused where it is not what was accepted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.conftest import MakeSigner
from tests.unit.pipeline.living import CLERK, accepted, gated, known_signer, live, setting_of, store_of
from tests.unit.pipeline.small_quality import RULES, SUITE, scenario, write_agent, write_project, write_scenarios

from proctor.core.errors import InputError, IntegrityError
from proctor.instruments.quality.baseline import Anchor
from proctor.pipeline.baseline.accepted import (
    PORTABLE_FILE,
    baseline_path,
    find_baseline,
    import_baseline,
    own_baseline,
    with_lineage,
)
from proctor.pipeline.baseline.file import read_baseline, sign, write_baseline
from proctor.pipeline.gate import gate_run
from proctor.pipeline.governance import approved_charter
from proctor.pipeline.keys import PUBLIC_FOLDER
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.proposals import decide_proposal, propose
from proctor.pipeline.scenarios import charter_of_suite
from proctor.pipeline.stages import Pipeline


def path_of(project: Path) -> Path:
    return baseline_path(project, "small-quality")


def cloned(project: Path, clone: Path) -> Path:
    """Another clone: the same files and public keys, no ledger."""
    clone.mkdir()
    write_project(clone)
    shutil.copytree(project / PUBLIC_FOLDER, clone / PUBLIC_FOLDER)
    return clone


def rules(project: Path, **changes: object) -> None:
    (project / "proctor.rules.yaml").write_text(json.dumps({**RULES, **changes}))


def test_a_baseline_moved_to_another_clone_gives_the_same_gate(based: Path, tmp_path: Path) -> None:
    (here,) = live(based, 9)
    first = gated(based, here)
    clone = cloned(based, tmp_path / "clone")
    carried = tmp_path / "carried.baseline"
    write_baseline(with_lineage(read_baseline(path_of(based)), Ledger(based)), carried)
    import_baseline(read_baseline(carried), clone, signer=None)
    (there,) = live(clone, 9)
    again = gated(clone, there)
    assert (again.result, again.reasons, again.standing) == (first.result, first.reasons, first.standing)
    both = [Pipeline(p, d.pipeline).outputs() for p, d in ((based, first), (clone, again))]
    assert both[0]["regression-detection"] == both[1]["regression-detection"]
    assert both[0]["scenario-generation"]["charter"] == both[1]["scenario-generation"]["charter"]


def test_rules_changed_in_the_clone_are_refused_there_too(based: Path, tmp_path: Path) -> None:
    clone = cloned(based, tmp_path / "clone")
    rules(clone, floors={**_floors(), "DA": 0.1})
    file = read_baseline(path_of(based))
    import_baseline(file, clone, signer=None)
    (name,) = live(clone, 9)
    with pytest.raises(InputError, match=r"rules\.floors\.DA 0\.7 → 0\.1"):
        gated(clone, name)


def _floors() -> dict[str, float]:
    return {"DA": 0.7, "GCR": 0.8, "EQS": 0.6, "LUL": 0.05, "CAS": 0.6, "CAS_WITHOUT_LUL": 0.7}


def test_a_changed_baseline_file_is_found(based: Path) -> None:
    path = path_of(based)
    text = path.read_text()
    path.write_text(text.replace('"accepted_at":"2', '"accepted_at":"3', 1))
    with pytest.raises(IntegrityError, match=r"small-quality\.json.*digest"):
        find_baseline(based, "small-quality")
    path.write_text("[]")
    with pytest.raises(IntegrityError, match="not a baseline"):
        find_baseline(based, "small-quality")


def test_a_signed_baseline_cannot_be_signed_by_nobody(based: Path, signer: MakeSigner) -> None:
    names = [one.run for one in read_baseline(path_of(based)).baseline.runs]
    file = accepted(based, *names, signer=signer("anna"))
    assert file.signature is not None
    assert "signed by anna" in file.standing(Ledger(based).keyring)
    older = msgspec.structs.replace(file.baseline, accepted_at="2020-01-01T00:00:00Z")
    write_baseline(msgspec.structs.replace(file, baseline=older), path_of(based))
    with pytest.raises(IntegrityError, match="signature of 'anna'"):
        read_baseline(path_of(based))


def test_too_few_runs_or_several_agents_are_no_baseline(desk: Path) -> None:
    names = live(desk, 1, 2, 3, 4)
    with pytest.raises(InputError, match="at least 5"):
        accepted(desk, *names)
    with pytest.raises(InputError, match="one agent"):
        accepted(desk, *names, *live(desk, 5, agent="null"))


def test_the_anchor_stays_when_a_baseline_is_accepted_again(based: Path) -> None:
    first = read_baseline(path_of(based)).baseline
    names = live(based, 11, 12, 13, 14, 15)
    second = accepted(based, *names, release="2.0").baseline
    assert second.anchor == first.anchor
    assert accepted(based, *names, release="2.0", new_anchor=True).baseline.anchor.release == "2.0"


def test_a_lent_baseline_is_compared_with_and_not_moved(based: Path) -> None:
    (name,) = live(based, 9)
    lent = read_baseline(path_of(based))
    (path_of(based)).unlink()
    with store_of(based) as store:
        decision = gate_run(setting_of(based, baseline=lent, lent=True), store, name)
    assert (decision.result, decision.exit_code) == ("escalate-to-human", 101)
    assert decision.reasons == ("the baseline was given for this gate and is not the accepted one; it informs only",)
    report = (Pipeline(based, decision.pipeline).folder / "report.md").read_text()
    assert "the baseline is signed by zoe; it was given for this gate and is not the accepted one." in report
    assert not (path_of(based)).exists()


def test_approvals_after_acceptance_travel_with_it(based: Path, tmp_path: Path, signer: MakeSigner) -> None:
    rules(based, weights={"DA": 0.5, "GCR": 0.25, "EQS": 0.25})
    ledger, anna, ben = Ledger(based), signer("anna"), signer("ben")
    accepted_before = read_baseline(path_of(based))
    charter = charter_of_suite(SUITE, based)
    wanted = propose(
        ledger, charter, justification="accuracy matters most", evidence=[based / "cases.json"], signer=anna
    )
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed by all", signer=ben)
    with pytest.raises(InputError, match="give --key NAME to sign it with them"):
        with_lineage(accepted_before, ledger)
    file = with_lineage(accepted_before, ledger, anna)
    clone = cloned(based, tmp_path / "clone")
    shutil.copy(based / "proctor.rules.yaml", clone)
    import_baseline(file, clone, signer=None)
    (name,) = live(clone, 9)
    assert "approved by ben" in gated(clone, name).standing
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    with pytest.raises(InputError, match="a key this project does not know"):
        import_baseline(file, stranger, signer=None)
    shutil.copytree(based / PUBLIC_FOLDER, stranger / PUBLIC_FOLDER)
    (stranger / PUBLIC_FOLDER / "ben.pub").unlink()
    import_baseline(file, stranger, signer=None)
    own = Ledger(stranger)
    found = approved_charter(own.entries(), own.keyring, "small-quality")
    assert found is not None
    assert found[0].hash == accepted_before.charter, "without the key of its approver the change counts for nothing"


def test_an_import_that_rests_on_nothing_is_refused(based: Path, tmp_path: Path) -> None:
    file = read_baseline(path_of(based))
    clone, zoe = cloned(based, tmp_path / "elsewhere"), known_signer(based)
    bare = sign(msgspec.structs.replace(file, lineage=()), zoe)
    with pytest.raises(InputError, match="end with another baseline"):
        import_baseline(bare, clone, signer=None)
    without_rules = tuple(one for one in file.lineage if one["kind"] != "genesis")
    with pytest.raises(InputError, match="do not follow from the approvals"):
        import_baseline(sign(msgspec.structs.replace(file, lineage=without_rules), zoe), clone, signer=None)


def everything(project: Path) -> dict[str, bytes]:
    """Every file of a project but the store's, locks and those Python leaves."""
    kept = (path for path in project.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {
        str(path.relative_to(project)): path.read_bytes()
        for path in kept
        if path.name != "lock" and not path.name.startswith("store.db")
    }


def test_a_ledger_that_was_deleted_does_not_begin_anew_beside_a_baseline(based: Path) -> None:
    (name,) = live(based, 9)
    (based / ".proctor" / "ledger.jsonl").unlink()
    rules(based, floors={**_floors(), "DA": 0.1})
    before = everything(based)
    runs = [run.run for run in read_baseline(path_of(based)).baseline.runs]
    for decide in (lambda: gated(based, name), lambda: accepted(based, *runs, new_anchor=True)):
        with pytest.raises(IntegrityError, match="not the baseline that was accepted last"):
            decide()
    assert everything(based) == before


def test_a_baseline_put_back_to_an_earlier_one_is_found(based: Path) -> None:
    earlier = path_of(based).read_bytes()
    accepted(based, *live(based, 11, 12, 13, 14, 15), release="2.0")
    assert find_baseline(based, "small-quality") is not None
    path_of(based).write_bytes(earlier)
    with pytest.raises(IntegrityError, match="not the baseline that was accepted last"):
        find_baseline(based, "small-quality")


def test_an_unsigned_baseline_edited_with_its_digest_is_found(based: Path) -> None:
    file = read_baseline(path_of(based))
    runs = tuple(msgspec.structs.replace(run, metrics={"DA": 0.1}) for run in file.baseline.runs)
    worse = msgspec.structs.replace(file.baseline, runs=runs, anchor=Anchor("1.0", runs))
    lowered = msgspec.structs.replace(file, baseline=worse, signature=None)
    write_baseline(lowered, path_of(based))
    assert read_baseline(path_of(based)) == lowered, "the file holds together in itself"
    with pytest.raises(IntegrityError, match="not the baseline that was accepted last"):
        find_baseline(based, "small-quality")


def test_each_suite_has_a_baseline_of_its_own(based: Path) -> None:
    first = find_baseline(based, "small-quality")
    (based / "desk.py").write_text((based / "desk.py").read_text().replace('"small-quality"', '"other-quality"'))
    write_scenarios(based, [scenario(number) for number in range(12)])
    names = live(based, 1, 2, 3, 4, 5)
    with pytest.raises(InputError, match="two people have to accept it"):
        accepted(based, *names)
    assert accepted(based, *names, signer=known_signer(based, "yan")).suite == "other-quality"
    assert find_baseline(based, "small-quality") == first
    with pytest.raises(InputError, match="baselines of other-quality, small-quality; say which with --suite"):
        own_baseline(based, None)
    assert own_baseline(based, "small-quality") == first
    with pytest.raises(InputError, match="no baseline of suite 'third' in this project; accept one"):
        own_baseline(based, "third")


def test_what_cannot_be_accepted_writes_nothing(desk: Path) -> None:
    names = live(desk, 1, 2, 3, 4)
    with pytest.raises(InputError, match="at least 5"):
        accepted(desk, *names)
    assert not Ledger(desk).path.exists()


def test_runs_of_two_states_of_the_agent_are_no_baseline(desk: Path) -> None:
    names = live(desk, 1, 2, 3, agent=CLERK)
    write_agent(desk, 5)
    with pytest.raises(InputError, match="is of the same agent with other files, unlike "):
        accepted(desk, *names, *live(desk, 4, 5, agent=CLERK))


def test_a_lent_baseline_of_another_suite_or_of_other_rules_is_refused(based: Path) -> None:
    (name,) = live(based, 9)
    lent = read_baseline(path_of(based))
    before = everything(based)
    for changes, why in (({"suite": "other"}, "is of suite 'other'"), ({"charter": "f" * 64}, "never approved")):
        with store_of(based) as store, pytest.raises(InputError, match=why):
            gate_run(setting_of(based, baseline=msgspec.structs.replace(lent, **changes), lent=True), store, name)
    assert everything(based) == before


def test_a_carried_baseline_has_to_be_taken_in_before_a_suite_begins_anew(based: Path, tmp_path: Path) -> None:
    clone = cloned(based, tmp_path / "clone")
    write_baseline(with_lineage(read_baseline(path_of(based)), Ledger(based)), clone / PORTABLE_FILE)
    rules(clone, floors={**_floors(), "DA": 0.1})
    names = live(clone, 1, 2, 3, 4, 5)
    with pytest.raises(InputError, match="carries the approved ones; take them in with `proctor baseline import"):
        gated(clone, names[0])
    with pytest.raises(InputError, match="carries the approved ones"):
        accepted(clone, *names)
    assert not Ledger(clone).path.exists()
    import_baseline(read_baseline(clone / PORTABLE_FILE), clone, signer=None)
    with pytest.raises(InputError, match=r"rules\.floors\.DA 0\.7 → 0\.1"):
        gated(clone, names[0])
