"""The surface player: how far one gets without reading, by length, punctuation and what is named first.

Of each component it learns, from the rows of all corpora but one, which action a row calls for, and is scored like
anybody else on the corpus left out: how often it says y⁺ on the decisive row, less how often on the twin. It sees what
`surface` has of every field shown, and nothing of any word. What it would lose to cues is not counted against it, so
that it can only look better than it is. With one corpus, events take the place of corpora, in five parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.measures import TARGET
from proctor.instruments.binding.scores import COMPONENT_OF
from proctor.instruments.binding.twins import partners
from proctor.stats.sample import FloatArray, IntArray

PENALTY = 1.0
"""Of the ridge fit, in standardised features; a hundredth or a hundredfold changes no score by more than chance."""
PARTS = 5


@dataclass(frozen=True)
class SurfaceScores:
    """What the surface player gets."""

    datasets: Mapping[str, Mapping[str, Fraction]]
    """By component and unit."""
    events: Mapping[str, Mapping[tuple[str, ...], float]]
    """By component, and by unit and event."""


def surface_scores(table: BindingTable) -> SurfaceScores:
    """The surface player on rows of one Condition. `table` has its corpora under `corpus` and its units under
    `dataset`."""
    datasets: dict[str, dict[str, Fraction]] = {}
    events: dict[str, dict[tuple[str, ...], float]] = {}
    at = partners(table)
    texts = _Texts(table)
    for component, name in COMPONENT_OF.items():
        aimed = np.flatnonzero(table.is_in("role", (TARGET,)) & table.is_in("component", (component,)) & (at >= 0))
        if aimed.size == 0:
            continue
        player = _Player(texts, np.concatenate((aimed, at[aimed])))
        gained = player.gained(aimed, at[aimed])
        rows = table.where(_mask(aimed, table.size))
        units, single = rows.groups("dataset"), rows.groups("dataset", "event")
        datasets[name] = {
            key[0]: Fraction(round(total), round(n))
            for key, total, n in zip(units.keys, units.total(gained), units.total(), strict=True)
        }
        means = single.total(gained) / single.total()
        events[name] = dict(zip(single.keys, means.tolist(), strict=True))
    return SurfaceScores(datasets, events)


class _Texts:
    """The distinct texts of a table: what a model did, and how often it was asked, is nothing to learn from."""

    def __init__(self, table: BindingTable) -> None:
        _, first, self.of = np.unique(
            table.key("corpus", "event", "probe", "strength", "distance"), return_index=True, return_inverse=True
        )
        """The text of each row."""
        surface = table.text["surface"]
        used, inverse = np.unique(surface.codes[first], return_inverse=True)
        self.features = _features([surface.labels[code] for code in used.tolist()])[inverse]
        self.target = table.text["target"].codes[first]
        self.part = _parts(table, first)


class _Player:
    """Fits on the texts of one component, left-out part by left-out part, and answers each when it is left out."""

    def __init__(self, texts: _Texts, rows: IntArray) -> None:
        self._texts = texts
        chosen = np.unique(texts.of[rows])
        x, part = texts.features[chosen], texts.part[chosen]
        classes, y = np.unique(texts.target[chosen], return_inverse=True)
        shown = np.eye(classes.size)[y]
        # Classes weigh the same, so that the rarest is worth saying.
        weights = (chosen.size / classes.size / np.bincount(y))[y][:, None]
        masks = [part == label for label in np.unique(part)]
        grams = [x[mask].T @ (weights[mask] * x[mask]) for mask in masks]
        sides = [x[mask].T @ (weights[mask] * shown[mask]) for mask in masks]
        whole = sum(grams) + PENALTY * np.eye(x.shape[1])
        together = sum(sides)
        self._said = np.full(texts.target.size, -1, dtype=np.int64)
        for mask, gram, side in zip(masks, grams, sides, strict=True):
            fit = np.linalg.solve(whole - gram, together - side)
            self._said[chosen[mask]] = classes[(x[mask] @ fit).argmax(axis=1)]

    def gained(self, aimed: IntArray, twins: IntArray) -> FloatArray:
        """For each decisive row: y⁺ said there, less y⁺ said on its twin."""
        said, of = self._said, self._texts.of
        wanted = self._texts.target[of[aimed]]
        return np.asarray((said[of[aimed]] == wanted).astype(np.float64) - (said[of[twins]] == wanted))


def _parts(table: BindingTable, rows: IntArray) -> IntArray:
    """Which part of the cross-validation each row belongs to."""
    corpora = table.text["corpus"].codes[rows]
    if np.unique(corpora).size > 1:
        return corpora
    _, events = np.unique(table.text["event"].codes[rows], return_inverse=True)
    return np.asarray(events % PARTS, dtype=np.int64)


def _features(surfaces: list[str]) -> FloatArray:
    """Length, punctuation and first names of each field, with their products; standardised, and a constant."""
    rows = [[item.split(".") for item in text.split()] for text in surfaces]
    width = max((len(row) for row in rows), default=0)
    there = np.zeros((len(rows), width))
    chars, marks, option, phrase = (np.zeros((len(rows), width)) for _ in range(4))
    sign = {"A": 1.0, "B": -1.0, "M": 1.0, "N": -1.0}
    for number, row in enumerate(rows):
        for index, item in enumerate(row):
            there[number, index] = 1.0
            chars[number, index], marks[number, index] = float(item[0]), float(item[1])
            option[number, index], phrase[number, index] = sign.get(item[2], 0.0), sign.get(item[3], 0.0)
    chars, marks = _standard(chars), _standard(marks)
    names = np.concatenate((option, phrase), axis=1)
    one, two = np.triu_indices(names.shape[1], 1)
    columns = (
        there,
        chars,
        marks,
        names,
        np.abs(names),
        names[:, one] * names[:, two],
        chars * option,
        chars * phrase,
        marks * option,
        marks * phrase,
    )
    return np.concatenate((np.ones((len(rows), 1)), _standard(np.concatenate(columns, axis=1))), axis=1)


def _standard(values: FloatArray) -> FloatArray:
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _mask(rows: IntArray, size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    mask = np.zeros(size, dtype=np.bool_)
    mask[rows] = True
    return mask
