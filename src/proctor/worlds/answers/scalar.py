"""Single values from text: numbers, dates, truth values, choices, words. Two different candidates are never one."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import TypeVar

from proctor.worlds.answers.shape import Amount, Choice, FormatError, Integer, Text
from proctor.worlds.answers.text import find_stated, refuse_negation, strip_decoration, tidy

T = TypeVar("T")

_NUMBER = re.compile(
    r"(?<![\w.,/:^-])(?P<sign>[+-]\s*)?(?P<digits>\d{1,3}(?:[,'_]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?!\w|[.,/:^'-]\d)"
)
_LONGEST_NUMBER = 40
_FOREIGN = re.compile(
    r"[$€£¥%‰#°]|\b(?:usd|eur|gbp|chf|jpy|cny|aud|cad|dollars?|euros?|pounds?|cents?|percent|k|million|thousand)\b",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_MIDNIGHT = r"(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|\+00:00)?)?"
_DATES = tuple(
    re.compile(rf"(?<![\w/.-]){pattern}(?![\w/]|[.-]\d)", re.IGNORECASE)
    for pattern in (
        rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<m>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}}){_MIDNIGHT}",
        r"(?P<year>\d{4})(?P<m>\d{2})(?P<day>\d{2})",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.?[\s-]*(?:of\s+)?{_MONTH}[\s,-]*(?P<year>\d{{4}})",
        rf"{_MONTH}\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
        r"(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4})",
    )
)
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def from_text(text: str, parse: Callable[[str], T], contradicts: Callable[[str, T], bool]) -> T:
    """The one value a text states; `contradicts` says whether words after it state another."""
    stated = find_stated(tidy(text))
    values = [parse(segment) for segment in stated.segments]
    if any(value != values[0] for value in values) or (stated.after and contradicts(stated.after, values[0])):
        message = "the answer states two different values"
        raise FormatError(message)
    return values[0]


def words(text: str, shape: Text) -> str:
    """The words of a text answer, in the form in which two answers are compared."""

    def parse(segment: str) -> str:
        text = strip_decoration(segment.replace("`", ""))
        if not text:
            message = "the answer is empty"
            raise FormatError(message)
        return text.casefold() if shape.ignore_case else text

    return from_text(text, parse, lambda after, value: True)


def number(text: str, shape: Integer | Amount) -> Decimal:
    """The number of a text answer."""

    def parse(segment: str) -> Decimal:
        return numbers_in(segment, shape.units)

    def contradicts(after: str, value: Decimal) -> bool:
        return any(c.isdigit() for c in after) and parse(after) != value

    return from_text(text, parse, contradicts)


def numbers_in(segment: str, units: tuple[str, ...]) -> Decimal:
    """The single number in a segment. Every digit must belong to it, and no unit may stand by it but a declared one."""
    refuse_negation(segment)
    text = strip_decoration(segment.replace("`", ""))
    if units:
        # Longest first, so that `EUR` does not leave the `s` of a longer declared word behind.
        names = "|".join(sorted((re.escape(unit) for unit in units), key=len, reverse=True))
        text = re.sub(rf"(?<![A-Za-z])(?:{names})(?![A-Za-z])\.?", " ", text, flags=re.IGNORECASE).strip()
    matches = list(_NUMBER.finditer(text))
    rest = _NUMBER.sub(" ", text)
    values = {_decimal(match) for match in matches}
    if len(values) != 1 or any(c.isdigit() for c in rest):
        message = "the answer does not state one number"
        raise FormatError(message)
    if _FOREIGN.search(rest) or any(re.match(r"\s*[^\W\d_]", text[match.end() :]) for match in matches):
        message = "the number stands with a unit that was not asked for"
        raise FormatError(message)
    return values.pop()


def _decimal(match: re.Match[str]) -> Decimal:
    digits = re.sub(r"[,'_]", "", match["digits"])
    if len(digits) > _LONGEST_NUMBER:
        message = "the number is too long to be one"
        raise FormatError(message)
    sign = match["sign"] or ""
    if sign != sign.strip():
        message = "it is not clear whether the number is negative; write the sign next to it"
        raise FormatError(message)
    return Decimal(sign + digits)


def day(text: str) -> date:
    """The calendar day of a text answer; a spelling that could mean two days is not read."""

    def contradicts(after: str, value: date) -> bool:
        return any(c.isdigit() for c in after) and days_in(after) != value

    return from_text(text, days_in, contradicts)


def days_in(segment: str) -> date:
    """The single day in a segment; every digit must belong to it."""
    refuse_negation(segment)
    text = strip_decoration(segment.replace("`", ""))
    days: set[date] = set()
    for pattern in _DATES:
        for match in pattern.finditer(text):
            days.add(_date(match))
        text = pattern.sub(" ", text)
    if len(days) != 1 or any(c.isdigit() for c in text):
        message = "the answer does not state one date"
        raise FormatError(message)
    return days.pop()


def _date(match: re.Match[str]) -> date:
    parts = match.groupdict()
    year = int(parts["year"])
    if "one" in parts:
        one, two = int(parts["one"]), int(parts["two"])
        if one <= 12 and two <= 12 and one != two:
            message = "the date could mean two different days; write it as year-month-day"
            raise FormatError(message)
        month_number, day_number = (one, two) if one <= 12 else (two, one)
    else:
        day_number = int(parts["day"])
        month_number = _MONTHS.index(parts["month"][:3].lower()) + 1 if "month" in parts else int(parts["m"])
    try:
        return date(year, month_number, day_number)
    except ValueError:
        message = "there is no such day in the calendar"
        raise FormatError(message) from None


def truth(text: str) -> bool:
    """True or false, from the word alone."""

    def parse(segment: str) -> bool:
        value = _TRUTH.get(strip_decoration(segment.replace("`", "")).casefold())
        if value is None:
            message = "the answer is neither yes nor no"
            raise FormatError(message)
        return value

    return from_text(text, parse, lambda after, value: True)


def option(text: str, shape: Choice) -> str:
    """The declared option a text answer names: alone, or as the only one in quotes or emphasis."""
    known = {_plain(item, shape): item for item in shape.options}

    def parse(segment: str) -> str:
        exact = known.get(_plain(strip_decoration(segment.replace("`", "")), shape))
        if exact is not None:
            return exact
        refuse_negation(segment)
        quoted = {_plain(span, shape) for _, span in re.findall(r"([\"'`])(.+?)\1", segment)}
        named = [known[span] for span in quoted if span in known]
        if len(named) != 1:
            message = "the answer is not one of the options"
            raise FormatError(message)
        return named[0]

    return from_text(text, parse, lambda after, value: True)


def _plain(item: str, shape: Choice) -> str:
    plain = strip_decoration(tidy(item))
    return plain.casefold() if shape.ignore_case else plain
