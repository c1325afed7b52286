"""Numbers as people read them: rates with one decimal, intervals beside them, "not measured" where there is nothing."""

from __future__ import annotations

NOT_MEASURED = "not measured"
NOT_DECLARED = "not declared"
NOT_RECORDED = "not recorded"
_SPACE = "\u00a0"


def percent(share: float | None) -> str:
    """69.6 %: one decimal, so that what lies just below a threshold never reads as the threshold."""
    return NOT_MEASURED if share is None else f"{100 * share:.1f}{_SPACE}%"


def bound(share: float) -> str:
    """A declared share: 70 % rather than 70.0 %."""
    return f"{100 * share:.1f}".removesuffix(".0") + f"{_SPACE}%"


def interval(low: float | None, high: float | None) -> str:
    """54.6–81.9 %."""
    if low is None or high is None:
        return NOT_MEASURED
    return f"{100 * low:.1f}–{100 * high:.1f}{_SPACE}%"


def points(share: float | None, *, sign: bool = True) -> str:
    """A difference in percentage points: +12.0 points."""
    if share is None:
        return NOT_MEASURED
    return f"{_minus(100 * share, '+.1f' if sign else '.1f')}{_SPACE}points"


def points_interval(low: float | None, high: float | None) -> str:
    """+2.1 to +21.9 points."""
    if low is None or high is None:
        return NOT_MEASURED
    return f"{_minus(100 * low, '+.1f')} to {_minus(100 * high, '+.1f')}{_SPACE}points"


def number(value: float | None) -> str:
    """A quantity of any kind: whole numbers with separators, others to three significant digits."""
    if value is None:
        return NOT_MEASURED
    if value == int(value) and abs(value) < 1e15:
        return _minus(value, ",.0f")
    if abs(value) >= 1000:
        return _minus(value, ",.1f")
    text = f"{abs(value):.3g}" if abs(value) < 100 else f"{abs(value):.1f}"
    return f"−{text}" if value < 0 else text


def number_interval(low: float | None, high: float | None) -> str:
    """1,204–1,310."""
    if low is None or high is None:
        return NOT_MEASURED
    return f"{number(low)} to {number(high)}"


def count(amount: int, one: str, many: str | None = None) -> str:
    """1 episode, 2 episodes."""
    return f"{amount:,} {one if amount == 1 else many or one + 's'}"


def moment(text: str) -> str:
    """2026-11-17 02:00:27 UTC: a recorded time as people write it; other words stay as they are."""
    return f"{text[:10]} {text[11:19]} UTC" if len(text) == 20 and text.endswith("Z") and text[10] == "T" else text


def _minus(value: float, form: str) -> str:
    return format(value, form).replace("-", "−")
