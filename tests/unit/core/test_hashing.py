"""Hashes: content decides, order of keys and byte-code caches do not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from proctor.core.hashing import content_hash, file_hash, sha256, sha256_hex, tree_hash


def test_plain_digests() -> None:
    assert sha256(b"abc").hex() == sha256_hex(b"abc") == hashlib.sha256(b"abc").hexdigest()


def test_content_hash_is_over_canonical_json() -> None:
    assert content_hash({"b": 1, "a": [1.0, None]}) == sha256_hex(b'{"a":[1,null],"b":1}')
    assert content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})
    assert content_hash({"a": 1}) != content_hash({"a": "1"})


def test_file_hash_reads_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "big"
    data = b"x" * 3_000_000 + b"y"
    path.write_bytes(data)
    assert file_hash(path) == sha256_hex(data)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "family"
    (root / "texts").mkdir(parents=True)
    (root / "world.py").write_text("a = 1\n")
    (root / "texts" / "one.txt").write_text("hello\n")
    return root


def test_tree_hash_sees_every_source_file(tree: Path) -> None:
    before = tree_hash(tree)
    (tree / "texts" / "one.txt").write_text("hallo\n")
    changed = tree_hash(tree)
    (tree / "texts" / "one.txt").rename(tree / "texts" / "two.txt")
    renamed = tree_hash(tree)
    (tree / "empty.py").touch()
    assert len({before, changed, renamed, tree_hash(tree)}) == 4


def test_tree_hash_leaves_out_caches_and_hidden_files(tree: Path) -> None:
    before = tree_hash(tree)
    (tree / "__pycache__").mkdir()
    (tree / "__pycache__" / "world.cpython-311.pyc").write_bytes(b"\x00")
    (tree / ".git").mkdir()
    (tree / ".git" / "HEAD").write_text("ref")
    (tree / ".hidden.py").write_text("")
    assert tree_hash(tree) == before


def test_tree_hash_of_some_suffixes_ignores_the_others(tree: Path) -> None:
    only_code = tree_hash(tree, suffixes=frozenset({".py"}))
    (tree / "texts" / "one.txt").write_text("changed")
    assert tree_hash(tree, suffixes=frozenset({".py"})) == only_code
    (tree / "world.py").write_text("a = 2\n")
    assert tree_hash(tree, suffixes=frozenset({".py"})) != only_code


def test_tree_hash_does_not_depend_on_where_the_tree_is(tree: Path, tmp_path: Path) -> None:
    before = tree_hash(tree)
    moved = tmp_path / "elsewhere"
    tree.rename(moved)
    assert tree_hash(moved) == before
    assert tree_hash(moved / "world.py") != tree_hash(moved)
