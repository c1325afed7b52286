"""`proctor audit`: whatever a vendor edits in a bundle gets the right answer, also with every digest made anew."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.cli.forging import rehashed, relabel
from tests.unit.cli.registering import FILE, register, run
from tests.unit.evidence.making import Forgery, members_of, rebuilt

import proctor
from proctor.core.canonical import canonical
from proctor.core.hashing import sha256_hex
from proctor.engine.names import load_suite
from proctor.evidence.attachments import Attachment
from proctor.evidence.bundle import export_bundle, verify_bundle
from proctor.evidence.rated import rated_evidence
from proctor.evidence.registration_log import LogEntry
from proctor.evidence.store.store import Store
from proctor.pipeline.keys import PRIVATE_FOLDER_VARIABLE, load_signer, make_key
from proctor.pipeline.signing import sign_bundle
from proctor.spec.preregistration import Registered

COMPLIANT, CONTESTED, INVALID = "Compliant", "Contested (Evidence Insufficient)", "Invalid (Non-Compliance)"
SHEET = "rater,question,subject,answer\nann,success,0,yes\nann,success,1,no\nbo,success,0,yes\n"


class Claim:
    """What a vendor hands over: a bundle with ratings, signed and unsigned, and a report published apart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "vendor"
        self.project.mkdir()
        (folder / "sheet.csv").write_text(SHEET)
        place = str(folder / "store.db")
        result = proctor.run("hello", agent="clerk", seed=7, only=("track", "files"), store=place)
        make_key("vendor", self.project)
        make_key("other", self.project)
        with Store(place, create=False) as store:
            number = store.run(result.run).number
            rated_evidence(store, result.run, ratings=[folder / "sheet.csv"])
            self.plain = folder / "plain.proctor"
            manifest = export_bundle(store, number, self.plain)
            signature = sign_bundle(manifest, store.attachments(number), load_signer("vendor", self.project))
            store.attach(number, signature.kind, signature.content)
            self.signed = folder / "signed.proctor"
            self.manifest = export_bundle(store, number, self.signed)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Claim:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PRIVATE_FOLDER_VARIABLE, str(tmp_path_factory.mktemp("private")))
        return Claim(tmp_path_factory.mktemp("claim"))


@pytest.fixture
def claim(made: Claim, cli: Cli, tmp_path: Path) -> Claim:
    """The same, in a project that knows the vendor's key."""
    (tmp_path / "proctor.keys").mkdir()
    shutil.copy(made.project / "proctor.keys" / "vendor.pub", tmp_path / "proctor.keys")
    return made


Audit = Callable[..., Any]


@pytest.fixture
def audit(cli: Cli) -> Audit:
    """The record of an audit; what is printed and the exit code agree."""

    def call(*arguments: str | Path) -> Any:
        done = cli("audit", *arguments, "--json")
        assert done.code == (0 if done.json["determination"] == COMPLIANT else 1), done.err
        return done.json

    return call


def states(record: Any) -> dict[str, str]:
    return {check["name"]: check["state"] for check in record["checks"]}


def damaged(source: Path, target: Path, edit: Callable[[str, bytes], bytes | None]) -> Path:
    """A bundle edited by hand: members changed or left out, no digest made anew."""
    kept = [(name, edit(name, data)) for name, data in members_of(source)]
    return rebuilt(target, [(name, data) for name, data in kept if data is not None])


def test_an_honest_claim_complies(claim: Claim, audit: Audit, cli: Cli) -> None:
    found = audit(claim.signed, "--signed-by", "vendor", "--reverify", "--rerun", "3", "--seed", "a")
    assert found["determination"] == COMPLIANT, found["reasons"]
    assert found["limits"] == []
    assert set(states(found).values()) == {"ok", "not possible", "not asked"}
    assert (states(found)["reverify"], states(found)["rerun"], states(found)["signature"]) == ("ok", "ok", "ok")
    assert found["subjects"][0]["root"] == claim.manifest.root
    said = cli("audit", claim.signed).out
    assert "\nCompliant\n" in said


def test_an_unsigned_claim_says_what_would_not_have_been_found(claim: Claim, audit: Audit) -> None:
    found = audit(claim.plain)
    assert found["determination"] == COMPLIANT
    assert any("--reverify or by a signature" in limit for limit in found["limits"])
    assert states(found)["signature"] == "not possible"
    assert not any("--reverify or" in limit for limit in audit(claim.plain, "--reverify")["limits"])


def test_one_label(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    position = relabel(forged)
    by_hand = forged.write(tmp_path / "by-hand.proctor")
    found = audit(by_hand)
    assert found["determination"] == INVALID
    assert states(found)["evidence"] == "wrong"
    anew = rehashed(forged, tmp_path / "anew.proctor")
    assert verify_bundle(anew).ok
    assert audit(anew)["determination"] == COMPLIANT, "only acts or signatures can show it"
    found = audit(anew, "--reverify")
    assert found["determination"] == INVALID
    assert f"episode {position} " in found["reasons"][0]
    assert "on record is success (correct), the verifier finds failure" in found["reasons"][0]


def test_one_label_of_a_signed_bundle(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.signed)
    relabel(forged)
    found = audit(rehashed(forged, tmp_path / "anew.proctor"))
    assert found["determination"] == INVALID
    assert "the evidence was changed after it was signed" in found["reasons"][0]
    forged.attachments = [one for one in forged.attachments if one[0] != "signature"]
    found = audit(rehashed(forged, tmp_path / "stripped.proctor"), "--signed-by", "vendor")
    assert found["determination"] == CONTESTED, "a signature that was taken off is missed where one is asked for"


def test_one_criterion(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    forged.declarations["frozen"]["families"][0]["spec"]["criterion"] = "Anything that is handed in is right."
    found = audit(forged.write(tmp_path / "by-hand.proctor"))
    assert (found["determination"], states(found)["evidence"]) == (INVALID, "wrong")
    anew = rehashed(forged, tmp_path / "anew.proctor")
    assert verify_bundle(anew).ok
    found = audit(anew)
    assert (found["determination"], states(found)["evidence"]) == (INVALID, "wrong")
    assert "declared otherwise than the family of this name is here ('criterion')" in found["reasons"][0]


def test_one_dropped_family(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    dropped = next(arm.index for arm in forged.arms if arm.family.startswith("track@"))
    forged.episodes = [one for one in forged.episodes if one.row.arm != dropped]
    found = audit(forged.write(tmp_path / "by-hand.proctor"))
    assert (found["determination"], states(found)["evidence"]) == (INVALID, "wrong")

    suite = load_suite("hello", Path())
    entries = [entry for entry in suite.model_dump(mode="json")["entries"] if entry["family"] == "files"]
    fewer = {**suite.model_dump(mode="json"), "name": "better", "streams": "hello", "entries": entries}
    place = str(tmp_path / "fewer.db")
    run = proctor.run(type(suite).parse(fewer, source="test"), agent="clerk", seed=7, store=place).run
    with Store(place, create=False) as store:
        export_bundle(store, store.run(run).number, tmp_path / "fewer.proctor")
    forged = Forgery.of(tmp_path / "fewer.proctor")
    forged.declarations["frozen"]["suite"] |= {"name": "hello", "streams": None}
    anew = rehashed(forged, tmp_path / "anew.proctor")
    assert verify_bundle(anew).ok
    found = audit(anew)
    assert (found["determination"], states(found)["evidence"]) == (INVALID, "wrong"), found["reasons"]
    assert "the canary on record is not what family and seed give" in found["reasons"][0]


@pytest.mark.parametrize("skipped", [{}, {"route@1.0": "no Docker here"}])
def test_a_restriction_that_was_taken_off(claim: Claim, audit: Audit, tmp_path: Path, skipped: dict[str, str]) -> None:
    """Whoever ran two families of a suite cannot pass that off as the whole suite."""
    forged = Forgery.of(claim.plain)
    forged.declarations["frozen"] |= {"only": [], "skipped": skipped}
    anew = rehashed(forged, tmp_path / "anew.proctor")
    assert verify_bundle(anew).ok
    found = audit(anew)
    assert (found["determination"], states(found)["criteria"]) == (INVALID, "wrong")
    left = [name for name in ("extract", "orders", "pipeline", "route") if f"{name}@1.0" not in skipped]
    assert f"{', '.join(left)} of hello@1.0 left out" in found["reasons"][0]


def test_families_that_were_skipped_are_named(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    skipped = {f"{name}@1.0": "no Docker here" for name in ("extract", "orders", "pipeline", "route")}
    forged.declarations["frozen"] |= {"only": [], "skipped": skipped}
    found = audit(rehashed(forged, tmp_path / "anew.proctor"))
    criteria = next(check for check in found["checks"] if check["name"] == "criteria")
    assert criteria["state"] == "ok"
    assert "says nothing of extract@1.0 (no Docker here), orders@1.0" in criteria["detail"]


def test_a_restriction_to_a_family_that_is_not_there(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    forged.declarations["frozen"]["only"] = ["files", "pipeline", "track"]
    found = audit(rehashed(forged, tmp_path / "anew.proctor"))
    assert (found["determination"], states(found)["criteria"]) == (INVALID, "wrong")
    assert "pipeline of hello@1.0 left out" in found["reasons"][0]


def _artifact(forged: Forgery) -> str:
    """The SHA-256 of an artifact behind a success."""
    for episode in forged.episodes:
        for line in episode.trace.split(b"\n"):
            event = json.loads(line)
            if event["event"] == "verification" and event["success"] and event.get("artifacts"):
                return str(event["artifacts"][0][1])
    raise AssertionError


def test_one_missing_artifact(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    digest = _artifact(forged)
    forged.contents = [one for one in forged.contents if one[0] != digest]
    anew = rehashed(forged, tmp_path / "anew.proctor")
    assert verify_bundle(anew).ok
    for more in ((), ("--reverify",)):
        found = audit(anew, *more)
        assert found["determination"] == CONTESTED
        assert states(found)["artifacts"] == "insufficient"
        assert digest[:12] in found["reasons"][0]
    # The same by hand: blocks without the value, under the manifest and the sums of before.
    blocks = dict(members_of(anew))
    by_hand = damaged(
        claim.plain,
        tmp_path / "by-hand.proctor",
        lambda name, data: blocks.get(name) if name.startswith("contents/") else data,
    )
    assert not verify_bundle(by_hand).ok
    found = audit(by_hand)
    assert found["determination"] == CONTESTED, found["reasons"]
    assert states(found)["evidence"] == "insufficient"


def test_all_values_missing(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    bare = damaged(claim.plain, tmp_path / "bare.proctor", lambda n, d: None if n.startswith("contents/") else d)
    found = audit(bare)
    assert found["determination"] == CONTESTED, found["reasons"]


def test_an_exchanged_artifact_is_not_a_missing_one(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    digest = _artifact(forged)
    forged.contents = [(name, data + b"!" if name == digest else data) for name, data in forged.contents]
    assert audit(forged.write(tmp_path / "exchanged.proctor"))["determination"] == INVALID


def test_one_forged_signature(claim: Claim, audit: Audit, tmp_path: Path, made: Claim) -> None:
    edited = Forgery.of(claim.signed)

    def forge(change: Callable[[dict[str, Any]], None]) -> None:
        kept = []
        for kind, content in edited.attachments:
            if kind == "signature":
                value = msgspec.json.decode(content)
                change(value)
                content = canonical(value)
            kept.append((kind, content))
        edited.attachments = kept

    forge(lambda value: value["signature"].update(value="00" * 64))
    found = audit(edited.write(tmp_path / "anew.proctor"))
    assert (found["determination"], states(found)["signature"]) == (INVALID, "wrong")
    assert "was not made with the key it names" in found["reasons"][0]

    def by_hand(name: str, data: bytes) -> bytes:
        return data.replace(b'"value":"', b'"value":"0', 1)[:-1] if "signature-" in name else data

    found = audit(damaged(claim.signed, tmp_path / "by-hand.proctor", by_hand))
    assert (found["determination"], states(found)["evidence"]) == (INVALID, "wrong")


def test_a_signature_of_somebody_else_in_the_vendors_name(
    claim: Claim,
    audit: Audit,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PRIVATE_FOLDER_VARIABLE, str(tmp_path_factory.mktemp("forger")))
    forger = tmp_path / "forger"
    forger.mkdir()
    make_key("vendor", forger)
    forged = Forgery.of(claim.signed)
    relabel(forged)
    forged.attachments = [one for one in forged.attachments if one[0] != "signature"]
    path = rehashed(forged, tmp_path / "anew.proctor")
    again = Forgery.of(path)
    documents = [Attachment.of(*one) for one in again.attachments]
    document = sign_bundle(again.manifest, documents, load_signer("vendor", forger))
    again.attachments.append((document.kind, document.content))
    found = audit(rehashed(again, path))
    assert (found["determination"], states(found)["signature"]) == (INVALID, "wrong")
    assert "another key than proctor.keys/vendor.pub" in found["reasons"][0]
    (tmp_path / "proctor.keys" / "vendor.pub").unlink()
    found = audit(path)
    assert states(found)["signature"] == "not possible", "a key that nobody knows shows nothing"
    assert any("--reverify or by a signature" in limit for limit in found["limits"])


def test_one_rating(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    def by_hand(name: str, data: bytes) -> bytes:
        return data.replace(b"ann,success,1,no", b"ann,success,1,yes") if "ratings-" in name else data

    found = audit(damaged(claim.plain, tmp_path / "by-hand.proctor", by_hand))
    assert (found["determination"], states(found)["evidence"]) == (INVALID, "wrong")
    forged = Forgery.of(claim.signed)
    forged.attachments = [(kind, by_hand("ratings-", data)) for kind, data in forged.attachments]
    anew = forged.write(tmp_path / "anew.proctor")
    assert verify_bundle(anew).ok
    found = audit(anew)
    assert (found["determination"], states(found)["signature"]) == (INVALID, "wrong")
    was = sha256_hex(SHEET.encode())[:12]
    assert f"ratings-{was} was there when it was signed, and is not any more" in found["reasons"][0]


def test_a_rating_that_was_added_later_is_not_vouched_for(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.signed)
    forged.attachments.append(("ratings", SHEET.replace("ann", "cy").encode()))
    found = audit(forged.write(tmp_path / "more.proctor"))
    assert found["determination"] == COMPLIANT
    assert states(found)["signature"] == "not possible"
    said = next(check["detail"] for check in found["checks"] if check["name"] == "signature")
    assert "not covered, since later: ratings-" in said


def test_a_report_that_does_not_follow(claim: Claim, audit: Audit, cli: Cli, tmp_path: Path) -> None:
    assert cli("import", claim.plain, "--store", "mine.db").code == 0
    assert cli("report", "--store", "mine.db", "-o", "report.json").code == 0
    assert audit(claim.plain, "--report", "report.json")["determination"] == COMPLIANT
    report = json.loads(Path("report.json").read_text())
    report["outcomes"]["success"] += 1
    section = next(one for one in report["sections"] if one["instrument"] == "rates")
    section["data"]["values"][0]["estimate"]["estimate"] = 1.5
    Path("better.json").write_text(json.dumps(report))
    found = audit(claim.plain, "--report", "better.json")
    assert found["determination"] == INVALID
    assert any("sections[rates].data.values" in reason for reason in found["reasons"])
    assert any("outcomes.success" in reason for reason in found["reasons"])
    del report["digests"]
    Path("rootless.json").write_text(json.dumps(report))
    assert audit(claim.plain, "--report", "rootless.json")["determination"] == INVALID


def test_a_label_that_was_left_out_of_a_report(cli: Cli, audit: Audit, tmp_path: Path) -> None:
    assert cli("run", "hello", "--agent", "oracle", "--seed", "7", "--only", "route", "-q").code == 0
    assert cli("report", "-o", "report.json").code == 0
    assert cli("export", "-o", "claim.proctor", "--report", "report.json").code == 0
    assert audit("claim.proctor")["determination"] == COMPLIANT
    report = json.loads(Path("report.json").read_text())
    assert report["label"] == "oracle, not a result"
    report["label"] = ""
    Path("report.json").write_text(json.dumps(report))
    found = audit("claim.proctor", "--report", "report.json")
    assert found["determination"] == INVALID
    assert found["reasons"][0].startswith("published: report.json: label: published is ''")


def test_a_run_left_out_of_a_series(desk: Cli, audit: Audit, tmp_path: Path) -> None:
    register(desk, runs=3)
    names = [run(desk) for _ in range(3)]
    assert desk("preregister", "reveal", FILE).code == 0
    for name in names:
        assert desk("export", name, "-o", f"{name}.proctor", "--preregistration", FILE).code == 0
    bundles = [f"{name}.proctor" for name in names]
    options = ("--families", tmp_path, "--reverify", "--preregistration", FILE)
    found = audit(*bundles, *options)
    assert found["determination"] == COMPLIANT, found["reasons"]
    found = audit(bundles[0], bundles[2], *options)
    assert (found["determination"], states(found)["series"]) == (INVALID, "wrong")
    assert any("run 2 of the 3 that were registered was left out" in reason for reason in found["reasons"])
    assert states(found)["reading"] == "wrong"
    assert any("Invalid (Selective Disclosure)" in reason for reason in found["reasons"])

    # With every digest anew: the registered number of runs is made to fit what is shown.
    forged = Forgery.of(Path(bundles[0]))
    facts = forged.execution["preregistration"]
    facts["document"]["runs"] = 1
    digest = Registered.of(facts["document"], source="test").digest
    forged.declarations["frozen"]["preregistration"] = digest
    facts["log"] = _relogged(facts["log"], digest)
    anew = rehashed(forged, tmp_path / "anew.proctor")
    assert verify_bundle(anew).ok, verify_bundle(anew).problems
    assert audit(anew, "--families", tmp_path)["determination"] == COMPLIANT, "nothing here says what was published"
    found = audit(anew, *options)
    assert (found["determination"], states(found)["series"]) == (INVALID, "wrong")
    assert "not the one published" in found["reasons"][0]


def _relogged(log: list[Any], digest: str) -> list[Any]:
    """A log chained anew from another preregistration."""
    entries: list[Any] = []
    for entry in log:
        entries.append({**entry, "previous": digest})
        digest = msgspec.convert(entries[-1], LogEntry).digest
    return entries


def test_families_in_files_run_only_from_a_folder_that_was_given(desk: Cli, audit: Audit, tmp_path: Path) -> None:
    assert desk("run", "small.yaml", "-q").code == 0
    assert desk("export", "-o", "claim.proctor").code == 0
    found = audit("claim.proctor", "--reverify")
    assert found["determination"] == CONTESTED
    assert "no folder with it was given" in found["reasons"][0]
    (tmp_path / "elsewhere").mkdir()
    assert audit("claim.proctor", "--reverify", "--families", "elsewhere")["determination"] == CONTESTED
    assert audit("claim.proctor", "--reverify", "--families", tmp_path)["determination"] == COMPLIANT


def test_a_bundle_that_names_a_file_outside_of_the_folder(desk: Cli, audit: Audit, tmp_path: Path) -> None:
    assert desk("run", "small.yaml", "-q").code == 0
    assert desk("export", "-o", "claim.proctor").code == 0
    forged = Forgery.of(Path("claim.proctor"))
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n")
    (tmp_path / "folder").mkdir()
    text = json.dumps(forged.declarations["frozen"]).replace("small_family.py", "../trap.py")
    forged.declarations["frozen"] = json.loads(text)
    anew = rehashed(forged, tmp_path / "anew.proctor")
    audit(anew, "--reverify", "--families", "folder")
    audit(anew, "--reverify")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "agent",
    [
        "cmd:touch sprung,unconfined=yes",
        "python:sprung.py:make",
        "structured:openai:gpt-4o",
        "structured:local",
        "human",
    ],
)
def test_what_is_declared_is_never_started_or_asked_by_itself(
    claim: Claim, audit: Audit, tmp_path: Path, agent: str
) -> None:
    forged = Forgery.of(claim.plain)
    forged.declarations["frozen"]["agent"] = agent
    anew = rehashed(forged, tmp_path / "anew.proctor")
    found = audit(anew, "--rerun", "2", "--reverify")
    assert states(found)["rerun"] == "not possible"
    assert not (tmp_path / "sprung").exists()


def test_a_run_that_does_not_come_out_again(claim: Claim, audit: Audit, tmp_path: Path) -> None:
    forged = Forgery.of(claim.plain)
    forged.declarations["frozen"]["agent"] = "null"
    anew = rehashed(forged, tmp_path / "anew.proctor")
    found = audit(anew, "--rerun", "5", "--seed", "a")
    assert (found["determination"], states(found)["rerun"]) == (INVALID, "wrong")
    assert found["checks"] == audit(anew, "--rerun", "5", "--seed", "a")["checks"], "the same seed, the same sample"


def test_the_determination_is_signed_and_travels(
    claim: Claim,
    audit: Audit,
    cli: Cli,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PRIVATE_FOLDER_VARIABLE, str(tmp_path_factory.mktemp("auditor")))
    make_key("auditor", tmp_path)
    shutil.copy(claim.signed, "copy.proctor")
    done = cli("audit", "copy.proctor", "-o", "determination.json", "--attach", "--key", "auditor")
    assert done.code == 0, done.err
    record = json.loads(Path("determination.json").read_text())
    assert (record["determination"], record["signature"]["key"]) == (COMPLIANT, "auditor")
    assert verify_bundle(Path("copy.proctor")).ok
    again = audit("copy.proctor")
    assert again["determination"] == COMPLIANT, "the vendor's signature still holds"
    earlier = next(check["detail"] for check in again["checks"] if check["name"] == "earlier audits")
    assert "Compliant, signed with 'auditor'" in earlier
    assert cli("import", "copy.proctor", "--store", "mine.db").code == 0
    with Store("mine.db", create=False) as store:
        kinds = [one.kind for one in store.attachments(store.run("latest").number)]
    assert kinds == ["ratings", "signature", "determination"]
    forged = Forgery.of(Path("copy.proctor"))
    kind, content = forged.attachments[-1]
    forged.attachments[-1] = (kind, content.replace(b'"Compliant"', b'"Invalid (Non-Compliance)"'))
    said = audit(forged.write(tmp_path / "slander.proctor"))["checks"][-1]["detail"]
    assert "Invalid (Non-Compliance), unsigned" in said


def test_bad_input_is_one_sentence(claim: Claim, cli: Cli, tmp_path: Path) -> None:
    assert cli("audit", "nowhere.proctor").code == 2
    assert "there is no proctor.keys/nobody.pub" in cli("audit", claim.plain, "--signed-by", "nobody").sentence
    (tmp_path / "odd.json").write_text("[]")
    assert "is no report" in cli("audit", claim.plain, "--report", "odd.json").sentence
    assert "no digest" in cli("audit", claim.plain, "--preregistration", "xyz").sentence
    assert "give each run once" in cli("audit", claim.plain, claim.signed).sentence
    assert "there is no such folder" in cli("audit", claim.plain, "--families", "nowhere").sentence


def test_a_file_that_is_no_bundle_is_invalid(audit: Audit, tmp_path: Path) -> None:
    (tmp_path / "noise.proctor").write_bytes(b"not a bundle")
    assert audit("noise.proctor")["determination"] == INVALID
