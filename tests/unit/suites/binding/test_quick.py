"""`binding-quick`: the first events of `binding`, so that a first look and the benchmark speak of the same events."""

from __future__ import annotations

from proctor.suites.binding import benchmark
from proctor.suites.binding.corpora import CORPORA
from proctor.suites.binding.corpora.probes import SIX_PROBES


def test_it_asks_once_about_the_first_events_of_every_corpus_of_the_benchmark() -> None:
    whole, quick = benchmark.binding(), benchmark.quick()
    assert (quick.streams, quick.conditions) == (whole.name, whole.conditions)
    assert [entry.family for entry in quick.entries] == [entry.family for entry in whole.entries]
    assert {(entry.first, entry.n % len(SIX_PROBES), entry.replicates) for entry in quick.entries} == {(0, 0, 1)}
    episodes = sum(entry.n * len(entry.conditions) for entry in quick.entries)
    assert episodes == 1008, "the how-to pages say so"


def test_no_corpus_is_smaller_than_a_first_look() -> None:
    count = benchmark.quick().entries[0].n // len(SIX_PROBES)
    assert all(family.instances >= count * len(SIX_PROBES) for family in CORPORA)
