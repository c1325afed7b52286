"""Secrets planted at every door an agent has, and looked for in every byte that anything writes."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import textwrap
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from proctor.core.secrecy import forms
from proctor.worlds.sandbox import available
from tests.e2e.command import proctor

FAMILIES = Path(__file__).parents[1] / "unit" / "agents_process" / "families.py"
SECRETS = {
    "SERVICE_KEY": "sk-Planted/4711+äöü=canary",
    "DATABASE": "postgres://planted:hidden-4711@db/x?y='z'",
    "NUMBER": "9876543210987",
    "MY_PASSWORD": "Hund3!",
}
LEAKER = """
import base64, json, os, sys, urllib.parse
from proctor import Claim, Submission

VALUES = [os.environ[name] for name in ("SERVICE_KEY", "DATABASE", "NUMBER", "MY_PASSWORD")]


def shapes(value):
    data = value.encode()
    long = base64.encodebytes(b"x" * 40 + data + b"y" * 40).decode()
    return [
        value, f"in the {value} middle", urllib.parse.quote(value, safe=""), data.hex(), data.hex().upper(),
        base64.b64encode(data).decode(), base64.urlsafe_b64encode(b"ab" + data + b"c").decode(), long,
        json.dumps(value), json.dumps(json.dumps({value: value})), value[:9] + "\\n" + value[9:],
    ]


async def run(task, session):
    kind = sum(task.nonce.encode()) % 4
    for value in VALUES:
        session.say(value)
        for shape in shapes(value) if len(value) > 7 else [value]:
            session.say(f"my word: {shape}")
            await session.call("note", text=shape)
            await session.call("note", **{"text": "x", shape: shape})
            await session.call(shape, text=shape)
    await session.call("note", text="x" * 5000 + VALUES[0])
    await session.call("note", text=int(VALUES[2]))
    print(*VALUES, file=sys.stderr)
    if kind == 0:
        raise ValueError(f"crashed with {VALUES[0]} and {VALUES[1]}")
    if kind == 1:
        sys.exit(f"left with {VALUES[0]} and {base64.b64encode(VALUES[1].encode())}")
    answer = {shape: [shape, int(VALUES[2])] for shape in shapes(VALUES[kind - 2])}
    return Submission(answer, 0.5, claims=(Claim(VALUES[0], VALUES[1], VALUES[2]),))
"""


def everything_in(data: bytes) -> Iterator[bytes]:
    """The bytes, and what is compressed in them."""
    yield data
    for opened in (_zstd, gzip.decompress, zlib.decompress):
        try:
            inner = opened(data)
        except Exception:
            continue
        yield from everything_in(inner)
    for found in re.finditer(rb"\x28\xb5\x2f\xfd", data):
        if found.start():
            try:
                yield _zstd(data[found.start() :])
            except Exception:
                continue
    for found in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            yield zlib.decompressobj().decompress(found[1])
        except zlib.error:
            continue


def _zstd(data: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(data)


def everything_under(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file, as it is and unpacked; of a database every cell as well."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name in ("leaker.py", "secrets.json"):
            continue
        for data in everything_in(path.read_bytes()):
            yield str(path), data
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    for data in everything_in(archive.read(name)):
                        yield f"{path}!{name}", data
        if path.read_bytes()[:15] == b"SQLite format 3":
            base = sqlite3.connect(path)
            for (table,) in base.execute("select name from sqlite_master where type = 'table'").fetchall():
                for row in base.execute(f'select * from "{table}"'):
                    for cell in row:
                        for data in everything_in(cell if isinstance(cell, bytes) else str(cell).encode()):
                            yield f"{path}:{table}", data
            base.close()


def looked_for() -> list[bytes]:
    """Every shape of every secret."""
    found = [form for value in SECRETS.values() for form in forms(value) or [value]]
    return [data for form in found for data in {form.encode(), json.dumps(form, ensure_ascii=False)[1:-1].encode()}]


@pytest.mark.skipif(available() is not None, reason="needs a sandbox")
@pytest.mark.parametrize("unconfined", ["", pytest.param(",unconfined=yes", marks=pytest.mark.slow)])
def test_no_planted_secret_is_written_anywhere(unconfined: str, tmp_path: Path) -> None:
    (tmp_path / "leaker.py").write_text(LEAKER)
    (tmp_path / "my_family.py").write_text(FAMILIES.read_text())
    suite = """
        name: tiny
        version: "1.0"
        title: Tiny
        epoch: "2026-01-01T00:00:00Z"
        entries:
        - {family: my_family.py:sums, n: 4}
    """
    (tmp_path / "suite.yaml").write_text(textwrap.dedent(suite))
    system = {
        "name": "leaker",
        "env": list(SECRETS),
        "configuration": {
            "model": "tiny-1",
            "max_tokens": 64,
            "api_key": "sk-in-the-open-0815",
            "nested": [{"url": f"https://{SECRETS['DATABASE']}/", "password": "in-the-open-0815"}],
        },
    }
    (tmp_path / "proctor.yaml").write_text(json.dumps({"system": system, "suite": "suite.yaml", "seed": 7}))
    agent = f"python:leaker.py:run{unconfined}"
    told = []
    for arguments in (
        ("run", "--agent", agent, "--no-preflight", "--workers", "1", "--json"),
        ("show", "latest", "0"),
        ("report", "-o", "report.html"),
        ("report", "-o", "report.json"),
        ("score",),
        ("runs",),
        ("export", "-o", "run.proctor"),
    ):
        done = proctor(*arguments, cwd=tmp_path, env=SECRETS, code=None if arguments[0] == "run" else 0)
        told.append((" ".join(arguments), (done.stdout + done.stderr).encode()))
    wanted = [*looked_for(), b"in-the-open-0815"]
    obtained = {
        (place, form)
        for place, data in (*told, *everything_under(tmp_path))
        for form in wanted
        if form in data and not place.endswith(("proctor.yaml", "my_family.py"))
    }
    assert obtained == set()
    # Everything was looked into: what is shown in a secret's place is found.
    shown = [place for place, data in everything_under(tmp_path) if b"<SERVICE_KEY>" in data]
    assert any("run.proctor" in place for place in shown)
    assert any(".proctor" in place and "run.proctor" not in place for place in shown)
