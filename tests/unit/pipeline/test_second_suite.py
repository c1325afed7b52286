"""A renamed suite is another suite, and its history begins anew: its first baseline takes two people."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.living import CLERK, NAME, accepted, gated, known_signer, live
from tests.unit.pipeline.small_quality import RULES, forget_modules, write_agent, write_project

from proctor.core.errors import InputError
from proctor.instruments.quality.project import read_governed
from proctor.pipeline.baseline.accepted import baseline_path, find_baseline, import_baseline
from proctor.pipeline.baseline.file import BaselineFile, read_baseline, sign, write_baseline
from proctor.pipeline.baseline.lawful import record_of
from proctor.pipeline.governance import lineage
from proctor.pipeline.keys import PUBLIC_FOLDER
from proctor.pipeline.ledger import LEDGER, Ledger

OTHER = "small-quality-desk"
TWO = r"two people have to accept"


def rename(project: Path, name: str) -> None:
    source = project / "desk.py"
    text = source.read_text()
    before = text.split('"name": "')[1].split('"')[0]
    source.write_text(text.replace(f'"name": "{before}"', f'"name": "{name}"'))
    forget_modules()


def renamed_and_worse(project: Path, name: str = OTHER) -> list[str]:
    """Five runs of a worse agent on the same scenarios under another name."""
    rename(project, name)
    write_agent(project, 1)
    return live(project, 21, 22, 23, 24, 25, agent=CLERK)


@pytest.fixture(scope="session")
def moved(ready: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A project with an accepted baseline whose suite was renamed, and five runs of it; copied, never changed."""
    project = tmp_path_factory.mktemp("moved") / "project"
    shutil.copytree(ready, project)
    return project, renamed_and_worse(project)


@pytest.fixture
def names(moved: tuple[Path, list[str]], project: Path) -> list[str]:
    """`project` is a copy of it; the runs."""
    shutil.copytree(moved[0], project, dirs_exist_ok=True)
    forget_modules()
    return moved[1]


def by_two(project: Path, names: list[str]) -> BaselineFile:
    with pytest.raises(InputError, match=TWO):
        accepted(project, *names)
    return accepted(project, *names, signer=known_signer(project, "yan"))


def by_one_past_the_command(project: Path, names: list[str], *, of: Path) -> BaselineFile:
    """The baseline that one key signs and records in a project of its own, where the suite is the first."""
    alone = of / "alone"
    shutil.copytree(project, alone, ignore=shutil.ignore_patterns("ledger.jsonl", "baselines", "pipeline"))
    return accepted(alone, *names)


def clone_of(project: Path, folder: Path) -> Path:
    clone = folder / "clone"
    clone.mkdir()
    write_project(clone, rules=RULES)
    shutil.copytree(project / PUBLIC_FOLDER, clone / PUBLIC_FOLDER)
    known_signer(clone, "yan")
    return clone


def test_the_first_baseline_of_a_renamed_suite_takes_two(names: list[str], project: Path) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match=rf"{TWO}|somebody else has to decide") as refused:
            accepted(project, *names)
    assert "somebody else has to decide" in str(refused.value), "the second time it waits"
    ledger = Ledger(project)
    assert [e.kind for e in ledger.entries() if e.body.get("suite") == OTHER] == ["act"], "nothing is governed by one"
    assert find_baseline(project, OTHER) is None
    (name,) = live(project, 9, agent=CLERK)
    with pytest.raises(InputError, match=r"not the one approved.*nothing is decided on it"):
        gated(project, name, baseline=None)
    file = accepted(project, *names, signer=known_signer(project, "yan"))
    assert find_baseline(project, OTHER) == file
    assert find_baseline(project, NAME) is not None, "the other is in force as before"


@pytest.mark.parametrize("name", ["small_quality", "smal1-quality"])
def test_any_other_name_is_another_suite(based: Path, name: str) -> None:
    rename(based, name)
    names = live(based, 21, 22, 23, 24, 25)
    names = renamed_and_worse(based, name)
    with pytest.raises(InputError, match=rf"first baseline of suite '{name}' .*beside small-quality.*{TWO}"):
        accepted(based, *names)


def test_each_further_name_takes_two_again(names: list[str], project: Path) -> None:
    by_two(project, names)
    with pytest.raises(InputError, match=rf"beside small-quality, small-quality-desk.*{TWO}"):
        accepted(project, *renamed_and_worse(project, "small-quality-desk-2"))
    rename(project, NAME)
    write_agent(project)
    forget_modules()
    again = accepted(project, *live(project, 31, 32, 33, 34, 35), release="2.0")
    assert again.version == 2, "the first suite goes on with one key"


def test_two_sign_the_same_rules(names: list[str], project: Path) -> None:
    with pytest.raises(InputError, match=TWO):
        accepted(project, *names)
    (project / "proctor.rules.yaml").write_text((project / "proctor.rules.yaml").read_text() + "alpha: 0.001\n")
    with pytest.raises(InputError, match=TWO):
        accepted(project, *names, signer=known_signer(project, "yan"))


def test_one_key_past_the_command_is_found(names: list[str], project: Path) -> None:
    two = by_two(project, names)
    ledger = Ledger(project)
    text = ledger.path.read_bytes()
    acts = [entry for entry in ledger.entries() if entry.kind == "act"]
    # As it would be without the second signature: written by hand, with one key.
    ledger.path.write_bytes(b"".join(text.splitlines(keepends=True)[: acts[0].number]))
    zoe = known_signer(project)
    ledger.append("genesis", {"suite": OTHER, "charter": {}, "hash": ""}, signer=zoe)
    ledger.append("acceptance", record_of(two, read_governed(project)), signer=zoe)
    file = sign(msgspec.structs.replace(two, lineage=tuple(lineage(ledger.entries(), OTHER))), zoe)
    write_baseline(file, baseline_path(project, OTHER))
    with pytest.raises(InputError, match=TWO):
        find_baseline(project, OTHER)


def test_it_is_not_imported_into_a_kept_ledger(names: list[str], project: Path, tmp_path: Path) -> None:
    one = by_one_past_the_command(project, names, of=tmp_path)
    assert find_baseline(tmp_path / "alone", OTHER) == one, "where it is the first, one key is enough"
    before = Ledger(project).path.read_bytes()
    with pytest.raises(InputError, match=TWO):
        import_baseline(one, project, signer=None)
    assert Ledger(project).path.read_bytes() == before
    clone = clone_of(project, tmp_path)
    import_baseline(read_baseline(baseline_path(project, NAME)), clone, signer=None)
    with pytest.raises(InputError, match=TWO):
        import_baseline(one, clone, signer=None)
    import_baseline(by_two(project, names), clone, signer=None)
    assert find_baseline(clone, OTHER) is not None


def test_two_suites_are_taken_in_in_either_order(names: list[str], project: Path, tmp_path: Path) -> None:
    first = read_baseline(baseline_path(project, NAME))
    second = by_two(project, names)
    clone = clone_of(project, tmp_path)
    import_baseline(second, clone, signer=None)
    import_baseline(first, clone, signer=None)
    assert find_baseline(clone, NAME) == first
    assert find_baseline(clone, OTHER) == second


def test_a_new_beginning_of_the_first_is_not_taken_in_beside_the_second(
    names: list[str], project: Path, tmp_path: Path
) -> None:
    """What two people founded the second beside is one baseline, not any of that name."""
    second = by_two(project, names)
    rename(project, NAME)
    other = by_one_past_the_command(project, live(project, 41, 42, 43, 44, 45, agent=CLERK), of=tmp_path)
    clone = clone_of(project, tmp_path)
    import_baseline(second, clone, signer=None)
    with pytest.raises(InputError, match=TWO):
        import_baseline(other, clone, signer=None)


def test_one_suite_is_not_begun_within_the_approvals_of_another(
    names: list[str], project: Path, tmp_path: Path
) -> None:
    """What a baseline carries of another suite counts for nothing, wherever it stands among its own."""
    one = by_one_past_the_command(project, names, of=tmp_path)
    first = read_baseline(baseline_path(project, NAME))
    planted = sign(msgspec.structs.replace(first, lineage=(*one.lineage, *first.lineage)), known_signer(project))
    clone = clone_of(project, tmp_path)
    import_baseline(planted, clone, signer=None)
    with pytest.raises(InputError, match=TWO):
        import_baseline(one, clone, signer=None)


@pytest.mark.parametrize("place", ["proctor.baseline", "old", "notes.json", ".proctor/baselines/small-quality.json"])
def test_a_carried_baseline_counts_without_its_ledger(names: list[str], project: Path, place: str) -> None:
    carried = read_baseline(baseline_path(project, NAME))
    shutil.rmtree(project / ".proctor")
    (project / place).parent.mkdir(parents=True, exist_ok=True)
    write_baseline(carried, project / place)
    with pytest.raises(InputError, match=rf"beside small-quality.*{TWO}"):
        accepted(project, *names)
    assert not [entry for entry in Ledger(project).entries() if entry.kind != "act"]


def test_one_is_not_imported_beside_a_carried_one(names: list[str], project: Path, tmp_path: Path) -> None:
    carried = read_baseline(baseline_path(project, NAME))
    one = by_one_past_the_command(project, names, of=tmp_path)
    clone = clone_of(project, tmp_path)
    write_baseline(carried, clone / "before.baseline")
    with pytest.raises(InputError, match=TWO):
        import_baseline(one, clone, signer=None)
    import_baseline(carried, clone, signer=None)
    assert not (clone / LEDGER).read_bytes().count(OTHER.encode())


def test_frozen_rules_of_another_suite_count_as_well(desk: Path) -> None:
    (name,) = live(desk, 1)
    gated(desk, name)
    rename(desk, OTHER)
    with pytest.raises(InputError, match=rf"beside small-quality.*{TWO}"):
        accepted(desk, *live(desk, 1, 2, 3, 4, 5))
