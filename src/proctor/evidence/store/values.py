"""Values as they come out of a store: each has the type and the bounds that it has when Proctor writes it.

SQLite keeps a text where a number is declared, and a store can come from anybody. So whatever is read passes here
before anything is computed from it. What does not fit is an `IntegrityError` that names the run or the episode;
nothing is guessed, and nothing is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from proctor.core.canonical import UNREADABLE
from proctor.core.errors import IntegrityError
from proctor.core.hashing import sha256_hex
from proctor.core.texts import is_line, shortened
from proctor.evidence.attachments import KIND, Attachment
from proctor.evidence.plain import odd_in_arm, odd_in_execution, odd_in_row, odd_in_run
from proctor.evidence.row import OUTCOMES, Arm, Row
from proctor.evidence.store import schema
from proctor.evidence.store.contract import RunRecord, StoredStage, StoredText

MAX_RUN = 2 ** (63 - schema.RUN_SHIFT) - 2
"""The largest number of a run: keys of its episodes, and that behind the last of them, are made of it and have 63
bits."""
LATEST = "latest"
"""Stands for a run, and is the name of none."""
_MAX_POSITION = 1 << schema.RUN_SHIFT
_MASK = _MAX_POSITION - 1
MAX_COUNT = 2**53 - 1
"""No count is larger: beyond it, JSON carries numbers inexactly."""
_HEAD_BYTES = 32
_MAX_DICTIONARY_BYTES = 2**20
_MAX_DIGITS = 40
"""Digits of an amount on either side of its point."""

Position = Annotated[int, Meta(ge=0, le=_MAX_POSITION)]
Count = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
Head = Annotated[bytes, Meta(min_length=_HEAD_BYTES, max_length=_HEAD_BYTES)]
Hex = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
RealTimeFacts = tuple[Annotated[int, Meta(ge=0)], Head, Count, Count, Count | None, str | None, bytes | None]
"""Key, head, and what enters the seal, of an episode."""


def converted(value: Any, kind: Any, where: str, what: str = "it") -> Any:
    """The value, if it is one of this kind, given as a type."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        raise IntegrityError(f"{what} cannot be read ({error})", where=where) from None


class _Run(Struct):
    """A row of `runs`, without what determined the run."""

    number: Annotated[int, Meta(ge=1, le=MAX_RUN)]
    name: Annotated[str, Meta(min_length=1)]
    status: str
    suite: str
    agent: str
    config_hash: str
    execution: str
    episodes: Position
    cut: Position | None
    root: str | None
    seal: str | None


RUN_COLUMNS = _Run.__struct_fields__


def run_records(rows: Iterable[Sequence[Any]], location: str) -> list[RunRecord]:
    """Rows of `RUN_COLUMNS` as runs; a name stands for one of them, and `latest` is the name of none."""
    records: dict[str, RunRecord] = {}
    for values in rows:
        where = f"store {location}, run {str(values[0])[:20]}"
        run = converted(dict(zip(RUN_COLUMNS, values, strict=True)), _Run, where)
        if (column := odd_in_run(run)) is not None:
            raise _not_ours(column, getattr(run, column), where)
        if run.name == LATEST or run.name in records:
            raise IntegrityError(f"it is called {run.name[:40]!a}, which stands for another run", where=where)
        facts = msgspec.structs.asdict(run)
        execution = json_object(run.execution, where, "what is recorded of its execution")
        if (fact := odd_in_execution(execution)) is not None:
            raise _not_ours("execution", fact, where)
        facts["execution"] = execution
        records[run.name] = RunRecord(**facts)
    return list(records.values())


def _not_ours(column: str, value: str, where: str) -> IntegrityError:
    return IntegrityError(f"its {column} ({shortened(value, 40)!a}) is none that Proctor writes", where=where)


def stored_text(values: Sequence[Any], where: str) -> StoredText:
    """The declarations of a run and its inputs, as text; what it holds is for their reader to say."""
    return StoredText(*converted(tuple(values), tuple[str, str], where, "its declarations"))


def arms_of(rows: Iterable[Sequence[Any]], where: str) -> list[Arm]:
    """The arms of a run, numbered from 0 without a gap: rows refer to them by number."""
    arms = [converted(dict(zip(Arm.__struct_fields__, row, strict=True)), Arm, where, "an arm") for row in rows]
    if [arm.index for arm in arms] != list(range(len(arms))):
        raise IntegrityError("its arms are not numbered from 0 on", where=where)
    for arm in arms:
        if (column := odd_in_arm(arm)) is not None:
            raise _not_ours(f"arm's {column}", getattr(arm, column), where)
    return arms


def row_of(values: Sequence[Any]) -> Row:
    """A row from the columns of `Row`, of which the first is the episode's key."""
    key, *columns = values
    for place in _TRUTHS:
        if type(columns[place]) is int and columns[place] in (0, 1):
            columns[place] = bool(columns[place])
    try:
        row = msgspec.convert((key & _MASK, *columns), Row)
    except msgspec.ValidationError as error:
        raise _unreadable(key & _MASK, str(error)) from None
    require_row(row)
    return row


def require_row(row: Row) -> None:
    """Refuse a row that no episode leaves, whatever happened in it."""
    if (column := _misfit(row)) is not None:
        raise _unreadable(row.position, f"its {column} is none that an episode leaves")


def _unreadable(position: int, problem: str) -> IntegrityError:
    return IntegrityError(f"its row cannot be read ({problem})", where=f"episode {position}")


_COLUMNS = tuple(name for name in Row.__struct_fields__ if name != "position")
_TRUTHS = tuple(_COLUMNS.index(name) for name in ("format_error", "artifact_ok"))
_COUNTED = ("lifetime", "arm", "unit", "part", "replicate", "calls", "retries", "undeclared", "elapsed_us", "attempts")
_NARROW = ("arm", "part", "replicate", "attempts")
_MAX_NARROW = 2**31 - 1
"""What these columns hold at most, in a bundle too."""
_COUNTED_LATER = ("tokens", "transitions", "out_of_range", "undeclared_actions")
_DOCUMENTS = ("faults", "violations", "measures", "claims")
_OUTCOMES = frozenset(OUTCOMES)
_document = msgspec.json.Decoder(dict[str, Any]).decode


def _misfit(row: Row) -> str | None:
    """The first column whose value is out of bounds."""
    for name in _COUNTED:
        if not 0 <= getattr(row, name) <= MAX_COUNT:
            return name
    for name in _NARROW:
        if getattr(row, name) > _MAX_NARROW:
            return name
    for name in _COUNTED_LATER:
        if not 0 <= (getattr(row, name) or 0) <= MAX_COUNT:
            return name
    for name in _DOCUMENTS:
        if (text := getattr(row, name)) is not None and not _is_document(text):
            return name
    if row.outcome not in _OUTCOMES:
        return "outcome"
    if len(row.head) != _HEAD_BYTES:
        return "head"
    if row.cost is not None and amount(row.cost) is None:
        return "cost"
    if (odd := odd_in_row(row)) is not None:
        return odd
    return "confidence" if row.confidence is not None and not 0 <= row.confidence <= 1 else None


def _is_document(text: str) -> bool:
    try:
        _document(text)
    except UNREADABLE:
        return False
    return True


def amount(cost: object) -> Decimal | None:
    """What a cost says; None where it is no amount that can be added up and written out."""
    if not isinstance(cost, str) or len(cost) > 2 * _MAX_DIGITS:
        return None
    try:
        found = Decimal(cost)
    except InvalidOperation:
        return None
    if not found.is_finite() or (found and abs(found.adjusted()) > _MAX_DIGITS) or not _written_out(found):
        return None
    return found


def _written_out(found: Decimal) -> bool:
    exponent = found.as_tuple().exponent
    return isinstance(exponent, int) and abs(exponent) <= 2 * _MAX_DIGITS


def json_object(text: str, where: str, what: str) -> dict[str, Any]:
    """The JSON object of some text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise IntegrityError(f"{what} cannot be read ({error})", where=where) from None
    if not isinstance(value, dict):
        raise IntegrityError(f"{what} cannot be read (it is no JSON object)", where=where)
    return value


def dictionaries_of(rows: Iterable[Sequence[Any]], where: str) -> dict[int, bytes]:
    """Compression dictionaries by number, from number, SHA-256 and bytes."""
    found: dict[int, bytes] = {}
    for row in rows:
        number, sha256, data = converted(tuple(row), tuple[Count, str, bytes], where, "a compression dictionary")
        if len(data) > _MAX_DICTIONARY_BYTES or sha256_hex(data) != sha256:
            raise IntegrityError(f"its compression dictionary {number} is not the one it was packed with", where=where)
        found[number] = data
    return found


def stage_of(values: Sequence[Any], where: str) -> StoredStage:
    """The output of a stage as it is stored; whether it has its SHA-256 is for its reader to say."""
    stage = StoredStage(*converted(tuple(values), tuple[str, Hex, str], where, "the output of a stage"))
    if not is_line(stage.stage):
        raise _not_ours("stage", stage.stage, where)
    return stage


def stage_output(stage: StoredStage, where: str) -> Any:
    """The output of a stage."""
    try:
        if sha256_hex(stage.data.encode()) == stage.sha256:
            return json.loads(stage.data)
    except (ValueError, RecursionError):
        pass
    raise IntegrityError(f"the output of its stage {stage.stage[:40]!a} is not what was kept of it", where=where)


def attachments_of(rows: Iterable[Sequence[Any]], where: str) -> list[Attachment]:
    """Documents beside a run, as they are stored; whether each has its SHA-256 is for its reader to say."""
    found = [Attachment(*converted(tuple(row), tuple[str, Hex, bytes], where, "a document beside it")) for row in rows]
    for one in found:
        if not KIND.match(one.kind):
            raise IntegrityError(f"a document beside it is of the kind {one.kind[:40]!a}, which is none", where=where)
    return found
