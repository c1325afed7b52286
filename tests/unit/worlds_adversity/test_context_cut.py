"""The context cut: what is shown and what is withheld add up, and nothing stays out of reach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.seeds import Stream
from proctor.evidence.events import Delivery
from proctor.spec.task import ToolResult
from proctor.worlds.adversity.context_cut import MIN_ITEMS, MIN_TEXT, SNAP, ContextCut

if TYPE_CHECKING:
    from tests.unit.worlds_adversity.conftest import Kit

FAST = settings(max_examples=100, deadline=None, database=None)
WORDS = " ".join(f"word{i:03d}" for i in range(200))
MARKER = re.compile(r"\[… ([0-9,]+) (character|item)s? withheld\]")


def parts(shown: str) -> tuple[int, str, int]:
    """Withheld before, shown, withheld after."""
    head = re.match(r"\[… ([0-9,]+) characters? withheld\]\n", shown)
    tail = re.search(r"\n\[… ([0-9,]+) characters? withheld\]\Z", shown)
    inner = shown[head.end() if head else 0 : tail.start() if tail else len(shown)]
    before, after = (int(m.group(1).replace(",", "")) if m else 0 for m in (head, tail))
    return before, inner, after


@FAST
@given(
    text=st.text(st.characters(codec="ascii", exclude_characters="[]"), min_size=MIN_TEXT, max_size=600),
    share=st.sampled_from([0.1, 0.5, 0.75, 0.95]),
    nth=st.integers(0, 50),
)
def test_text_shown_and_withheld_add_up(kit: Kit, text: str, share: float, nth: int) -> None:
    shown, receipts = kit.after(ContextCut(share), text, nth=nth)
    before, inner, after = parts(shown)
    assert text[before : len(text) - after] == inner
    gone = before + after
    assert round(len(text) * share) <= gone <= round(len(text) * share) + 2 * SNAP
    assert receipts == [Delivery("context_cut", f"{gone} of {len(text)} characters /")]


@FAST
@given(items=st.lists(st.integers(), min_size=MIN_ITEMS, max_size=40), nth=st.integers(0, 50))
def test_items_shown_and_withheld_add_up(kit: Kit, items: list[int], nth: int) -> None:
    shown, receipts = kit.after(ContextCut(0.75), items, nth=nth)
    kept = [item for item in shown if isinstance(item, int)]
    gone = [int(MARKER.fullmatch(item).group(1)) for item in shown if isinstance(item, str)]  # type: ignore[union-attr]
    before = gone[0] if isinstance(shown[0], str) else 0
    assert items[before : before + len(kept)] == kept
    assert len(kept) + sum(gone) == len(items)
    assert sum(gone) == round(len(items) * 0.75)
    assert receipts == [Delivery("context_cut", f"{sum(gone)} of {len(items)} items /")]


def test_short_texts_and_lists_stay_whole(kit: Kit) -> None:
    value = {"text": "x" * (MIN_TEXT - 1), "list": [1] * (MIN_ITEMS - 1), "n": 1, "none": None}
    shown, receipts = kit.after(ContextCut(0.75), value)
    assert shown is value
    assert receipts == []
    assert kit.after(ContextCut(0.75), "x" * MIN_TEXT)[1] != []
    assert kit.after(ContextCut(0.75), [1] * MIN_ITEMS)[1] != []


def test_words_are_never_broken(kit: Kit) -> None:
    whole = set(WORDS.split())
    for nth in range(200):
        _, inner, _ = parts(kit.after(ContextCut(0.75), WORDS, nth=nth)[0])
        assert set(inner.split()) <= whole


def test_everything_can_be_seen_by_reading_again_the_ends_included(kit: Kit) -> None:
    seen: dict[str, int] = {}
    readings = 600
    for nth in range(readings):
        for word in parts(kit.after(ContextCut(0.75), WORDS, nth=nth)[0])[1].split():
            seen[word] = seen.get(word, 0) + 1
    assert set(seen) == set(WORDS.split())
    assert min(seen.values()) >= readings * 0.15
    assert max(seen.values()) <= readings * 0.45


def test_nested_values_are_cut_where_they_are_shown(kit: Kit) -> None:
    value = {"rows": [{"id": i, "body": WORDS} for i in range(12)], "short": "stays"}
    shown, receipts = kit.after(ContextCut(0.75), value, nth=4)
    rows = shown["rows"]
    assert shown["short"] == "stays"
    assert receipts[0].detail == "9 of 12 items /rows"
    bodies = [i for i, row in enumerate(rows) if isinstance(row, dict)]
    assert len(bodies) == 3
    assert [receipt.detail.split(" ")[-1] for receipt in receipts[1:]] == [f"/rows/{i}/body" for i in bodies]
    assert all(MARKER.search(rows[i]["body"]) for i in bodies)


def test_the_first_observation_is_cut_too() -> None:
    receipts: list[Delivery] = []
    fields = {"log": WORDS, "level": 3}
    shown = ContextCut(0.5).show(fields, Stream.keyed("show"), receipts)
    assert fields["log"] is WORDS
    assert len(shown["log"]) < 0.6 * len(WORDS)
    assert [receipt.detail.split(" ")[-1] for receipt in receipts] == ["/log"]
    assert ContextCut(0.5).show(fields, Stream.keyed("show"), []) == shown


def test_a_share_of_one_withholds_all_and_less_leaves_something(kit: Kit) -> None:
    assert kit.after(ContextCut(1.0), WORDS)[0] == f"[… {len(WORDS):,} characters withheld]"
    assert kit.after(ContextCut(1.0), list(range(9)))[0] == ["[… 9 items withheld]"]
    assert any(isinstance(item, int) for item in kit.after(ContextCut(0.99), list(range(9)))[0])
    assert kit.after(ContextCut(0.001), WORDS[:300]) == (WORDS[:300], [])


@pytest.mark.parametrize(("tool", "ok", "value"), [("write", True, WORDS), ("read", False, None)])
def test_writes_and_errors_are_left_alone(kit: Kit, tool: str, ok: bool, value: Any) -> None:
    passage = kit.passage(tool=tool)
    result = ToolResult(ok, value, None if ok else WORDS)
    assert ContextCut(0.75).after(passage, result) is result
    assert passage.receipts == []
