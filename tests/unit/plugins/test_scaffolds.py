"""Starting points: what is written, what is refused, and that names cannot break a text they go into."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from proctor.core.errors import InputError
from proctor.engine.names import load_family, load_suite
from proctor.plugins import scaffolds
from proctor.plugins.scaffolds import project_text, write_scaffold
from proctor.spec.project import Project, read_project
from proctor.spec.system import Boundaries

REPOSITORY = Path(__file__).parents[3]
STRANGE = (
    "plain",
    "with space",
    "quote\" and 'apostrophe'",
    "colon: and # hash",
    "- dash",
    "{brace} $dollar ${name} %s",
    "back\\slash \\n",
    "line\nbreak\ttab",
    "ünïcode ✓ 🙂 \u2028 \x7f \x85",
    "null",
    "on",
    "1.0",
    "x" * 500,
)


def parsed(text: str) -> Project:
    return Project.parse(yaml.safe_load(text), source="proctor.yaml")


@pytest.mark.parametrize("text", STRANGE)
def test_any_text_comes_through_a_project_unharmed(text: str) -> None:
    project = parsed(project_text(text, f"cmd:{text}", f"{text}.yaml"))
    assert project.system.name == text
    assert project.system.agents.core == f"cmd:{text}"
    assert project.suite == f"{text}.yaml"


def test_a_project_explains_every_field_and_stays_short() -> None:
    text = project_text("shop", "clerk", "hello")
    assert len(text.splitlines()) <= 40
    fields = ("name", "version", "architecture", "learning", "boundaries", "core", "extended", "network", "env")
    for field in (*fields, "memory", "human_policy", "independence", "use"):
        assert f"{field}:" in text.partition("suite:")[0]
    for field in ("system", "evaluation", "suite", "seed", "limits", "store"):
        assert f"\n{field}:" in text


def test_a_project_declares_nothing_on_the_users_behalf() -> None:
    project = Project.parse(yaml.safe_load(project_text("shop", "clerk", "hello")), source="proctor.yaml")
    assert project.system.boundaries == Boundaries()
    bare = Project.parse({"system": {"name": "shop", "version": "0.1", "agents": {"core": "clerk"}}}, source="bare")
    assert project == bare


def test_a_project_is_read_back_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "proctor.yaml").write_text(project_text("shop", "clerk", "hello"), encoding="utf-8")
    project = read_project(tmp_path)
    assert project is not None
    assert project.system.name == "shop"


@pytest.mark.parametrize("name", ["", "   ", "\n"])
def test_a_project_without_a_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="needs a name"):
        project_text(name, "clerk", "hello")


def test_text_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(InputError, match="not valid UTF-8"):
        project_text("caf\udce9", "clerk", "hello")


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("family", ("parcel_sorting.py", "test_parcel_sorting.py")),
        ("agent", ("parcel_sorting.py", "test_parcel_sorting.py")),
        ("suite", ("parcel_sorting.yaml", "test_parcel_sorting.py")),
    ],
)
def test_hyphens_become_underscores_in_file_names(kind: str, files: tuple[str, ...], tmp_path: Path) -> None:
    started = write_scaffold(kind, "parcel-sorting", tmp_path)
    assert started.files == tuple(tmp_path / file for file in files)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)
    for path in started.files:
        text = path.read_text(encoding="utf-8")
        assert "$" not in text
        assert "parcel" in text
    assert all("$" not in step for step in started.next_steps)
    assert any(files[0] in step for step in started.next_steps)
    assert f"pytest {files[1]}" in started.next_steps


@pytest.mark.parametrize("name", ["null", "on", "y", "a", "a_b-c_d", "x1", "lambda", "class", "true"])
def test_names_that_mean_something_elsewhere_are_names_all_the_same(name: str, tmp_path: Path) -> None:
    for kind in ("family", "suite"):
        (tmp_path / kind).mkdir()
        started = write_scaffold(kind, name, tmp_path / kind)
        if kind == "family":
            assert load_family(started.files[0].name, tmp_path / kind).spec.id == name
            assert load_suite(f"{started.files[0].name}@suite", tmp_path / kind).name == name
        else:
            assert load_suite(started.files[0].name, tmp_path / kind).name == name


@pytest.mark.parametrize(
    "name",
    ["", "Big", "two words", "1st", "-a", "a-", "a--b", "a.b", "../up", "a/b", "naïve", "a\n", "$name", "{name}"],
)
def test_what_is_no_name_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a valid name") as refusal:
        write_scaffold("agent", name, tmp_path)
    assert len(str(refusal.value).splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["json", "asyncio", "proctor", "numpy"])
def test_a_file_that_would_hide_an_installed_module_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="would hide"):
        write_scaffold("family", name, tmp_path)
    assert not list(tmp_path.iterdir())
    write_scaffold("suite", name, tmp_path)


def test_where_pytest_is_missing_the_next_step_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert write_scaffold("suite", "there", tmp_path).next_steps[-1] == "pytest test_there.py"
    monkeypatch.setattr(scaffolds, "find_spec", lambda name: None)
    assert write_scaffold("suite", "gone", tmp_path).next_steps[-1] == "pip install pytest, then pytest test_gone.py"


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="family, agent, suite"):
        write_scaffold("world", "mine", tmp_path)


@pytest.mark.parametrize("there", ["mine.py", "test_mine.py"])
def test_nothing_is_overwritten(there: str, tmp_path: Path) -> None:
    (tmp_path / there).write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match="already exists"):
        write_scaffold("family", "mine", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text(encoding="utf-8") == "precious"


def test_a_link_to_nowhere_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "mine.py").symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(InputError, match="already exists"):
        write_scaffold("agent", "mine", tmp_path)
    assert not (tmp_path / "elsewhere.py").exists()


def test_half_a_starting_point_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def fail_at_the_test(path: Path, *arguments: object, **options: object) -> object:
        if path.name.startswith("test_"):
            raise OSError("disk full")
        return opened(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", fail_at_the_test)
    with pytest.raises(OSError, match="disk full"):
        write_scaffold("agent", "mine", tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every starting point, in one folder."""
    folder = tmp_path_factory.mktemp("written")
    for kind in ("family", "agent", "suite"):
        for name in (f"my-{kind}", f"{kind[0]}q", f"a-{kind}-with-a-rather-long-name-of-its-own"):
            write_scaffold(kind, name, folder)
    return folder


def tool(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_written_satisfies_ruff(written: Path) -> None:
    settings = ("--no-cache", "--config", str(REPOSITORY / "pyproject.toml"), str(written))
    tool("ruff", "check", *settings)
    tool("ruff", "format", "--check", *settings)


def test_what_is_written_satisfies_mypy(written: Path) -> None:
    files = [str(path) for path in sorted(written.glob("*.py"))]
    tool("mypy", "--config-file", str(REPOSITORY / "pyproject.toml"), *files)
