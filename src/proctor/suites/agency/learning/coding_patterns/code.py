"""Small functions as trees: what they do, before any language is chosen.

Eight patterns and three ways of treating empty input. Names, signatures, fields and comparisons vary; the pattern does
not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.learning.coding_patterns.words import Words

Statement = tuple[str, dict[str, str], tuple["Statement", ...]]
"""A kind, the texts that fill its form (already in the language's own notation for expressions), and its body."""


class Notation(Struct, frozen=True):
    """How a language writes the expressions that occur."""

    field: str
    """`{x}` and `{f}`: a field of a variable."""
    compare: str
    """`{a}`, `{op}`, `{b}`."""
    times: str
    """`{a}`, `{b}`."""
    both: str
    """`{a}`, `{b}`: two conditions at once."""
    empty: str
    """`{c}`: a collection is empty."""
    unset: str
    """`{c}`: a variable holds nothing yet."""
    list: str
    table: str
    nothing: str
    true: str
    false: str
    above: str = ">"
    below: str = "<"


class Names(Struct, frozen=True):
    """The names of one function."""

    function: str
    parameters: tuple[str, ...]
    collection: str
    limit: str
    item: str
    result: str
    field: str
    other: str


class Function(Struct, frozen=True):
    """One function, ready to be written down."""

    names: Names
    body: tuple[Statement, ...]


PATTERNS: dict[str, str] = {
    "total": "adds something up over all elements",
    "tally": "counts the elements that meet a condition",
    "search": "gives back the first element that meets a condition",
    "filter": "makes a new list of the elements that meet a condition",
    "transform": "makes a new list with something worked out from every element",
    "best": "finds the element with the largest or smallest value",
    "grouping": "makes a table that puts elements with the same key together",
    "proof": "says whether every element meets a condition, and stops at the first that does not",
}
GUARDS: dict[str, str] = {
    "unguarded": "empty input is not treated specially",
    "answered": "empty input is answered at once with a default value",
    "refused": "empty input is refused with an error",
}


def function(stream: Stream, words: Words, pattern: str, guard: str, notation: Notation) -> Function:
    """A function with this pattern and this guard."""
    names = _names(stream, words)
    body, default = _BODIES[pattern](names, stream, notation)
    first: tuple[Statement, ...] = ()
    if guard != "unguarded":
        inner = _say("return", value=default) if guard == "answered" else _say("fail", text=f"no {names.collection}")
        first = (("if", {"condition": notation.empty.format(c=names.collection)}, (inner,)),)
    return Function(names, (*first, *body))


def _names(stream: Stream, words: Words) -> Names:
    many, one = stream.choice(words.collections)
    verb = stream.choice(words.verbs)
    limit = stream.choice(words.limits)
    field, other = stream.sample(words.fields, 2)
    shape = stream.choice(words.signatures)
    extra = stream.choice(words.extras)
    parameters = tuple({"many": many, "limit": limit, "extra": extra}[part] for part in shape)
    return Names(
        f"{verb}_{stream.choice(words.objects)}",
        parameters,
        many,
        limit,
        one,
        stream.choice(words.results),
        field,
        other,
    )


def _say(kind: str, **texts: str) -> Statement:
    return (kind, texts, ())


def _loop(names: Names, *body: Statement) -> Statement:
    return ("for", {"item": names.item, "collection": names.collection}, body)


def _field(names: Names, notation: Notation, name: str | None = None) -> str:
    return notation.field.format(x=names.item, f=name or names.field)


def _condition(names: Names, stream: Stream, notation: Notation, *, turned: bool = False) -> str:
    """A comparison of a field with the limit, now and then with a second one; `turned` gives its opposite."""
    above = stream.chance(0.5) != turned
    op = notation.above if above else notation.below
    first = notation.compare.format(a=_field(names, notation), op=op, b=names.limit)
    if turned or stream.chance(0.6):
        return first
    second = notation.compare.format(
        a=_field(names, notation, names.other), op=notation.above, b=str(stream.integer(2, 9))
    )
    return notation.both.format(a=first, b=second)


def _amount(names: Names, stream: Stream, notation: Notation) -> str:
    one, two = _field(names, notation), _field(names, notation, names.other)
    factor = stream.choice((two, names.limit, str(stream.integer(2, 12))))
    return one if stream.chance(0.3) else notation.times.format(a=one, b=factor)


Body = tuple[tuple[Statement, ...], str]
"""Statements, and what empty input would be answered with."""


def _total(names: Names, stream: Stream, notation: Notation) -> Body:
    add = _say("add", name=names.result, value=_amount(names, stream, notation))
    start = _say("let", name=names.result, value="0")
    return (start, _loop(names, add), _say("return", value=names.result)), "0"


def _tally(names: Names, stream: Stream, notation: Notation) -> Body:
    one_more = _say("add", name=names.result, value="1")
    test: Statement = ("if", {"condition": _condition(names, stream, notation)}, (one_more,))
    return (_say("let", name=names.result, value="0"), _loop(names, test), _say("return", value=names.result)), "0"


def _search(names: Names, stream: Stream, notation: Notation) -> Body:
    hit = _say("return", value=names.item)
    test: Statement = ("if", {"condition": _condition(names, stream, notation)}, (hit,))
    return (_loop(names, test), _say("return", value=notation.nothing)), notation.nothing


def _filter(names: Names, stream: Stream, notation: Notation) -> Body:
    keep = _say("push", name=names.result, value=names.item)
    test: Statement = ("if", {"condition": _condition(names, stream, notation)}, (keep,))
    start = _say("let", name=names.result, value=notation.list)
    return (start, _loop(names, test), _say("return", value=names.result)), notation.list


def _transform(names: Names, stream: Stream, notation: Notation) -> Body:
    push = _say("push", name=names.result, value=_amount(names, stream, notation))
    start = _say("let", name=names.result, value=notation.list)
    return (start, _loop(names, push), _say("return", value=names.result)), notation.list


def _best(names: Names, stream: Stream, notation: Notation) -> Body:
    op = stream.choice((notation.above, notation.below))
    taken = notation.field.format(x=names.result, f=names.field)
    better = notation.compare.format(a=_field(names, notation), op=op, b=taken)
    start = _say("let", name=names.result, value=notation.nothing)
    unset = notation.unset.format(c=names.result)
    keep = _say("set", name=names.result, value=names.item)
    first: Statement = ("if", {"condition": unset}, (keep,))
    test: Statement = ("if", {"condition": better}, (keep,))
    return (start, _loop(names, first, test), _say("return", value=names.result)), notation.nothing


def _grouping(names: Names, stream: Stream, notation: Notation) -> Body:
    put = _say("put", name=names.result, key=_field(names, notation), value=names.item)
    start = _say("let", name=names.result, value=notation.table)
    return (start, _loop(names, put), _say("return", value=names.result)), notation.table


def _proof(names: Names, stream: Stream, notation: Notation) -> Body:
    stop = _say("return", value=notation.false)
    test: Statement = ("if", {"condition": _condition(names, stream, notation, turned=True)}, (stop,))
    return (_loop(names, test), _say("return", value=notation.true)), notation.true


_BODIES: dict[str, Callable[[Names, Stream, Notation], Body]] = {
    "total": _total,
    "tally": _tally,
    "search": _search,
    "filter": _filter,
    "transform": _transform,
    "best": _best,
    "grouping": _grouping,
    "proof": _proof,
}
