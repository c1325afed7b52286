"""`python=PATH`: an agent runs on the interpreter that it names, with the packages of that one and nothing else."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from proctor.agents.process import interpreter
from proctor.agents.process.inside import serve
from proctor.agents.process.interpreter import OLDEST
from proctor.core.errors import InputError
from proctor.engine.run import explain_difference
from proctor.evidence.events import Said
from proctor.evidence.row import SUCCESS
from proctor.worlds.interpreter import PACKAGES, locate_python

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left")

AGENT = """
    import sys
    from proctor import Submission

    class Agent:
        async def run(self, task, session):
            session.say("%d.%d" % sys.version_info[:2])
            for name in ("parcel", "msgspec", "proctor." + "suites", "bringing"):
                try:
                    __import__(name)
                    # What is covered is an empty file.
                    if hasattr(sys.modules[name], "CONTENT") or name == "msgspec":
                        session.say("has " + name)
                except ImportError:
                    pass
            numbers = [(await session.call("number", index=place)).value for place in range(3)]
            return Submission(sum(numbers))

    def plain(task, session):
        import os
        seen = []
        for parent, folders, files in os.walk("/opt/venv"):
            seen += files + folders
        session.say(" ".join(seen))
        return Submission(None)
"""


def environment(folder: Path, python: str = sys.executable) -> Path:
    """A virtual environment without anything in it but a package of our own."""
    subprocess.run([python, "-I", "-m", "venv", "--without-pip", folder], check=True, timeout=300)
    (site,) = folder.glob("lib/python3*/site-packages")
    install(site, "parcel", "1.0")
    return folder


def install(site: Path, name: str, version: str, entry_points: str = "") -> None:
    (site / f"{name}.py").write_text("CONTENT = 1\n")
    information = site / f"{name}-{version}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (information / "entry_points.txt").write_text(entry_points)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("made") / "venv")


def said(project: Project, agent: str) -> list[str]:
    (lived,) = project.examine(agent)
    assert lived.row.outcome == SUCCESS, lived.failure
    return [event.text for event in lived.of(Said)]


def others() -> list[Any]:
    """Other Pythons of this machine that are supported: on the path, or beside the running one."""
    found: dict[int, Path] = {}
    for minor in range(OLDEST[1], 20):
        named = shutil.which(f"python3.{minor}")
        beside = Path(sys.base_prefix).parent.glob(f"*3.{minor}.*/bin/python3")
        for path in (*([] if named is None else [Path(named)]), *beside):
            if minor != sys.version_info.minor and runs(path):
                found[minor] = path
    return [pytest.param(path, minor, id=f"3.{minor}") for minor, path in found.items()]


def runs(path: Path) -> bool:
    done = subprocess.run([path, "-I", "-c", "import venv"], capture_output=True, check=False, timeout=300)
    return done.returncode == 0


def test_an_environment_outside_the_project(project: Project, made: Path) -> None:
    project.write("mine.py", AGENT)
    # Its own package is there; what the bench has installed, and Proctor itself, are not.
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert said(project, f"python:mine.py:Agent,python={made}") == [version, "has parcel"]
    assert said(project, f"python:mine.py:Agent,python={made / 'bin' / 'python3'}") == [version, "has parcel"]
    assert "has msgspec" in said(project, "python:mine.py:Agent"), "without the option it is the bench's own"


def test_a_project_with_its_environment_in_it(project: Project, made: Path) -> None:
    project.write("mine.py", AGENT)
    project.write("agents/pyproject.toml", "")
    environment(project.folder / "agents" / ".venv")
    assert "has parcel" in said(project, "python:mine.py:Agent,python=agents")
    assert "has parcel" in said(project, "python:mine.py:Agent,python=agents/.venv")


def test_without_a_sandbox_too(project: Project, made: Path) -> None:
    project.write("mine.py", AGENT)
    assert "has parcel" in said(project, f"python:mine.py:Agent,python={made},unconfined=yes")


@pytest.mark.parametrize(("python", "minor"), others())
def test_other_versions(python: Path, minor: int, project: Project) -> None:
    project.write("mine.py", AGENT)
    made = environment(project.folder / "venv", str(python))
    assert said(project, f"python:mine.py:Agent,python={made}") == [f"3.{minor}", "has parcel"]
    assert said(project, f"python:mine.py:Agent,python={python}")[0] == f"3.{minor}"


def test_what_runs_inside_is_written_for_the_oldest() -> None:
    inside = Path(serve.__file__).parent
    for source in inside.glob("*.py"):
        ast.parse(source.read_text(encoding="utf-8"), feature_version=OLDEST)


def test_an_environment_in_the_middle_of_the_project_shows_nothing_of_the_project(project: Project) -> None:
    environment(project.folder)
    project.write("secret-notes.txt", "")
    project.write("mine.py", AGENT)
    (lived,) = project.examine("python:mine.py:plain,python=.")
    (text,) = [event.text for event in lived.of(Said)]
    assert "parcel.py" in text
    assert "secret-notes.txt" not in text
    assert "mine.py" not in text


def test_packages_that_bring_families_are_hidden_there_too(project: Project) -> None:
    made = environment(project.folder / "venv")
    (site,) = made.glob("lib/python3*/site-packages")
    install(site, "bringing", "1.0", "[proctor.families]\nbringing = bringing:family\n")
    install(site, "proctor", "9.9")
    project.write("mine.py", AGENT)
    assert said(project, f"python:mine.py:Agent,python={made}")[1:] == ["has parcel"]
    with pytest.raises(InputError, match="'bringing' also brings families"):
        project.bench(f"python:bringing:make,python={made}")


def test_the_interpreter_belongs_to_what_identifies_the_agent(project: Project) -> None:
    project.write("mine.py", AGENT)
    made = environment(project.folder / "venv")
    agent = "python:mine.py:Agent,python=venv"
    before = project.bench(agent).frozen
    assert before.agent_identity is not None
    assert before.agent_identity.startswith(f"CPython {sys.version.split()[0]} with 1 packages (SHA-256 ")
    assert project.bench(agent).frozen.config_hash == before.config_hash
    (site,) = made.glob("lib/python3*/site-packages")
    install(site, "another", "2.0")
    after = project.bench(agent).frozen
    assert after.config_hash != before.config_hash
    assert "interpreter or packages changed" in explain_difference("a-run", before, after)
    assert project.bench("python:mine.py:Agent").frozen.agent_identity is None


def test_a_module_is_looked_for_in_its_own_packages(project: Project, made: Path) -> None:
    project.bench(f"python:parcel:make,python={made}", check=False)
    with pytest.raises(InputError) as refused:
        project.bench(f"python:msgspec:make,python={made}")
    assert "there is no module 'msgspec'" in str(refused.value)
    assert f"none is installed in python={made} (Python 3." in str(refused.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone", "python=gone does not exist"),
        ("text", "python=text is not executable"),
        ("shim", "python=shim is a script that starts an interpreter"),
        ("empty", "python=empty is a folder with neither bin/python nor .venv/bin/python"),
        ("uv", "python=uv is a project without a .venv folder; make it with `uv sync`"),
        ("dangling", "python=dangling is a link that leads nowhere"),
        ("program", "python=program is no Python that can be run in the sandbox"),
        ("old", "python=old is Python 3.8.18; agents need Python 3.9 or newer"),
    ],
)
def test_what_cannot_be_used_is_said(
    name: str, message: str, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("mine.py", AGENT)
    project.write("text", "")
    project.write("shim", "#!/bin/sh\n", executable=True)
    project.write("empty/file", "")
    project.write("uv/pyproject.toml", "")
    (project.folder / "dangling").symlink_to("nowhere")
    shutil.copy("/bin/true", project.folder / "program")
    if name == "old":
        (project.folder / "old").symlink_to(sys.executable)
        monkeypatch.setattr(interpreter, "_ask", lambda shown, unconfined: interpreter._Told((3, 8, 18)))
    with pytest.raises(InputError) as refused:
        project.bench(f"python:mine.py:Agent,python={name}")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_only_python_agents_have_it(project: Project) -> None:
    with pytest.raises(InputError, match="has no option 'python'"):
        project.bench("cmd:true,python=.venv")


def test_only_what_it_needs_is_shown(tmp_path: Path) -> None:
    made = environment(tmp_path / "venv")
    (made / "notes").mkdir()
    shown = locate_python(made)
    assert shown.command == f"{PACKAGES}/bin/python"
    seen = [virtual for _, virtual in shown.folders]
    assert {f"{PACKAGES}/bin", f"{PACKAGES}/lib", f"{PACKAGES}/pyvenv.cfg"} <= set(seen)
    assert not [virtual for virtual in seen if virtual in (PACKAGES, f"{PACKAGES}/notes") or virtual.startswith("/usr")]
    assert shown.host_path(f"{PACKAGES}/lib/x") == (made / "lib").resolve() / "x"
    assert shown.host_path("/etc/passwd") is None
