"""What a person names on a command line: pipes, devices, endless numbers and names are one sentence at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

NINES = "9" * 5000


@pytest.fixture
def examined(cli: Cli, small: str) -> Cli:
    assert cli("run", small, "--agent", "oracle", "-q").code == 0
    os.mkfifo("pipe")
    return cli


PIPES = (
    ("run", "small.json", "--agent", "oracle", "--preregistration"),
    ("preregister", "reveal"),
    ("baseline", "import"),
    ("score", "--ratings"),
    ("score", "--reference"),
    ("score", "--load"),
    ("export", "--report"),
    ("export", "--preregistration"),
)


@pytest.mark.parametrize("command", PIPES, ids=[" ".join(command) for command in PIPES])
@pytest.mark.parametrize("named", ["pipe", "/dev/zero", "."])
def test_a_named_file_is_a_file(examined: Cli, command: tuple[str, ...], named: str) -> None:
    done = examined(*command, named)
    assert done.code == 2
    assert "this is not a file but a" in done.sentence


def test_an_agent_is_shown_no_pipe(examined: Cli) -> None:
    done = examined("run", "small.json", "--agent", "cmd:true,include=pipe", "-q")
    assert done.code == 2
    assert "'pipe' is a pipe or a device" in done.sentence


@pytest.mark.parametrize("named", ["pipe", ".", "/dev/zero", "folder/that/is/not/there"])
def test_verify_says_what_is_wrong_with_a_path(examined: Cli, named: str) -> None:
    done = examined("verify", named)
    assert done.code == 2
    assert "no run called" not in done.sentence


def test_a_folder_that_is_called_like_a_run_stands_in_no_ones_way(examined: Cli) -> None:
    name = examined("runs", "--json").json[0]["name"]
    Path(name).mkdir()
    assert examined("verify", name).code == 0


ENDLESS = (
    ("run", f"hello@{NINES}.0", "--agent", "clerk"),
    ("check", "a.py", "--on", f"hello@{NINES}.0"),
    ("play", f"hello@{NINES}.0"),
    ("families", "show", f"extract@{NINES}.0"),
    ("suites", "show", f"hello@{NINES}.0"),
    ("families", "show", "x" * 5000),
    ("suites", "show", "x" * 5000),
    ("run", "small.json", "--agent", "x" * 5000),
    ("run", "small.json", "--agent", f"cmd:true,memory={NINES}"),
    ("run", "small.json", "--agent", "irt:ability=nan"),
    ("run", "small.json", "--agent", "irt:a=inf"),
    ("run", "small.json", "--agent", f"graded:high={NINES}"),
    ("run", "small.json", "--agent", "misbehaving:unauthorised=inf"),
    ("run", "small.json", "--agent", "clerk\n::error::x"),
    ("show", "x" * 5000),
)


@pytest.mark.parametrize("command", ENDLESS, ids=[" ".join(command)[:40] for command in ENDLESS])
def test_endless_numbers_and_names_are_one_short_sentence(examined: Cli, command: tuple[str, ...]) -> None:
    Path("a.py").write_text("make = lambda: None\n")
    done = examined(*command)
    assert done.code == 2
    assert len(done.sentence) < 700
    assert "…" in done.sentence or "x" * 300 not in done.sentence


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing is written here"),
        ("- 1\n", "a list stands here"),
        ("~: x\n", "the key None is no text; put it in quotes"),
        (f'name: one\nversion: "{NINES}.0"\n', "suite at version"),
    ],
)
def test_a_suite_that_is_none_says_so_in_plain_words(cli: Cli, text: str, said: str) -> None:
    Path("odd.yaml").write_text(text)
    done = cli("run", "odd.yaml", "--agent", "clerk", "-q")
    assert done.code == 2
    assert said in done.sentence
