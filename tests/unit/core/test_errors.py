"""Errors: each has one exit code, and carries what is needed to act on it."""

from __future__ import annotations

import pytest

from proctor.core import errors

EXIT_CODES = {
    "ProctorError": 1,
    "InputError": 2,
    "BenchError": 1,
    "StoreError": 2,
    "StoreLost": 1,
    "IntegrityError": 1,
    "ToolError": 1,
    "LimitReached": 1,
    "NotEvaluable": 1,
    "NeedsData": 2,
    "NeedsExtra": 2,
    "PluginError": 2,
}


def test_every_error_is_known_here_with_its_exit_code() -> None:
    found = {
        name: kind.exit_code
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.ProctorError)
    }
    assert found == EXIT_CODES


def test_a_store_and_damaged_evidence_are_the_benchs_business() -> None:
    assert issubclass(errors.StoreError, errors.BenchError)
    assert issubclass(errors.IntegrityError, errors.BenchError)
    assert not issubclass(errors.InputError, errors.BenchError)


def test_damage_names_its_place() -> None:
    error = errors.IntegrityError("the head differs", where="episode 7")
    assert str(error) == "episode 7: the head differs"
    assert error.where == "episode 7"


@pytest.mark.parametrize(
    ("message", "said"), [(None, "the declared limit on actions is reached"), ("enough", "enough")]
)
def test_a_limit_names_itself(message: str | None, said: str) -> None:
    error = errors.LimitReached("actions", message)
    assert (error.limit, str(error)) == ("actions", said)
