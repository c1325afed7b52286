"""`proctor verify`: what is said where there is more to say than fits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.cli.conftest import Cli

from proctor.evidence.bundle import in_store
from proctor.evidence.bundle.report import Problem, VerifyReport


@pytest.mark.parametrize(("found", "rest"), [(20, ""), (21, "1 further finding is"), (250, "230 further findings are")])
def test_what_is_left_out_is_counted(
    cli: Cli, small: str, monkeypatch: pytest.MonkeyPatch, found: int, rest: str
) -> None:
    cli("run", small, "--agent", "oracle")
    whole = in_store.verify_run
    problems = tuple(Problem(f"row {number}", "was edited") for number in range(min(found, 100)))

    def edited(*arguments: object, **named: object) -> VerifyReport:
        return replace(whole(*arguments, **named), ok=False, problems=problems, found=found)  # type: ignore[arg-type]

    monkeypatch.setattr(in_store, "verify_run", edited)
    done = cli("verify")
    said = done.err.splitlines()
    assert (done.code, sum("was edited" in line for line in said)) == (1, 20)
    assert [line for line in said if "was edited" not in line] == (
        [f"proctor: {rest} not shown; --json lists the first 100"] if rest else []
    )
