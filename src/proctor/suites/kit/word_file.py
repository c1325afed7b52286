"""The words of a family as data: `words.yaml` beside the family's Python file.

New families keep goals, names and sentences there, so that a text can be read and edited without reading code. The file
is part of the family's sources and what it says part of its probe: an edited word is another family version.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proctor.core.errors import InputError
from proctor.spec.documents import read_document

NAME = "words.yaml"


def read_words(source: str) -> dict[str, Any]:
    """What `words.yaml` beside a Python file says; call it once, as `WORDS = read_words(__file__)`."""
    path = Path(source).with_name(NAME)
    words = read_document(path)
    if not isinstance(words, dict):
        message = f"{path}: the words of a family are a mapping from names to texts, lists or mappings"
        raise InputError(message)
    return words
