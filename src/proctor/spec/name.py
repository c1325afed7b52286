"""Names with versions: `hello@1.0`. A bare name means the newest version there is."""

from __future__ import annotations

import re
from typing import NamedTuple

from proctor.core.errors import InputError
from proctor.core.texts import shortened

NAME_PATTERN = r"^[a-z][a-z0-9_]*(-[a-z0-9_]+)*$"
VERSION_PATTERN = r"^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$"
"""At most nine digits each: what reads them as numbers needs a bound."""


class Version(NamedTuple):
    """Major changes what results mean; minor does not."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Version:
        if not re.fullmatch(VERSION_PATTERN, text):
            message = (
                f"version '{shortened(text)}' is not of the form major.minor, e.g. 1.0; write two numbers of at most "
                "nine digits each"
            )
            raise InputError(message)
        major, minor = text.split(".")
        return cls(int(major), int(minor))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


class FullName(NamedTuple):
    """A name, and the version that was asked for (None: the newest)."""

    name: str
    version: str | None

    @classmethod
    def parse(cls, text: str) -> FullName:
        name, at, version = text.partition("@")
        if not re.fullmatch(NAME_PATTERN, name):
            message = (
                f"'{shortened(text)}' is not a name; names are lower-case words joined by hyphens, e.g. hello or "
                "hello@1.0"
            )
            raise InputError(message)
        if at:
            Version.parse(version)
        return cls(name, version or None)
