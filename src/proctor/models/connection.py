"""The way to a provider, as a model string's options say it: address, key, patience. No message repeats an option's
value that could be a secret, and nothing here keeps a key.
"""

from __future__ import annotations

import os
import re
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from proctor.core.errors import InputError
from proctor.core.secrecy import SHORTEST_SECRET
from proctor.models.contract import ModelString
from proctor.models.options import parse_number, parse_whole
from proctor.models.secrecy import Secret

OPTIONS: Final = {
    "base_url": "where the server is, e.g. http://127.0.0.1:8080/v1",
    "key_env": "the environment variable that holds the key",
    "timeout": "seconds one attempt may take, usually 180",
    "retries": "further attempts after a time-out, a lost connection or a failure of the server, usually 3",
    "patience": "seconds a request waits where the provider's rate limit turns it away, usually 300",
    "at_once": "how many requests are under way at most; usually as many as the provider bears",
    "omit": "parameters the server does not take, separated by |, e.g. seed|top_p",
    "cache": "a folder that keeps replies, for trying things out; results say so and gates refuse them",
}
OMITTED: Final = ("temperature", "top_p", "seed")
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]*")


class Connection(Struct, frozen=True):
    """What an option string says about the way to a server."""

    model: str
    base_url: str
    key_variable: str
    timeout: float = 180.0
    retries: int = 3
    patience: float = 300.0
    at_once: int | None = None
    limit: str = "max_tokens"
    """What the server calls the limit on tokens."""
    omit: tuple[str, ...] = ()
    first_pause: float = 0.5

    @classmethod
    def read(cls, text: ModelString, *, base_url: str, key_variable: str, limit: str = "max_tokens") -> Connection:
        """The connection, or one sentence on what is wrong with it; defaults are the provider's."""
        given = text.options
        variable = given.get("key_env", key_variable)
        _refuse_key(text, os.environ.get(variable, "").strip())
        omit = tuple(name for name in given.get("omit", "").split("|") if name)
        if set(omit) - set(OMITTED):
            message = f"'{text.named}': omit lists some of {', '.join(OMITTED)}"
            raise InputError(message)
        return cls(
            text.detail,
            _address(text.named, given.get("base_url", base_url)),
            variable,
            parse_number(text.named, "timeout", given.get("timeout", "180"), 0.01, 86_400),
            parse_whole(text.named, "retries", given.get("retries", "3"), 0, 20),
            parse_number(text.named, "patience", given.get("patience", "300"), 0, 86_400),
            parse_whole(text.named, "at_once", given["at_once"], 1, 100_000) if "at_once" in given else None,
            limit,
            omit,
        )

    @property
    def key(self) -> str | None:
        """The key, read anew each time and kept nowhere in this object."""
        return os.environ.get(self.key_variable, "").strip() or None

    @property
    def secret(self) -> Secret:
        """What is taken out of every reply."""
        return Secret(self.key)


def require_key(text: ModelString, connection: Connection) -> None:
    """Refuse a provider that is asked without a key; a server of one's own, named by its address, needs none."""
    if connection.key is None and ("base_url" not in text.options or "key_env" in text.options):
        # A name that looks like none may be the key itself, put in the wrong place.
        named = connection.key_variable if _VARIABLE.fullmatch(connection.key_variable) else "that key_env names"
        message = f"'{text.named}': set the environment variable {named} to the key"
        raise InputError(message)


def _refuse_key(text: ModelString, key: str) -> None:
    """Refuse a key that stands where it would go on record, and one that no header can carry; never repeat it."""
    if len(key) >= SHORTEST_SECRET and any(key in part for part in (text.detail, *text.options.values())):
        message = f"model '{text.kind}': the key itself stands in the agent string, which goes on record; take it out"
        raise InputError(message)
    if not key.isascii() or not key.isprintable():
        message = f"model '{text.kind}': the key holds characters that no request can carry; set its variable anew"
        raise InputError(message)


def _address(owner: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not text.isprintable() or " " in text:
        message = f"'{owner}': base_url is no http address; write e.g. base_url=http://127.0.0.1:8080/v1"
        raise InputError(message)
    if parts.username or parts.password or parts.query or parts.fragment:
        message = (
            f"'{owner}': base_url holds a user, a password or a query, which would go on record; "
            "put the key into an environment variable and name it with key_env"
        )
        raise InputError(message)
    return text
