"""Texts that say the same: clusters of character n-gram vectors, independent of the order of the texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from proctor.stats.sample import IntArray

MAX_TEXTS = 8_000
"""Beyond this many the pairs no longer fit, and there is no such layer."""
_WORD = re.compile(r"\w+")
# Rows of the similarity matrix held at once.
_BLOCK = 2_000


def semantic_clusters(
    texts: Sequence[str], *, cosine: float = 0.90, ngrams: tuple[int, int] = (3, 5)
) -> IntArray | None:
    """The cluster of each text: connected components of pairs whose TF-IDF vectors have at least this cosine.

    Case, punctuation and spacing say nothing: texts that differ in nothing else are one text.

    None where scikit-learn is not installed or the texts are too many: no layer, which is not a layer of one cluster.
    """
    if len(texts) < 2:
        return np.zeros(len(texts), dtype=np.int64)
    if len(texts) > MAX_TEXTS:
        return None
    try:
        text: Any = import_module("sklearn.feature_extraction.text")
    except ImportError:
        return None
    from scipy import sparse
    from scipy.sparse import csgraph

    words = [" ".join(_WORD.findall(one.casefold())) for one in texts]
    distinct = sorted(set(words))
    index_of = {one: number for number, one in enumerate(distinct)}
    # Between marks, so that an empty text still has an n-gram of its own.
    padded = [f"<<{one}>>" for one in distinct]
    vectors = text.TfidfVectorizer(analyzer="char", ngram_range=ngrams, lowercase=False).fit_transform(padded)
    near = [
        sparse.csr_matrix((vectors[start : start + _BLOCK] @ vectors.T) >= cosine - 1e-9)
        for start in range(0, len(distinct), _BLOCK)
    ]
    _, labels = csgraph.connected_components(sparse.vstack(near), directed=False)
    return np.array([labels[index_of[one]] for one in words], dtype=np.int64)
