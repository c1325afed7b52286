"""Escapes are undone wherever they stand, and what is found afterwards is told where it stood before."""

from __future__ import annotations

import json

import pytest

from proctor.core.unescaping import found_unescaped, unescaped


@pytest.mark.parametrize(
    ("escaped", "plain"),
    [
        (rb"\x41\102\103\u0044\u{45}\U00000046", b"ABCDEF"),
        (rb"\62\0163\45x", b"2s%x"),
        (b"%41+%2B %c3%a9", "Aé".encode()),
        (b"&#65&#x42;&#00067;&lt;&amp;#68;", b"ABC<D"),
        (b"&#99999999 \\xzz %zz &#; &none;", b"&#99999999xzz%zz&#;&none;"),
        (rb"a\n\\n\\\n\tb\/c", b"ab/c"),
        (json.dumps(json.dumps(json.dumps('a"b\\c\nd'))).encode(), b'"""ab"' + b'"cd'[1:] + b'"""'),
    ],
)
def test_escapes_are_undone(escaped: bytes, plain: bytes) -> None:
    assert unescaped(escaped).replace(b'"', b"") == plain.replace(b'"', b"")


@pytest.mark.parametrize(
    "escaped",
    [rb"secret", rb"s\\x65c\162et", b"s e\\ncret", b"%73%65cret", b"s&#101;cr&#x65;t", b"%2573ecret", b"s\\\\ecret"],
)
def test_it_is_told_where_something_stood(escaped: bytes) -> None:
    data = b"\\x20 be%20fore\\n" + escaped + b"&#32;after+%41"
    at = data.index(escaped)
    assert found_unescaped(data + escaped, [b"secret", b"ecre"]) == [
        (at, at + len(escaped), b"secret"),
        (len(data), len(data) + len(escaped), b"secret"),
    ]


def test_nothing_is_found_where_nothing_stands() -> None:
    assert found_unescaped(b"%73ecre", [b"secret"]) == []
    assert found_unescaped(b"", [b"secret"]) == []
