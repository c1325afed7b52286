"""Semantic clusters: near texts together, others apart, whatever their order."""

from __future__ import annotations

import pytest

from proctor.stats.semantic import MAX_TEXTS, semantic_clusters


def groups(texts: list[str]) -> set[frozenset[str]]:
    found = semantic_clusters(texts)
    assert found is not None
    return {frozenset(text for text, label in zip(texts, found, strict=True) if label == one) for one in set(found)}


def test_case_punctuation_and_spacing_say_nothing() -> None:
    assert groups(["Stop.", "stop", " STOP !", "wait"]) == {
        frozenset({"Stop.", "stop", " STOP !"}),
        frozenset({"wait"}),
    }


def test_near_texts_are_one_cluster_and_far_ones_are_not() -> None:
    long = "the committee settles on the northern route because the bridge is open and the ferry is not running today"
    near, far = f"{long} then", "postpone until the figures of the second quarter are in"
    assert groups([long, far, near]) == {frozenset({long, near}), frozenset({far})}
    assert groups([near, long, far]) == groups([far, near, long])


def test_a_chain_of_near_texts_is_one_cluster() -> None:
    base = "carry the blue crate to the upper store room before the evening shift takes over the whole floor"
    chain = [base, f"{base} of", f"{base} of it"]
    assert groups(chain) == {frozenset(chain)}


@pytest.mark.parametrize("texts", [[], ["one"], ["", "."]])
def test_edges(texts: list[str]) -> None:
    found = semantic_clusters(texts)
    assert found is not None
    assert found.size == len(texts)
    assert len(set(found.tolist())) <= 1


def test_too_many_texts_give_no_layer() -> None:
    assert semantic_clusters([f"{number:x}" for number in range(MAX_TEXTS + 1)]) is None
