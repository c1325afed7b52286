"""Files of declarations: whatever is wrong with one is a sentence that names file and place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proctor.core.errors import InputError
from proctor.spec.documents import parse_document, read_document


def test_yaml_and_json_give_the_same_value(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: [1, 2.5, null, true]\nb: {c: é}\n", encoding="utf-8")
    (tmp_path / "a.json").write_text('{"b": {"c": "é"}, "a": [1, 2.5, null, true]}', encoding="utf-8")
    assert read_document(tmp_path / "a.yaml") == read_document(tmp_path / "a.json")


def _bomb(levels: int) -> str:
    """Ten times as many values at every level, in a few bytes."""
    steps = [f"v{level}: &v{level} [{', '.join([f'*v{level - 1}'] * 10)}]\n" for level in range(1, levels)]
    return "v0: &v0 [x]\n" + "".join(steps)


def test_a_date_stays_text() -> None:
    assert parse_document("when: 2026-13-45\nthen: 2026-01-01", source="x") == {
        "when": "2026-13-45",
        "then": "2026-01-01",
    }


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: [1, 2\nb: 3", "line 2"),
        ("a: 'unclosed", "line 1"),
        ("a: 1\n\tb: 2", "line 2"),
        ("a: b: c", "line 1"),
        ("a: *nothing", "line 1"),
        ("!!python/object/apply:os.system ['true']", "line 1"),
        ("a: &a [*a]", "contains itself"),
        ("a: .nan", "nan"),
        ("a: " + "[" * 500, "nested"),
        ("a: !!binary aGk=", "binary"),
        ("a: 0x" + "f" * 500, "largest"),
        ("a: " + "9" * 5000, "digits"),
        ('a: "\\ud800"', "surrogate"),
        ('a: "\\0"', "NUL"),
        ('a: "\\Uffffffff"', "int"),
        ("a: !!float ''", "line 1, column 4: '' is not a number"),
        ('a: !!bool "x"', "line 1, column 4: 'x' is not true or false"),
        ("a: " + "9" * 5000, "line 1, column 4: a number of 5,000 digits; the largest is 1e+30"),
        (_bomb(9), "aliases"),
        ("a: &a {k: 1}\n" + "".join(f"m{n}: {{<<: *a, k{n}: 1}}\n" for n in range(3)) + "c: [", "line 5"),
    ],
)
def test_malformed_yaml_is_one_sentence_with_its_place(text: str, place: str) -> None:
    with pytest.raises(InputError, match=r"suite\.yaml: (not valid YAML|nested)") as caught:
        parse_document(text, source="suite.yaml")
    assert place in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ['{"a": 1', '{"a": }', "", "{'a': 1}"])
def test_malformed_json_is_one_sentence_with_its_place(text: str) -> None:
    with pytest.raises(InputError, match=r"x\.json: not valid JSON at line 1, column") as caught:
        parse_document(text, source="x.json", is_json=True)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "is_json"),
    [("a: 1\nb: {c: 1, c: 2}\n", False), ("a: 1\nb: 2\n'a': 3", False), ('{"b": {"c": 1, "c": 2}}', True)],
)
def test_a_key_that_is_written_twice_is_refused(text: str, is_json: bool) -> None:
    with pytest.raises(InputError, match=r"'[ac]' is written twice") as caught:
        parse_document(text, source="s", is_json=is_json)
    assert ("JSON" if is_json else "YAML") in str(caught.value)


def test_anchors_and_merges_still_work() -> None:
    text = "base: &base {n: 1, m: 2}\nmore: &more\n  <<: *base\n  n: 3\nlast: {<<: *more, m: 4}\nlist: [*base, *base]\n"
    value = parse_document(text, source="s")
    assert value["more"] == {"n": 3, "m": 2}
    assert value["last"] == {"n": 3, "m": 4}
    assert value["list"] == [{"n": 1, "m": 2}] * 2


@pytest.mark.parametrize("is_json", [True, False])
def test_endless_nesting_is_one_sentence(is_json: bool) -> None:
    with pytest.raises(InputError) as caught:
        parse_document("[" * 5_000, source="deep", is_json=is_json)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_document(tmp_path / "none.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    for path in (tmp_path, tmp_path / "pipe.yaml"):
        with pytest.raises(InputError, match="this is not a file"):
            read_document(path)
    (tmp_path / "latin.yaml").write_bytes(b"a: \xff\xfe\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_document(tmp_path / "latin.yaml")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    path.touch()
    os.truncate(path, 17 * 2**20)
    with pytest.raises(InputError, match="larger than 16 MiB"):
        read_document(path)
