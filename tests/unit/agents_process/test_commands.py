"""`cmd:` agents: any program that speaks JSON lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from proctor.core.errors import InputError
from proctor.evidence.events import BenchFailed, Called, LimitHit, Said, Submitted
from proctor.evidence.row import FAILURE, INFRASTRUCTURE, LIMIT, SUCCESS

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left")

PLAIN = """
    import json, sys

    def tell(**message):
        print(json.dumps(message), flush=True)

    def hear(kind):
        while True:
            message = json.loads(sys.stdin.readline())
            if message["type"] == kind:
                return message

    tell(type="ready")
    while True:
        task = hear("task")
        assert hear("observation")["fields"] == {"places": 3}
        total = 0
        for place in range(3):
            tell(type="tool_call", tool="number", arguments={"index": place})
            total += hear("result")["value"]
        tell(type="say", text="done")
        tell(type="submit", answer=total, confidence=1)
"""

SHELL = r"""
    #!/bin/sh
    # One task after another, one call at a time, with nothing but a shell.
    field() { printf '%s' "$1" | sed -n "s/.*\"$2\":\([^,}]*\).*/\1/p"; }
    while read -r line; do
      case "$line" in
        *'"type":"task"'*) total=0; place=0 ;;
        *'"type":"result"'*) total=$((total + $(field "$line" value))); place=$((place + 1)) ;;
        *'"type":"observation"'*) ;;
        *) exit 3 ;;
      esac
      case "$line" in *'"type":"task"'*) continue ;; esac
      if [ "$place" -lt 3 ]; then
        printf '{"type":"tool_call","id":"n%s","tool":"number","arguments":{"index":%s}}\n' "$place" "$place"
      else
        printf '{"type":"submit","answer":%s}\n' "$total"
      fi
    done
"""


def test_a_plain_python_script(project: Project) -> None:
    project.write("agent.py", PLAIN)
    lived = project.examine("cmd:python3 agent.py", program=[{"episodes": 3}])
    assert [episode.row.outcome for episode in lived] == [SUCCESS] * 3, lived[0].failure
    assert [event.text for event in lived[0].of(Said)] == ["done"]


def test_a_posix_shell_script(project: Project) -> None:
    project.write("agent.sh", SHELL.lstrip("\n"), executable=True)
    for agent in ("cmd:./agent.sh", "cmd:sh agent.sh", "cmd:/bin/sh ./agent.sh"):
        lived = project.examine(agent, program=[{"episodes": 2}])
        assert [episode.row.outcome for episode in lived] == [SUCCESS] * 2, lived[0].failure


def test_the_environments_own_python_by_its_full_path(project: Project) -> None:
    project.write("agent.py", PLAIN)
    (lived,) = project.examine(f"cmd:{sys.executable} agent.py")
    assert lived.row.outcome == SUCCESS, lived.failure


def test_unconfined_it_is_the_same_agent(project: Project) -> None:
    project.write("agent.sh", SHELL.lstrip("\n"), executable=True)
    lived = project.examine("cmd:./agent.sh,unconfined=yes", program=[{"episodes": 2}])
    assert [episode.row.outcome for episode in lived] == [SUCCESS] * 2, lived[0].failure


def test_it_sees_the_files_it_names_and_no_others(project: Project) -> None:
    script = r"""
        read -r task; read -r shown
        found=$(find / -xdev -name '*.txt' -path '*agent*' 2>/dev/null | sort | tr '\n' ' ')
        printf '{"type":"submit","answer":"%s|%s|%s|%s"}\n' "$(pwd)" "$1" "$(cat "$1")" "$found"
    """
    project.write("agent.sh", script)
    project.write("data/told.txt", "told")
    project.write("data/untold.txt", "untold")
    (lived,) = project.examine("cmd:sh agent.sh data/told.txt")
    assert lived.of(Submitted)[0].answer == "/task|/agent/data/told.txt|told|/agent/data/told.txt "
    (lived,) = project.examine("cmd:sh agent.sh data/told.txt,include=data/untold.txt")
    assert "/agent/data/untold.txt" in lived.of(Submitted)[0].answer


def test_a_folder_can_be_shown_as_a_whole(project: Project) -> None:
    project.write(
        "mine/agent.sh", 'read -r a; read -r b; printf \'{"type":"submit","answer":"%s"}\\n\' "$(echo $(ls /agent))"\n'
    )
    project.write("mine/prompt.txt", "be good")
    for path in (project.folder / "mine").iterdir():
        path.chmod(0o644)
    (project.folder / "mine").chmod(0o755)
    (lived,) = project.examine("cmd:sh agent.sh,folder=mine")
    assert lived.of(Submitted)[0].answer == "agent.sh prompt.txt"
    project.write("mine/.proctor/store.db", "secret")
    from proctor.agents.process import exposure

    exposure._private.cache_clear()
    with pytest.raises(InputError, match=r"holds '\.proctor'"):
        project.examine("cmd:sh agent.sh,folder=mine")


def test_calls_without_waiting_are_carried_out_in_order_before_the_submission(project: Project) -> None:
    script = """
        read -r task; read -r shown
        for n in 0 1 2 3 4 5 6 7; do printf '{"type":"tool_call","tool":"note","arguments":{"text":"%s"}}\\n' $n; done
        printf '{"type":"say","text":"all asked"}\\n{"type":"submit","answer":0}\\n'
        sleep 1
    """
    project.write("agent.sh", script)
    (lived,) = project.examine("cmd:sh agent.sh")
    assert [event.arguments["text"] for event in lived.of(Called)] == list("01234567")
    kinds = [type(event).__name__ for event in lived.events]
    assert kinds[2:18] == ["Called", "Returned"] * 8
    assert kinds[18:20] == ["Said", "Submitted"]


def test_ids_are_given_back_and_made_up_where_there_are_none(project: Project) -> None:
    text = """
        import json, sys
        tell = lambda message: print(json.dumps(message), flush=True)
        hear = lambda: json.loads(sys.stdin.readline())
        hear(), hear()
        for identity in ({"id": "mine"}, {}, {"id": 7}, {}):
            tell({"type": "tool_call", "tool": "note", "arguments": {"text": "x"}, **identity})
        tell({"type": "submit", "answer": [hear()["id"] for _ in range(4)]})
    """
    project.write("agent.py", text)
    (lived,) = project.examine("cmd:python3 agent.py")
    assert lived.of(Submitted)[0].answer == ["mine", 1, 7, 3]


def test_limits_are_told_and_the_agent_may_still_submit(project: Project) -> None:
    text = """
        import json, sys
        tell = lambda message: print(json.dumps(message), flush=True)
        hear = lambda: json.loads(sys.stdin.readline())
        hear(), hear()
        heard = []
        for place in (0, 1):
            tell({"type": "tool_call", "tool": "number", "arguments": {"index": place}})
            heard.append(hear())
        assert heard[0]["budget"] == {"actions": 0}, heard
        heard.append(hear())
        tell({"type": "submit", "answer": [[m["type"], m.get("limit"), m.get("ok")] for m in heard]})
    """
    project.write("agent.py", text)
    (lived,) = project.examine("cmd:python3 agent.py", knobs={"actions": 1})
    assert lived.of(Submitted)[0].answer == [
        ["result", None, True],
        ["limit", "actions", None],
        ["result", "actions", False],
    ]
    assert (lived.row.outcome, lived.row.reason, len(lived.of(LimitHit))) == (LIMIT, "actions", 1)


def test_ending_after_a_limit_is_that_limit(project: Project) -> None:
    script = """
        read -r task; read -r shown
        for n in 0 1 2; do printf '{"type":"tool_call","tool":"number","arguments":{"index":%s}}\\n' $n; done
        sleep 0.3
        exit 1
    """
    project.write("agent.sh", script)
    (lived,) = project.examine("cmd:sh agent.sh", knobs={"actions": 1})
    assert (lived.row.outcome, lived.row.reason) == (LIMIT, "actions")


def test_one_that_ends_after_every_task_is_started_again(project: Project) -> None:
    project.write("agent.sh", 'read -r a; read -r b; printf \'{"type":"submit","answer":1}\\n\'; sleep 0.05\n')
    lived = project.examine("cmd:sh agent.sh", program=[{"episodes": 3}])
    assert [episode.row.answer for episode in lived] == ["1", "1", "1"]


def test_a_crash_shows_status_and_the_end_of_stderr(project: Project) -> None:
    said = "the agent ended with status 9 before it submitted: first | went wrong in <folder>/x"
    script = f"read -r a; echo first >&2; echo 'went wrong in {project.folder}/x' >&2; exit 9\n"
    project.write("agent.sh", f'echo \'{{"type":"ready"}}\'; {script}')
    (lived,) = project.examine("cmd:sh agent.sh")
    assert (lived.row.outcome, lived.row.reason) == (FAILURE, "agent_crashed")
    assert lived.failure == f"AgentFailure: {said}"
    # Without a single word it did not start, and nothing was measured.
    project.write("agent.sh", script)
    (lived,) = project.examine("cmd:sh agent.sh")
    assert (lived.row.outcome, lived.row.reason) == (INFRASTRUCTURE, "agent_not_started")
    assert lived.of(BenchFailed)[0].message == said


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("cmd:", "names no command"),
        ("cmd:./missing --flag", "'./missing' cannot be run: there is no such file"),
        ("cmd:no-such-program", "'no-such-program' cannot be run: there is no such program"),
        ("cmd:./plain.txt", "is not executable; chmod +x"),
        ("cmd:sh 'unfinished", "cannot be split into words"),
        ("cmd:sh proctor.yaml", "Proctor's own files"),
        ("cmd:sh suite.yaml", "a suite"),
        ("cmd:sh agent.sh,include=.", "the whole project"),
        ("cmd:sh agent.sh,folder=.", "the whole project"),
    ],
)
def test_what_cannot_work_is_refused_before_the_run(agent: str, message: str, project: Project) -> None:
    project.write("plain.txt", "")
    project.write("agent.sh", "")
    project.write("proctor.yaml", "seed: 3")
    project.write("suite.yaml", "entries:\n- family: x\n")
    with pytest.raises(InputError) as refused:
        project.bench(agent)
    assert message in str(refused.value)
