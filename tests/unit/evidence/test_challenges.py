"""The record of a challenge: who may do what, what is believed, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from proctor.evidence.attachments import Attachment
from proctor.evidence.challenges import (
    CHALLENGE,
    FORMAT,
    Act,
    Challenge,
    Challenges,
    Subject,
    as_published,
    challenge_data,
    challenge_words,
    challenges_of,
)
from proctor.instruments.agency.challenged import challenge_flags
from proctor.pipeline.keys import Signer

ROOT, CONFIG = "aa" * 32, "bb" * 32
RIVAL, VENDOR, AUDITOR, OTHER = (
    Signer(name, Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))
    for number, name in enumerate(("rival", "vendor", "auditor", "other"), start=1)
)
DECLARED = Subject(ROOT, CONFIG, "2025-01-01T08:00:00Z", VENDOR.public)
UNDECLARED = Subject(ROOT, CONFIG, "2025-01-01T08:00:00Z", None)


def signed(kind: str, role: str, signer: Signer, date: str, **fields: Any) -> Attachment:
    """An act as it is kept."""
    given: dict[str, Any] = {
        "run": {"name": "run", "root": ROOT, "config_hash": CONFIG},
        "challenge": "",
        "after": (),
        "statement": "as was said",
        "ground": "",
        "families": (),
        "divergences": (),
        "evidence": (),
        "correction": None,
        "determination": None,
        **fields,
    }
    act = msgspec.convert({"format": FORMAT, "act": kind, "role": role, "date": date, **given}, type=Act)
    act = msgspec.structs.replace(act, signature=signer.sign(act.signed_bytes()))
    return Attachment.of(CHALLENGE, act.document())


OPEN = signed("open", "challenger", RIVAL, "2025-01-10", ground="divergence", divergences=("fewer families",))
"""Its 90 days end on 2025-04-10."""


def then(kind: str, role: str, signer: Signer, date: str, *after: Attachment, **fields: Any) -> Attachment:
    follows = tuple(sorted(one.sha256 for one in after)) or (OPEN.sha256,)
    return signed(kind, role, signer, date, challenge=OPEN.sha256, after=follows, **fields)


def resolved(role: str, signer: Signer, date: str, determination: str, *after: Attachment) -> Attachment:
    return then("resolve", role, signer, date, *after, determination=determination)


def read(*documents: Attachment, subject: Subject = DECLARED) -> Challenges:
    return challenges_of((OPEN, *documents), subject)


def one(challenges: Challenges) -> Challenge:
    assert challenges.unreadable == ()
    (found,) = challenges.found
    return found


def flag_names(challenges: Challenges) -> list[str]:
    return [flag.name for flag in challenge_flags(challenges)]


ANSWER = then("answer", "evaluator", VENDOR, "2025-02-01")


def test_an_opening_is_open_for_ninety_days() -> None:
    found = one(read())
    assert (found.status, found.due.isoformat(), found.determination) == ("open", "2025-04-10", None)
    assert found.id == f"challenge-{OPEN.sha256[:12]}"
    assert flag_names(read()) == ["Contested (Under Challenge)"]
    assert "nobody has answered; open until 2025-04-10" in challenge_words(found)


def test_an_answer_leaves_it_open() -> None:
    found = one(read(ANSWER))
    assert found.status == "open" and len(found.acts) == 2
    assert flag_names(read(ANSWER)) == ["Contested (Under Challenge)"]


@pytest.mark.parametrize(
    ("determination", "flags"),
    [
        ("Compliant", []),
        ("Contested", ["Contested (Evidence Insufficient)"]),
        ("Invalid", ["Invalid (Non-Compliance)"]),
    ],
)
def test_an_independent_determination_stands(determination: str, flags: list[str]) -> None:
    challenges = read(resolved("auditor", AUDITOR, "2025-02-01", determination))
    assert one(challenges).status == "resolved"
    assert flag_names(challenges) == flags


@pytest.mark.parametrize(
    ("date", "counts"), [("2025-01-10", False), ("2025-04-09", False), ("2025-04-10", True), ("2025-12-31", True)]
)
def test_the_challenger_determines_from_day_ninety_on(date: str, counts: bool) -> None:
    challenges = read(resolved("challenger", RIVAL, date, "Invalid"))
    assert (challenges.found[0].status == "resolved") is counts
    assert bool(challenges.unreadable) is not counts
    if not counts:
        assert "nobody resolves their own challenge" in challenges.unreadable[0]


@pytest.mark.parametrize("role", ["auditor", "evaluator", "challenger"])
def test_the_evaluator_never_resolves_under_any_role(role: str) -> None:
    challenges = read(resolved(role, VENDOR, "2025-12-31", "Compliant"))
    assert challenges.found[0].determination is None
    assert "evaluator cannot resolve" in challenges.unreadable[0]


@pytest.mark.parametrize("spelled", [str.upper, lambda text: f" {text}", lambda text: f"{text[:2]} {text[2:]}"])
def test_the_evaluators_key_in_another_spelling_is_nobodys(spelled: Callable[[str], str]) -> None:
    act = msgspec.json.decode(resolved("auditor", VENDOR, "2025-02-01", "Compliant").content, type=Act)
    assert act.signature is not None
    signature = msgspec.structs.replace(act.signature, public=spelled(VENDOR.public))
    forged = Attachment.of(CHALLENGE, msgspec.structs.replace(act, signature=signature).document())
    challenges = read(forged)
    assert challenges.found[0].status == "open"
    assert "a signature that does not hold" in challenges.unreadable[0]


def test_who_answered_is_an_evaluator_and_does_not_resolve_even_where_no_key_is_declared() -> None:
    answer = then("answer", "evaluator", OTHER, "2025-02-01")
    challenges = read(answer, resolved("auditor", OTHER, "2025-03-01", "Compliant", answer), subject=UNDECLARED)
    assert challenges.found[0].status == "open" and "evaluator cannot resolve" in challenges.unreadable[0]


def test_the_challenger_is_no_independent_auditor() -> None:
    challenges = read(resolved("auditor", RIVAL, "2025-12-31", "Invalid"))
    assert "cannot be the independent auditor" in challenges.unreadable[0]


def test_the_evaluator_cannot_edit_the_challengers_determination() -> None:
    determined = resolved("challenger", RIVAL, "2025-05-01", "Invalid")
    act = msgspec.json.decode(determined.content, type=Act)
    kinder = msgspec.structs.replace(act, determination="Compliant")
    edited = Attachment.of(CHALLENGE, kinder.document())
    challenges = read(edited)
    assert challenges.found[0].determination is None
    assert "a signature that does not hold" in challenges.unreadable[0]
    assert "Contested (Evidence Insufficient)" in flag_names(challenges)
    resigned = msgspec.structs.replace(kinder, signature=None)
    resigned = msgspec.structs.replace(resigned, signature=VENDOR.sign(resigned.signed_bytes()))
    assert read(Attachment.of(CHALLENGE, resigned.document())).found[0].determination is None


def test_independent_determinations_come_before_the_challengers() -> None:
    """Whoever says Invalid after 90 days does not overrule an auditor, before or after."""
    own = resolved("challenger", RIVAL, "2025-05-01", "Invalid")
    independent = resolved("auditor", AUDITOR, "2025-06-01", "Compliant", own)
    assert one(read(own)).determination == "Invalid"
    assert one(read(own, independent)).determination == "Compliant"


def test_of_several_auditors_the_heaviest_stands_and_all_are_shown() -> None:
    kind, hard = (
        resolved("auditor", AUDITOR, "2025-02-01", "Compliant"),
        resolved("auditor", OTHER, "2025-02-02", "Contested"),
    )
    found = one(read(kind, hard))
    assert found.determination == "Contested"
    assert "Compliant by the auditor auditor" in challenge_words(found) and "Contested by" in challenge_words(found)


def test_a_withdrawn_claim_stays_visible_whoever_finds_it_compliant_later() -> None:
    withdrawn = then("withdraw", "evaluator", VENDOR, "2025-02-01")
    assert one(read(withdrawn)).status == "withdrawn"
    assert flag_names(read(withdrawn)) == ["Contested (Evidence Insufficient)"]
    later = resolved("auditor", AUDITOR, "2025-03-01", "Compliant", withdrawn)
    assert flag_names(read(withdrawn, later)) == ["Contested (Evidence Insufficient)"]


def test_a_correction_names_the_new_run_and_leaves_the_challenge_open() -> None:
    corrected = then("correct", "evaluator", VENDOR, "2025-02-01", correction={"run": "run-2", "root": "cc" * 32})
    assert one(read(corrected)).status == "open"
    flags = challenge_flags(read(corrected))
    assert [flag.name for flag in flags] == ["Contested (Under Challenge)", "Contested (Evidence Insufficient)"]
    assert "see run-2" in flags[1].reason


@pytest.mark.parametrize("kind", ["withdraw", "correct"])
def test_nobody_withdraws_somebody_elses_claim(kind: str) -> None:
    forged = then(kind, "evaluator", OTHER, "2025-02-01", correction={"run": "x", "root": None})
    assert "declares another key" in read(forged).unreadable[0]
    undeclared = one(read(forged, subject=UNDECLARED))
    assert undeclared.status == "open" and undeclared.withdrawal is undeclared.correction is None
    assert "not proven to be the evaluator" in challenge_words(undeclared)


def test_ninety_days_without_a_determination_make_it_provisional() -> None:
    late = then("answer", "evaluator", VENDOR, "2025-04-10")
    assert one(read(late)).status == "lapsed"
    assert flag_names(read(late)) == ["Provisional"]
    decided = resolved("challenger", RIVAL, "2025-04-11", "Contested", late)
    assert one(read(late, decided)).status == "resolved"


def test_an_act_that_others_follow_cannot_be_left_out() -> None:
    challenges = read(resolved("auditor", AUDITOR, "2025-03-01", "Compliant", ANSWER))
    assert challenges.found[0].missing == (ANSWER.sha256,)
    assert flag_names(challenges) == ["Contested (Evidence Insufficient)"]


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (signed("open", "challenger", OTHER, "2024-12-31", ground="divergence"), "before the run"),
        (signed("open", "challenger", OTHER, "2025-02-01", run={"root": "00", "config_hash": CONFIG}), "another run"),
        (signed("open", "challenger", VENDOR, "2025-02-01", ground="divergence"), "by the evaluator"),
        (signed("answer", "evaluator", VENDOR, "2025-02-01"), "names no challenge"),
        (signed("answer", "evaluator", VENDOR, "2025-02-01", challenge="00" * 32), "is not there"),
        (then("answer", "evaluator", VENDOR, "2025-01-09"), "before what it follows"),
        (then("answer", "challenger", RIVAL, "2025-02-01"), "is the evaluator's to do"),
        (then("answer", "evaluator", RIVAL, "2025-02-01"), "cannot act for the evaluator"),
        (then("resolve", "auditor", AUDITOR, "2025-02-01"), "determines nothing"),
        (Attachment.of(CHALLENGE, b"{}"), "not an act"),
        (Attachment(CHALLENGE, "00" * 32, ANSWER.content), "SHA-256"),
    ],
)
def test_what_cannot_be_believed_is_named_and_changes_nothing_else(document: Attachment, why: str) -> None:
    challenges = read(document)
    (reason,) = challenges.unreadable
    assert why in reason
    assert [found.id for found in challenges.found] == [f"challenge-{OPEN.sha256[:12]}"]
    assert challenges.found[0].status == "open"


def test_an_act_in_another_spelling_is_not_believed() -> None:
    loose = msgspec.json.format(ANSWER.content, indent=2)
    assert "another form" in read(Attachment.of(CHALLENGE, loose)).unreadable[0]


def test_the_order_in_which_records_meet_changes_nothing() -> None:
    """Evaluator and auditor write at the same time, in different places."""
    independent = resolved("auditor", AUDITOR, "2025-03-01", "Contested")
    both = then("answer", "evaluator", VENDOR, "2025-03-05", ANSWER, independent)
    found = {repr(challenges_of(order, DECLARED)) for order in permutations((OPEN, ANSWER, independent, both))}
    assert len(found) == 1
    assert one(read(ANSWER, independent, both)).heads == (both.sha256,)


def test_what_was_published_before_an_act_is_judged_without_it() -> None:
    later = resolved("auditor", AUDITOR, "2025-03-01", "Invalid", ANSWER)
    ratings = Attachment.of("ratings", b"x")
    everything = (OPEN, ANSWER, later, ratings)
    published = {"challenges": challenge_data(read(ANSWER))}
    assert as_published(everything, published) == (OPEN, ANSWER, ratings)
    for nothing in ({}, {"challenges": 3}, {"challenges": [1, {"acts": [2]}]}):
        assert as_published(everything, nothing) == (ratings,)
