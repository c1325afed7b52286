"""Agents are strangers: a user's agent that hunts for seed, store, answers and verifier finds none of them.

Everything is as a user has it: a project folder with a suite, a family, `proctor.yaml` and a store in `.proctor`; the
run goes through the engine into that store. Looking in the same way without confinement does find things, so that the
tests can tell the difference.
"""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import textwrap
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from proctor.agents.lookup import label_of
from proctor.engine.executors.contract import Executor
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.executors.processes import ProcessesExecutor
from proctor.engine.names import load_suite
from proctor.engine.plan import Plan
from proctor.engine.preflight import SKIPPED, Preflight
from proctor.engine.run import execute, freeze, start_run
from proctor.evidence.events import Event, Said, Submitted
from proctor.evidence.result import RunResult, result_of
from proctor.evidence.store.store import Store
from proctor.spec.system import Network, System
from proctor.worlds.sandbox import available

FAMILIES = Path(__file__).parents[1] / "unit" / "agents_process" / "families.py"
HUNTER = Path(__file__).parents[1] / "unit" / "agents_process" / "hunter.py"
SEED = sha256(b"a hidden seed").hexdigest()
pytestmark = pytest.mark.usefixtures("either_host")
SECRETS = {
    "seed": SEED,
    "environment": "environment-canary-5b1f",
    "project": "project-file-canary-77ac",
    "suite": "suite-file-canary-c0de",
    "family": "a whole number that nobody guesses",
}


class Silent:
    """A progress bar for nobody."""

    def start(self, total: int, done: int) -> None: ...

    def advance(self, record: Any) -> None: ...

    def stop(self) -> None: ...


class Finished:
    """A run as its store has it."""

    def __init__(self, result: RunResult, events: list[list[Event]]) -> None:
        self.result = result
        self.events = events

    @property
    def answers(self) -> list[Any]:
        return [event.answer for episode in self.events for event in episode if isinstance(event, Submitted)]


def run(
    folder: Path,
    agent: str,
    *,
    executor: Executor | None = None,
    system: System | None = None,
    preflighted: Preflight | None = None,
) -> Finished:
    executor = executor or InlineExecutor()
    suite = load_suite("suite.yaml", folder)
    frozen = freeze(suite=suite, agent=agent, folder=folder, seed=SEED, system=system)
    plan = Plan(frozen)
    with Store(str(folder / ".proctor" / "store.db")) as store:
        record, _ = start_run(store, frozen, plan, executor=executor, folder=folder, preflighted=preflighted)
        execute(store, record, frozen, plan, folder=folder, executor=executor, progress=Silent())
        events = [store.events(record.number, position) for position in range(plan.episodes)]
        return Finished(result_of(store, record.name, label_of), events)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's project, with the user in it."""
    reason = available()
    if reason is not None:
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".proctor").mkdir()
    (folder / "proctor.yaml").write_text(f"# {SECRETS['project']}\nseed: '{SEED}'\nsuite: suite.yaml\n")
    suite = f"""
        # {SECRETS["suite"]}
        name: tiny
        version: "1.0"
        title: Tiny
        epoch: "2026-01-01T00:00:00Z"
        entries:
        - family: my_family.py
          n: 6
    """
    (folder / "suite.yaml").write_text(textwrap.dedent(suite))
    text = FAMILIES.read_text().replace("A whole number.", SECRETS["family"])
    (folder / "my_family.py").write_text(text)
    (folder / "adder.py").write_text(ADDER)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("UNDECLARED", SECRETS["environment"])
    return folder


ADDER = """
from proctor import Submission

async def run(task, session):
    return Submission(sum([(await session.call("number", index=place)).value for place in range(3)]), 0.75)
"""


class Listener:
    """A server of the host's that no confined agent can reach."""

    def __init__(self) -> None:
        self.inet = socket.create_server(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX)
        self.name = f"proctor-test-{os.getpid()}"
        self.unix.bind(f"\0{self.name}")
        self.unix.listen()
        self.port: int = self.inet.getsockname()[1]

    def visitors(self) -> int:
        """How many have come so far."""
        count = 0
        for server in (self.inet, self.unix):
            server.setblocking(False)
            try:
                while True:
                    server.accept()[0].close()
                    count += 1
            except BlockingIOError:
                continue
        return count


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.inet.close()
    listener.unix.close()


def hunter(folder: Path, listener: Listener, scope: tuple[str, int] | None = None) -> None:
    """Put the hostile agent into the project. It is told what to look for in a form that it cannot find in itself."""
    wanted = {name: base64.b64encode(text.encode()).decode() for name, text in SECRETS.items()}
    told = f"WANTED = {wanted!r}\nPORT = {listener.port}\nSOCKET = {base64.b64encode(listener.name.encode())!r}\n"
    told += f"SCOPE = {scope!r}\n"
    (folder / "hunter.py").write_text(HUNTER.read_text().replace("# TOLD\n", told))


def fingerprints(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".proctor" not in path.parts and "__pycache__" not in path.parts
    }


def test_a_hostile_agent_finds_nothing_and_changes_nothing(folder: Path, listener: Listener) -> None:
    hunter(folder, listener)
    before = fingerprints(folder)
    finished = run(folder, "python:hunter.py:Hunter")
    assert len(finished.answers) == 6, finished.events[0]
    for answer in finished.answers:
        assert answer["found"] == [], answer["found"]
        assert answer["reached"] == [], answer["reached"]
        assert answer["attempts"] > 60
        assert answer["neighbours"] == 0
        assert set(answer["descriptors"]) <= {"pipe", "/dev/null"}
        assert set(answer["variables"]) <= {"HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "TZ"}
    assert listener.visitors() == 0
    assert fingerprints(folder) == before
    # Every instance is still judged as it should be: an answer of this kind is a failure, not an escape.
    assert finished.result.outcomes["failure"] == 6


def test_without_walls_the_same_looking_does_find_things(folder: Path, listener: Listener) -> None:
    """Kept to this project, and to a process that is there to be looked at."""
    decoy = subprocess.Popen(["/bin/sleep", "60"])
    try:
        hunter(folder, listener, scope=(str(folder), decoy.pid))
        answer = run(folder, "python:hunter.py:Hunter,unconfined=yes").answers[0]
    finally:
        decoy.kill()
        decoy.wait()
    found = {item.partition(" ")[0] for item in answer["found"]}
    assert found == {"seed", "environment", "project", "suite", "family"}
    assert answer["reached"] == ["inet server", "unix server"]
    assert listener.visitors() > 0


def test_the_hostile_agent_does_not_hunt_outside_a_sandbox(folder: Path, listener: Listener) -> None:
    hunter(folder, listener)
    answer = run(folder, "python:hunter.py:Hunter,unconfined=yes").answers[0]
    assert answer["found"] == ["no sandbox around me, so I did not hunt"]
    assert answer["attempts"] == 0


def test_only_declared_variables_are_seen_and_their_values_are_never_recorded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECLARED", "declared-secret-value")
    text = """
        import os
        from proctor import Submission

        def run(task, session):
            session.say("my key is " + os.environ["DECLARED"])
            if session.call("number", index=0).value % 2:
                raise ValueError("401 for " + os.environ["DECLARED"])
            return Submission(sorted(os.environ))
    """
    (folder / "mine.py").write_text(textwrap.dedent(text))
    finished = run(folder, "python:mine.py:run", system=System(name="s", env=("DECLARED", "UNSET")))
    assert finished.answers
    assert all("DECLARED" in names and "UNDECLARED" not in names for names in finished.answers)
    assert finished.result.outcomes["failure"] == 6
    said = [event.text for episode in finished.events for event in episode if isinstance(event, Said)]
    assert said == ["my key is <DECLARED>"] * 6
    assert "declared-secret-value" not in repr(finished.events)


@pytest.mark.parametrize("network", list(Network))
def test_the_network_is_there_only_when_declared(network: Network, folder: Path, listener: Listener) -> None:
    text = f"""
        import socket
        from proctor import Submission

        def run(task, session):
            try:
                socket.create_connection(("127.0.0.1", {listener.port}), 2).close()
            except OSError:
                return Submission("unreachable")
            return Submission("connected")
    """
    (folder / "mine.py").write_text(textwrap.dedent(text))
    finished = run(folder, "python:mine.py:run", system=System(name="s", network=network))
    assert set(finished.answers) == {"connected" if network is Network.FULL else "unreachable"}


def test_executors_make_no_difference(folder: Path) -> None:
    inline = run(folder, "python:adder.py:run").result
    processes = run(folder, "python:adder.py:run", executor=ProcessesExecutor(2)).result
    assert inline.outcomes["success"] == 6
    assert inline.root == processes.root
    assert inline.config_hash == processes.config_hash


def test_no_process_outlives_the_run(folder: Path) -> None:
    sleeper = 'sleep 61.25 & echo \'{"type":"ready"}\'; while read -r a && read -r b; do sleep 61.25; done\n'
    (folder / "sleeper.sh").write_text(sleeper)
    suite = (folder / "suite.yaml").read_text()
    (folder / "suite.yaml").write_text(suite + "rules: {limits: {episode_seconds: 2}}\n")
    finished = run(folder, "cmd:sh sleeper.sh", preflighted=SKIPPED)
    assert finished.result.outcomes["limit"] == 6
    assert _sleepers() == []


def _sleepers() -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"61.25" in place.read_bytes():
                found.append(str(place))
        except OSError:
            continue
    return found
