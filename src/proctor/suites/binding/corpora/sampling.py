"""Which events a corpus plans: a stratified sample of source rows, in their natural order, repeated ids included.

Source rows have the columns task, condition, run, episode, subject and onset. The sample takes each stratum in
proportion to its size; what is left over by rounding goes to the largest remainders. A source lists some of its events
twice, under another run: they stay in the plan, and `duplicate` says which rows repeat an earlier id.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from proctor.core.seeds import Stream

POOL = 3
"""Source rows per planned event."""
T = TypeVar("T")


class Source(Protocol):
    """What a plan needs to know of a corpus."""

    @property
    def planned(self) -> int: ...
    @property
    def distinct(self) -> int: ...
    @property
    def tasks(self) -> tuple[str, ...]: ...
    @property
    def conditions(self) -> tuple[str, ...]: ...
    @property
    def runs(self) -> int: ...
    @property
    def subjects(self) -> int: ...


class SourceRow(Struct, frozen=True):
    """One row of a source, before anything was made of it."""

    event_id: str
    task: str
    condition: str
    run: int
    episode: int
    subject: str
    onset: int
    """Seconds from the start of the run."""


class Planned(Struct, frozen=True):
    """One row of the plan."""

    row: SourceRow
    swapped: bool
    """Whether the labels of its options are exchanged."""
    duplicate: bool
    """Whether its id occurred earlier in the plan."""


def plan(corpus: Source, stream: Stream) -> tuple[Planned, ...]:
    """The planned events of a corpus, all from the stream."""
    pool = source_rows(corpus, stream.child("pool"))
    chosen = stratified(pool, _stratum, corpus.distinct, stream.child("sample"))
    repeated = stream.child("repeats").sample(chosen, corpus.planned - corpus.distinct)
    swapped = labels_exchanged([row.event_id for row in chosen], stream.child("labels"))
    rows = sorted([*chosen, *(_listed_again(corpus, row) for row in repeated)], key=natural_order)
    seen: set[str] = set()
    planned: list[Planned] = []
    for row in rows:
        planned.append(Planned(row, row.event_id in swapped, row.event_id in seen))
        seen.add(row.event_id)
    return tuple(planned)


def source_rows(corpus: Source, stream: Stream) -> list[SourceRow]:
    """Rows as a source might list them; strata are of different sizes."""
    rows: list[SourceRow] = []
    names: set[str] = set()
    weights = [1 + number % 3 for number in range(len(corpus.conditions))]
    while len(rows) < POOL * corpus.planned:
        name = f"ev{stream.hex(7)}"
        if name in names:
            continue
        names.add(name)
        rows.append(
            SourceRow(
                event_id=name,
                task=stream.choice(corpus.tasks),
                condition=stream.weighted(corpus.conditions, weights),
                run=stream.integer(1, corpus.runs),
                episode=stream.integer(1, 12),
                subject=f"sub-{stream.integer(1, corpus.subjects):02d}",
                onset=stream.below(600),
            )
        )
    return rows


def stratified(rows: Sequence[T], stratum: Callable[[T], Hashable], count: int, stream: Stream) -> list[T]:
    """`count` rows, each stratum in proportion to its size (largest remainders), at random within each."""
    groups: dict[Hashable, list[T]] = {}
    for row in rows:
        groups.setdefault(stratum(row), []).append(row)
    # The order in which strata first occur decides ties: no set, no hash.
    shares = [count * len(group) / len(rows) for group in groups.values()]
    taken = [int(share) for share in shares]
    rest = sorted(range(len(shares)), key=lambda number: (taken[number] - shares[number], number))
    for number in rest[: count - sum(taken)]:
        taken[number] += 1
    sample: list[T] = []
    for number, (group, size) in enumerate(zip(groups.values(), taken, strict=True)):
        sample += stream.child("stratum", number).sample(group, size)
    return sample


def labels_exchanged(names: Sequence[str], stream: Stream) -> frozenset[str]:
    """A half of the events, drawn at random: theirs are the exchanged labels.

    Of an odd number it is the smaller or the larger half, as drawn: small corpora must not all keep the same label.
    """
    odd_one = stream.child("odd one").below(2) if len(names) % 2 else 0
    return frozenset(stream.sample(names, len(names) // 2 + odd_one))


def natural_order(row: SourceRow) -> tuple[int, str, int, str, int]:
    """By episode, subject, onset and id; of two rows of one event the earlier run comes first."""
    return row.episode, row.subject, row.onset, row.event_id, row.run


def _stratum(row: SourceRow) -> tuple[str, str, int]:
    return row.task, row.condition, row.run


def _listed_again(corpus: Source, row: SourceRow) -> SourceRow:
    return SourceRow(
        row.event_id, row.task, row.condition, row.run % corpus.runs + 1, row.episode, row.subject, row.onset
    )
