"""Binding planted in rows with twins comes back: intervals hold it, and what was not planted is not claimed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from proctor.core.seeds import Stream
from proctor.instruments.binding.inference import Inference, infer
from proctor.instruments.binding.scores import COMPONENT_OF, Share
from proctor.instruments.binding.twins import TwinCounted
from tests.validity.binding_rows import EVENTS

COMPONENTS = ("reason", "memory", "veto", "self")
SPREAD = 0.5
"""Corpus effects lie within this on the logit scale."""
REPLICATES, CODES = 2, 6
LEAN, OTHER, RECALL, VETO = range(4)
TARGETS = {"reason": (LEAN, OTHER), "self": (LEAN, OTHER), "memory": (RECALL,), "veto": (VETO,)}
CUED = np.array([OTHER, LEAN]).reshape(2, 1, 1)
"""What the two cue rows name."""
Codes = npt.NDArray[np.int64]


class Planted:
    """A simulant: follows what decides at a rate, the cue at another, else the lean; a share of replies is noise."""

    def __init__(self, rng: np.random.Generator, rates: dict[str, float]) -> None:
        self.rng, self.rates = rng, rates
        self.cue, self.noise = float(rng.uniform(0.0, 0.1)), float(rng.uniform(0.0, 0.02))

    def corpus(self, events: int) -> TwinCounted:
        """The counts of one corpus, drawn row by row."""
        baseline = self._said(events, LEAN, 0.0)
        followed, twins = {}, {}
        for name, targets in TARGETS.items():
            rate = self._shifted(self.rates[name])
            rows = {target: self._said(events, target, rate) for target in targets}
            pairs = [(target, rows[target], rows.get(1 - target, baseline)) for target in targets]
            n = sum(one.size for _, one, _ in pairs)
            followed[COMPONENT_OF[name]] = Share(sum(int((one == target).sum()) for target, one, _ in pairs), n)
            twins[COMPONENT_OF[name]] = Share(sum(int((twin == target).sum()) for target, _, twin in pairs), n)
        cues = np.stack((self._said(events, OTHER, self.cue), self._said(events, LEAN, self.cue)))
        named, before = (cues == CUED).sum(), (baseline[None] == CUED).sum()
        return TwinCounted(
            targets=followed,
            neutral=Share(int((cues != baseline).sum()), cues.size),
            twins=twins,
            drift=Share(int((baseline[:, 0] != baseline[:, 1]).sum()), events),
            named=Share(int(named), cues.size),
            named_before=Share(int(before), cues.size),
        )

    def score(self, name: str) -> float:
        """B* as planted."""
        plain = self._chances(LEAN, 0.0)
        same, cued = float(plain @ plain), float(self._chances(OTHER, self.cue) @ plain)
        moved, drift = 1.0 - (cued + same) / 2.0, 1.0 - same
        directed = (self._chances(OTHER, self.cue)[OTHER] - plain[OTHER]) / 2.0
        return (1.0 - self.noise) * self.rates[name] - max(0.0, moved - drift, float(directed))

    def _chances(self, target: int, rate: float) -> npt.NDArray[np.float64]:
        found = np.full(CODES, self.noise / CODES)
        found[target] += (1.0 - self.noise) * rate
        found[LEAN] += (1.0 - self.noise) * (1.0 - rate)
        return found

    def _said(self, events: int, target: int, rate: float) -> Codes:
        shape = (events, REPLICATES)
        said = np.where(self.rng.random(shape) < rate, target, LEAN)
        return np.where(self.rng.random(shape) < self.noise, self.rng.integers(0, CODES, shape), said)

    def _shifted(self, rate: float) -> float:
        if rate in (0.0, 1.0):
            return rate
        return float(1.0 / (1.0 + np.exp(-(np.log(rate / (1.0 - rate)) + self.rng.uniform(-SPREAD, SPREAD)))))


def inferred(planted: Planted, name: str) -> Inference:
    """What the instrument says about one component over the seven corpora."""
    units = {dataset: planted.corpus(distinct) for dataset, (_, distinct) in EVENTS.items()}
    return infer(
        f"{name} binding", {dataset: one.score(COMPONENT_OF[name]) for dataset, one in units.items()}, draws=10
    )


def covered(name: str, draws: int) -> float:
    """How often the interval holds the planted score."""
    hits = 0
    for number in range(draws):
        rng = Stream.keyed("tests", "twins coverage", name, number).numpy()
        rates = dict(zip(COMPONENTS, rng.uniform(0.05, 0.97, len(COMPONENTS)).tolist(), strict=True))
        planted = Planted(rng, rates)
        across = inferred(planted, name).across
        assert across.low is not None
        assert across.high is not None
        hits += across.low <= planted.score(name) <= across.high
    return hits / draws


def claimed(name: str, draws: int) -> float:
    """How often a component that is not there, beside three that are, is called above zero."""
    hits = 0
    for number in range(draws):
        rng = Stream.keyed("tests", "twins null", name, number).numpy()
        hits += inferred(Planted(rng, {**dict.fromkeys(COMPONENTS, 0.9), name: 0.0}), name).above_zero is True
    return hits / draws


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_planted_score_lies_in_its_interval(name: str) -> None:
    # 200 draws at a coverage of 95 %: below 90 % once in a thousand times.
    assert covered(name, 200) >= 0.90
    assert claimed(name, 100) <= 0.08


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPONENTS)
def test_coverage_and_false_claims_over_two_thousand_draws(name: str) -> None:
    assert covered(name, 2_000) >= 0.93
    assert claimed(name, 2_000) <= 0.025
