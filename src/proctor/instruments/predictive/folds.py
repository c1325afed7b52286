"""Out-of-fold probabilities: every record is predicted by a model that saw no record of its cluster.

Scaling and coding of categories are learned within the training folds. Folds are made of whole clusters and are the
same for every set of features, so that two sets are compared on equal terms.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.core.errors import InputError, NeedsExtra
from proctor.instruments.predictive.records import Records

Floats = npt.NDArray[np.float64]
_LARGE = 1e100


class Folds:
    """A fixed split of records by cluster."""

    def __init__(self, records: Records, outcome: str, cluster: str, count: int) -> None:
        self.labels = _labels(records, outcome)
        clusters = [str(value) for value in records[cluster]]
        if len(set(clusters)) < count:
            message = (
                f"{records.source}: {len(set(clusters))} clusters in '{cluster}' do not make {count} folds; "
                f"give records of at least {count}"
            )
            raise InputError(message)
        self.splits = list(
            _learning("model_selection")
            .GroupKFold(n_splits=count)
            .split(np.zeros(len(clusters)), self.labels, clusters)
        )
        for train, _ in self.splits:
            if len(set(self.labels[train])) < 2:
                message = f"{records.source}: '{outcome}' has one class only in a training fold: nothing to learn from"
                raise InputError(message)

    def probabilities(self, records: Records, features: Sequence[str]) -> Floats:
        """P(outcome = 1) of each record, from the features, out of fold."""
        out = np.full(records.count, np.nan)
        columns = _columns(records, features)
        for train, test in self.splits:
            coding = [_coded(column, train) for column in columns]
            model = _fitted(_matrix(coding, train), self.labels[train])
            out[test] = model.predict_proba(_matrix(coding, test))[:, 1]
        return out


def _labels(records: Records, outcome: str) -> Floats:
    """The outcome as 0 and 1, both of which have to occur."""
    values = records[outcome]
    strange = next((value for value in values if value not in (0, 1)), None)
    if strange is not None:
        message = (
            f"{records.source}: outcome '{outcome}' has to be 0 or 1 (or true and false) in every record; "
            f"one is '{str(strange)[:40]}'"
        )
        raise InputError(message)
    if len(set(values)) < 2:
        message = (
            f"{records.source}: outcome '{outcome}' is {values[0]} in every record: one class only, no pair to rank"
        )
        raise InputError(message)
    return np.asarray(values, dtype=np.float64)


def coefficient(records: Records, features: Sequence[str], outcome: str, added: str) -> float:
    """The standardised coefficient of one numeric feature in the model on all records."""
    columns = _columns(records, features)
    everything = np.arange(records.count)
    coding = [_coded(column, everything) for column in columns]
    model = _fitted(_matrix(coding, everything), np.asarray(records[outcome], dtype=np.float64))
    index = sum(block.shape[1] for block in coding[: features.index(added)])
    return float(model.coef_[0][index])


def _columns(records: Records, features: Sequence[str]) -> list[npt.NDArray[Any]]:
    return [
        np.asarray(records[name], dtype=np.float64)
        if records.is_number(name)
        else np.asarray([str(value) for value in records[name]])
        for name in features
    ]


def _coded(column: npt.NDArray[Any], train: npt.NDArray[Any]) -> Floats:
    """A column as numbers: standardised, or one column a category, both as the training rows have it.

    A category that training never saw is none of the known ones.
    """
    if column.dtype == np.float64:
        largest = float(np.abs(column).max(initial=0.0))
        if largest > _LARGE:
            # Only the order and the proportions matter, and squares of such numbers overflow.
            column = column / largest
        mean, deviation = column[train].mean(), column[train].std()
        return np.asarray((column - mean)[:, None] / (deviation or 1.0), dtype=np.float64)
    return np.asarray(column[:, None] == np.unique(column[train])[None, :], dtype=np.float64)


def _matrix(coding: list[Floats], rows: npt.NDArray[Any]) -> Floats:
    return np.hstack([block[rows] for block in coding])


def _fitted(features: Floats, labels: Floats) -> Any:
    # Newton's method: few features, and the same answer on every machine whatever its number of threads. Where it finds
    # no smaller step than the precision of numbers, scikit-learn goes on by another method and says so, to no purpose.
    model = _learning("linear_model").LogisticRegression(C=1.0, solver="newton-cholesky", max_iter=200)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Line search of Newton solver")
        model.fit(features, labels)
    return model


def _learning(part: str) -> Any:
    """A module of scikit-learn, loaded at the first use; it is an extra."""
    try:
        return import_module(f"sklearn.{part}")
    except ImportError:
        message = "predicting needs scikit-learn: pip install 'proctor[stats]'"
        raise NeedsExtra(message) from None
