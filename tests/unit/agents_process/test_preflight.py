"""The trial before a run: what would end every episode is said once, and nothing is recorded; the rest goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import proctor
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.process.advice import advice
from proctor.core.errors import BenchError, InputError
from proctor.core.seeds import Stream
from proctor.engine import preflight as module
from proctor.engine.preflight import NOT_NEEDED, Preflight, preflight
from proctor.evidence.store.store import Store
from proctor.spec.system import System

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left")

OPEN = System.model_validate({"name": "x", "network": "full"})


def trial(project: Project, text: str, options: str = "", system: System | None = None) -> Preflight:
    project.write("mine.py", text)
    return preflight(project.bench(f"python:mine.py:run{options}", system=system).frozen, project.folder)


@pytest.mark.parametrize(
    "text",
    [
        "from proctor import Submission\ndef run(task, session): return Submission('wrong')",
        "from proctor import Submission\ndef run(task, session): return Submission(session.call('read_note').value)",
        # More calls than there may be: a limit is no error.
        "def run(task, session):\n    while True: session.call('read_note')",
        "def run(task, session): return {'plain': 'answer'}",
    ],
)
def test_what_is_no_error(text: str, project: Project) -> None:
    assert trial(project, text).result == "passed"


def test_an_agent_made_for_other_tasks_is_told_and_goes_on(project: Project) -> None:
    ended = trial(project, "def run(task, session):\n    return session.observations[0].fields['ledger']")
    assert ended.result == "raised"
    assert ended.note.endswith("KeyError: 'ledger' at mine.py:2 in run")
    assert ended.note.startswith("the agent starts and lacks nothing; the trial task belongs to no suite")
    assert ended.facts() == {"result": "raised"}, "what it said is recorded nowhere"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def run(task, session): return session.observations[0].fields['decision_id']", False),
        ("def run(task, session): return session.call('lookup', source_id='a').value['value']", False),
        ("def run(task, session): raise RuntimeError('boom')", True),
    ],
)
def test_where_there_are_only_scenarios_their_fields_are_not_missed(text: str, told: bool, project: Project) -> None:
    project.write("mine.py", text)
    ended = preflight(project.bench("python:mine.py:run", plain_family="expenses").frozen, project.folder)
    assert ended.result == "raised"
    assert bool(ended.note) is told


def test_a_type_error_of_its_own_code_is_about_what_it_was_shown(project: Project) -> None:
    ended = trial(project, "def run(task, session):\n    return len(3)")
    assert ended.result == "raised"
    assert ended.note.endswith("TypeError: object of type 'int' has no len() at mine.py:2 in run")


def test_time_that_runs_out_is_said(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.5)
    ended = trial(project, "import time\ndef run(task, session): time.sleep(60)", ",start_seconds=1")
    assert ended.result == "unfinished"
    assert "not finished within 0.5 s" in ended.note


def test_what_it_spent_is_kept(project: Project) -> None:
    ended = trial(project, "def run(task, session):\n    session.spend(tokens=1234, cost='0.5')\n    return 1")
    assert ended.facts() == {"result": "passed", "tokens": 1234, "cost": "0.5"}
    assert "1,234 tokens" in ended.note


@pytest.mark.parametrize(
    ("text", "options", "system", "messages"),
    [
        (
            "import no_such_thing\ndef run(task, session): pass",
            "",
            None,
            (
                "ModuleNotFoundError: No module named 'no_such_thing' at mine.py:1",
                "Proctor's own environment",
                ",python=PATH",
            ),
        ),
        (
            "def run(task, session):\n    import no_such_thing",
            "",
            None,
            ("at mine.py:2 in run", "'no_such_thing' was looked for in"),
        ),
        (
            "import urllib.request\ndef run(task, session):\n    urllib.request.urlopen('http://127.0.0.1:9/')",
            "",
            None,
            ("at mine.py:3 in run", "its process has no network", "`network: full`"),
        ),
        (
            "import urllib.request\ndef run(task, session):\n    urllib.request.urlopen('http://127.0.0.1:9/')",
            "",
            OPEN,
            ("cannot be reached from here",),
        ),
        (
            "class Agent:\n    def run(self, task): return 1\nrun = Agent()",
            "",
            None,
            ("Agent.run() takes 2 positional arguments but 3 were given", "run(task, session)"),
        ),
        (
            "class Agent:\n    async def run(self, task, session, model): return 1\nrun = Agent()",
            "",
            None,
            ("missing 1 required positional argument: 'model'", "run(task, session)"),
        ),
        ("class Agent: pass\nran = Agent()", "", None, ("mine has no 'run'; perhaps 'ran' was meant",)),
        ("def run(task, session): return object()", "", None, ("returned object", "return Submission(answer=…)")),
        ("def run(task, session): pass", "", None, ("the agent returned nothing",)),
        (
            "import time\ntime.sleep(30)\ndef run(task, session): pass",
            ",start_seconds=1",
            None,
            ("not ready within 1 s of its start", ",start_seconds=N"),
        ),
        (
            "class OpenAIError(Exception): pass\n"
            "def run(task, session): raise OpenAIError('set the OPENAI_API_KEY environment variable')",
            "",
            System.model_validate({"name": "x", "env": ["NO_SUCH_KEY"]}),
            ("OpenAIError: set the OPENAI_API_KEY", "`system.env`", "NO_SUCH_KEY, which is not set here"),
        ),
        (
            # It holds on to it: memory is looked at now and then.
            "import time\ndef run(task, session):\n    held = bytearray(300_000_000)\n    time.sleep(60)",
            ",memory=128",
            None,
            ("more than 128 MiB of memory", ",memory=N"),
        ),
    ],
)
def test_what_would_end_every_episode(
    text: str, options: str, system: System | None, messages: tuple[str, ...], project: Project
) -> None:
    with pytest.raises(InputError) as refused:
        trial(project, text, options, system)
    said = str(refused.value)
    assert said.startswith(f"agent 'python:mine.py:run{options}' failed in a trial task before the run: ")
    assert "nothing was recorded, and --no-preflight starts the run without the trial" in said
    assert "\n" not in said
    for message in messages:
        assert message in said


def test_a_secret_is_not_in_what_is_said(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "planted-secret")
    system = System.model_validate({"name": "x", "env": ["SOME_KEY"]})
    with pytest.raises(InputError) as refused:
        trial(project, "import os\ndef run(task, session): raise OSError(os.environ['SOME_KEY'])", "", system)
    assert "OSError: <SOME_KEY>" in str(refused.value)
    assert "planted-secret" not in str(refused.value)


def test_built_in_agents_have_none(project: Project) -> None:
    for agent in ("null", "clerk"):
        assert preflight(project.bench(agent).frozen, project.folder) is NOT_NEEDED


def test_the_trial_tells_nothing_of_the_suite(project: Project) -> None:
    bench = project.bench("null")
    text = (
        "import json\ndef run(task, session):\n"
        "    told = json.dumps([list(task), [list(one) for one in session.observations]])\n"
        f"    assert not any(word in told for word in {[bench.frozen.suite.name, 'sums', bench._canary]})\n"
        "    return 1"
    )
    assert trial(project, text).result == "passed"


def test_what_it_remembers_of_the_trial_is_gone(project: Project) -> None:
    text = (
        "import pathlib\ndef run(task, session):\n    seen = pathlib.Path('notes/seen')\n"
        "    before = seen.exists()\n    seen.write_text('x')\n    return before"
    )
    system = System.model_validate(
        {"name": "x", "boundary": {"memory": {"persistence": "lifetime", "folder": "notes"}}}
    )
    assert trial(project, text, "", system).result == "passed"
    (lived,) = project.examine("python:mine.py:run", system=system)
    assert lived.row.answer == "false"


def test_a_run_begins_with_it_and_nothing_is_stored_where_it_fails(project: Project) -> None:
    project.write("mine.py", "import no_such_thing")
    store = str(project.folder / "store.db")
    with pytest.raises(InputError, match="no_such_thing"):
        proctor.run("hello", agent="python:mine.py:run", only=("extract",), store=store, folder=project.folder)
    with Store(store) as opened:
        assert list(opened.runs()) == []
    project.write("mine.py", "def run(task, session): return 1")
    for wanted, expected in ((True, {"result": "passed"}), (False, {"result": "skipped"})):
        ended = proctor.run(
            "hello", agent="python:mine.py:run", only=("extract",), store=store, folder=project.folder, preflight=wanted
        )
        with Store(store) as opened:
            assert opened.run(ended.run).execution["preflight"] == expected


def test_a_bench_that_fails_is_not_the_agents_input(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("mine.py", "def run(task, session): session.call('read_note')")

    def broken(self: object) -> str:
        message = "the world's own fault"
        raise RuntimeError(message)

    frozen = project.bench("python:mine.py:run").frozen
    monkeypatch.setattr(module.Note, "observe", broken)
    with pytest.raises(BenchError, match="the world's own fault"):
        preflight(frozen, project.folder)


def test_nothing_is_advised_where_nothing_is_known(project: Project) -> None:
    context = AgentContext(System(name="x"), Stream.keyed("test"), (0,), project.folder)
    assert advice(AgentString.parse("cmd:./agent"), context, "ValueError: 3") == ""


UNREACHED = "openai:small: it cannot be reached"


def advised(project: Project, said: str, **system: object) -> str:
    declared = System.model_validate({"name": "x", **system})
    context = AgentContext(declared, Stream.keyed("test"), (0,), project.folder)
    return advice(AgentString.parse("python:mine.py:run"), context, said)


def test_where_a_declared_model_was_looked_for(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    model = {"provider": "openai", "name": "small"}
    said = advised(project, UNREACHED, models=[model])
    assert "asked at https://api.openai.com/v1; to ask another server, write its base_url" in said
    assert "OPENAI_BASE_URL" not in said
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    said = advised(project, UNREACHED, models=[{**model, "base_url": "http://127.0.0.1:7/v1"}])
    assert said.startswith("it was asked at http://127.0.0.1:7/v1, the base_url in its entry")
    assert said.endswith("OPENAI_BASE_URL of this environment is not read")


def test_where_a_server_was_looked_for_without_what_is_secret_about_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = {"network": "full", "env": ["OPENAI_BASE_URL", "OPENAI_API_KEY"]}
    monkeypatch.setenv("OPENAI_API_KEY", "planted-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:planted-secret@127.0.0.1:9/v1?key=planted-secret")
    said = advised(project, "APIConnectionError: Connection error.", **declared)
    assert "(OPENAI_BASE_URL leads to 127.0.0.1:9)" in said
    assert "planted-secret" not in said
    monkeypatch.setenv("OPENAI_BASE_URL", "here")
    assert "(OPENAI_BASE_URL is no address)" in advised(project, "Connection error.", **declared)


def test_an_address_that_is_not_set_explains_no_missing_key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    declared = {"network": "full", "env": ["OPENAI_BASE_URL", "OPENAI_API_KEY"]}
    assert advised(project, "Set the OPENAI_API_KEY variable", **declared).endswith(
        "system.env names OPENAI_API_KEY, which is not set here"
    )
    assert "OPENAI_BASE_URL" in advised(project, "Connection error.", **declared)
