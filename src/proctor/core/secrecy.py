"""Secrets, every shape in which programs write them, and taking them out of what is to be recorded.

A secret is looked for as it is, as JSON writers escape it, as Python shows texts and bytes, escaped for HTML or written
in its numeric references, percent-encoded, as forms are, in base32, in hex and base64 of UTF-8 and UTF-16, and byte by
byte in one row of hex pairs or decimal numbers, also where white space breaks it, written or escaped. A `Veil` also
undoes escapes that are mixed or lie within each other (`core/unescaping.py`). Offsets and columns of text beside the
rows of a dump break it in a way that is not recognised. Whoever spells it in another way is not stopped.
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b32encode, b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from html import escape
from typing import Any, Final
from urllib.parse import quote, quote_plus

import msgspec

from proctor.core.canonical import decode, encode
from proctor.core.unescaping import found_unescaped, unescaped

SHORTEST_SECRET: Final = 8
"""Servers of one's own take any key, `x` say: that is no secret, and taking it out of replies would spoil them."""
_SHORTEST_NAMED: Final = 6
_LONGEST_WORD: Final = 15
_NAMED: Final = re.compile(
    r"(^|_|-)(api_?|access_?|private_?|secret_?|auth_?)?(key|token|secret|password|passwd|passphrase|pass|pwd|credential|cookie)s?"
    r"(_|-|$)",
    re.IGNORECASE,
)
"""Names that say it."""
_ESCAPED: Final = ("/", "=&<>'", "+&<>'\"`", "+/=-_.~&<>'\"`:")
"""What JSON writers escape although nothing asks them to; the last is all that keys have besides letters and digits."""
_MARKS: Final = re.compile(r"[\\%&+]")
"""Without one of these a text holds no escape."""
_WRITTEN_MARKS: Final = re.compile(_MARKS.pattern.encode())


def is_secret(name: str, value: str) -> bool:
    """Whether the value of an environment variable has to be kept out of the record of an agent's work.

    Where the name says so, any but the shortest. Otherwise what is longer and no plain word: `production` may well be
    somebody's answer.
    """
    if says_secret(name):
        return len(value) >= _SHORTEST_NAMED
    word = value.isalpha() and len(value) <= _LONGEST_WORD
    return len(value) >= SHORTEST_SECRET and not word


def forms(key: str) -> list[str]:
    """Every shape in which a key may come back, the longest first; none for what is no secret."""
    if len(key) < SHORTEST_SECRET:
        return []
    raw = _bytes(key)
    found = {
        key,
        quote(key, safe=""),
        quote_plus(key),
        *_escaped(key),
        *_shown(key),
        *_hex_and_base64(raw),
        *_base32(raw),
    }
    hexed = raw.hex()
    percent = "".join(f"%{hexed[at : at + 2]}" for at in range(0, len(hexed), 2))
    found |= _byte_by_byte(raw) | _entities(key)
    found |= {percent, percent.upper(), re.sub("%..", lambda at: at[0].lower(), quote(key, safe=""))}
    # Tokens and requests carry JSON that is encoded as a whole.
    for plain in (True, False):
        found |= _hex_and_base64(_bytes(json.dumps(key, ensure_ascii=plain)[1:-1]))
    for wide in ("utf-16", "utf-16-le", "utf-16-be"):
        coded = key.encode(wide, errors="surrogatepass")
        found |= _hex_and_base64(coded) | {repr(coded)[2:-1]}
    return sorted(found, key=len, reverse=True)


def _escaped(key: str) -> set[str]:
    """The key as JSON text of writers that escape more than they must; a client that reads it has the key again."""
    found = {key.replace("/", "\\/")}
    for digits in ("04x", "04X"):
        found |= {
            "".join(f"\\u{ord(sign):{digits}}" if sign in signs else sign for sign in key) for signs in (*_ESCAPED, key)
        }
    return found


def _shown(key: str) -> set[str]:
    """The key as programs show a text within another: JSON, Python's texts and bytes, HTML."""
    found = {json.dumps(key, ensure_ascii=plain)[1:-1] for plain in (True, False)}
    # With a quote before it Python delimits by the other kind; which ones it escapes depends on the whole text.
    for shown in (repr('"' + key)[2:-1], ascii('"' + key)[2:-1], repr(b'"' + _bytes(key))[3:-1]):
        found |= {shown, shown.replace("\\'", "'")}
    for entity in ("&#x27;", "&#39;", "&apos;", "'"):
        written = escape(key).replace("&#x27;", entity)
        found |= {written, written.replace("&quot;", "&#34;"), written.replace("&quot;", '"')}
    # Shown twice: what was shown within a JSON text, as a tool's result often is.
    return found | {json.dumps(form, ensure_ascii=plain)[1:-1] for form in (*found, key) for plain in (True, False)}


def _byte_by_byte(raw: bytes) -> set[str]:
    """Every byte apart, as dumps and listings write them: escaped, with a mark between, as a list of numbers."""
    pairs = [f"{byte:02x}" for byte in raw]
    found = {"".join(f"\\x{pair}" for pair in pairs)} | {mark.join(pairs) for mark in (":", "-", ", ", ",", " ")}
    found |= {"".join(f"\\{byte:{digits}}" for byte in raw) for digits in ("o", "03o", "04o")}
    found |= {"".join(f"\\0{byte:o}" for byte in raw)}
    for mark in (", ", ","):
        found |= {mark.join(map(str, raw)), mark.join(f"0x{pair}" for pair in pairs)}
    return found | {form.upper() for form in found} | {form.replace("X", "x") for form in map(str.upper, found)}


def _entities(key: str) -> set[str]:
    """Every character as a numeric reference of HTML."""
    written = {"".join(f"&#{ord(sign)};" for sign in key)}
    written |= {"".join(f"&#{x}{ord(sign):{digits}};" for sign in key) for x in "xX" for digits in "xX"}
    return written | {form.replace(";", "") for form in written}


def _hex_and_base64(raw: bytes) -> set[str]:
    found = {raw.hex(), raw.hex().upper()}
    # Within a longer text, base64 of a key looks in three ways; its edges depend on its neighbours.
    for offset in range(3):
        padded = bytes(offset) + raw
        for encoded in (b64encode(padded), urlsafe_b64encode(padded)):
            inner = encoded.decode().rstrip("=")[-(-offset * 8 // 6) :]
            found.add(inner[:-1] if len(padded) % 3 else inner)
    return found


def _base32(raw: bytes) -> set[str]:
    """In five ways, for the same reason."""
    found = set()
    for offset in range(5):
        padded = bytes(offset) + raw
        inner = b32encode(padded).decode().rstrip("=")[-(-offset * 8 // 5) :]
        found.add(inner[:-1] if len(padded) % 5 else inner)
    return found | {inner.lower() for inner in found}


class Veil:
    """Takes declared secrets out of texts, values and documents and puts their names there. False where it has none."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._names: dict[str, str] = {}
        self._listed: dict[str, str] = {}
        for name, value in sorted(secrets.items()):
            if is_secret(name, value):
                for listed in (value, _bytes(value).decode("latin-1")):
                    self._listed.setdefault(listed, f"<{name}>")
                for form in forms(value) or [value]:
                    self._names.setdefault(form, f"<{name}>")
        # The longest first: one secret may be part of another.
        self._forms = sorted(self._names, key=len, reverse=True)
        self._tight = {form: "".join(form.split()) for form in self._forms}
        self._short = tuple(form for form in self._forms if len(self._tight[form]) < SHORTEST_SECRET)
        searched = dict.fromkeys(tight for tight in self._tight.values() if len(tight) >= SHORTEST_SECRET)
        self._searched = tuple(searched)
        self._plain: dict[bytes, str] = {}
        for name, value in sorted(secrets.items()):
            if is_secret(name, value):
                for plain in _unescaped_forms(value):
                    self._plain.setdefault(plain, f"<{name}>")
        written = [data for form in self._forms for data in (encode(_clean(form))[1:-1], _bytes(form))]
        tight = {data: _squeezed(data) for data in written}
        self._written_short = tuple(data for data in tight if len(tight[data]) < SHORTEST_SECRET)
        self._written = tuple(dict.fromkeys(data for data in tight.values() if len(data) >= SHORTEST_SECRET))

    def __bool__(self) -> bool:
        return bool(self._forms)

    def text(self, text: str) -> str:
        """The text without them."""
        squeezed = "".join(text.split())
        found = {tight for tight in self._searched if tight in squeezed}
        for form in self._forms if found else self._short:
            if form in text:
                text = text.replace(form, self._names[form])
            elif (tight := self._tight[form]) in found:
                text = self._names[form].join(re.split(r"\s*".join(map(re.escape, tight)), text))
        return self._unescaped(text) if _MARKS.search(text) else text

    def _unescaped(self, text: str) -> str:
        """The text without those that stand there once escapes are undone."""
        data = text.encode(errors="surrogatepass")
        kept, end = list[bytes](), 0
        for first, last, plain in found_unescaped(data, self._plain):
            if _within_character(data, first) or _within_character(data, last):
                continue
            kept += [data[end:first], self._plain[plain].encode()]
            end = last
        return b"".join((*kept, data[end:])).decode(errors="surrogatepass") if kept else text

    def value(self, value: Any) -> Any:
        """A JSON value without them, names of members and digits of numbers included.

        One that is nested too deeply to be looked through stays as it is, for whoever refuses it.
        """
        try:
            return self._value(value)
        except RecursionError:
            return value

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self._value(name): self._value(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(one) for one in self._without_numbers(value)]
        if isinstance(value, int | float) and not isinstance(value, bool):
            said = str(value) if isinstance(value, float) or value.bit_length() < 1 << 12 else ""
            shown = self._number(said)
            return value if shown == said else shown
        return value

    def _without_numbers(self, values: Sequence[Any]) -> Sequence[Any]:
        """A list without numbers that are the bytes or the characters of a secret one after another."""
        if len(values) < _SHORTEST_NAMED or not any(type(one) is int for one in values):
            return values
        # One character for each value, so that places are the same in both.
        said = "".join(chr(one) if type(one) is int and 0 <= one <= sys.maxunicode else "\uffff" for one in values)
        for listed, name in self._listed.items():
            while (at := said.find(listed)) >= 0:
                values = [*values[:at], name, *values[at + len(listed) :]]
                said = f"{said[:at]}\uffff{said[at + len(listed) :]}"
        return values

    def _number(self, digits: str) -> str:
        for form in self._forms:
            if form in digits and len(form) >= SHORTEST_SECRET:
                return self._names[form]
        return digits

    def document(self, data: bytes) -> bytes:
        """JSON bytes without them; bytes of another kind have them replaced where they stand."""
        if not self._stands_in(data):
            return data
        try:
            return encode(self._value(decode(data)))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return self.text(data.decode(errors="surrogateescape")).encode(errors="surrogateescape")

    def _stands_in(self, data: bytes) -> bool:
        """Whether one stands there, as JSON writes it, in white space or escaped again."""
        squeezed = _squeezed(data)
        if any(form in squeezed for form in self._written) or any(form in data for form in self._written_short):
            return True
        if _WRITTEN_MARKS.search(data) is None:
            return False
        plain = unescaped(data)
        return any(form in plain for form in self._plain)


def says_secret(name: str) -> bool:
    """Whether a name says that what it names is a secret: `api_key`, `DB_PASSWORD`, not `max_tokens_per_call`."""
    return _NAMED.search(name) is not None


def _squeezed(data: bytes) -> bytes:
    """JSON bytes without white space, written or escaped."""
    return data.replace(b"\\n", b"").replace(b"\\r", b"").replace(b"\\t", b"").translate(None, b" \n\r\t")


@lru_cache(maxsize=64)
def _unescaped_forms(value: str) -> tuple[bytes, ...]:
    """Every shape of a secret as it reads unescaped; most read the same. Kept, for every lifetime has a veil."""
    found = dict.fromkeys(unescaped(one) for form in forms(value) or [value] for one in _spelled(form))
    return tuple(plain for plain in found if len(plain) >= SHORTEST_SECRET)


def _within_character(data: bytes, place: int) -> bool:
    """Whether a character of several bytes goes on there: what ends in its midst is something else."""
    return place < len(data) and data[place] & 0xC0 == 0x80


def _spelled(form: str) -> Iterator[bytes]:
    """A form in the bytes that its escapes may stand for: of UTF-8, of Latin-1, and of halves of UTF-16."""
    yield _bytes(form)
    if not form.isascii():
        units = form.encode("utf-16-be", errors="surrogatepass")
        halves = (units[at : at + 2].decode("utf-16-be", errors="surrogatepass") for at in range(0, len(units), 2))
        yield "".join(halves).encode(errors="surrogatepass")
        with suppress(UnicodeEncodeError):
            yield form.encode("latin-1")


def _clean(form: str) -> str:
    return form.encode(errors="replace").decode()


def _bytes(form: str) -> bytes:
    return form.encode(errors="surrogateescape")


def declared_secrets(names: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """What these variables hold."""
    return {name: environment[name].strip() for name in names if environment.get(name, "").strip()}
