"""Who evaluates, for whom and for what: declared beside the system, printed with every claim (white paper §13.3, §15).

It determines nothing about a run, so it is no part of the configuration hash: whoever repeats a run under another name
must get the same root. It is fixed before the first episode all the same, and `seal` covers it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from pydantic import SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from proctor.spec.declaration import Declaration
from proctor.spec.plain_names import require_no_result

_PUBLIC_KEY = re.compile(r"[0-9a-f]{64}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


class Independence(StrEnum):
    """How the evaluator stands to whoever sells or builds the system."""

    SELF = "self"
    """Its builders evaluate it, and do not offer it to others."""
    VENDOR = "vendor"
    """Whoever offers it evaluates it: results are labelled Vendor-Evaluated (§15.2.1)."""
    CUSTOMER = "customer"
    """Whoever buys or uses it evaluates it."""
    THIRD_PARTY = "third-party"
    """Independent of the vendor (§15.2.2)."""


class Use(StrEnum):
    """What the result is for: the permitted uses of §2.1 and §15.1, and those under stricter conditions."""

    INTERNAL = "internal"
    """Comparing versions and configurations of one's own."""
    RESEARCH = "research"
    """A claim in reproducible form."""
    ROADMAPPING = "roadmapping"
    """Finding what to work on next."""
    PROCUREMENT = "procurement"
    """Choosing what to buy, or from whom; needs a preregistration (§13.4.2)."""
    COMPARISON = "comparison"
    """A comparison of systems by which others decide (§13.4)."""
    SAFETY_INPUT = "safety-input"
    """A description of capability for a safety assessment; it approves nothing."""


PUBLISHED: frozenset[Use] = frozenset({Use.RESEARCH, Use.PROCUREMENT, Use.COMPARISON, Use.SAFETY_INPUT})
"""Uses in which others rely on the result."""

DISALLOWED = {
    "marketing": "marketing copy",
    "safety": "safety certification",
    "safety-certification": "safety certification",
    "alignment": "alignment assessment",
    "compliance": "certification of regulatory compliance",
    "deployment": "deployment approval",
    "deployment-approval": "deployment approval",
    "readiness": "a readiness gate",
}
"""Uses that §2.3 rules out, by the words somebody may write for them."""


class Evaluation(Declaration):
    """Who answers for an evaluation. What is left out is not declared, and reports say so."""

    organisation: str | None = None
    """The organisation responsible for the report."""
    contact: str | None = None
    """An email address at which questions about it are answered."""
    evaluator: str | None = None
    """Who carried it out: a person, a team, or a company."""
    independence: Independence | None = None
    """How the evaluator stands to the vendor: self, vendor, customer or third-party."""
    use: Use | None = None
    """What the result is for: internal, research, roadmapping, procurement, comparison or safety-input."""
    self_certified: bool = False
    """The reporting party attests compliance in the words of §15.4.1; needs a contact."""
    key: str | None = None
    """Public half of the key that answers for it, 64 hex digits as in `proctor.keys/NAME.pub`: who answers a challenge
    with another key is not its evaluator."""

    @field_validator("use", mode="before")
    @classmethod
    def _use_is_permitted(cls, word: Any) -> Any:
        if isinstance(word, str) and word.lower() in DISALLOWED:
            permitted = ", ".join(Use)
            message = (
                f"the framework must not be used for {DISALLOWED[word.lower()]} (§2.3): it measures capability and "
                f"approves nothing; choose from {permitted}"
            )
            raise ValueError(message)
        return word

    @field_validator("organisation", "evaluator")
    @classmethod
    def _claims_nothing(cls, text: str | None) -> str | None:
        return None if text is None else require_no_result(text)

    @field_validator("contact")
    @classmethod
    def _contact_can_be_written_to(cls, text: str | None) -> str | None:
        if text is not None and not _EMAIL.search(text):
            message = f"'{text}' has no email address; give one, e.g. evals@example.org"
            raise ValueError(message)
        return text

    @field_validator("key")
    @classmethod
    def _key_is_public(cls, text: str | None) -> str | None:
        if text is not None and not _PUBLIC_KEY.fullmatch(text):
            message = "a public key has 64 hex digits; take those of proctor.keys/NAME.pub, after the word ed25519"
            raise ValueError(message)
        return text

    @model_serializer(mode="wrap")
    def _without_an_undeclared_key(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Runs from before there was a key keep their digests."""
        data: dict[str, Any] = serialise(self)
        if data.get("key") is None:
            data.pop("key", None)
        return data

    @model_validator(mode="after")
    def _says_who(self) -> Evaluation:
        if self.self_certified and self.contact is None:
            message = "self_certified needs a contact: the statement names one (§15.4.1)"
            raise ValueError(message)
        if self.independence is Independence.THIRD_PARTY and self.evaluator is None:
            message = "a third-party evaluation names its evaluator; add `evaluator`"
            raise ValueError(message)
        return self
