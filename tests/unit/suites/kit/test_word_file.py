"""Words of families in YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.core.errors import InputError
from proctor.suites.kit.word_file import read_words


def test_words_are_read_beside_the_family(tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text("goals:\n  short: [Go., Run.]\n", encoding="utf-8")
    assert read_words(str(tmp_path / "family.py")) == {"goals": {"short": ["Go.", "Run."]}}


@pytest.mark.parametrize(
    ("text", "message"), [("- Go.\n", "a mapping from names"), ("goals: [", "not valid YAML"), (None, "no such file")]
)
def test_anything_else_is_one_sentence(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "words.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_words(str(tmp_path / "family.py"))
