"""`cache=FOLDER`: replies kept on disk, so that trying things out does not ask and pay for the same again.

A reply is kept for one model at one address, one request, one replicate and its place among equal requests of that
replicate: two replicates never share one, and a request that says no replicate is never answered from here. Only
replies are kept, no errors. What comes from here says so in its details, and the label of every result of such an agent
says that it may. Files are private to their owner and hold no key: a request holds none, and replies are kept as they
are handed over, with keys taken out.
"""

from __future__ import annotations

import os
import tempfile
from collections import OrderedDict
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from proctor.core.errors import InputError
from proctor.core.folders import make_folder
from proctor.core.hashing import sha256_hex
from proctor.models.contract import ChatModel, ModelString, Reply, Request, request_digest

CACHED_LABEL: Final = "replies may come from a cache"
OPTION: Final = "cache"
_REPLICATES: Final = 4096
"""Of so many replicates it is known how often each request was made."""


class _Kept(Struct, frozen=True):
    """One file."""

    key: str
    reply: Reply


class Cached:
    """A model whose earlier replies are given again."""

    def __init__(self, model: ChatModel, folder: Path, address: str) -> None:
        self._model = model
        self._folder = folder
        self._of = sha256_hex(f"{model.name} at {address}".encode())
        self._asked: OrderedDict[str, dict[str, int]] = OrderedDict()

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, request: Request) -> Reply:
        if not request.replicate:
            return await self._model.ask(request)
        key = self._key(request)
        path = self._folder / key[:2] / f"{key}.json"
        kept = _read(path, key)
        if kept is not None:
            # It took no time and no waiting now.
            return replace(kept, cached=True, latency_ms=None, waited_ms=None, at_once=None)
        reply = await self._model.ask(request)
        if reply.error is None:
            _write(path, _Kept(key, reply))
        return reply

    def _key(self, request: Request) -> str:
        digest = request_digest(request.plain())
        asked = self._asked.setdefault(request.replicate, {})
        self._asked.move_to_end(request.replicate)
        if len(self._asked) > _REPLICATES:
            self._asked.popitem(last=False)
        ordinal = asked[digest] = asked.get(digest, -1) + 1
        return sha256_hex(f"{self._of} {digest} {sha256_hex(request.replicate.encode())} {ordinal}".encode())

    def tokens(self, text: str) -> int | None:
        return self._model.tokens(text)

    async def close(self) -> None:
        # Whoever asks the same again later is answered as if for the first time.
        self._asked.clear()
        await self._model.close()


def cached(model: ChatModel, text: ModelString, folder: Path, address: str) -> ChatModel:
    """The model, behind a cache where its string names one."""
    place = text.options.get(OPTION)
    return model if place is None else Cached(model, folder / Path(place).expanduser(), address)


def check_cache(text: ModelString, folder: Path) -> None:
    """Refuse, in one sentence, a cache that cannot be."""
    place = text.options.get(OPTION)
    if place is None:
        return
    path = folder / Path(place).expanduser()
    if not place.strip() or (path.exists() and not path.is_dir()):
        message = f"'{text.named}': cache names a folder, e.g. cache=replies"
        raise InputError(message)


def cache_label(text: ModelString) -> str:
    """What must be said of a model string with a cache."""
    return CACHED_LABEL if OPTION in text.options else ""


def _read(path: Path, key: str) -> Reply | None:
    """The reply in a file; None where there is none, or not the one that was asked for."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    return kept.reply if kept.key == key and kept.reply.text is not None else None


def _write(path: Path, kept: _Kept) -> None:
    """Whole or not at all: others may read and write the same file."""
    try:
        make_folder(path.parent.parent.parent)
        for folder in (path.parent.parent, path.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.encode(kept))
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError:
        # A cache that cannot be written is none; the reply is there all the same.
        return
