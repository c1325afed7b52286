"""`proctor govern` asks for a reason, and says what is wrong with one that is too short."""

from __future__ import annotations

import pytest
from tests.unit.cli.conftest import Cli


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("approve", "change-1", "--because", "agreed"),
            "--because 'agreed' is too short (1 of 2 words); give a reason of at least 2 words",
        ),
        (("deny", "change-1", "--because", "no"), "--because 'no' is too short (1 of 2 words)"),
        (("close", "desk-1", "--because", " fixed "), "--because 'fixed' is too short (1 of 2 words)"),
        (
            ("propose", "--because", "as agreed"),
            "--because 'as agreed' is too short (2 of 3 words); give a reason of at least 3 words",
        ),
        (
            ("approve", "change-1"),
            "--because is missing; give a reason of at least 2 words that somebody else can judge",
        ),
    ],
)
def test_a_reason_that_is_too_short_is_said_to_be(cli: Cli, arguments: tuple[str, ...], sentence: str) -> None:
    done = cli("govern", *arguments, "--key", "anna")
    assert done.code == 2
    assert sentence in done.sentence


def test_a_reason_that_is_long_enough_is_no_longer_the_trouble(cli: Cli) -> None:
    assert "--because" not in cli("govern", "approve", "change-1", "--because", "it is", "--key", "anna").sentence
