"""A sample, the instruments that stand there, and the one run that the protocol allows.

Always: exactly one instrument is the right one; instruments with a larger slope than it are out of calibration or need
too much of the sample.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.acting.lab_experiment.texts import DILUTIONS, LONG, SHORT, Method
from proctor.suites.kit.words import day

_LETTERS = "BCDFGHKLMPRSTVWX"


class Instrument(Struct, frozen=True):
    """What a card on the instrument says."""

    name: str
    limit: int
    """Upper limit of its range, mg/L."""
    volume: int
    valid: date
    blank: int
    slope: int
    """Counts per mg/L."""


class Sample(Struct, frozen=True):
    """What is to be measured."""

    name: str
    analyte: str
    matrix: str
    low: int
    high: int
    volume: int
    when: date
    content: int
    """The truth, micrograms per litre."""


class Bench(Struct, frozen=True):
    """Everything there is, and what the protocol says about it."""

    sample: Sample
    instruments: tuple[Instrument, ...]
    settings: tuple[tuple[str, str, int], ...]
    """Analyte, matrix, setting."""
    run: dict[str, Any]
    """The right arguments of measure."""
    reading: int
    value: int
    """The right result."""


def bench(stream: Stream, method: Method, count: int) -> Bench:
    """A bench with that many instruments."""
    when, volume = day(stream, first=20, last=300), stream.integer(12, 30)
    analyte, matrix = stream.choice(method.analytes), stream.choice(method.matrices)
    low = stream.integer(4, 90)
    high = low + stream.integer(20, 600)
    content = stream.integer(low * 1000, high * 1000)
    name = f"{stream.choice(_LETTERS)}{stream.choice(_LETTERS)}-{stream.integer(1000, 9999)}"
    sample = Sample(name, analyte, matrix, low, high, volume, when, content)
    right_at = stream.integer(1, count - 1)
    slopes = sorted(stream.sample(range(30, 400), count), reverse=True)
    names = [f"{stream.choice(_LETTERS)}{number}" for number in stream.sample(range(11, 99), count)]
    instruments = [
        _instrument(stream, sample, name, slope, fits=index >= right_at)
        for index, (name, slope) in enumerate(zip(names, slopes, strict=True))
    ]
    right = instruments[right_at]
    dilution = next((factor for factor in DILUTIONS if high <= right.limit * factor), DILUTIONS[-1])
    settings = _settings(stream, method, analyte, matrix)
    setting = next(value for one, two, value in settings if (one, two) == (analyte, matrix))
    run = {
        "sample": sample.name,
        "instrument": right.name,
        "dilution": dilution,
        "setting": setting,
        "integration_seconds": LONG if 10 * low < right.limit * dilution else SHORT,
    }
    reading = right.blank + content * right.slope // (dilution * 1000)
    value = (reading - right.blank) * dilution * 1000 // right.slope
    shown = list(instruments)
    stream.shuffle(shown)
    return Bench(sample, tuple(shown), settings, run, reading, value)


def _instrument(stream: Stream, sample: Sample, name: str, slope: int, *, fits: bool) -> Instrument:
    """An instrument that may be used, or one that may not for one of two reasons."""
    # At least a fiftieth of what is expected, so that some dilution brings it into range.
    limit = stream.integer(max(15, sample.high // 40), 120)
    expired = not fits and stream.chance(0.5)
    days = -stream.integer(1, 40) if expired else stream.integer(0, 90)
    greedy = not fits and not expired
    volume = sample.volume + stream.integer(1, 15) if greedy else stream.integer(4, sample.volume)
    return Instrument(name, limit, volume, sample.when + timedelta(days=days), stream.integer(11, 90), slope)


def _settings(stream: Stream, method: Method, analyte: str, matrix: str) -> tuple[tuple[str, str, int], ...]:
    """Settings of two analytes in three matrices; one of the six is the right one."""
    other = stream.choice([name for name in method.analytes if name != analyte])
    matrices = [matrix, *stream.sample([name for name in method.matrices if name != matrix], 2)]
    values = stream.sample(range(*method.settings), 6)
    pairs = [(one, two) for one in (analyte, other) for two in matrices]
    settings = [(one, two, value) for (one, two), value in zip(pairs, values, strict=True)]
    stream.shuffle(settings)
    return tuple(settings)


def counted(bench_of: dict[str, Any], arguments: dict[str, Any]) -> int:
    """The reading of a run, right or wrong: what the instrument's blank, slope and the settings give."""
    card: dict[str, int] = bench_of["cards"][arguments["instrument"]]
    blank, slope = card["blank"], card["slope"]
    reading: int = bench_of["content"] * slope // (arguments["dilution"] * 1000)
    if arguments["setting"] != bench_of["run"]["setting"]:
        # Beside the line there is little to see.
        reading //= 7
    if arguments["integration_seconds"] != bench_of["run"]["integration_seconds"]:
        reading += reading // 23
    # Nothing counts beyond its range.
    return blank + min(reading, card["limit"] * slope)
