"""Ed25519 signatures over bytes: who signed, and whether they did. Keys themselves are the pipeline's."""

from __future__ import annotations

from msgspec import Struct


class Signature(Struct, frozen=True):
    """Who signed, and the signature over some bytes."""

    key: str
    """Name of the key."""
    public: str
    """Its public half, 64 hex digits."""
    value: str
    """128 hex digits."""

    def holds(self, data: bytes) -> bool:
        """Whether the owner of `public` signed exactly these bytes.

        Only one spelling of the two numbers holds. Signers are told apart by comparing `public`: whoever could write
        the same key in capitals would be somebody else.
        """
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            public, value = bytes.fromhex(self.public), bytes.fromhex(self.value)
            if (public.hex(), value.hex()) != (self.public, self.value):
                return False
            Ed25519PublicKey.from_public_bytes(public).verify(value, data)
        except (InvalidSignature, ValueError):
            return False
        return True
