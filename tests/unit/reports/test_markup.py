"""Whatever is given to a tag is escaped, and what cannot be seen is shown."""

from __future__ import annotations

import ast
import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.reports.reading_html import Page

import proctor
from proctor.reports.characters import visible
from proctor.reports.html import markup
from proctor.reports.html.markup import Markup, join, tag, text

ANY = st.text(st.characters(exclude_categories=[]))


@given(ANY)
def test_any_text_stays_text(value: str) -> None:
    page = Page(tag("p", value, title=value))
    assert [name for name, _ in page.elements] == ["p"]
    # A parser reads line ends in its own way; nothing else may differ.
    assert page.text.replace("\r", "") == visible(value)
    assert page.all("p") == [{"title": visible(value)}]


@given(ANY)
def test_nothing_that_cannot_be_seen_is_left(value: str) -> None:
    shown = visible(value)
    assert not [c for c in shown if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]
    shown.encode()


def test_direction_marks_and_bells_are_named() -> None:
    assert visible("a\u202eb\x07c\ud800") == "a⟨U+202E⟩b⟨U+0007⟩c⟨U+D800⟩"
    assert visible("Ünïcode 漢字 \u00a0 – 😀") == "Ünïcode 漢字 \u00a0 – 😀"


def test_markup_is_not_escaped_twice() -> None:
    inner = tag("b", "<&>")
    assert inner == "<b>&lt;&amp;&gt;</b>"
    assert join(inner, None, "<") == "<b>&lt;&amp;&gt;</b>&lt;"
    assert isinstance(text(inner), Markup)


def test_attributes() -> None:
    assert (
        tag("a", class_="x", aria_label='"', hidden=True, open=False, id=None)
        == '<a class="x" aria-label="&quot;" hidden></a>'
    )
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_nothing_else_makes_markup_from_text() -> None:
    """Elsewhere `Markup` is made of constants alone: whatever could hold a stranger's text goes through `text`."""
    home = Path(proctor.__file__).parent
    made = [
        (path.relative_to(home).as_posix(), ast.unparse(node.args[0]))
        for path in home.rglob("*.py")
        if path != Path(markup.__file__)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "Markup"
        and not isinstance(node.args[0], ast.Constant)
    ]
    assert made == [("reports/html/document.py", "style")]
    sheets = {
        ast.unparse(node.args[1])
        for path in (home / "reports" / "html").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "document"
    }
    assert sheets == {"STYLE", "CARD", "TECHNICAL"}, "style sheets are constants"
