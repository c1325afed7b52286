"""What an agent string says about a service: where it is, which key it wants, how long a reply may take.

    http://127.0.0.1:8000/agent
    https://agent.example.com/v1,key_env=AGENT_KEY
    https://agent.example.com/v1,key_env=AGENT_KEY,key_header=X-API-Key,reply_seconds=30

The agent string goes on record with the run, so no key may stand in it.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from typing import Final
from urllib.parse import quote, urlsplit

from msgspec import Struct

from proctor.agents.kind import AgentString
from proctor.core.errors import InputError
from proctor.core.numbers import whole_number
from proctor.core.texts import shortened

_KNOWN: Final = {
    "key_env": "the environment variable that holds the key",
    "key_header": "the header the key goes into, usually Authorization, as Bearer",
    "reply_seconds": "seconds a reply may take; without it only the limits of the episode count",
}
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADER: Final = re.compile(r"[A-Za-z0-9-]+")
_VISIBLE: Final = re.compile(r"[!-~]+")
_AUTHORIZATION: Final = "Authorization"
_TAKEN: Final = frozenset({"host", "content-type", "content-length", "accept", "accept-encoding", "connection"})
_MOST_SECONDS: Final = 86_400
_MOST_HOST: Final = 253
"""Characters of a name that can be looked up."""


class Address(Struct, frozen=True):
    """A service and how to be let in."""

    url: str
    key_variable: str | None
    key_header: str
    reply_seconds: int | None

    def headers(self) -> dict[str, str]:
        """The header with the key; none where no key is asked for."""
        key = self._key()
        if key is None:
            return {}
        return {self.key_header: f"Bearer {key}" if self.key_header == _AUTHORIZATION else key}

    def secrets(self) -> dict[str, str]:
        """What must never be recorded, by what is shown in its place: the key, and the forms it may be echoed in."""
        key = self._key()
        if key is None:
            return {}
        name = str(self.key_variable)
        forms = {name: key, f"{name} in Base64": b64encode(key.encode()).decode(), f"{name} quoted": quote(key, "")}
        return {shown: form for shown, form in forms.items() if shown == name or form != key}

    def _key(self) -> str | None:
        if self.key_variable is None:
            return None
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            message = (
                f"{self.key_variable}, which key_env names, is not set; export {self.key_variable}=… and try again"
            )
            raise InputError(message)
        if not _VISIBLE.fullmatch(key):
            message = f"{self.key_variable} holds characters that no key has; set it to the key alone"
            raise InputError(message)
        return key


def read_address(agent: AgentString) -> Address:
    """The address, or one sentence on what is wrong with it."""
    given = agent.options
    for name in given:
        if name not in _KNOWN:
            known = "; ".join(f"{option}: {meaning}" for option, meaning in _KNOWN.items())
            # Without the value: somebody may have put a key there.
            message = f"an agent behind {agent.kind} has no option '{name}'; it has {known}"
            raise InputError(message)
    if "key_header" in given and "key_env" not in given:
        message = "key_header says where a key goes; name the environment variable that holds it with key_env"
        raise InputError(message)
    return Address(
        _url(agent),
        _matching(given, "key_env", _VARIABLE, "name of an environment variable"),
        _key_header(given),
        _seconds(given),
    )


def _url(agent: AgentString) -> str:
    example = f"{agent.kind}://127.0.0.1:8000/agent"
    if not agent.detail.startswith("//") or not agent.detail[2:]:
        message = f"'{agent.kind}:' is followed by no address; write it like {example}"
        raise InputError(message)
    try:
        parts = urlsplit(f"{agent.kind}:{agent.detail}")
        named = (parts.port is None or parts.port > 0) and _is_host(parts.hostname)
    except ValueError:
        named = False
        parts = urlsplit("")
    if not named or not _VISIBLE.fullmatch(agent.detail):
        # Without the address: somebody may have put a key there.
        message = f"the address after '{agent.kind}:' has no host and port that there can be; write it like {example}"
        raise InputError(message)
    if parts.username is not None or parts.password is not None:
        message = (
            "an agent's address is recorded with every run and may hold no user or password; put the key into an "
            "environment variable and name it with key_env"
        )
        raise InputError(message)
    if parts.query or parts.fragment:
        message = (
            "an agent's address is recorded with every run and ends with its path; put a key into an environment "
            "variable and name it with key_env"
        )
        raise InputError(message)
    return f"{agent.kind}://{parts.netloc}{parts.path or '/'}"


def _is_host(name: str | None) -> bool:
    """Whether a host can have this name: what cannot be looked up would only fail later, and in other words."""
    if not name or len(name) > _MOST_HOST:
        return False
    if ":" in name:
        # An address in brackets, which `urlsplit` has read.
        return True
    import httpx

    try:
        # As the HTTP library shows it, and as the resolver asks for it.
        return bool(httpx.URL(scheme="http", host=name).host and name.encode("idna"))
    except (ValueError, httpx.InvalidURL):
        return False


def _matching(given: dict[str, str], name: str, pattern: re.Pattern[str], what: str) -> str | None:
    text = given.get(name)
    if text is not None and not pattern.fullmatch(text):
        message = f"{name} is no {what}; give the {what}, never a key itself"
        raise InputError(message)
    return text


def _key_header(given: dict[str, str]) -> str:
    header = _matching(given, "key_header", _HEADER, "name of a header") or _AUTHORIZATION
    if header.lower() in _TAKEN:
        message = f"key_header={header} is a header of the exchange itself; name the one that your service reads"
        raise InputError(message)
    return _AUTHORIZATION if header.lower() == _AUTHORIZATION.lower() else header


def _seconds(given: dict[str, str]) -> int | None:
    text = given.get("reply_seconds")
    if text is None:
        return None
    value = whole_number(text, 1, _MOST_SECONDS)
    if value is None:
        message = f"reply_seconds={shortened(text)} is no whole number of seconds from 1 to {_MOST_SECONDS:,}"
        raise InputError(message)
    return value
