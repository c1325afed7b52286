"""A key does not come back: raw, percent-encoded, or in base64 at any place in a longer text."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest

from proctor.models.secrecy import Secret

KEYS = ["sk-" + "f4ke" * 8, "sk-a/b+c=d&e f", "x" * 9, "k" * 10, "~~??>><<secret"]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_found_in_whatever_form(key: str) -> None:
    secret = Secret(key)
    for text in (key, f"it is {key}!", quote(key, safe=""), f"{key}{key}"):
        assert key not in secret.removed(text) and quote(key, safe="") not in secret.removed(text)
    for before in ("", "a", "ab", "abc", "Bearer "):
        for after in ("", "z", "zz"):
            for encode in (b64encode, urlsafe_b64encode):
                told = encode(f"{before}{key}{after}".encode()).decode()
                assert "[key]" in secret.removed(told), (before, after)


def test_other_texts_stay_as_they_are() -> None:
    assert Secret("sk-12345678").removed("nothing of it") == "nothing of it"
    assert Secret("short").removed("short and A") == "short and A", "what is no secret is not taken out"
    assert Secret(None).removed("text") == "text"


def test_a_secret_does_not_show_itself() -> None:
    assert KEYS[0] not in repr(Secret(KEYS[0])) and KEYS[0] not in str(Secret(KEYS[0]))
