"""Ed25519 keys: who proposed, approved or accepted something, proven by signature.

The public half of a key lies in the repository, in `proctor.keys/NAME.pub`, so that review decides who may sign; the
private half lies outside of it in a file only its owner can read. A name is a convenience: two people are different
when their public keys are.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from proctor.core.errors import InputError
from proctor.core.folders import OWN, make_folder
from proctor.core.signatures import Signature
from proctor.spec.name import NAME_PATTERN

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PUBLIC_FOLDER = "proctor.keys"
PRIVATE_FOLDER_VARIABLE = "PROCTOR_KEY_FOLDER"
_PUBLIC_LINE = re.compile(r"ed25519 ([0-9a-f]{64})\s*\Z")


class Signer:
    """A private key, ready to sign."""

    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        self.name = name
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()

    def sign(self, data: bytes) -> Signature:
        """The signature over these bytes."""
        return Signature(self.name, self.public, self._private.sign(data).hex())


class Keyring:
    """The public keys of a project: whoever is in it may sign for it."""

    def __init__(self, project: Path) -> None:
        self.folder = project / PUBLIC_FOLDER

    def public(self, name: str) -> str | None:
        """The public half of this name; None when the project does not know it."""
        path = self.folder / f"{name}.pub"
        if not re.fullmatch(NAME_PATTERN, name) or not path.is_file():
            return None
        line = _PUBLIC_LINE.match(path.read_text(encoding="ascii", errors="replace"))
        if line is None:
            message = f"{path}: not a public key; it should read `ed25519` and 64 hex digits"
            raise InputError(message)
        return line[1]

    def knows(self, signature: Signature) -> bool:
        """Whether the signature's key is this project's key of that name."""
        return self.public(signature.key) == signature.public

    def names(self) -> list[str]:
        """Every name with a public key."""
        return sorted(path.stem for path in self.folder.glob("*.pub"))


def private_folder() -> Path:
    """Where private halves are kept: `PROCTOR_KEY_FOLDER`, else the user's configuration folder."""
    given = os.environ.get(PRIVATE_FOLDER_VARIABLE)
    if given:
        return Path(given)
    configuration = os.environ.get("XDG_CONFIG_HOME")
    return (Path(configuration) if configuration else Path.home() / ".config") / "proctor" / "keys"


def make_key(name: str, project: Path) -> tuple[Path, Path]:
    """Make a key; (public file, private file). Nothing that exists is overwritten."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    if not re.fullmatch(NAME_PATTERN, name):
        message = f"{name!r} is not a valid key name; use lower-case words joined by hyphens, e.g. anna-audit"
        raise InputError(message)
    folder = private_folder()
    repository = _repository(project)
    if folder.resolve().is_relative_to(repository):
        message = (
            f"{folder} lies inside {repository}, where a private key would be shared with the code; "
            f"set {PRIVATE_FOLDER_VARIABLE} to a folder outside"
        )
        raise InputError(message)
    public, private = project / PUBLIC_FOLDER / f"{name}.pub", folder / f"{name}.key"
    for path in (public, private):
        if path.exists():
            message = f"{path} already exists; choose another name, or delete both halves of the old key"
            raise InputError(message)
    key = Ed25519PrivateKey.generate()
    make_folder(folder, rights=OWN)
    handle = os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as kept:
            kept.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        make_folder(public.parent)
        # Whoever could write it could have their own signatures accepted.
        with os.fdopen(os.open(public, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "w", encoding="ascii") as file:
            file.write(f"ed25519 {key.public_key().public_bytes_raw().hex()}\n")
    except OSError:
        # Half a key would only stand in the way of the next attempt.
        private.unlink()
        raise
    return public, private


def load_signer(name: str, project: Path) -> Signer:
    """The private half of a key, checked: only its owner can read the file, and it fits the project's public half."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    path = private_folder() / f"{name}.key"
    if not re.fullmatch(NAME_PATTERN, name) or not path.is_file():
        message = f"there is no private key '{name}' in {path.parent}; make one with `proctor govern key {name}`"
        raise InputError(message)
    if path.stat().st_mode & 0o077:
        message = (
            f"{path} can be read by other users, so its signatures prove nothing; "
            "run `chmod 600` on it and create a new key"
        )
        raise InputError(message)
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError):
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        message = f"{path}: not an Ed25519 private key without a passphrase"
        raise InputError(message)
    signer = Signer(name, private)
    known = Keyring(project).public(name)
    if known is None:
        message = f"the project does not know key '{name}'; add {PUBLIC_FOLDER}/{name}.pub to it"
        raise InputError(message)
    if known != signer.public:
        message = f"{PUBLIC_FOLDER}/{name}.pub is another key than {path}; signatures would not be accepted"
        raise InputError(message)
    return signer


def _repository(project: Path) -> Path:
    """The repository a project lies in, or the project itself."""
    here = project.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
