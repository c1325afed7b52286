"""Recordings: found by episode, request and ordinal, in whatever order they are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import BenchError, InputError
from proctor.models.contract import Message, Request
from proctor.models.filler import with_filler
from proctor.models.recorded import RECORDING, RecordedExchange, Recording, recording, write_recording


def plain(text: str, **more: Any) -> dict[str, Any]:
    return Request((Message("user", text),), **more).plain()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "recording.db"
    exchanges = [
        RecordedExchange("e1", plain("a"), "first", None, {"model": "m", "prompt_tokens": 3, "attempts": 2}),
        RecordedExchange("e1", plain("a"), "second", None, {}),
        RecordedExchange("e1", plain("b"), None, "timeout", {"status": 504}),
        RecordedExchange("e2", plain("a"), "third", None, {}),
    ]
    assert write_recording(place, exchanges, run="r", source="abc") == 4
    return place


def test_replies_are_found_in_any_order(path: Path) -> None:
    record = Recording(path)
    assert record.reply("e2", plain("a"), 0).text == "third"
    assert record.reply("e1", plain("a"), 1).text == "second"
    first = record.reply("e1", plain("a"), 0)
    assert (first.text, first.model, first.prompt_tokens, first.attempts) == ("first", "m", 3, 2)
    failed = record.reply("e1", plain("b"), 0)
    assert (failed.text, failed.error, failed.status) == (None, "timeout", 504)
    assert (record.run, record.source) == ("r", "abc")


@pytest.mark.parametrize(
    ("episode", "request_", "ordinal"),
    [("e1", plain("c"), 0), ("e1", plain("a"), 2), ("e3", plain("a"), 0), ("e1", plain("a", seed=1), 0)],
)
def test_what_is_not_on_record_is_never_made_up(
    path: Path, episode: str, request_: dict[str, Any], ordinal: int
) -> None:
    with pytest.raises(BenchError, match="r has no such request on record"):
        Recording(path).reply(episode, request_, ordinal)


def test_how_a_prompt_was_filled_is_on_record(tmp_path: Path) -> None:
    messages = (Message("system", "s"), Message("user", "u"))
    sent = Request(with_filler(messages, 9), max_tokens=4, exact=True).plain()
    write_recording(tmp_path / "r.db", [RecordedExchange("e", sent, "x", None, {})], run="r", source=None)
    record = Recording(tmp_path / "r.db")
    unfilled = Request(messages, max_tokens=4, exact=True).plain()
    assert record.filler("e", unfilled) == 9
    assert record.filler("other", unfilled) == 0


def test_the_environment_says_whether_a_run_is_replayed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RECORDING, raising=False)
    assert recording() is None
    monkeypatch.setenv(RECORDING, str(path))
    found = recording()
    assert found is not None and found.run == "r"
    monkeypatch.setenv(RECORDING, str(path.with_name("gone.db")))
    with pytest.raises(InputError, match="there is no recording"):
        recording()
