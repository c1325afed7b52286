"""Properties of documents beside a run: what goes in comes out, wherever it travels; what is no rating is refused."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.errors import InputError
from proctor.evidence.bundle import export_bundle, import_bundle, verify_bundle
from proctor.evidence.ratings import parse_ratings, parse_reference
from proctor.evidence.store.store import Store
from proctor.plugins.files import load_module

making: Any = load_module(Path(__file__).parents[1] / "unit" / "evidence" / "making.py")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run without attachments."""
    folder = tmp_path_factory.mktemp("bundle")
    with Store(str(folder / "store.db")) as store:
        record = making.run(store, making.suite(making.entry(n=1)))
        export_bundle(store, record.number, folder / "run.proctor")
    return folder / "run.proctor"


kinds = st.from_regex(r"[a-z][a-z0-9-]{0,30}[a-z0-9]", fullmatch=True)
documents = st.lists(st.tuples(kinds, st.binary(min_size=1, max_size=300)), max_size=6)


@settings(max_examples=25)
@given(attached=documents)
def test_documents_travel_unchanged_and_the_root_stays(bundle: Path, attached: list[tuple[str, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store(str(folder / "a.db")) as store:
            import_bundle(bundle, store)
            for kind, content in attached:
                store.attach(1, kind, content)
            export_bundle(store, 1, folder / "a.proctor")
            kept = store.attachments(1)
        assert [(one.kind, one.content) for one in kept] == list(dict.fromkeys(attached))
        report = verify_bundle(folder / "a.proctor")
        assert report.ok and report.root == verify_bundle(bundle).root
        with Store(str(folder / "b.db")) as other:
            import_bundle(folder / "a.proctor", other)
            assert other.attachments(1) == kept
            export_bundle(other, 1, folder / "b.proctor")
        assert (folder / "a.proctor").read_bytes() == (folder / "b.proctor").read_bytes()


people = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20)
rows = st.one_of(
    st.tuples(st.just("goal"), st.integers(0, 99).map(str), st.sampled_from(["originated", "derivable", "none"])),
    st.tuples(st.just("success"), st.integers(0, 99).map(str), st.sampled_from(["yes", "no"])),
    st.tuples(st.just("level"), st.sampled_from(["S", "R", "G3"]), st.sampled_from(list("012345"))),
    st.tuples(st.just("control"), people, st.sampled_from(["originated", "no", "3"])),
)


@given(st.lists(st.tuples(people, rows), max_size=30, unique_by=lambda one: (one[0].casefold(), *one[1][:2])))
def test_ratings_are_read_as_they_were_written(given: list[tuple[str, tuple[str, str, str]]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["rater", "question", "subject", "answer"])
    writer.writerows([rater, *row] for rater, row in given)
    read = sentence_or(lambda: parse_ratings(text.getvalue().encode(), "x.csv"))
    if isinstance(read, str):
        # Names that are one after folding, with two answers; or the one name that is taken.
        assert "before, with" in read or "given with --reference" in read
        return
    assert {(one.question, one.subject, one.answer) for one in read} == {row for _, row in given}
    assert all(one.rater == " ".join(one.rater.split()) for one in read)


def sentence_or(parse: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...] | str:
    """What was read, or the sentence by which it was refused."""
    try:
        return parse()
    except InputError as error:
        return str(error)


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_anything_else_is_refused_in_one_sentence(content: bytes) -> None:
    for parse, head in (
        (parse_ratings, b"rater,question,subject,answer\n"),
        (parse_reference, b"item,answer,author\n"),
    ):
        for data in (content, head + content):
            read = sentence_or(partial(parse, data, "x.csv"))
            assert isinstance(read, tuple) or ("\n" not in read and read.startswith("x.csv"))
