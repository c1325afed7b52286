"""Files of ratings and of control answers: what is read, and what is refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.evidence.attachments import MAX_BYTES
from proctor.evidence.evidence import evidence_of
from proctor.evidence.rated import rated_evidence
from proctor.evidence.ratings import (
    ControlItem,
    Rating,
    parse_ratings,
    parse_reference,
    read_reference,
    read_sheet,
)
from proctor.evidence.store.store import Store
from proctor.spec.frozen import Look

HEAD = b"rater,question,subject,answer\n"


def rating(line: bytes) -> Rating:
    (one,) = parse_ratings(HEAD + line, "x.csv")
    return one


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (b"ann,success,0,yes\n", Rating("ann", "success", "0", "yes")),
        (b" Ann , goal ,007, originated \n", Rating("ann", "goal", "7", "originated")),
        (b'"M\xc3\x9cLLER,  Jo",level,G1,3\n', Rating("müller, jo", "level", "G1", "3")),
        (b"ann,control,item 4,derivable\n", Rating("ann", "control", "item 4", "derivable")),
        (b"ann,goal,1,none\n\n,,,\n", Rating("ann", "goal", "1", "none")),
        (b"ann,goal,1,instrumental\r\nANN,goal,1,instrumental\r\n", Rating("ann", "goal", "1", "instrumental")),
    ],
)
def test_what_is_read(line: bytes, read: Rating) -> None:
    assert rating(line) == read


def test_a_sheet_as_spreadsheets_save_it() -> None:
    for delimiter in (";", "\t"):
        text = f"\ufeff{HEAD.decode()}ann,goal,3,none\n".replace(",", delimiter)
        assert parse_ratings(text.encode(), "x.csv") == (Rating("ann", "goal", "3", "none"),)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"ann,mood,0,yes\n", "line 2: question 'mood' is unknown"),
        (b"ann,goal,0,yes\n", "'yes' is no answer to goal"),
        (b"ann,goal,0,\n", "'' is no answer to goal"),
        (b",goal,0,none\n", "'' cannot be the name of a rater"),
        (b"a\x1b[2Jnn,goal,0,none\n", "'a\\x1b[2Jnn' cannot be the name of a rater"),
        (b"%s,goal,0,none\n" % (b"a" * 61), "cannot be the name of a rater"),
        (b"ann,goal,-1,none\n", "'-1' is not the position of an episode"),
        (b"ann,goal,1.5,none\n", "'1.5' is not the position"),
        (b"ann,goal,\xd9\xa3,none\n", "is not the position"),
        (b"ann,goal,99999999999,none\n", "is not the position"),
        (b"ann,level,G,3\n", "'G' has no level of its own; use one of D, E, G1"),
        (b"ann,level,S,6\n", "'6' is no answer to level"),
        (b"Reference,control,i,3\n", "given with --reference FILE, not by a rater"),
        (b"ann,goal,0\n", "line 2: has 3 values"),
        (b"ann,goal,0,none,more\n", "line 2: has 5 values"),
        (b"ann,goal,0,none\nann,goal,00,derivable\n", "line 3: ann answered goal 0 before, with 'none'"),
        (b'ann,goal,0,"none\n', "cannot be read as CSV in UTF-8"),
        (b"ann,goal,0,\xff\n", "cannot be read as CSV in UTF-8"),
        (b"%s,goal,0,none\n" % (b"a" * 200_000), "cannot be read as CSV in UTF-8"),
    ],
)
def test_what_is_refused(line: bytes, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_ratings(HEAD + line, "x.csv")
    assert words in str(caught.value) and str(caught.value).startswith("x.csv")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("content", [b"", b"rater,question\n", b"item,answer,author\n", b"\x00"])
def test_another_first_line_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="the first line must read rater,question,subject,answer"):
        parse_ratings(content, "x.csv")


def test_a_file_that_nobody_filled_in_is_refused() -> None:
    with pytest.raises(InputError, match="has more than 100000 rows"):
        parse_ratings(HEAD + b"".join(b"ann,goal,%d,none\n" % n for n in range(100_001)), "x.csv")


def test_control_answers() -> None:
    content = b"item,answer,author\ni-1,originated,Jo\ni-2,4,jo\ni-3,no,JO\n"
    assert parse_reference(content, "x.csv") == (
        ControlItem("i-1", "originated", "jo"),
        ControlItem("i-2", "4", "jo"),
        ControlItem("i-3", "no", "jo"),
    )
    for line, words in (
        (b"i-4,none,jo\n", "'none' is not the answer to a control item"),
        (b"i-4,3,\n", "cannot be the name of an author"),
        (b",3,jo\n", "cannot be the name of an item"),
        (b"i-1,derivable,jo\n", "control item 'i-1' is there already"),
    ):
        with pytest.raises(InputError, match=words):
            parse_reference(content + line, "x.csv")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for read in (read_sheet, read_reference):
        with pytest.raises(InputError, match="No such file"):
            read(tmp_path / "none.csv")
        with pytest.raises(InputError, match="this is not a file but a folder"):
            read(tmp_path)
        (tmp_path / "large.csv").write_bytes(bytes(MAX_BYTES + 1))
        with pytest.raises(InputError, match="an attachment has 1 to"):
            read(tmp_path / "large.csv")


@pytest.fixture
def store(tmp_path: Path, making: Any) -> Any:
    with Store(str(tmp_path / "store.db")) as opened:
        making.run(opened, making.small())
        yield opened


def written(tmp_path: Path, name: str, content: bytes) -> Path:
    (tmp_path / name).write_bytes(content)
    return tmp_path / name


def test_what_was_given_is_kept_and_read_from_then_on(store: Store, tmp_path: Path) -> None:
    sheet = written(tmp_path, "a.csv", HEAD + b"ann,success,3,no\n")
    key = written(tmp_path, "key.csv", b"item,answer,author\ni,yes,jo\n")
    first = rated_evidence(store, "latest", ratings=[sheet], references=[key]).ratings
    assert [one.ratings for one in first.sheets] == [(Rating("ann", "success", "3", "no"),)]
    assert [one.items for one in first.references] == [(ControlItem("i", "yes", "jo"),)] and not first.not_stored
    sheet.unlink()
    assert evidence_of(store, "latest").ratings == first
    assert rated_evidence(store, "latest").ratings == first


def test_nothing_is_kept_of_a_file_that_cannot_be_meant(store: Store, tmp_path: Path) -> None:
    good = written(tmp_path, "good.csv", HEAD + b"ann,success,3,no\n")
    other = written(tmp_path, "other.csv", HEAD + b"ann,goal,4,none\n")
    with pytest.raises(InputError, match=r"other\.csv: there is no episode 4 in test-evidence-.*another run\?"):
        rated_evidence(store, "latest", ratings=[good, other])
    with pytest.raises(InputError, match="the first line must read"):
        rated_evidence(store, "latest", ratings=[good], references=[good])
    assert store.attachments(1) == []


def test_a_run_in_several_looks_keeps_what_was_said_of_each(store: Store, making: Any) -> None:
    first = store.run("latest")
    second = making.run(store, making.small(), look=Look(number=2, max_n=100, after=first.root))
    store.attach(first.number, "ratings", HEAD + b"ann,success,3,no\n")
    store.attach(second.number, "ratings", HEAD + b"ann,success,5,no\n")
    found = evidence_of(store, second.name)
    assert [rating.subject for rating in found.ratings] == ["3", "5"]
    assert {"3", "5"} <= {str(row.position) for row in found.rows}
