"""What must not be recorded is taken out, and the rest is left."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from proctor.agents.process.scrub import Scrub


@pytest.fixture
def scrub(tmp_path: Path) -> Scrub:
    return Scrub({"API_KEY": "sk-very-secret", "SHORT": "no"}, tmp_path)


def test_values_of_variables_become_their_names(scrub: Scrub) -> None:
    assert scrub("401 for sk-very-secret, no") == "401 for <API_KEY>, no"


def test_host_paths_are_not_named(scrub: Scrub, tmp_path: Path) -> None:
    text = f'File "{tmp_path}/agent.py", in {sys.prefix}/lib/x.py and {sys.base_prefix}/lib/y.py'
    assert scrub(text) == 'File "<folder>/agent.py", in <python>/lib/x.py and <python>/lib/y.py'


def test_the_last_lines_are_short_and_stable(scrub: Scrub) -> None:
    text = "2026-01-02T03:04:05.678Z pid=4711 started\n\nTraceback\n  at 0x7f00deadbeef\n12:30:01,5 boom\x1b[0m\n"
    assert scrub.last_lines(text) == "Traceback | at 0x… | … boom·[0m"
    assert scrub.last_line(text) == "… boom·[0m"
    assert scrub.last_lines("2026-01-02 03:04:05 pid 4711 gone") == "… pid … gone"
    assert len(scrub.last_lines("y" * 10_000)) < 300
    assert scrub.last_lines("\n \n") == ""
