"""The answer of an audit: the gravest of its checks, and a record that can be signed and kept."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from proctor.audit.determination import (
    COMPLIANT,
    CONTESTED,
    INVALID,
    Check,
    Determination,
    State,
    Subject,
    as_document,
    determine,
    earlier_determinations,
    signed,
)
from proctor.audit.of_acts import worse_by_chance
from proctor.engine.rerunning import Repeated, Rerun
from proctor.pipeline.keys import PRIVATE_FOLDER_VARIABLE, load_signer, make_key

ROOT = "ab" * 32
SUBJECT = Subject("a.proctor", "00" * 32, "a-1", ROOT, "cd" * 32)


def answer(*states: State) -> Determination:
    checks = [Check(f"check {number}", state, "so") for number, state in enumerate(states)]
    return determine([SUBJECT], checks, (), "proctor")


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (("ok", "not possible", "not asked"), COMPLIANT),
        (("ok", "insufficient"), CONTESTED),
        (("insufficient", "wrong", "ok"), INVALID),
    ],
)
def test_the_gravest_check_decides(states: tuple[State, ...], expected: str) -> None:
    assert answer(*states).determination == expected


def test_grave_reasons_come_first() -> None:
    assert answer("insufficient", "wrong").reasons == ("check 1: so", "check 0: so")


def test_a_record_is_signed_over_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv(PRIVATE_FOLDER_VARIABLE, str(tmp_path / "private"))
    make_key("anna", project)
    document = as_document(signed(answer("wrong"), load_signer("anna", project)))
    (one,) = earlier_determinations([document], [ROOT])
    assert one.determination == INVALID
    assert one.signer is not None
    assert one.signer.key == "anna"
    edited = msgspec.structs.replace(document, content=document.content.replace(b"Invalid", b"Perfect"))
    assert [found.signer for found in earlier_determinations([edited], [ROOT])] == [None]
    assert earlier_determinations([document], ["ef" * 32]) == []


@pytest.mark.parametrize(("lost", "gained", "chance"), [(0, 0, 1.0), (7, 0, 1 / 128), (1, 1, 0.75), (0, 9, 1.0)])
def test_a_sample_is_worse_than_its_record_by_chance(lost: int, gained: int, chance: float) -> None:
    again = [
        *(Repeated(number, "f", "success", "failure", False) for number in range(lost)),
        *(Repeated(number, "f", "failure", "success", False) for number in range(gained)),
        Repeated(99, "f", "success", "infrastructure", False),
    ]
    assert worse_by_chance(Rerun("a", False, tuple(again))) == pytest.approx(chance)
