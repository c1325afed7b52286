"""Whether a corpus of binding probes gives its targets away to somebody who does not read.

Each text that decides is set against its twin (or, where a family has none, against what the same field shows in the
baseline row of its event, or against the same text with the other option for its target). Features need no reading:
length, punctuation, place, which option is named first, which fields are there. What counts is the area under the
curve over whole events, in each cell of dataset and component, Holm over cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, structs

from proctor.conformance.contract import Check, Conformance, Tally, examine_all
from proctor.conformance.subject import draw_of, source_of
from proctor.core.errors import InputError, NotEvaluable
from proctor.engine.family import Family
from proctor.plugins import registry
from proctor.spec.task import Instance
from proctor.stats.paired import holm
from proctor.stats.tells import Tell, power, tell

TELLS = Check(
    "tells", "Nothing but reading tells", "Length, punctuation, order and place tell nothing about what is called for."
)
OWN_LIMIT, USER_LIMIT = 0.55, 0.60
"""Upper bounds on the area for generators, which can draw as many texts as it takes, and for a file."""
ALPHA = 0.05
ENOUGH = 0.8
"""Power against an area of .70 from which a cell in which nothing is decided had texts enough."""
PAIRS = 2_000
"""Texts per class and cell of a generator; where it is close, four times as many."""
_MORE, _CLOSE = 4, 0.56
_MARKS = ".,;:!?'\"()"
_NOT_FAILING = ("pass", "between", "too few to say")
_EVENT_SUFFIXES = (".csv", ".tsv", ".jsonl")
_SOURCE = "twin-events"
_REMEMBERED = 16
"""Events whose rows may still be on their way: a family gives the rows of an event one after the other."""
_SEEN = 64
"""Instances after which every cell of a family has shown itself."""


class Pair(Struct, frozen=True):
    """Two texts that only reading should tell apart; the first calls for the target."""

    cell: tuple[str, str]
    event: str
    one: tuple[float, ...]
    two: tuple[float, ...]


class Verdict(Struct, frozen=True):
    """What was found in one cell."""

    cell: tuple[str, str]
    tell: Tell
    adjusted: float
    status: str
    """`pass`, `fail`, `too few to say`, or `between`: enough texts, nothing found, and still no bound as low as it must
    be."""
    power: float | None = None
    """Against an area of .70, where it neither passes nor fails."""


def is_event_file(what: str) -> bool:
    """Whether a name is that of a file of events."""
    return what.lower().endswith(_EVENT_SUFFIXES)


def has_probes(family: Family, seed: int = 0) -> bool:
    """Whether its instances are binding probes: they have a decisive field and a base event."""
    try:
        instance = family.instance(draw_of(family, source_of(family, seed), 0))
    except Exception:  # Whatever it is, the other checks say it.
        return False
    return {"decisive", "component", "base_event", "target"} <= instance.hidden.keys()


def check_event_file(path: Path, *, seed: int = 0) -> Conformance:
    """Put a user's events through the check, as `proctor run binding@2.0 --events FILE` would show them."""
    source: Any = registry.load("families", _SOURCE)
    families = list(source.families_of(path).values())

    def body(tally: Tally) -> None:
        pairs = [pair for family in families for pair in pairs_of(family, seed, most=PAIRS)]
        _judge(pairs, tally, limit=USER_LIMIT, generated=False)

    return examine_all("corpus", path.name, [(TELLS, body)])


def examine_tells(family: Family, tally: Tally, *, seed: int = 0) -> None:
    """The body of the check for a family that generates its events."""
    finite = getattr(family, "supply", None) is not None
    pairs = list(pairs_of(family, seed, most=PAIRS))
    limit = USER_LIMIT if finite else OWN_LIMIT
    failing = [one for one in verdicts(pairs, limit=limit, generated=not finite) if one.status != "pass"]
    if failing and not finite and all(one.tell.auc < _CLOSE for one in failing):
        # Close to one half it may be luck, and a generator can always be asked for more.
        pairs = list(pairs_of(family, seed, most=_MORE * PAIRS))
    _judge(pairs, tally, limit=USER_LIMIT if finite else OWN_LIMIT, generated=not finite)


def verdicts(pairs: Sequence[Pair], *, limit: float, generated: bool) -> list[Verdict]:
    """Cell by cell: does anything tell?"""
    cells: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        cells.setdefault(pair.cell, []).append(pair)
    tells = {cell: _tell(mine) for cell, mine in cells.items()}
    adjusted = holm([one.p for one in tells.values()])
    found = []
    for (cell, one), p in zip(tells.items(), adjusted, strict=True):
        shown = 1.0 if p is None else p
        status = "pass" if one.upper <= limit else "too few to say"
        if shown <= ALPHA and one.auc > 0.5 and (one.upper > limit or not generated):
            # A generator is judged by how much it gives away: thousands of texts would find the smallest trace.
            status = "fail"
        elif status != "pass" and generated and one.pairs >= PAIRS:
            status = "fail"
        found.append(Verdict(cell, one, shown, status))
    return found


def pairs_of(family: Family, seed: int, *, most: int) -> Iterator[Pair]:
    """Pairs of a family, up to so many in each cell; a family with a limited supply gives what it has."""
    source = source_of(family, seed)
    supply = getattr(family, "supply", None)
    counts: dict[tuple[str, str], int] = {}
    events: dict[str, dict[str, Instance]] = {}
    bound = supply if supply is not None else 20 * most
    for index in range(bound):
        instance = family.instance(draw_of(family, source, index))
        hidden = instance.hidden
        if hidden.get("duplicate"):
            continue
        rows = events.setdefault(hidden["base_event"], {})
        rows[hidden["probe"]] = instance
        for pair in _completed(rows, hidden["probe"], family):
            if counts.get(pair.cell, 0) < most:
                counts[pair.cell] = counts.get(pair.cell, 0) + 1
                yield pair
        if index >= _SEEN and counts and min(counts.values()) >= most:
            return
        if len(events) > _REMEMBERED:
            events.pop(next(iter(events)))


def _completed(rows: dict[str, Instance], probe: str, family: Family) -> Iterator[Pair]:
    """The pairs that the arrival of a row completes."""
    new = rows[probe]
    if "design" not in new.hidden:
        yield from _without_twins(rows, new, family)
        return
    for row in list(rows.values()):
        twin = rows.get(row.hidden["twin"])
        if row.hidden["role"] != "target" or twin is None or (new is not row and new is not twin):
            continue
        both = twin.hidden["role"] == "target" and twin.hidden["twin"] == row.hidden["probe"]
        if both and row.hidden["probe"] > twin.hidden["probe"]:
            # Each is the other's twin: they are one pair.
            continue
        yield _pair(row, twin, str(row.hidden["target"]), family)


def _without_twins(rows: dict[str, Instance], new: Instance, family: Family) -> Iterator[Pair]:
    baseline = rows.get("baseline")
    if baseline is not None:
        for row in list(rows.values()):
            if row.hidden["component"] and (new is row or new is baseline):
                yield _pair(row, baseline, str(row.hidden["target"]), family)
    elif new.hidden["component"] and new.hidden["target"] in new.hidden.get("options", {}):
        yield _pair(new, new, str(new.hidden["target"]), family, other=_rival(new))


def _pair(row: Instance, twin: Instance, target: str, family: Family, other: str | None = None) -> Pair:
    field = row.hidden["decisive"][0]
    dataset = row.hidden.get("dataset") or row.observation.get("dataset") or family.spec.id
    return Pair(
        (str(dataset), str(row.hidden["component"])),
        str(row.hidden["base_event"]),
        features(row, field, target),
        features(twin, field, target if other is None else other),
    )


def _rival(row: Instance) -> str:
    return str(next(code for code in row.hidden["options"] if code != row.hidden["target"]))


def features(row: Instance, field: str, target: str) -> tuple[float, ...]:
    """What can be said of a row's field, seen from a target, by somebody who does not read."""
    texts = {name: str(value["text"]) for name, value in row.state.items()}
    text = texts.get(field, "")
    options = row.hidden.get("options", {})
    own, rival = options.get(target, ""), next((name for code, name in options.items() if code != target), "")
    if target not in options:
        own, rival = (*row.hidden.get("exchange", {}).get(field, ("", "")),)[:2]
    situation = next(iter(texts.values()), "")
    first, listed = _order(text, own, rival), _order(situation, own, rival)
    label = float(list(options).index(target)) * 2 - 1 if target in options else 0.0
    words = text.split()
    lengths = sorted((len(one) for one in texts.values()), reverse=True)
    return (
        float(len(text)),
        float(len(words)),
        len(text) / max(1, len(words)),
        *(float(text.count(mark)) for mark in _MARKS),
        float(sum(letter.isdigit() for letter in text)),
        float(sum(letter.isupper() for letter in text)),
        float(text.casefold().count(own.casefold())) if own else 0.0,
        float(text.casefold().count(rival.casefold())) if rival else 0.0,
        first,
        _place(text, own),
        _place(text, rival),
        first * listed,
        first * label,
        float(list(texts).index(field)) if field in texts else -1.0,
        float(lengths.index(len(text))) if field in texts else -1.0,
        len(text) / max(1, sum(lengths)),
        float(len(texts)),
    )


def _order(text: str, own: str, rival: str) -> float:
    """1 where `own` is named before `rival`, −1 after, 0 where neither is named."""
    one, two = _place(text, own), _place(text, rival)
    if one < 0 and two < 0:
        return 0.0
    return 1.0 if two < 0 or 0 <= one < two else -1.0


def _place(text: str, name: str) -> float:
    """Where a name first stands, as a share of the text; −1 where it does not."""
    place = text.casefold().find(name.casefold()) if name else -1
    return -1.0 if place < 0 else place / max(1, len(text))


def _tell(pairs: Sequence[Pair]) -> Tell:
    groups = np.unique([pair.event for pair in pairs], return_inverse=True)[1]
    return tell(np.array([pair.one for pair in pairs]), np.array([pair.two for pair in pairs]), groups)


def _judge(pairs: Sequence[Pair], tally: Tally, *, limit: float, generated: bool) -> None:
    if not pairs:
        message = "no text decides anything here, so there is nothing to tell"
        raise NotEvaluable(message)
    found = verdicts(pairs, limit=limit, generated=generated)
    found = [_weighed(one, len(found)) for one in found]
    passing, between, few = ([one for one in found if one.status == status] for status in _NOT_FAILING)
    tally.measured["limit"] = limit
    tally.measured["decided"] = len(found) - len(few)
    tally.measured["cells"] = [_cell(one) for one in found]
    for one in found:
        if one.status == "fail":
            tally.find(
                f"tells: in {' / '.join(one.cell)} the surface alone tells {one.tell.pairs} decisive texts from the "
                f"others with AUC {one.tell.auc:.2f} (at most {one.tell.upper:.2f}, allowed {limit:.2f}); give each "
                "a counterpart of the same length, punctuation and order"
            )
    if few:
        tally.measured["power"] = min(one.power or 0.0 for one in few)
    if between or few:
        tally.unmeasured = "; ".join(
            filter(None, (_passed(passing, found), _between(between, limit), _few(few, found)))
        )
    worst = max(found, key=lambda one: one.tell.upper)
    tally.summary = (
        f"In {len(found)} cells of up to {max(one.tell.pairs for one in found):,} texts per class the surface tells "
        f"nothing: AUC at most {worst.tell.upper:.3f}, allowed {limit:.2f}."
    )


def _weighed(one: Verdict, cells: int) -> Verdict:
    """The verdict with its power where nothing is decided; with enough of it, texts are not what is lacking."""
    if one.status != "too few to say":
        return one
    chance = power(one.tell.pairs, cells)
    return structs.replace(one, power=chance, status="between" if chance >= ENOUGH else one.status)


def _cell(one: Verdict) -> dict[str, Any]:
    return {
        "dataset": one.cell[0],
        "component": one.cell[1],
        "pairs": one.tell.pairs,
        "auc": round(one.tell.auc, 4),
        "upper": round(one.tell.upper, 4),
        "p": round(one.adjusted, 6),
        "verdict": one.status,
        **({} if one.power is None else {"power": one.power}),
    }


def _passed(passing: Sequence[Verdict], found: Sequence[Verdict]) -> str:
    if not passing:
        return f"none of {len(found)} cells passes"
    passes = "passes" if len(passing) == 1 else "pass"
    return f"{len(passing)} of {len(found)} cells {passes} (AUC at most {max(one.tell.upper for one in passing):.3f})"


def _between(between: Sequence[Verdict], limit: float) -> str:
    """The cells in between, by the numbers of the one with the highest bound."""
    if not between:
        return ""
    worst = max(between, key=lambda one: one.tell.upper)
    return (
        f"{len(between)} between: in {' / '.join(worst.cell)} the upper bound {worst.tell.upper:.3f} exceeds "
        f"{limit:.2f}, though nothing was found (AUC {worst.tell.auc:.2f}, p = {worst.adjusted:.2f}) in "
        f"{worst.tell.pairs} texts per class, which would show an AUC of .70 with a power of {worst.power:.2f}"
    )


def _few(few: Sequence[Verdict], found: Sequence[Verdict]) -> str:
    """The cells with too few texts, by the numbers of the smallest."""
    if not few:
        return ""
    fewest = min(few, key=lambda one: one.tell.pairs)
    return (
        f"too few to say in {len(few)} of {len(found)} cells: in {' / '.join(fewest.cell)} {fewest.tell.pairs} texts "
        f"per class would show an AUC of .70 with a power of {fewest.power:.2f}; give more events"
    )


def require_event_file(what: str, folder: Path) -> Path:
    """The path of an event file that is there."""
    path = folder / what
    if not path.is_file():
        message = f"{what} is not there; give the path of a .csv, .tsv or .jsonl file of events"
        raise InputError(message)
    return path
