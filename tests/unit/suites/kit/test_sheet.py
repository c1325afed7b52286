"""Sheets and pieces: the whole text, in passages short enough for any context cut, with the lines that matter."""

from __future__ import annotations

from proctor.suites.kit.pieces import Piece, Pieces
from proctor.suites.kit.sheet import LONGEST_PASSAGE, READINGS, Sheet, needed_passages, passages, show


def sheet() -> Sheet:
    page = Sheet("heading")
    for number in range(30):
        page.add(f"{number}: nothing to see here, and nobody has to read it")
    page.fact("the one that matters", "and another beside it")
    page.add("x" * 300)
    return page


def test_passages_are_the_text_in_order_and_short() -> None:
    lines = sheet().lines
    spans = passages(lines)
    texts = ["\n".join(lines[start:end]) for start, end in spans]
    assert "\n".join(texts) == sheet().text
    assert [len(text) for text in texts if len(text) > LONGEST_PASSAGE] == [300]
    assert spans[-1] == (len(lines) - 1, len(lines))


def test_only_passages_with_facts_are_needed() -> None:
    page = sheet()
    spans = passages(page.lines)
    holding = [span for span in spans if any(fact in range(*span) for fact in page.facts)]
    assert needed_passages(page, spans) == len(holding) > 0
    assert needed_passages(Sheet("nothing matters"), [(0, 1)]) == 0


def test_what_is_shown_of_a_sheet() -> None:
    page = sheet()
    shown = show(page)
    assert shown.observation == {"text": page.text, "passages": len(passages(page.lines))}
    assert shown.hidden == {"facts": page.facts}
    assert shown.readings == READINGS * shown.needed


def test_pieces_know_which_lines_matter() -> None:
    pieces = Pieces.of([Piece("cover", ["one"], matters=False), Piece("body", ["two", "three"])])
    assert pieces.text == "one\ntwo\nthree"
    assert (pieces.spans, pieces.facts, pieces.needed) == ([(0, 1), (1, 3)], [1, 2], 1)
    assert pieces.fits
    assert not Pieces.of([Piece("long", ["x" * (LONGEST_PASSAGE + 1)])]).fits
