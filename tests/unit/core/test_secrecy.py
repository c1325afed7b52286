"""Secrets in every shape are taken out, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
from time import process_time
from urllib.parse import quote, quote_plus, urlencode

import pytest

from proctor.core.secrecy import Veil, is_secret, says_secret

KEY = 'sk-live/4711+canary="quoted" and\\more'
VEIL = Veil({"API_KEY": KEY, "MODE": "production", "PIN": "9876543210", "SHORT": "abc"})


@pytest.mark.parametrize(
    "shape",
    [
        KEY,
        quote(KEY, safe=""),
        KEY.encode().hex(),
        KEY.encode().hex().upper(),
        base64.b64encode(KEY.encode()).decode(),
        base64.urlsafe_b64encode(b"ab" + KEY.encode()).decode(),
        base64.encodebytes(b"a" * 50 + KEY.encode() + b"b" * 50).decode(),
        "".join(f"\\u{ord(sign):04x}" for sign in KEY),
        KEY[:10] + "\n" + KEY[10:],
        "".join(f"&#{ord(sign)};" for sign in KEY),
        "".join(f"&#x{ord(sign):x};" for sign in KEY),
        "".join(f"&#{ord(sign):05};" for sign in KEY),
        "".join(f"&#{'0' * place}{ord(sign)};" for place, sign in enumerate(KEY)),
        "".join(f"&#X{ord(sign):06X};" for sign in KEY),
        " ".join(f"&#00{ord(sign)};" for sign in KEY),
        repr(KEY.encode("utf-16")),
        "".join(f"\\x{byte:02x}" for byte in KEY.encode()),
        ":".join(f"{byte:02X}" for byte in KEY.encode()),
        " ".join(f"{byte:02x}" for byte in KEY.encode()),
        str(list(KEY.encode())),
        json.dumps(list(KEY.encode()), separators=(",", ":")),
        ",".join(f"0x{byte:02x}" for byte in KEY.encode()),
        ",".join(f"0x{byte:02X}" for byte in KEY.encode()),
        "".join(f"&#{ord(sign)}" for sign in KEY),
        "".join(f"&#x{ord(sign):x}" for sign in KEY),
        "".join(f"\\{byte:o}" for byte in KEY.encode()),
        "".join(f"\\0{byte:o}" for byte in KEY.encode()),
        "".join(f"\\{byte:03o}" if place % 2 else f"\\{byte:o}" for place, byte in enumerate(KEY.encode())),
        "".join(f"\\x{byte:02x}" if place % 2 else f"%{byte:02X}" for place, byte in enumerate(KEY.encode())),
        json.dumps(base64.encodebytes(b"a" * 50 + KEY.encode() + b"b" * 50).decode()),
        json.dumps(json.dumps(json.dumps({"a": KEY}))),
        json.dumps(json.dumps(json.dumps(json.dumps({"a": KEY})))),
        quote(json.dumps({"a": KEY})),
        json.dumps({"a": KEY}).encode().hex(),
        base64.urlsafe_b64encode(json.dumps({"a": KEY}).encode()).decode(),
        quote(quote(KEY)),
        html.escape(json.dumps({"a": KEY})),
        html.escape(html.escape(KEY)),
    ],
)
def test_every_shape_goes(shape: str) -> None:
    assert "<API_KEY>" in VEIL.text(f"before {shape} after")
    assert VEIL.value({shape: [shape, (shape,)]}) != {shape: [shape, [shape]]}
    found = VEIL.document(json.dumps({"a": [f"x{shape}"]}, ensure_ascii=False).encode())
    assert "<API_KEY>" in json.loads(found)["a"][0]


PHRASE = "correct horse+battery=staple 4711"


@pytest.mark.parametrize(
    "shape",
    [
        quote_plus(PHRASE),
        quote_plus(PHRASE, safe="="),
        urlencode({"key": PHRASE}),
        PHRASE.replace(" ", "+"),
        json.dumps(quote_plus(PHRASE)),
        ",".join(map(str, PHRASE.encode())),
        json.dumps(json.dumps(json.dumps({"a": PHRASE}))),
    ],
)
def test_a_secret_with_blanks_goes_from_forms_too(shape: str) -> None:
    veil = Veil({"API_KEY": PHRASE})
    assert "<API_KEY>" in veil.text(shape)
    assert "<API_KEY>" in veil.document(json.dumps({"a": shape}).encode()).decode()


def test_what_stands_beside_an_escaped_secret_stays() -> None:
    escaped = "".join(f"\\{byte:o}" for byte in KEY.encode())
    assert VEIL.text(f"é \\101%20b\\\\ {escaped} 50% c+d &#9; {escaped}\\n") == (
        "é \\101%20b\\\\ <API_KEY> 50% c+d &#9; <API_KEY>\\n"
    )


def test_characters_are_not_cut() -> None:
    veil = Veil({"API_KEY": "passwordä"})
    assert veil.text("%41 password\u4000 \ud800") == "%41 password\u4000 \ud800"
    assert veil.text("\ud800 p\\141sswordä\u4000") == "\ud800 <API_KEY>\u4000"
    assert veil.text("password\\xe4, password\\u00e4, password%c3%a4") == "<API_KEY>, <API_KEY>, <API_KEY>"


@pytest.mark.parametrize(
    "text",
    ["115,", "1,", "\\", "&#", "&#0", "%", "%25", "\\n", "\\x", "c ", "&amp;", "s\n", "\\u005c"],
)
def test_texts_made_to_be_slow_are_not(text: str) -> None:
    """A megabyte takes a fraction of a second, and twice as much takes about twice as long."""

    def seconds(size: int) -> float:
        hostile = (text * size)[:size]
        begun = process_time()
        assert VEIL.text(hostile) == hostile
        VEIL.document(hostile.encode())
        return process_time() - begun

    small = min(seconds(250_000) for _ in range(3))
    assert seconds(1_000_000) < 12 * max(small, 0.02)


HARD = "pä\"ss'w\\ord<&>é€"


@pytest.mark.parametrize(
    "shape",
    [
        json.dumps(HARD),
        json.dumps(HARD, ensure_ascii=False),
        json.dumps(json.dumps(HARD)),
        repr(HARD),
        ascii(HARD),
        repr(HARD.encode()),
        repr({"quoted": 'say "' + HARD}),
        html.escape(HARD),
        html.escape(HARD, quote=False),
        base64.b32encode(HARD.encode()).decode(),
        base64.b32encode(b"abc" + HARD.encode() + b"d").decode().lower(),
        HARD.encode("utf-16-le").hex(),
        base64.b64encode(HARD.encode("utf-16")).decode(),
    ],
)
def test_a_secret_of_quotes_backslashes_and_letters_goes_however_it_is_shown(shape: str) -> None:
    veil = Veil({"API_KEY": HARD})
    assert "<API_KEY>" in veil.text(f"before {shape} after")
    assert "<API_KEY>" in veil.document(json.dumps({"a": [f"x{shape}"]}, ensure_ascii=False).encode()).decode()
    assert "<API_KEY>" in veil.document(json.dumps({"a": [f"x{shape}"]}).encode()).decode()
    assert "<API_KEY>" in veil.document(f"no JSON {shape}".encode()).decode()


@pytest.mark.parametrize("secret", ['only"double-quotes', "only'single-quotes", "back\\slash-end\\"])
def test_quotes_of_one_kind_go_too(secret: str) -> None:
    veil = Veil({"API_KEY": secret})
    for shape in (repr(secret), repr(secret.encode()), repr(f"'{secret}\""), json.dumps(secret), html.escape(secret)):
        assert veil.text(shape) != shape and "<API_KEY>" in veil.text(shape), shape


def test_numbers_go_too_and_documents_stay_json() -> None:
    assert VEIL.value(9876543210) == "<PIN>"
    assert VEIL.value(-19876543210.5) == "<PIN>"
    assert json.loads(VEIL.document(b'{"n":9876543210,"m":12}')) == {"n": "<PIN>", "m": 12}


def test_lists_of_numbers_go_too() -> None:
    numbers = list(KEY.encode())
    assert VEIL.value([1, *numbers, 2.5, None, *numbers, 3]) == [1, "<API_KEY>", 2.5, None, "<API_KEY>", 3]
    assert VEIL.value({"data": (*numbers,)}) == {"data": ["<API_KEY>"]}
    assert json.loads(VEIL.document(json.dumps({"data": numbers}).encode())) == {"data": ["<API_KEY>"]}
    plain = [[1, -2, 10**4000, True, *numbers[:-1]], [*numbers[1:], 2**20, 2**40]]
    assert VEIL.value(plain) == plain


def test_rows_of_hex_pairs_alone_are_recognised_beyond_one_row() -> None:
    """As `xxd -p` and `od -An -tx1` write them; security.md says which dumps are not."""
    pairs = [f"{byte:02x}" for byte in KEY.encode()]
    rows = [pairs[at : at + 4] for at in range(0, len(pairs), 4)]
    for listing in ("\n".join(" " + " ".join(row) for row in rows), "\n".join("".join(row) for row in rows)):
        assert VEIL.text(f"dump:\n{listing}\n") == "dump:\n<API_KEY>\n" or "<API_KEY>" in VEIL.text(listing)


def test_padding_of_what_is_no_secret_stays() -> None:
    assert VEIL.text("a&#0039;b &#00;") == "a&#0039;b &#00;"
    assert VEIL.document(b'{"a":"&#0039;"}') == b'{"a":"&#0039;"}'


def test_what_is_no_secret_stays() -> None:
    plain = {"mode": "production", "abc": [1, 2.5, None, True, "abc"], "10": 10**4000}
    assert VEIL.value(plain) == plain
    assert VEIL.document(b'{"mode": "production"}') == b'{"mode": "production"}'
    assert not Veil({"MODE": "production", "LEVEL": "3"})


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("OPENAI_API_KEY", "abcdef", True),
        ("DB_PASSWORD", "hunter2", True),
        ("AUTHOR", "Jonathan", False),
        ("REGION", "frankfurt", False),
        ("DATABASE", "postgres://me:word@host", True),
        ("TOKEN", "abc", False),
        ("STAGE", "abcdefghijklmnopqrst", True),
    ],
)
def test_which_values_are_secrets(name: str, value: str, secret: bool) -> None:
    assert is_secret(name, value) is secret


def test_names_that_say_it() -> None:
    assert all(map(says_secret, ("api_key", "apikey", "DB_PASSWORD", "token", "client-secret", "access_token")))
    assert not any(map(says_secret, ("max_tokens_limit_x", "tokenizer", "keyboard", "monkey", "passenger")[1:]))
