"""What of a user's files an agent may be shown, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import proctor
from proctor.agents.process.exposure import expose
from proctor.agents.process.hidden import hidden_packages, hidden_paths, site_folders, views
from proctor.core.errors import InputError

CASES = """{"scenarios": [{"id": "a", "coordinate": "G1", "expected": {"name": "pay"}, "provenance": {}}]}"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "agents" / "lib").mkdir(parents=True)
    (tmp_path / "agents" / "mine.py").write_text("import lib")
    (tmp_path / "proctor.yaml").write_text("seed: 1")
    return tmp_path


def test_a_file_is_seen_where_it_lies_in_the_project(folder: Path) -> None:
    assert expose(Path("agents/mine.py"), folder, folder).virtual == "/agent/agents/mine.py"
    assert expose(Path("./agents/../agents/mine.py"), folder, folder).virtual == "/agent/agents/mine.py"
    assert expose(Path("agents"), folder, folder).virtual == "/agent/agents"


def test_a_file_from_elsewhere_is_seen_by_its_name(folder: Path) -> None:
    assert expose(folder / "agents" / "mine.py", folder / "agents" / "lib", folder).virtual == "/agent/mine.py"


def test_what_is_not_there_is_said(folder: Path) -> None:
    with pytest.raises(InputError, match="there is no 'missing'"):
        expose(Path("missing"), folder, folder)


@pytest.mark.parametrize(
    ("made", "text", "named", "why"),
    [
        ("agents/.proctor/store.db", "x", "agents", "holds '.proctor'"),
        ("agents/proctor.yaml", "x", "agents", "holds 'proctor.yaml'"),
        ("agents/deep/suite.yaml", "name: s\nentries:\n  - family: f\n", "agents", "a suite"),
        ("suite.json", '{"entries": [{"family": "f"}]}', "suite.json", "a suite"),
        ("agents/fam.py", "from proctor.engine.family import Draw", "agents", "the code of a family"),
        (".proctor/store.db", "x", ".proctor/store.db", "Proctor's own files"),
        ("proctor.rules.yaml", "x", "proctor.rules.yaml", "Proctor's own files"),
        ("proctor.baseline", "x", "proctor.baseline", "Proctor's own files"),
        ("cases.json", CASES, "cases.json", "scenarios with their oracle"),
        ("agents/hints.txt", "# hints\n" * 50_000 + CASES, "agents", "scenarios with their oracle"),
        ("agents/x", "x", ".", "the whole project"),
        ("agents/x", "x", "..", "the whole project"),
        ("agents/x", "x", str(Path(proctor.__file__).parent), "Proctor itself"),
        ("agents/x", "x", str(Path(proctor.__file__).parent / "suites"), "Proctor itself"),
    ],
)
def test_what_belongs_to_the_examination_is_refused(made: str, text: str, named: str, why: str, folder: Path) -> None:
    (folder / made).parent.mkdir(parents=True, exist_ok=True)
    (folder / made).write_text(text)
    with pytest.raises(InputError, match=why):
        expose(Path(named), folder, folder)


def test_a_link_to_what_is_refused_is_refused(folder: Path) -> None:
    (folder / "innocent").symlink_to(folder)
    with pytest.raises(InputError, match="the whole project"):
        expose(Path("innocent"), folder, folder)


def test_ordinary_data_is_not_taken_for_a_suite(folder: Path) -> None:
    (folder / "agents" / "config.yaml").write_text("family: Helvetica\nother: 1\n")
    (folder / "agents" / "rows.json").write_text('{"rows": [1], "entries": 2}')
    assert expose(Path("agents"), folder, folder).virtual == "/agent/agents"


def test_proctor_is_hidden_wherever_it_is_installed(tmp_path: Path) -> None:
    assert "proctor" in hidden_packages()
    places = hidden_paths(tmp_path)
    assert Path(proctor.__file__).resolve().parent in places
    for folder in site_folders():
        ours = {path.resolve() for path in folder.iterdir() if "proctor" in path.name.lower()}
        assert ours <= set(places)


def test_a_project_inside_usr_is_covered() -> None:
    assert views(Path("/usr/src/app")) == ["/usr/src/app"]
    assert views(Path("/home/user/project")) == []


def test_packages_that_bring_suites_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from proctor.agents.process import hidden

    site = tmp_path / "site-packages"
    info = site / "my_tasks-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "my_tasks").mkdir()
    (site / "harmless").mkdir()
    (site / "__pycache__").mkdir()
    (site / "__pycache__" / "loose_tasks.cpython-311.pyc").touch()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-tasks\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[proctor.suites]\ns = my_tasks.suite:load\nt = loose_tasks:load\n")
    monkeypatch.setattr(hidden, "_all_site_folders", lambda: (site,))
    hidden._secret_names.cache_clear()
    found = {path.name for path in hidden._secrets_in(site)}
    assert found == {"my_tasks", "my_tasks-1.0.dist-info", "loose_tasks.cpython-311.pyc"}
