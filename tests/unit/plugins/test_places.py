"""Where in somebody's own code an exception comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proctor.core.errors import InputError
from proctor.plugins.files import load_module
from proctor.plugins.places import place_of

CODE = """import json


def reads(text):
    return json.loads(text)


def calls(function):
    return function()
"""


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    (tmp_path / "theirs.py").write_text(CODE)
    return tmp_path / "theirs.py"


def test_it_is_the_last_frame_in_a_file_of_theirs(theirs: Path) -> None:
    """Not the one in the standard library, which raises; and no path, which differs between machines."""
    with pytest.raises(json.JSONDecodeError) as raised:
        load_module(theirs).reads("{")
    assert place_of(raised.value) == "at theirs.py:5 in reads"


def test_where_it_has_none_itself_it_is_that_of_its_cause(theirs: Path) -> None:
    with pytest.raises(json.JSONDecodeError) as raised:
        load_module(theirs).reads("{")
    wrapped = InputError("cannot be read")
    wrapped.__cause__ = raised.value
    assert place_of(wrapped) == "at theirs.py:5 in reads"


def test_code_of_ours_has_none() -> None:
    with pytest.raises(InputError) as raised:
        load_module(Path("nowhere.py"))
    trace = raised.value.__traceback__
    assert trace is not None
    # It begins in this test, which is no code of ours: what follows is.
    assert place_of(raised.value.with_traceback(trace.tb_next)) == ""


def test_an_import_that_fails_says_where(tmp_path: Path) -> None:
    (tmp_path / "halts.py").write_text("wanted = {}\n\nwanted['key']\n")
    with pytest.raises(InputError, match=r"importing it raised KeyError: 'key' at halts.py:3 in <module>"):
        load_module(tmp_path / "halts.py")
