"""Keys are taken out of what comes back, wherever a stream is cut."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.agents.model_proxy.redaction import Redactor
from proctor.agents.model_proxy.sse import EventSplitter, data_of

KEY = "sk-planted-0123456789+/=abc"
SHAPES = [
    KEY,
    quote(KEY, safe=""),
    b64encode(KEY.encode()).decode(),
    b64encode(f"Bearer {KEY} and more".encode()).decode(),
    b64encode(f"x{KEY}".encode()).decode(),
    urlsafe_b64encode(f"ab{KEY}c".encode()).decode(),
]
ESCAPED = [
    json.dumps(KEY)[1:-1].replace("/", "\\/"),
    "".join(f"\\u{ord(sign):04x}" for sign in KEY),
    "".join(f"\\u{ord(sign):04X}" for sign in KEY),
    KEY.replace("=", "\\u003d"),
    KEY.replace("+", "\\u002B"),
]
"""The key as writers of JSON put it that escape more than they must."""
OTHERS = [
    KEY.encode().hex(),
    KEY.encode().hex().upper(),
    "".join(f"%{byte:02x}" for byte in KEY.encode()),
    quote(KEY, safe="").replace("%2B", "%2b").replace("%2F", "%2f").replace("%3D", "%3d"),
]
redactor = Redactor([KEY, "x"])


def cores() -> list[bytes]:
    """What of each shape must not be found."""
    plain = b64encode(KEY.encode()).rstrip(b"=")[:-1]
    return [
        KEY.encode(),
        quote(KEY, safe="").encode(),
        plain,
        *(b64encode(bytes(n) + KEY.encode())[4:-4] for n in (1, 2)),
    ]


@given(st.lists(st.sampled_from([*SHAPES, "harmless ", "sk-plant", "\n\n", "[key"]), max_size=8), st.data())
def test_no_cut_lets_a_key_pass(parts: list[str], data: st.DataObject) -> None:
    whole = "".join(parts).encode()
    stream, passed, rest = redactor.stream(), b"", whole
    while rest:
        cut = data.draw(st.integers(1, len(rest)))
        passed += stream.feed(rest[:cut])
        rest = rest[cut:]
    passed += stream.rest()
    assert not any(core in passed for core in cores())
    if not any(part in SHAPES for part in parts) and not any(core in whole for core in cores()):
        assert passed == whole


@pytest.mark.parametrize("shape", ESCAPED)
def test_a_key_that_a_client_would_read_out_of_escaped_json_is_taken_out(shape: str) -> None:
    body = f'{{"error": "no such key: {shape}"}}'
    assert KEY in json.loads(body)["error"]
    assert json.loads(redactor.whole(body.encode()))["error"] == "no such key: [key]"
    stream = redactor.stream()
    passed = b"".join(stream.feed(bytes([byte])) for byte in body.encode()) + stream.rest()
    assert json.loads(passed)["error"] == "no such key: [key]"


@pytest.mark.parametrize("shape", OTHERS)
def test_so_is_one_in_hex_or_percent_encoded_in_any_way(shape: str) -> None:
    assert redactor.whole(f"key={shape}&".encode()) == b"key=[key]&"


def test_what_is_no_key_passes_at_once() -> None:
    stream = redactor.stream()
    assert stream.feed(b"data: {}\n\n") == b"data: {}\n\n"
    assert stream.feed(b"ends with sk-pl") == b"ends with "
    assert stream.feed(b"ate.") == b"sk-plate."


def test_a_short_key_of_a_server_of_ones_own_is_no_secret() -> None:
    assert redactor.whole(b"an x is an x") == b"an x is an x"


@pytest.mark.parametrize("mark", [b"\n\n", b"\r\n\r\n"])
def test_events_are_cut_where_they_end(mark: bytes) -> None:
    events = [b"event: a\ndata: 1" + mark, b": comment" + mark, b"data: x\ndata:y" + mark]
    for size in (1, 3, 1000):
        splitter = EventSplitter()
        whole = b"".join(events) + b"data: unfinished"
        found = [event for at in range(0, len(whole), size) for event in splitter.feed(whole[at : at + size])]
        assert found == events
        assert splitter.rest() == b"data: unfinished"
    assert [data_of(event) for event in events] == [b"1", b"", b"x\ny"]
