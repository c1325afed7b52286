"""Damages every kind of file that a stranger can hand us: whatever comes of it is read, or refused in one sentence.

Valid examples are changed by structure (values replaced, removed, repeated, nested, named twice) and as bytes (cut,
flipped, spliced, re-encoded), and given to the functions that the commands call. Anything but a value or an error of
our own is a success of the attacker, as is a file that takes longer than the allowed seconds or the allowed memory.
Stores are damaged by column (`stores.py`) and read by some of the commands' functions.
"""

from __future__ import annotations

import json
import random
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from proctor.audit.published import parse_published
from proctor.core.errors import ProctorError
from proctor.evidence.load_record import read_load
from proctor.evidence.operator_log import read_operator_log
from proctor.evidence.ratings import read_reference, read_sheet
from proctor.evidence.registration_log import read_log
from proctor.instruments.predictive.records import read_records
from proctor.pipeline.baseline.file import read_baseline
from proctor.pipeline.keys import PUBLIC_FOLDER, Keyring
from proctor.pipeline.ledger import LEDGER, Ledger
from proctor.reports.blinded import read_key
from proctor.spec.documents import read_document
from proctor.spec.preregistration import read_preregistration
from proctor.spec.suite import Suite
from proctor.spec.system import System
from proctor.suites.binding.events.reading import read_events
from tests.adversarial.attackers.stores import damage_store, read_store
from tests.adversarial.tally import Tally

SECONDS = 5.0
"""Processor time for one file; the files are small."""
MEMORY = 1 << 30
"""Bytes by which all files together may make this process grow."""

SUITE = {
    "name": "mine",
    "version": "1.0",
    "title": "Mine",
    "epoch": "2026-01-01T00:00:00Z",
    "rules": {"limits": {"episode_seconds": 5}},
    "entries": [{"family": "track", "n": 3, "knobs": {"a": 1}}],
}
SYSTEM = {
    "name": "mine",
    "version": "1",
    "configuration": {"model": "x", "parts": [1, 2.5, None, True]},
    "boundaries": {"core": {"tools": [], "memory": "none"}},
    "env": ["REGION"],
}
RATING = b"rater,question,subject,answer\nanna,1,subject,yes\nbert,1,subject,no\n"
EVENTS = b"event_id,text,dataset\ne1,something happened,mine\ne2,another,mine\n"
RECORDS = b"outcome,score,cluster\n1,0.5,a\n0,0.25,b\n1,-3,a\n"
OPERATORS = b"time,episode,action,approved\n2026-01-01T00:00:00Z,0,stop,yes\n"
PUBLIC = b"ed25519 " + b"ab" * 32 + b"\n"
ENTRY = {"number": 0, "kind": "genesis", "at": "2026", "previous": "0" * 64, "body": {}, "hash": "0" * 64}
HOSTILE: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        10**40,
        -(10**400),
        1e308,
        0.1,
        "",
        "x" * 5000,
        "\x00",
        "=1+1",
        "2026-13-45",
        "NaN",
        "../../x",
    ),
    *(
        [],
        {},
        [[[[[]]]]],
        {"a": {"a": {"a": {}}}},
        ["x"] * 50,
        {"": ""},
        "\u202e",
        "a\nb",
        "<script>",
        "ä" * 10,
        [None],
    ),
)
RAW = (
    *(b"\xff\xfe", b"\x00", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"[" * 4000, b'{"a":' * 3000, b"9" * 5000, b"NaN"),
    *(b"&a [*a]", b"!!binary x", b"1e999999", b"\r", b'"', b"'", b"- - - -", b"? ", b"%YAML 9\n", b"\x1b[2J", b"\n\n"),
)

Load = Callable[[Path], object]


def _declared(kind: Any) -> Load:
    return lambda path: kind.parse(read_document(path), source=str(path))


LOADERS: tuple[tuple[str, bytes, Load], ...] = (
    ("suite.yaml", json.dumps(SUITE, indent=1).encode(), _declared(Suite)),
    ("suite.json", json.dumps(SUITE).encode(), _declared(Suite)),
    ("system.yaml", json.dumps(SYSTEM, indent=1).encode(), _declared(System)),
    ("bare.yaml", b"a: &x {k: [1, 2]}\nb: *x\nc: {<<: *x, d: 'text'}\nd: 2026-01-01\n", read_document),
    (str(LEDGER), json.dumps(ENTRY).encode() + b"\n", lambda path: Ledger(path.parent.parent).entries()),
    (
        f"{PUBLIC_FOLDER}/anna.pub",
        b"ed25519 " + b"ab" * 32 + b"\n",
        lambda path: Keyring(path.parent.parent).public("anna"),
    ),
    ("baseline.json", b'{"digest":"00","file":{"format":"proctor-baseline-1"}}', read_baseline),
    ("load.json", b'{"format":"proctor-load-1","scenarios":[]}', read_load),
    ("registered.json", b'{"sha256":"00","preregistration":{"suite":"x","claim":{}}}', read_preregistration),
    ("registered.json.log", b'{"previous":"00","run":"x"}\n', lambda path: read_log(path, "00")),
    ("ratings.csv", RATING, read_sheet),
    ("reference.csv", b"item,answer,author\na,yes,anna\n", read_reference),
    ("operators.csv", OPERATORS, lambda path: read_operator_log(path.read_bytes())),
    ("events.csv", EVENTS, read_events),
    ("events.jsonl", b'{"event_id":"e","text":"t","dataset":"d"}\n' * 3, read_events),
    ("records.csv", RECORDS, read_records),
    ("records.jsonl", b'{"outcome":1,"score":0.5}\n' * 3, read_records),
    ("key.json", b'{"run":"r","config_hash":"00","items":{},"digest":"00","root":""}', read_key),
    ("report.json", b'{"format":"proctor-report-1","run":"r"}', lambda path: parse_published(path.read_bytes(), "r")),
)

STORE = "store.db"
KINDS = len(LOADERS) + 1
"""Kinds of file: those above, and a store."""


def attack(attempts: int, seed: int) -> Tally:
    """Damage so many files."""
    draw = random.Random(seed)
    obtained: list[str] = []
    refused = read = 0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, _, _ in LOADERS:
            (folder / file).parent.mkdir(exist_ok=True)
        for number in range(attempts):
            file, data, load = _next(number, folder, draw)
            path = folder / file
            began = process_time()
            try:
                load(path)
                read += 1
            except ProctorError as error:
                refused += 1
                if "\n" in str(error).strip():
                    obtained.append(f"{file} in {number} (seed {seed}): more than a sentence: {str(error)[:200]!r}")
            except Exception as error:
                said = f"{type(error).__name__}: {str(error)[:100]}"
                obtained.append(f"{file} in {number} (seed {seed}): {said} {data[:300]!r}")
            if process_time() - began > SECONDS:
                obtained.append(f"{file} in {number} (seed {seed}): {process_time() - began:.1f} s of processor time")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    if grown > MEMORY:
        obtained.append(f"{grown / 2**20:.0f} MiB of memory for files of a few kilobytes (seed {seed})")
    return Tally(attempts, tuple(obtained), {"kinds of file": KINDS, "refused": refused, "read": read})


def _next(number: int, folder: Path, draw: random.Random) -> tuple[str, bytes, Load]:
    """The next damaged file, written: what it is called, what to say of it, and who reads it."""
    kind = number % KINDS
    if kind == len(LOADERS):
        return STORE, damage_store(folder / STORE, draw).encode(), lambda path: read_store(path, draw)
    file, valid, load = LOADERS[kind]
    data = damaged(valid, draw)
    (folder / file).write_bytes(data)
    return file, data, load


def damaged(valid: bytes, draw: random.Random) -> bytes:
    """The example, changed once or several times."""
    data = valid
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        data = _restructured(data, draw) if draw.random() < 0.5 else _cut_up(data, draw)
    return data


def _restructured(data: bytes, draw: random.Random) -> bytes:
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        lines = data.split(b"\n")
        at = draw.randrange(len(lines))
        cells = lines[at].split(b",")
        cells[draw.randrange(len(cells))] = str(draw.choice(HOSTILE)).encode(errors="replace")
        lines[at] = b",".join(cells)
        return b"\n".join(draw.choice((lines, lines[::-1], lines * 2, lines[:at])))
    changed = json.dumps(_changed(value, draw))
    if draw.random() < 0.2 and "{" in changed:
        # The same name twice.
        changed = changed.replace("{", '{"name": "twice", "name": 1, ', 1)
    return changed.encode()


def _changed(value: Any, draw: random.Random) -> Any:
    if not isinstance(value, dict | list) or not value or draw.random() < 0.25:
        return draw.choice(HOSTILE)
    if isinstance(value, list):
        at = draw.randrange(len(value))
        return [_changed(one, draw) if place == at else one for place, one in enumerate(value)] * draw.choice((1, 1, 3))
    name = draw.choice(list(value))
    act = draw.randrange(4)
    if act == 0:
        return {other: one for other, one in value.items() if other != name}
    if act == 1:
        return {**value, str(draw.choice(HOSTILE))[:50]: draw.choice(HOSTILE)}
    return {**value, name: _changed(value[name], draw)}


def _cut_up(data: bytes, draw: random.Random) -> bytes:
    start, end = sorted(draw.randrange(len(data) + 1) for _ in range(2))
    act = draw.randrange(6)
    if act == 0:
        return data[:start]
    if act == 1:
        return data[:start] + draw.randbytes(end - start) + data[end:]
    if act == 2:
        return data[:start] + draw.choice(RAW) + data[end:]
    if act == 3:
        return data[:end] + data[start:end] * draw.choice((1, 2, 50)) + data[end:]
    if act == 4:
        code = draw.choice(("utf-16", "latin-1", "utf-32", "utf-8-sig"))
        return data.decode(errors="replace").encode(code, "replace")
    return data[start:end]
