"""Proctor's own suites are known by their content; whatever else bears their name is somebody's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.spec.test_frozen import FACTS

from proctor.core.errors import InputError
from proctor.engine.names import load_suite
from proctor.engine.probing.identity import suites_of
from proctor.engine.run import freeze
from proctor.spec.frozen import FrozenRun, Look
from proctor.spec.released import (
    digests_of,
    is_released,
    released_suites,
    require_own_name,
    shown_name,
    suite_limitation,
)
from proctor.spec.suite import Entry, Suite
from proctor.suites.agency import agency, core, extended, quick

LOOK = Look(number=1, max_n=100)
WHY = "Our back office handles nothing else, and no standard suite has its forms."
RULE = "Every kind of letter that came in last year, one family each."


def own(**changes: Any) -> Suite:
    return Suite(
        name="mine", version="1.0", title="Mine", epoch="2026-01-01T00:00:00Z", entries=(Entry(family="f", n=1),)
    ).model_copy(update=changes)


def run_of(suite: Suite, look: Look | None = None) -> FrozenRun:
    return FrozenRun(**{**FACTS, "suite": suite, "look": look})


def edited(**changes: Any) -> Suite:
    """`agency` with something else in it, under its own name."""
    return agency().model_copy(update=changes)


def test_the_lock_is_up_to_date() -> None:
    now = digests_of(suites_of("proctor"))
    assert {name: released_suites().get(name) for name in now} == now, "run `proctor lock`"


@pytest.mark.parametrize("suite", [agency(), core(), extended(), quick()], ids=lambda suite: suite.name)
def test_shipped_suites_are_released_and_justified(suite: Suite) -> None:
    assert is_released(suite)
    assert suite.inclusion and suite.exclusion and suite.justification
    assert suite_limitation(run_of(suite)) is None
    assert shown_name(run_of(suite)) == suite.full_name
    require_own_name(suite)


def test_looks_of_a_released_suite_are_that_suite() -> None:
    whole = agency()
    first = tuple(entry.model_copy(update={"n": 20}) for entry in whole.entries)
    later = tuple(entry.model_copy(update={"n": 40, "first": 20}) for entry in whole.entries[:3])
    for entries in (first, later):
        look = whole.model_copy(update={"entries": entries})
        assert is_released(look, LOOK)
        assert not is_released(look), "without looks a sample of one's own is another suite"
        assert shown_name(run_of(look, LOOK)) == "agency@1.1"
    easier = whole.entries[4].model_copy(update={"n": 20, "regimes": ("baseline",)})
    assert not is_released(whole.model_copy(update={"entries": (easier,)}), LOOK)
    assert not is_released(edited(title="Agency!"), LOOK)


ENTRIES = agency().entries
COPIES = {
    "an easier regime": edited(
        entries=(*ENTRIES[:4], ENTRIES[4].model_copy(update={"regimes": ("baseline",)}), *ENTRIES[5:])
    ),
    "a family left out": edited(entries=ENTRIES[1:]),
    "fewer instances": edited(entries=(ENTRIES[0].model_copy(update={"n": 99}), *ENTRIES[1:])),
    "another threshold": edited(rules=agency().rules.model_copy(update={"threshold": 0.65})),
    "another version": edited(version="1.7"),
    "another regime of the same name": edited(
        regimes=tuple(one.model_copy(update={"compute": type(one.compute)()}) for one in agency().regimes)
    ),
}


@pytest.mark.parametrize("name", COPIES)
def test_an_edited_copy_is_a_custom_suite_and_never_printed_as_the_original(name: str) -> None:
    copy = COPIES[name]
    with pytest.raises(InputError, match=r"name of a suite of Proctor's own.*give it another name"):
        require_own_name(copy)
    with pytest.raises(InputError, match="give it another name"):
        freeze(suite=copy, agent="oracle", folder=Path())
    shown = shown_name(run_of(copy))
    assert shown.startswith(f"{copy.full_name}#")
    assert len(shown) == len(copy.full_name) + 13
    for kept in (copy, copy.model_copy(update={"name": "mine"}), copy.model_copy(update={"justification": ""})):
        lacking = suite_limitation(run_of(kept))
        assert lacking == (
            f"{shown_name(run_of(kept))} is not one of Proctor's suites and states no justification of its own"
        )
    assert suite_limitation(run_of(copy.model_copy(update={"justification": WHY}))) is None


def test_a_copy_in_a_file_is_refused_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        'name: hello\nversion: "1.0"\ntitle: Mine\nepoch: "2026-01-01T00:00:00Z"\nentries: [{family: track, n: 9}]\n'
    )
    (tmp_path / "mine.py").write_text(
        "suite = dict(name='agency-quick', version='3.0', title='Mine', epoch='2026-01-01T00:00:00Z',\n"
        "             entries=[dict(family='track', n=9)])\n"
    )
    with pytest.raises(InputError, match=r"mine\.yaml: suite 'hello' is the name of a suite of Proctor's own"):
        load_suite("mine.yaml", tmp_path)
    with pytest.raises(InputError, match=r"mine\.py: suite 'agency-quick' is the name .*`streams: agency-quick`"):
        load_suite("mine.py", tmp_path)


def test_an_unchanged_copy_is_the_suite_itself(tmp_path: Path) -> None:
    import yaml

    (tmp_path / "copy.yaml").write_text(yaml.safe_dump(quick().model_dump(mode="json")))
    assert load_suite("copy.yaml", tmp_path) == quick()


@pytest.mark.parametrize(
    ("stated", "lacking"),
    [
        ({}, "states no inclusion rules and no justification of its own"),
        ({"inclusion": RULE}, "states no justification of its own"),
        ({"justification": WHY}, "states no inclusion rules"),
        ({"inclusion": RULE, "justification": WHY}, None),
    ],
)
def test_a_custom_suite_says_why_or_is_of_limited_comparability(stated: dict[str, str], lacking: str | None) -> None:
    found = suite_limitation(run_of(own(**stated)))
    assert found == (None if lacking is None else f"mine@1.0 is not one of Proctor's suites and {lacking}")


def test_where_a_family_lies_changes_no_name() -> None:
    names = set()
    for folder in ("here", "there"):
        reference = f"{folder}/families.py"
        family = FACTS["families"][0].model_copy(update={"reference": reference})
        suite = edited(entries=(Entry(family=reference, n=1),))
        names.add(shown_name(FrozenRun(**{**FACTS, "suite": suite, "families": (family,)})))
    assert len(names) == 1


@pytest.mark.parametrize("text", ["because", "   so that it fits  "])
def test_a_word_is_no_justification(text: str) -> None:
    with pytest.raises(InputError, match="says too little; write a sentence"):
        Suite.parse({**own().model_dump(mode="json"), "justification": text}, source="mine.yaml")


def test_unused_fields_leave_the_identity_of_a_suite_as_it_was() -> None:
    assert {"inclusion", "exclusion", "justification"}.isdisjoint(own().model_dump(mode="json"))
    spaces = Suite.parse({**own().model_dump(mode="json"), "inclusion": "  "}, source="mine.yaml")
    assert spaces.identity == own().identity
