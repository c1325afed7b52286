"""Issue-to-file localisation on a dataset of our own: what is shown, what is scored, and that nothing leaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.suites.binding.swebench import repository

from proctor import api
from proctor.core.canonical import encode
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash
from proctor.engine.family import Draw
from proctor.engine.names import load_suite
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.predictive.localisation import records
from proctor.spec.condition import visible
from proctor.spec.task import Instance, Submission
from proctor.suites.binding.swebench.dataset import Dataset
from proctor.suites.binding.swebench.family import LocalisationFamily, first, source
from proctor.suites.binding.swebench.paths import is_test, violations
from proctor.suites.binding.swebench.ranking import Ranking
from proctor.suites.binding.swebench.retrieval import Retrieval
from proctor.suites.binding.swebench.suite import CONDITIONS, paper, suite
from proctor.suites.binding.swebench.world import LocalisationWorld, named_files
from proctor.worlds.world import EpisodeContext, Place

ARMS = {condition.id: condition for condition in CONDITIONS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository.write(tmp_path_factory.mktemp("data") / "own")


@pytest.fixture(scope="module")
def family(folder: Path) -> LocalisationFamily:
    return source.open_data(folder, "")


def instance(family: LocalisationFamily, number: int = 0) -> Instance:
    draw = Draw.of("test", number)
    return family.instance(Draw(draw.stream, Draw.of("test").stream, index=number))


def world(family: LocalisationFamily, condition: str, number: int = 0) -> LocalisationWorld:
    made = LocalisationWorld(instance(family, number), Place(), family.dataset)
    made.set_context(EpisodeContext(ARMS[condition], None, {}, None, None))
    return made


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("src/_pytest/python.py", False),
        ("src/_pytest/pytester.py", False),
        ("testing/test_mark.py", True),
        ("django/test/client.py", True),
        ("lib/contest.py", False),
        ("pkg/tests.py", True),
        ("pkg/conftest.py", True),
        ("pkg/value_test.py", True),
        ("pkg/latest_value.py", False),
    ],
)
def test_what_a_test_path_is(path: str, test: bool) -> None:
    assert is_test(path) == test


def test_hard_violations() -> None:
    tree, elsewhere = {"a/x.py", "a/tests/test_x.py"}, {"b/y.py"}

    def found(*files: str, scrambled: tuple[str, ...] = ()) -> tuple[str, ...]:
        return violations(files, tree=tree, elsewhere=elsewhere, scrambled=scrambled)

    assert found("a/x.py") == ()
    assert found() == ("empty",)
    assert found("a/z.py") == ("nonexistent_path",)
    assert found("b/y.py", "a/x.py") == ("other_repository",)
    assert found("a/tests/test_x.py") == ("test_only",)
    assert found("a/tests/test_x.py", "a/x.py") == ()
    assert found("a/x.py", scrambled=("a/x.py",)) == ("scrambled_following",)
    assert found("a/x.py", "a/tests/test_x.py", scrambled=("a/x.py",)) == ()


def test_retrieval_finds_what_the_issue_names() -> None:
    index = Retrieval(repository.tree_of("north/harbour"))
    assert index.candidates("the cipher core fails", 1)[0].path == "harbour/cipher/core.py"
    assert index.candidates("see harbour/widget/util.py line 3", 1)[0].path == "harbour/widget/util.py"
    assert index.candidates("broken: harbour.spline.util.fit", 1)[0].path == "harbour/spline/util.py"
    assert not any(is_test(candidate.path) for candidate in index.candidates("tests of everything", 100))


def test_the_second_ranking_follows_tracebacks_imports_and_names_written_together() -> None:
    index = Ranking(repository.tree_of("north/harbour"))

    def best(text: str) -> str:
        return index.candidates(text, 1)[0].path

    assert best("the cipher core fails") == "harbour/cipher/core.py"
    assert best('File "/usr/lib/python3/site-packages/harbour/widget/util.py", line 3') == "harbour/widget/util.py"
    assert best("broken: harbour.spline.util.fit") == "harbour/spline/util.py"
    assert best("from harbour.ledger import core") == "harbour/ledger/core.py"
    assert Ranking(["a/loose_end.py", "a/loose.py"]).candidates("LooseEnd is lost", 1)[0].path == "a/loose_end.py"
    assert not any(is_test(candidate.path) for candidate in index.candidates("tests of everything", 100))
    assert [one.path for one in Ranking(["a.py", "b.py"]).candidates("anything at all", 2)] == ["a.py", "b.py"]


def test_no_field_of_the_second_version_says_what_it_is_there_for(family: LocalisationFamily) -> None:
    shown = {name for condition in ARMS for name in world(family, condition).observe()["state"]}
    assert shown == {"x-issue", "x-files", "reason", "x-remark", "x-elsewhere", "x-advice"}


def test_the_first_version_stays_as_it_was(folder: Path) -> None:
    declared = paper.on_data(folder)
    assert declared.full_name == "binding-swebench@1.0"
    assert {entry.family.partition("#")[0] for entry in declared.entries} == {"swebench-localisation"}
    assert load_suite(f"binding-swebench@1.0#{folder}", Path()) == declared
    assert load_suite(f"binding-swebench#{folder}", Path()).version == "2.0"
    old = first.open_data(folder, "")
    made = instance(old)
    assert set(made.state) == {"x-issue", "x-files", "reason", "x-other", "x-cue", "x-prior", "x-repair"}
    assert len(made.state["x-files"]["files"]) == 20
    assert content_hash(made.state) == "290f338f3b8d9865648a9aaa7e0b1cb9b38015fd2f1e6b4338be46757756ee0c"


def test_nothing_of_the_reference_reaches_an_agent(folder: Path, tmp_path: Path) -> None:
    """With only the scorer's reference changed, every byte shown is the same."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "trees.jsonl").write_bytes((folder / "trees.jsonl").read_bytes())
    lines = []
    for line in (folder / "issues.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        record["patch"] = record["patch"].replace("core.py", "util.py")
        lines.append(json.dumps(record))
    (other / "issues.jsonl").write_text("\n".join(lines), encoding="utf-8")
    one, two = source.open_data(folder, ""), source.open_data(other, "")
    assert one.spec.data != two.spec.data
    for number in range(30):
        first, second = instance(one, number), instance(two, number)
        assert first.hidden["reference"] != second.hidden["reference"]
        for condition in ARMS:
            shown = encode(world(one, condition, number).observe())
            assert shown == encode(world(two, condition, number).observe())
            assert b"reference" not in shown
            assert b"hidden" not in shown


def test_each_condition_shows_what_it_says(family: LocalisationFamily) -> None:
    shown = {name: set(world(family, name).observe()["state"]) for name in ARMS}
    assert shown == {
        "task": {"x-issue", "x-files"},
        "task-again": {"x-issue", "x-files"},
        "current-state": {"x-issue", "x-files", "reason"},
        "decisive-only": {"reason"},
        "scrambled-state": {"x-issue", "x-files", "reason"},
        "prior-only": {"x-elsewhere"},
        "irrelevant-cue": {"x-issue", "x-files", "reason", "x-remark"},
        "guard": {"x-issue", "x-files", "reason"},
        "repair": {"x-issue", "x-files", "x-advice"},
        "task-apart": {"x-issue", "x-files"},
        "bare": set(),
    }
    notes = world(family, "scrambled-state").observe()["state"]["reason"]
    assert notes == instance(family).state["x-other"]
    assert notes["event"] != instance(family).observation["issue"]
    assert not set(notes["files"]) & set(instance(family).state["reason"]["files"])


def verdict(family: LocalisationFamily, condition: str, answer: Any, number: int = 0) -> Any:
    return world(family, condition, number).verify(Submission(answer=answer))


def test_a_clean_hit_needs_a_reference_file_and_no_violation(family: LocalisationFamily) -> None:
    right = instance(family).hidden["reference"][0]
    package = right.partition("/")[0]
    assert verdict(family, "task", {"files": [right]}).success
    assert verdict(family, "task", {"files": [f"./{right}", "setup.py"]}).success, "written another way"
    assert verdict(family, "task", {"files": ["setup.py"]}).reason == "missed"
    assert verdict(family, "task", {"files": [right, f"{package}/nowhere.py"]}).reason == "nonexistent_path"
    assert verdict(family, "task", {"files": [right, "orchard/cache/core.py"]}).reason == "other_repository"
    assert verdict(family, "task", {"files": []}).reason == "empty"
    fourth = ["setup.py", "conftest.py", f"{package}/__init__.py", right]
    assert verdict(family, "task", {"files": fourth}).reason == "missed", "only the first three count"
    for unreadable in (None, 7, {"paths": [right]}, {"files": [1]}):
        assert verdict(family, "task", unreadable).format_error


def test_following_scrambled_notes_is_a_violation(family: LocalisationFamily) -> None:
    other = instance(family).state["x-other"]["files"]
    found = verdict(family, "scrambled-state", {"files": other})
    assert "scrambled_following" in found.measures["violations"].split(",")
    assert not found.success
    assert "scrambled_following" not in verdict(family, "task", {"files": other}).measures["violations"]


def test_the_guard_drops_what_does_not_exist_and_falls_back_on_the_notes(family: LocalisationFamily) -> None:
    notes = instance(family).state["reason"]["files"]
    kept = verdict(family, "guard", {"files": ["nowhere.py", notes[1]]}).measures
    assert json.loads(kept["files"]) == [notes[1]]
    assert kept["violations"] == ""
    assert json.loads(verdict(family, "guard", {"files": ["setup.py"]}).measures["files"]) == notes
    assert json.loads(verdict(family, "task", {"files": ["setup.py"]}).measures["files"]) == ["setup.py"]


def test_named_files() -> None:
    assert named_files("a/b.py") == ["a/b.py"]
    assert named_files({"files": ["`a.py`", "a.py", " /b.py "]}) == ["a.py", "b.py"]
    assert named_files({"files": "a.py"}) == ["a.py"]
    assert named_files({"files": ["a/x/y.py", "b/z.py"]}, {"x/y.py", "b/z.py"}) == ["x/y.py", "b/z.py"]
    assert named_files([]) == []
    assert named_files(["x" * 100_000]) == ["x" * 512]


def test_silence_binds_to_nothing_and_is_not_unlike_itself(folder: Path, tmp_path: Path) -> None:
    name = api.run(suite.on_data(folder), agent="null", seed=3, store=str(tmp_path / "s.db")).run
    with Store(str(tmp_path / "s.db")) as store:
        table = records([evidence_of(store, name)])
    for part, value in (("bound_current", 0.0), ("bound_decisive", 0.0), ("unlike_prior", 0.0)):
        assert set(table[part]) == {value}
    assert set(table["hit3"]) == {0}
    assert set(table["violation"]) == {1}


def changed(folder: Path, stem: str, again: int = 0, **values: Any) -> None:
    """Change the first record of a file, or have it there again."""
    path = folder / f"{stem}.jsonl"
    first, *rest = path.read_text().splitlines()
    lines = [json.dumps({**json.loads(first), **values}), *[first] * again, *rest]
    path.write_text("\n".join(lines) + "\n")


def test_paths_without_a_word_can_be_listed(tmp_path: Path) -> None:
    assert [one.path for one in Retrieval(["a.py", "b.py"]).candidates("anything at all", 2)] == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (lambda folder: (folder / "trees.jsonl").unlink(), "there is no trees.jsonl"),
        (lambda folder: (folder / "issues.jsonl").write_text("{}\n"), "line 1: no text under instance_id"),
        (lambda folder: (folder / "issues.jsonl").write_text("\n3\n"), "line 2: no text under instance_id"),
        (lambda folder: (folder / "issues.jsonl").write_text("[" * 100_000), "cannot be read as JSON lines"),
        (lambda folder: (folder / "issues.jsonl").write_text(""), "0 issues; give two or more"),
        (lambda folder: (folder / "issues.jsonl").rename(folder / "issues.jsonl.gz"), "cannot be read as JSON lines"),
        (lambda folder: changed(folder, "issues", problem_statement=None), "line 1: no text under problem_statement"),
        (
            lambda folder: changed(folder, "issues", patch="+++ b/new/file.py\n"),
            "can be located: no implementation file",
        ),
        (
            lambda folder: changed(folder, "issues", patch="+++ b/conftest.py\n"),
            "can be located: no implementation file",
        ),
        (lambda folder: changed(folder, "trees", py="a.py"), "has no list of paths under py"),
        (lambda folder: changed(folder, "trees", py=["a.py", None]), "has no list of paths under py"),
        (lambda folder: changed(folder, "trees", 1), "has two file lists"),
        (lambda folder: (folder / "issues.jsonl").write_text("not json\n"), "cannot be read as JSON lines"),
        (lambda folder: (folder / "trees.jsonl").write_text(""), "has no file list"),
    ],
)
def test_a_broken_dataset_is_one_sentence(tmp_path: Path, break_it: Any, says: str) -> None:
    folder = repository.write(tmp_path / "data")
    break_it(folder)
    with pytest.raises(InputError, match=says):
        Dataset(folder)


def test_a_path_that_a_family_s_name_would_cut_off_is_refused() -> None:
    with pytest.raises(InputError, match="must not contain '#'"):
        load_suite("binding-swebench#my#data", Path())


def test_the_bare_suite_says_what_it_needs() -> None:
    with pytest.raises(InputError, match="--data FOLDER"):
        suite()


@pytest.fixture(scope="module")
def run(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    place = str(tmp_path_factory.mktemp("store") / "store.db")
    result = api.run(suite.on_data(folder), agent="oracle", seed=1, store=place)
    with Store(place) as opened:
        return evidence_of(opened, result.run)


def test_twelve_rows_an_issue_and_the_oracle_hits_all(run: Evidence) -> None:
    assert len(run.rows) == 30 * 12
    missed = [run.arms[row.arm].condition for row in run.rows if row.reason != "correct"]
    # The guard trusts the notes, which are wrong where the issue speaks of something else.
    assert set(missed) == {"guard"}
    assert len(missed) < 15


def test_visible_state_is_what_the_session_reads(family: LocalisationFamily) -> None:
    made = instance(family)
    state = visible(made.state, ARMS["decisive-only"], ("reason",), {})
    assert state == world(family, "decisive-only").observe()["state"]
