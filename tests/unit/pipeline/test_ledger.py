"""The ledger: what is written stays, and any damage is found and placed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.conftest import MakeSigner

from proctor.core.canonical import canonical
from proctor.core.errors import IntegrityError
from proctor.pipeline.ledger import START, Entry, Ledger


@pytest.fixture
def five(ledger: Ledger, signer: MakeSigner) -> Ledger:
    anna = signer("anna")
    for number in range(5):
        ledger.append("incident", {"number": number}, signer=anna if number % 2 else None)
    return ledger


def lines(ledger: Ledger) -> list[bytes]:
    return ledger.path.read_bytes().splitlines(keepends=True)


def damaged_line(ledger: Ledger) -> int:
    with pytest.raises(IntegrityError) as found:
        ledger.entries()
    assert found.value.where.startswith(str(ledger.path))
    return int(found.value.where.rpartition(" ")[2])


def test_an_empty_ledger_has_no_entries(ledger: Ledger) -> None:
    assert ledger.entries() == []


def test_entries_are_chained_and_signed(five: Ledger) -> None:
    entries = five.entries()
    assert [entry.number for entry in entries] == list(range(5))
    assert [entry.previous for entry in entries] == [START, *(entry.hash for entry in entries[:-1])]
    assert [entry.signer for entry in entries] == [None, "anna", None, "anna", None]


@pytest.mark.parametrize("number", range(5))
def test_a_changed_entry_is_placed(five: Ledger, number: int) -> None:
    kept = lines(five)
    kept[number] = kept[number].replace(b'"number":%d}' % number, b'"number":9}')
    five.path.write_bytes(b"".join(kept))
    assert damaged_line(five) == number + 1


@pytest.mark.parametrize("number", range(4))
def test_a_removed_entry_is_placed(five: Ledger, number: int) -> None:
    kept = lines(five)
    del kept[number]
    five.path.write_bytes(b"".join(kept))
    assert damaged_line(five) == number + 1


def test_swapped_entries_are_placed(five: Ledger) -> None:
    kept = lines(five)
    kept[1], kept[2] = kept[2], kept[1]
    five.path.write_bytes(b"".join(kept))
    assert damaged_line(five) == 2


def test_an_entry_rewritten_with_its_hash_breaks_the_next_one(five: Ledger) -> None:
    entry = five.entries()[2]
    changed = msgspec.structs.replace(entry, body={"number": 9})
    changed = msgspec.structs.replace(changed, hash=changed.computed_hash())
    kept = lines(five)
    kept[2] = canonical(changed) + b"\n"
    five.path.write_bytes(b"".join(kept))
    assert damaged_line(five) == 4


def test_a_forged_signature_is_found_even_with_right_hashes(five: Ledger, signer: MakeSigner) -> None:
    ben = signer("ben")
    entry = five.entries()[3]
    assert entry.signature is not None
    forged = msgspec.structs.replace(entry.signature, value=ben.sign(entry.signed_bytes()).value)
    assert _problem_with(five, msgspec.structs.replace(entry, signature=forged)) == 4
    other = msgspec.structs.replace(ben.sign(entry.signed_bytes()), key="anna")
    assert _problem_with(five, msgspec.structs.replace(entry, signature=other)) == 4


def _problem_with(ledger: Ledger, entry: Entry) -> int:
    entry = msgspec.structs.replace(entry, hash=entry.computed_hash())
    kept = lines(ledger)[: entry.number]
    ledger.path.write_bytes(b"".join([*kept, canonical(entry) + b"\n"]))
    return damaged_line(ledger)


def test_another_spelling_of_the_same_entry_is_damage(five: Ledger) -> None:
    kept = lines(five)
    kept[0] = kept[0].replace(b":", b": ", 1)
    five.path.write_bytes(b"".join(kept))
    assert damaged_line(five) == 1


def test_rubbish_is_placed(five: Ledger) -> None:
    five.path.write_bytes(b"".join(lines(five)) + b"{}\n")
    assert damaged_line(five) == 6


def test_nothing_is_appended_to_a_damaged_ledger(five: Ledger) -> None:
    kept = lines(five)
    del kept[1]
    five.path.write_bytes(b"".join(kept))
    with pytest.raises(IntegrityError):
        five.append("incident", {})
    assert lines(five) == kept


def test_a_torn_last_line_was_never_an_entry(five: Ledger) -> None:
    whole = b"".join(lines(five))
    five.path.write_bytes(whole[:-7])
    assert len(five.entries()) == 4
    five.append("incident", {"number": 10})
    assert [entry.body["number"] for entry in five.entries()] == [0, 1, 2, 3, 10]


def test_a_last_entry_that_lost_only_its_end_of_line_stays(five: Ledger) -> None:
    whole = b"".join(lines(five))
    five.path.write_bytes(whole[:-1])
    assert len(five.entries()) == 5
    five.append("incident", {"number": 10})
    assert [entry.body["number"] for entry in five.entries()] == [0, 1, 2, 3, 4, 10]
    assert five.path.read_bytes().startswith(whole)


def test_an_entry_that_lacks_what_its_kind_holds_is_placed(five: Ledger) -> None:
    """Whoever can write the file can write a right hash; readers must still be able to rely on an entry."""
    last = five.entries()[-1]
    empty = Entry(5, last.at, "decision", {"pipeline": "a"}, last.hash, None, "")
    assert _problem_with(five, empty) == 6


def test_a_full_disk_records_nothing_and_leaves_no_trace(five: Ledger) -> None:
    """The limit on a file's size stands for a disk that is full in the middle of a line."""
    before = five.path.read_bytes()
    code = (
        "import resource, signal, sys\nfrom pathlib import Path\nfrom proctor.core.errors import InputError\n"
        "from proctor.pipeline.ledger import Ledger\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))\n"
        "try: Ledger(Path(sys.argv[1])).append('incident', {'text': 'x' * 500})\n"
        "except InputError as error: print(error)"
    )
    project = five.path.parent.parent
    full = subprocess.run(
        [sys.executable, "-c", code, str(project), str(len(before) + 100)], capture_output=True, text=True, check=True
    )
    assert "ledger.jsonl: cannot be written (File too large); nothing was recorded" in full.stdout
    assert five.path.read_bytes() == before


def test_what_must_be_recorded_once_is(ledger: Ledger) -> None:
    first = ledger.append("incident", {"incident": "a"}, unless=lambda e: e.body.get("incident") == "a")
    again = ledger.append("incident", {"incident": "a", "x": 1}, unless=lambda e: e.body.get("incident") == "a")
    assert again == first
    assert len(ledger.entries()) == 1


def test_writers_at_once_make_one_chain(project: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom proctor.pipeline.ledger import Ledger\n"
        "for n in range(20): Ledger(Path(sys.argv[1])).append('incident', {'n': n})"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(project)]) for _ in range(3)]
    assert [writer.wait(timeout=300) for writer in writers] == [0, 0, 0]
    assert len(Ledger(project).entries()) == 60


def test_values_with_floats_and_umlauts_survive(ledger: Ledger) -> None:
    body = {"weight": 0.35, "grund": "größer → besser"}
    ledger.append("incident", body)
    assert ledger.entries()[0].body == body
