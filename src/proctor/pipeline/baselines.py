"""The baseline as a file: portable, signed where a key was given, and carrying the approvals its rules rest on.

`.proctor/baseline.json` in the project that accepted it; `export` and `import` carry it to another clone, where it
gives the same gate. Changing one byte of it breaks its digest, and its signature if it has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import canonical, jsonable
from proctor.core.errors import InputError, IntegrityError
from proctor.core.hashing import content_hash, sha256_hex
from proctor.core.replacing import replacing
from proctor.instruments.quality.baseline import Baseline, Decided, RunSummary, rescored
from proctor.pipeline.governance import approved_charter, travelled
from proctor.pipeline.keys import Keyring, Signature, Signer
from proctor.pipeline.ledger import Ledger
from proctor.spec.scenario import Action, Scenario

BASELINE = Path(".proctor") / "baseline.json"
FORMAT = "proctor-baseline-1"
_PURPOSE = b"proctor baseline 1\n"
ORACLE_FIELDS = frozenset({"expected", "acceptable", "weight", "version", "valid", "provenance", "safety"})
"""What may change of a scenario while an old decision can still be judged by the new one."""


class BaselineFile(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds."""

    format: str = FORMAT
    suite: str
    """Name without version."""
    charter: str
    """Hash of the rules and oracle it was accepted under."""
    questions: dict[str, str]
    """Scenario id → digest of what the agent met, the oracle's answer left out."""
    baseline: Baseline
    lineage: tuple[dict[str, Any], ...]
    """Ledger entries that led to its charter."""
    signature: Signature | None = None

    def signed_bytes(self) -> bytes:
        """What digest and signature cover: everything but the signature."""
        return _PURPOSE + canonical(msgspec.structs.replace(self, signature=None))

    @property
    def digest(self) -> str:
        """Its identity."""
        return sha256_hex(self.signed_bytes())

    @property
    def compared(self) -> str:
        """Identity of what runs are compared with; runs that are still joining change nothing in it."""
        return content_hash([self.baseline.runs, self.baseline.anchor])

    def standing(self, keyring: Keyring) -> str:
        """For the report: who answers for it."""
        if self.signature is None:
            return "nobody signed the baseline"
        if not keyring.knows(self.signature):
            return f"the baseline is signed by '{self.signature.key}', a key this project does not know"
        return f"the baseline is signed by {self.signature.key}"


def sign(file: BaselineFile, signer: Signer | None) -> BaselineFile:
    """The same file, signed; unsigned without a key."""
    bare = msgspec.structs.replace(file, signature=None)
    return bare if signer is None else msgspec.structs.replace(bare, signature=signer.sign(bare.signed_bytes()))


def write_baseline(file: BaselineFile, path: Path) -> None:
    """Write the file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as out:
        out.write(canonical({"digest": file.digest, **jsonable(file)}) + b"\n")


def read_baseline(path: Path) -> BaselineFile:
    """The file, checked against its digest and signature."""
    try:
        data = msgspec.json.decode(path.read_bytes())
        digest = data.pop("digest")
        file = msgspec.convert(data, BaselineFile)
    except FileNotFoundError:
        message = f"{path}: there is no baseline; accept one with `proctor baseline accept RUN …`"
        raise InputError(message) from None
    except (msgspec.MsgspecError, KeyError, AttributeError, TypeError) as error:
        message = f"not a baseline file ({error})"
        raise IntegrityError(message, place=str(path)) from None
    if file.format != FORMAT:
        message = f"{path}: a baseline of format {file.format}, which this version does not read"
        raise InputError(message)
    if file.digest != digest:
        message = "its content is not what its digest says; it was changed"
        raise IntegrityError(message, place=str(path))
    if file.signature is not None and not file.signature.holds(file.signed_bytes()):
        message = f"the signature of '{file.signature.key}' does not hold"
        raise IntegrityError(message, place=str(path))
    return file


def find_baseline(project: Path, suite: str) -> BaselineFile | None:
    """The accepted baseline of a suite; None when there is none."""
    path = project / BASELINE
    if not path.is_file():
        return None
    found = read_baseline(path)
    return found if found.suite == suite else None


def take_in(file: BaselineFile, ledger: Ledger, *, signer: Signer | None) -> None:
    """Record that a baseline from elsewhere is used here, with the approvals it rests on.

    Refused where this project has other rules: one of the two would have to be wrong.
    """
    carried = approved_charter(travelled(file.lineage), ledger.keyring, file.suite)
    if carried is None or carried[0].hash != file.charter:
        message = (
            f"the rules of this baseline do not follow from the approvals it carries; "
            f"are all its signers' keys in {ledger.keyring.folder.name}?"
        )
        raise InputError(message)
    own = approved_charter(ledger.entries(), ledger.keyring, file.suite)
    if own is not None and own[0].hash != file.charter:
        message = f"this project has approved other rules for suite '{file.suite}' than the baseline was accepted under"
        raise InputError(message)
    body = {"suite": file.suite, "baseline": file.digest, "charter": file.charter, "lineage": list(file.lineage)}
    ledger.append("import", body, signer=signer)


def questions_of(scenarios: Sequence[Scenario]) -> dict[str, str]:
    """Scenario id → digest of everything but the oracle's answer."""
    return {
        one.id: content_hash({name: value for name, value in jsonable(one).items() if name not in ORACLE_FIELDS})[:16]
        for one in scenarios
    }


def under_oracle(file: BaselineFile, scenarios: Mapping[str, Scenario]) -> Baseline:
    """The baseline with its decisions judged by the oracle of today, where the question is still the same."""
    questions = questions_of(list(scenarios.values()))
    same = {name for name, digest in questions.items() if file.questions.get(name) == digest}
    hashes = {name: scenarios[name].content_hash[:16] for name in same}
    accepted = {name: {action_digest(a) for a in (s.expected, *s.acceptable)} for name, s in scenarios.items()}

    def judge(name: str, decided: Decided) -> bool | None:
        if not decided.action_key:
            # An ending without arguments is known by its name; anything else could be right or wrong.
            bare = {a.name for a in (scenarios[name].expected, *scenarios[name].acceptable)}
            return False if decided.action not in bare else None
        return decided.action_key in accepted[name]

    def again(run: RunSummary) -> RunSummary:
        changed = {n: h for n, h in hashes.items() if n in run.scenarios and run.scenarios[n].hash != h}
        return rescored(run, judge, changed) if changed else run

    baseline = file.baseline
    anchor = msgspec.structs.replace(baseline.anchor, runs=tuple(map(again, baseline.anchor.runs)))
    return msgspec.structs.replace(
        baseline,
        runs=tuple(map(again, baseline.runs)),
        rising=tuple(map(again, baseline.rising)),
        anchor=anchor,
    )


def action_digest(action: Action) -> str:
    """How the comparator writes an action into its measures."""
    return sha256_hex(action.key)[:16]
