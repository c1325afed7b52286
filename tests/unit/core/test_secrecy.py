"""Secrets in every shape are taken out, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote

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
    ],
)
def test_every_shape_goes(shape: str) -> None:
    assert "<API_KEY>" in VEIL.text(f"before {shape} after")
    assert VEIL.value({shape: [shape, (shape,)]}) != {shape: [shape, [shape]]}
    found = VEIL.document(json.dumps({"a": [f"x{shape}"]}, ensure_ascii=False).encode())
    assert "<API_KEY>" in json.loads(found)["a"][0]


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
