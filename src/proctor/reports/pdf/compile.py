"""Setting a document in type: a template of this package, and the document's data as JSON.

Data never becomes markup: a template reads it as strings, and typst sets strings as they are. What cannot be seen is
made visible first, as on the page. A template opens no file but those beside it.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any, Literal

from proctor.core.errors import InputError
from proctor.reports.characters import visible

TEMPLATES = Path(__file__).parent
MISSING = (
    "PDF is made with typst, which is not installed: install it with `pip install 'proctor[pdf]'`, or write .html or "
    ".json"
)
LAST_EMBEDDED = 0x2FFF
"""Beyond it begin the scripts that typst's own fonts do not have; only then are fonts of the system looked for."""

Template = Literal["card", "technical"]


def require_typst() -> Any:
    """The compiler; one sentence where it is missing."""
    try:
        import typst
    except ImportError:
        raise InputError(MISSING) from None
    return typst


def pdf(template: Template, data: Any, *, title: str) -> bytes:
    """The document in type. `title` is what a reader's window shows."""
    typst = require_typst()
    text = json.dumps({"title": title, **_visible(data)}, ensure_ascii=False)
    with warnings.catch_warnings():
        # A letter that no font has is drawn as a box: nothing that could stop a report.
        warnings.simplefilter("ignore")
        made = typst.compile(
            TEMPLATES / f"{template}.typ",
            root=TEMPLATES,
            ignore_system_fonts=not any(ord(letter) > LAST_EMBEDDED for letter in text),
            sys_inputs={"data": text},
            format="pdf",
        )
    assert isinstance(made, bytes)
    return made


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(name)): _visible(item) for name, item in value.items()}
    return [_visible(item) for item in value] if isinstance(value, list | tuple) else value
