"""Our corpora pass the tells check, those of 1.0 fail it, and a user's file is told where it stands."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from proctor.conformance import tells
from proctor.conformance.contract import Conformance, Tally
from proctor.conformance.entry import check_named
from proctor.conformance.tells import OWN_LIMIT, PAIRS, Verdict, examine_tells, features, pairs_of, verdicts
from proctor.engine.family import Draw
from proctor.spec.task import Instance
from proctor.stats.tells import Tell
from proctor.suites.binding.corpora import CORPORA as OLD_CORPORA
from proctor.suites.binding.families import FAMILIES as OLD_FAMILIES
from proctor.suites.binding.twins.corpora import CORPORA, TwinCorpus
from proctor.suites.binding.twins.four_codes import TwinFourCodes
from proctor.suites.binding.twins.topics import FAMILIES

FEW = 250


@pytest.mark.parametrize("family", [*CORPORA, *FAMILIES], ids=lambda one: one.spec.id)
def test_a_few_hundred_texts_tell_nothing(family: TwinCorpus | TwinFourCodes) -> None:
    for one in verdicts(list(pairs_of(family, 0, most=FEW)), limit=OWN_LIMIT, generated=True):
        assert one.adjusted > 0.001, one
        assert one.tell.upper < 0.67, one


@pytest.mark.slow
@pytest.mark.parametrize("family", [*CORPORA, *FAMILIES], ids=lambda one: one.spec.id)
def test_two_thousand_texts_per_class_tell_nothing(family: TwinCorpus | TwinFourCodes) -> None:
    tally = Tally()
    examine_tells(family, tally, seed=1)
    assert not tally.findings
    assert not tally.unmeasured
    assert all(cell["pairs"] >= PAIRS and cell["upper"] <= OWN_LIMIT for cell in tally.measured["cells"])


@pytest.mark.parametrize("family", [*OLD_CORPORA, OLD_FAMILIES[0], OLD_FAMILIES[6]], ids=lambda one: one.spec.id)
def test_version_one_fails(family: object) -> None:
    found = verdicts(list(pairs_of(family, 0, most=100)), limit=OWN_LIMIT, generated=True)  # type: ignore[arg-type]
    assert {one.status for one in found} == {"fail"}


class _Longer(TwinCorpus):
    """A corpus whose decisive texts are a word longer in two of three events."""

    def instance(self, draw: Draw) -> Instance:
        plain = super().instance(draw)
        if plain.hidden["probe"] != "veto" or draw.index // 9 % 3 == 0:
            return plain
        veto = {**plain.state["veto"], "text": f"{plain.state['veto']['text']} Really."}
        return msgspec.structs.replace(plain, state={**plain.state, "veto": veto})


def test_one_word_more_is_found() -> None:
    pairs = list(pairs_of(_Longer(CORPORA[0].corpus), 0, most=FEW))
    found = {one.cell: one.status for one in verdicts(pairs, limit=0.67, generated=True)}
    assert found.pop(("narratives", "veto")) == "fail"
    assert set(found.values()) == {"pass"}


def _file(folder: Path, count: int) -> str:
    rows = "\n".join(f"e{number},Something happened in hall {number % 7}.,plant" for number in range(count))
    (folder / "events.csv").write_text(f"event_id,text,dataset\n{rows}\n", encoding="utf-8")
    return "events.csv"


def test_a_users_file_passes_or_is_too_short_to_say(tmp_path: Path) -> None:
    report = check_named(_file(tmp_path, 900), folder=tmp_path)
    assert (report.kind, report.result("tells").status) == ("corpus", "passed")
    short = check_named(_file(tmp_path, 42), folder=tmp_path).result("tells")
    assert short.status == "not measured"
    assert "too few to say" in short.detail
    assert "42 texts per class" in short.detail
    assert short.measured["power"] < 0.9


def _cells(*verdicts: tuple[str, int, float, float, str]) -> list[Verdict]:
    """Cells with component, pairs, upper bound, adjusted p and status."""
    return [
        Verdict(("plant", one), Tell(pairs, 0.56, upper, p), p, status) for one, pairs, upper, p, status in verdicts
    ]


PASS, FEW_TEXTS = ("memory", 300, 0.55, 1.0, "pass"), ("self", 42, 0.66, 1.0, "too few to say")
BETWEEN, FAIL = ("reason", 300, 0.608, 0.31, "too few to say"), ("veto", 60, 0.9, 0.01, "fail")


def _found(monkeypatch: pytest.MonkeyPatch, folder: Path, *cells: tuple[str, int, float, float, str]) -> Conformance:
    monkeypatch.setattr(tells, "verdicts", lambda pairs, **_: _cells(*cells))
    return check_named(_file(folder, 12), folder=folder)


def test_cells_that_are_decided_are_reported_beside_those_that_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = _found(monkeypatch, tmp_path, PASS, BETWEEN, FEW_TEXTS).result("tells")
    assert result.status == "not measured"
    passed, between, few = result.detail.split("; ", 2)
    assert passed == "1 of 3 cells passes (AUC at most 0.550)"
    assert between == (
        "1 between: in plant / reason the upper bound 0.608 exceeds 0.60, though nothing was found (AUC 0.56, "
        "p = 0.31) in 300 texts per class, which would show an AUC of .70 with a power of 1.00"
    )
    assert few.startswith("too few to say in 1 of 3 cells: in plant / self 42 texts per class would show an AUC of .70")
    assert [cell["verdict"] for cell in result.measured["cells"]] == ["pass", "between", "too few to say"]
    assert result.measured["power"] < tells.ENOUGH
    failed = _found(monkeypatch, tmp_path, PASS, BETWEEN, FEW_TEXTS, FAIL)
    assert (failed.ok, failed.result("tells").status) == (False, "failed")
    assert "in plant / veto the surface alone tells 60" in failed.result("tells").detail


def test_features_need_no_reading() -> None:
    """Other words of the same shape have the same features."""
    family = CORPORA[0]
    row = next(family.instance(draw) for draw in [Draw.of("x", arm="plain")])
    said = row.state["memory"]["text"]
    options = [*row.hidden["options"].values(), *row.hidden["exchange"]["memory"]]
    masked = said
    for number, name in enumerate(options):
        masked = masked.replace(name, chr(0xE000 + number) * len(name))
    masked = "".join(
        "x" if letter.isalpha() and letter.islower() and ord(letter) < 128 else letter for letter in masked
    )
    for number, name in enumerate(options):
        masked = masked.replace(chr(0xE000 + number) * len(name), name)
    changed = msgspec.structs.replace(row, state={**row.state, "memory": {**row.state["memory"], "text": masked}})
    assert features(changed, "memory", "VETO") == features(row, "memory", "VETO")
