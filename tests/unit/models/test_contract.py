"""Model strings, requests and replies as they go on record, and the door for kinds of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from proctor.core.errors import InputError
from proctor.models import contract
from proctor.models.contract import (
    Message,
    ModelKind,
    ModelString,
    Reply,
    Request,
    load_kind,
    open_model,
    request_digest,
)
from proctor.plugins import registry


def test_a_model_string_has_kind_detail_and_options() -> None:
    parsed = ModelString.parse("openai:gpt-4o-mini,base_url=http://127.0.0.1:80/v1,key_env=MY_KEY")
    assert (parsed.kind, parsed.detail) == ("openai", "gpt-4o-mini")
    assert parsed.options == {"base_url": "http://127.0.0.1:80/v1", "key_env": "MY_KEY"}
    assert parsed.named == "openai:gpt-4o-mini", "neither address nor options go on record"


def test_what_is_no_option_is_refused() -> None:
    with pytest.raises(InputError, match="'fast' is no option"):
        ModelString.parse("simulated,fast")
    with pytest.raises(InputError, match="option 'reason' is given twice"):
        ModelString.parse("simulated,reason=.1,reason=.9")


def test_an_unknown_kind_gets_a_hint() -> None:
    with pytest.raises(InputError, match="no model is called 'simulatd'; did you mean 'simulated'"):
        open_model("simulatd", Path())


def test_the_built_in_kinds_come_in_by_the_door() -> None:
    names = {"local", "openai", "scripted", "simulated"}
    assert names <= set(registry.names("models"))
    assert {load_kind(name).name for name in names} == names


def test_a_door_that_gives_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "load", lambda group, name: object())
    with pytest.raises(InputError, match="not a ModelKind"):
        load_kind("mine")


def test_only_what_was_set_is_in_a_request() -> None:
    bare = Request((Message("user", "hello"),))
    assert bare.plain() == {"messages": [{"role": "user", "content": "hello"}]}
    full = Request((Message("user", "hello"),), 0.2, 0.9, 32, 7, exact=True)
    assert full.plain() == {
        "messages": [{"role": "user", "content": "hello"}],
        "temperature": 0.2,
        "top_p": 0.9,
        "max_tokens": 32,
        "seed": 7,
        "exact": True,
    }
    assert full.plain() == msgspec.json.decode(msgspec.json.encode(full)), "all that determines the reply is in it"


def test_every_part_of_a_request_changes_its_digest() -> None:
    base = Request((Message("user", "hello"),), 0.2, 0.9, 32, 7)
    changed = [
        msgspec.structs.replace(base, messages=(Message("system", "hello"),)),
        msgspec.structs.replace(base, temperature=0.3),
        msgspec.structs.replace(base, top_p=None),
        msgspec.structs.replace(base, max_tokens=33),
        msgspec.structs.replace(base, seed=8),
        msgspec.structs.replace(base, exact=True),
    ]
    assert len({request_digest(one.plain()) for one in (base, *changed)}) == 7


def test_what_nobody_counted_is_not_in_the_details() -> None:
    assert Reply("yes", "m").details() == {"model": "m", "attempts": 1}
    full = Reply("yes", "m", 5, 0, "stop", 2, 0, status=200).details()
    assert full["completion_tokens"] == 0 and full["latency_ms"] == 0, "zero was counted, and is kept"


def test_the_interface_errors_are_closed() -> None:
    assert set(get_args(contract.InterfaceError)) == set(contract.INTERFACE_ERRORS)


@pytest.mark.parametrize("name", ["local", "openai", "scripted", "simulated"])
def test_unknown_options_are_one_clear_sentence(name: str, tmp_path: Path) -> None:
    kind: ModelKind = load_kind(name)
    assert kind.check is not None
    with pytest.raises(InputError, match="has no option 'colour'") as refused:
        kind.check(ModelString(name, "x", {"colour": "secret-value"}), tmp_path)
    assert "secret-value" not in str(refused.value), "a value is never repeated: it may be a key"
    assert "\n" not in str(refused.value)
