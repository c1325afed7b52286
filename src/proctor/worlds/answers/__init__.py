"""Reading submitted answers: lenient about form, exact about content.

A verifier declares the shape it expects and asks `read` for the value; what cannot be read without guessing raises
`FormatError`. Leniency covers how an answer is written down (white space, quotes, code fences, an `Answer:` in front,
JSON inside prose, `key: value` lines, thousands separators, date spellings), never what it says: a text that offers two
different values is not read at all, a negated value is no value, a part of a word is no match.

`right_formats` and `near_misses` write one answer down in twenty and more ways that must pass, or must not: any family
can be put through them.
"""

from proctor.worlds.answers.formats import right_formats
from proctor.worlds.answers.misses import near_misses
from proctor.worlds.answers.reading import read, same
from proctor.worlds.answers.shape import (
    Amount,
    Boolean,
    Choice,
    Date,
    FormatError,
    Integer,
    ListOf,
    Object,
    Shape,
    Text,
    schema_of,
    shape_of,
)

__all__ = [
    "Amount",
    "Boolean",
    "Choice",
    "Date",
    "FormatError",
    "Integer",
    "ListOf",
    "Object",
    "Shape",
    "Text",
    "near_misses",
    "read",
    "right_formats",
    "same",
    "schema_of",
    "shape_of",
]
