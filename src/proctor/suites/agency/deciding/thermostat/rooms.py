"""Rooms with their rules, and readings that put every rule to the test. Whole tenths of a degree throughout.

Always: each rule in force decides at least one reading (without it the action would be another), readings lie close to
the limits and now and then exactly on them, and all three actions occur.
"""

from __future__ import annotations

from proctor.core.seeds import Stream
from proctor.suites.agency.deciding.thermostat.rules import MODES, NEVER, Period, Reading, Rules, limits

EXTRAS = ("correction", "absence", "window", "lock", "boost")
"""Rules beyond schedule and band. Frost protection comes with the window rule, which it goes before."""
_CLOSE = (-2, -1, 0, 0, 1, 2, 6)
"""How far beyond a limit a reading lies; 0 and less is not beyond."""
_MINUTES = tuple(minute for minute in range(3, 24 * 60, 7) if minute % 30)


def drawn_rules(stream: Stream, extras: int) -> Rules:
    """A room's rules with so many extras."""
    starts = [0, *sorted(stream.sample(range(10, 46), 3)), 48]
    targets = stream.sample(range(32, 46), 4)
    chosen = stream.sample(EXTRAS, extras)
    return Rules(
        tuple(
            Period(30 * start, 30 * end, 5 * target)
            for start, end, target in zip(starts, starts[1:], targets, strict=False)
        ),
        stream.integer(4, 12),
        correction=stream.choice((-1, 1)) * stream.integer(3, 9) if "correction" in chosen else None,
        absence=stream.integer(10, 25) if "absence" in chosen else None,
        window="window" in chosen,
        frost=stream.integer(60, 90) if "window" in chosen else None,
        lock=stream.integer(120, 180) if "lock" in chosen else None,
        boost=stream.integer(8, 20) if "boost" in chosen else None,
        minutes=stream.integer(20, 60),
    )


def drawn_readings(stream: Stream, rules: Rules, steps: int) -> list[Reading]:
    """Readings in order of time over one day."""
    times = stream.sample(_MINUTES, steps - 1)
    # Once a day a reading falls on the very minute at which the target changes.
    times.append(rules.periods[stream.integer(1, 3)].start)
    times.sort()
    tests = [name for name in (*EXTRAS, "frost") if getattr(rules, name)]
    tests = [*tests, *MODES, *([""] * steps)][:steps]
    stream.shuffle(tests)
    return [_reading(stream, rules, time, test) for time, test in zip(times, tests, strict=True)]


def _reading(stream: Stream, rules: Rules, time: int, test: str) -> Reading:
    """A reading that tests one thing, or nothing in particular."""
    bits = stream.below(64)
    plain = test in MODES
    draft = Reading(
        time,
        sensor=0,
        outside=_outside(stream, rules, test),
        open=test in ("window", "frost") or (test == "" and bits % 4 == 0),
        present=plain or (test != "absence" and bits % 8 > 1),
        pressed=_pressed(stream, rules, test, bits),
    )
    return draft._replace(sensor=_inside(stream, rules, draft, test) - (rules.correction or 0))


def _outside(stream: Stream, rules: Rules, test: str) -> int:
    if test in ("heat", "frost"):
        return stream.integer(-60, 90)
    if rules.lock is None:
        return stream.integer(20, 290)
    return rules.lock + (stream.integer(-60, -1) if test == "lock" else stream.integer(0, 90))


def _pressed(stream: Stream, rules: Rules, test: str, bits: int) -> int:
    if test == "boost":
        return stream.integer(1, rules.minutes)
    if test in MODES or bits > 27:
        return NEVER
    # The last minute that still counts, or too long ago.
    return rules.minutes + stream.choice((0, 1, 5, 30))


def _inside(stream: Stream, rules: Rules, draft: Reading, test: str) -> int:
    """The true temperature with which the reading tests what it is to test."""
    low, high = limits(rules, draft)
    match test:
        case "heat":
            return low - stream.integer(1, 4)
        case "cool" | "lock":
            return high + stream.integer(1, 4)
        case "off":
            return stream.choice((low, high))
        case "window":
            # Clearly cold or warm, but never frost.
            return stream.choice((low - stream.integer(4, 20), high + stream.integer(4, 20)))
        case "frost":
            return (rules.frost or 0) - stream.integer(1, 8)
        case "absence":
            within = stream.below(rules.absence or 1)
            return stream.choice((low + within, high - within))
        case "boost":
            return low - stream.integer(1, rules.boost or 1)
        case "correction":
            # The sensor alone is on the other side of the limit.
            shift = rules.correction or 0
            return high + stream.integer(1, shift) if shift > 0 else low - stream.integer(1, -shift)
    off = stream.choice(_CLOSE)
    return low - off if stream.chance(0.5) else high + off
