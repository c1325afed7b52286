"""Models that an agent asks with a client of its own, declared so that the bench can stand in between.

    system:
      models:
        - {provider: openai, name: gpt-4o-mini}
        - {provider: anthropic, name: claude-haiku-4-5, key_env: MY_ANTHROPIC_KEY}
        - {provider: openai, name: qwen3, base_url: "http://127.0.0.1:8080/v1", key_env: none}

The agent is given an address and a key that is none; the bench adds the real key, read from the variable that is named
here, and asks only what is declared.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from proctor.spec.declaration import Declaration

NO_KEY: Final = "none"
_ADDRESSES: Final = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}
_VARIABLES: Final = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


class OwnModel(Declaration):
    """One model that the agent's own client may ask, through the bench."""

    providers: ClassVar[tuple[str, ...]] = tuple(_ADDRESSES)

    provider: Literal["openai", "anthropic"]
    """Whose interface it speaks: `openai` for chat completions and responses, `anthropic` for messages."""
    name: str = Field(min_length=1, max_length=200)
    """As the agent asks for it; any other name is refused."""
    base_url: str | None = None
    """Where it is, up to and with `/v1`. Left out: the provider's own address."""
    key_env: str | None = Field(default=None, pattern=r"^(none|[A-Za-z_][A-Za-z0-9_]*)$")
    """The variable of the bench's environment that holds the key. Left out: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`;
    `none` for a server that takes no key."""
    hosted_tools: tuple[str, ...] = ()
    """Tools that the provider carries out itself, by type, e.g. `web_search`. Others than these are refused: they reach
    places that the agent's sandbox does not."""
    timeout: int = Field(default=180, ge=1, le=3600)
    """Seconds without a byte of the reply after which the model counts as silent."""

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, text: str | None) -> str | None:
        if text is None:
            return None
        try:
            parts = urlsplit(text)
            known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            known = False
        if not known or not text.isprintable() or " " in text:
            message = "base_url is no http address; write e.g. http://127.0.0.1:8080/v1"
            raise ValueError(message)
        if parts.username or parts.password or parts.query or parts.fragment:
            message = "base_url holds a user, a password or a query, which would go on record; take it out"
            raise ValueError(message)
        return text.rstrip("/")

    @property
    def label(self) -> str:
        """`openai:gpt-4o-mini`: what goes on record."""
        return f"{self.provider}:{self.name}"

    @property
    def address(self) -> str:
        """Where it is."""
        return self.base_url or _ADDRESSES[self.provider]

    @property
    def key_variable(self) -> str | None:
        """The variable that holds its key; None where it takes none."""
        variable = self.key_env or _VARIABLES[self.provider]
        return None if variable == NO_KEY else variable
