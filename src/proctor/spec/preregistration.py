"""A preregistration: what will be examined, how, how often and for which claim, written down before the first run.

It freezes selection rules, sample sizes, success criteria, rules, the primary claim, the use and the state of the code
(white paper §11.8, §13.4.2), with a commitment to a hidden seed: nobody can tune to tasks that are not drawn yet, and
nobody can choose the seed afterwards. Its SHA-256 names it; runs that are started against it carry that digest.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from pydantic import Field

from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash, sha256_hex
from proctor.core.reading import DOCUMENT, read_at_most
from proctor.spec.declaration import Declaration
from proctor.spec.evaluation import Evaluation, Use
from proctor.spec.frozen import ID_DIGITS, FrozenFamily, FrozenRun, Seed
from proctor.spec.rules import Rules
from proctor.spec.suite import Suite
from proctor.spec.system import BoundaryKind, System

FORMAT: Final = "proctor.preregistration"
DIMENSIONS: Final = ("S", "M", "D", "E", "L", "R", "G")
NEEDED_FROM_TIER: Final = 5
"""From this tier on a claim needs a preregistration (§13.4.2)."""
_CLAIM: Final = re.compile(r"(tier|[SMDELRG])=([0-9])")
_DIGEST = r"^[0-9a-f]{64}$"


class PrimaryClaim(Declaration):
    """The one claim the series of runs is made for: a tier, or a level of one dimension."""

    about: Literal["tier", "S", "M", "D", "E", "L", "R", "G"]
    at_least: Annotated[int, Field(ge=1, le=6)]

    @classmethod
    def read(cls, text: str) -> PrimaryClaim:
        """`tier=4` or `E=3`."""
        found = _CLAIM.fullmatch(text.strip())
        if found is None:
            message = f"--claim {text}: name one primary claim, e.g. E=3 (a dimension and its level) or tier=4"
            raise InputError(message)
        about, level = found[1], int(found[2])
        highest = 6 if about == "tier" else 5
        if not 1 <= level <= highest:
            message = f"--claim {text}: {'tiers' if about == 'tier' else 'levels'} go from 1 to {highest}"
            raise InputError(message)
        return cls.model_validate({"about": about, "at_least": level})

    @property
    def text(self) -> str:
        """As it is written on the command line."""
        return f"{self.about}={self.at_least}"

    @property
    def tier(self) -> int | None:
        """The tier that is claimed; None where a level is."""
        return self.at_least if self.about == "tier" else None


def needs_preregistration(use: Use | None, tier: int | None) -> str:
    """Why a result for this use, or a claim of this tier, needs a preregistration (§13.4.2); empty where none does."""
    if use is Use.PROCUREMENT:
        return "a result for procurement needs a preregistration"
    if tier is not None and tier >= NEEDED_FROM_TIER:
        return f"a claim of tier {tier} needs a preregistration"
    return ""


class RegisteredFamily(Declaration):
    """A family as it was registered."""

    name: str
    """`id@version`."""
    criterion: str
    verification: str
    evidences: tuple[str, ...]
    """What success speaks for."""
    behaviour: str
    """Digest of its probe: instances, tools, verdicts."""

    @classmethod
    def of(cls, family: FrozenFamily) -> RegisteredFamily:
        """What is registered of a family."""
        spec = family.spec
        return cls(
            name=spec.full_name,
            criterion=spec.criterion,
            verification=spec.verification,
            evidences=spec.evidences,
            behaviour=family.behaviour,
        )


class RegisteredAgent(Declaration):
    """An agent that runs may be made with."""

    boundary: BoundaryKind | None
    agent: str
    source: str | None = None
    """SHA-256 over its files."""
    agent_identity: str | None = None


class CodeState(Declaration):
    """The code that will run it."""

    proctor: str
    """Version."""
    sources: str
    """SHA-256 over Proctor's own source files."""
    bench: str
    commit: str | None = None
    """The commit of the project's repository; None outside a git checkout."""
    modified: bool | None = None
    """Whether the checkout had changes that were not committed."""


class Preregistration(Declaration):
    """Everything that is promised."""

    format: Literal["proctor.preregistration"] = FORMAT
    version: Literal[1] = 1
    created: str
    """Real time of the writer's clock. What dates it for others is where its digest was published."""
    claim: PrimaryClaim
    use: Use
    runs: Annotated[int, Field(ge=1)]
    """How many runs will be made; each is logged when it starts, and all of them are disclosed."""
    suite: Suite
    """Selection rules: families, regimes, sample sizes, inclusion."""
    rules: Rules
    scale: int = 1
    timestamp: str
    """The logical time of the runs."""
    families: tuple[RegisteredFamily, ...]
    skipped: tuple[str, ...] = ()
    """Families that cannot be evaluated where it was written."""
    system: System
    agents: tuple[RegisteredAgent, ...]
    evaluation: Evaluation | None = None
    code: CodeState
    commitment: str = Field(pattern=_DIGEST)
    """SHA-256 over nonce and seed, 32 bytes each."""
    earlier: tuple[str, ...] = ()
    """Tags of preregistrations that were in the repository before."""


class Registered(msgspec.Struct, frozen=True):
    """A preregistration as it was read: what it says, and the digest that names it."""

    document: Preregistration
    data: dict[str, Any]
    """As it was written; the digest is over this."""
    digest: str

    @classmethod
    def of(cls, data: Any, *, source: str) -> Registered:
        """From plain data."""
        return cls(Preregistration.parse(data, source=source), data, content_hash(data))

    @property
    def short(self) -> str:
        """The first digits of the digest."""
        return self.digest[:ID_DIGITS]


def commit_to(seed: str, nonce: str) -> str:
    """The commitment to a hidden seed; both are 64 hex digits."""
    return sha256_hex(bytes.fromhex(nonce) + bytes.fromhex(seed))


def opens(commitment: str, seed: Seed, nonce: Any) -> bool:
    """Whether a seed and its nonce are what was committed to."""
    if not isinstance(seed, str) or not isinstance(nonce, str):
        return False
    try:
        return commit_to(seed, nonce) == commitment
    except ValueError:
        return False


def written(registered: Registered) -> bytes:
    """The file: what is promised, and its digest."""
    return (
        msgspec.json.format(
            msgspec.json.encode({"sha256": registered.digest, "preregistration": registered.data}), indent=2
        )
        + b"\n"
    )


def read_preregistration(path: Path) -> Registered:
    """The preregistration in a file. Refuses one that does not have the digest it states."""
    try:
        data = msgspec.json.decode(read_at_most(path, DOCUMENT))
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror})"
        raise InputError(message) from None
    except UNREADABLE as error:
        message = f"{path}: not a preregistration ({error})"
        raise InputError(message) from None
    if not isinstance(data, dict) or not isinstance(data.get("preregistration"), dict):
        message = f"{path}: not a preregistration; `proctor preregister` writes one"
        raise InputError(message)
    registered = Registered.of(data["preregistration"], source=str(path))
    if data.get("sha256") != registered.digest:
        message = (
            f"{path}: was changed after it was written: its content has the digest {registered.short}…, and it states "
            f"{str(data.get('sha256'))[:ID_DIGITS]}…; restore the file, or register anew"
        )
        raise InputError(message)
    return registered


def agent_of(frozen: FrozenRun) -> RegisteredAgent:
    """The agent of a run, as a preregistration names it."""
    return RegisteredAgent(
        boundary=frozen.system.boundary.kind,
        agent=frozen.agent,
        source=frozen.agent_source,
        agent_identity=frozen.agent_identity,
    )
