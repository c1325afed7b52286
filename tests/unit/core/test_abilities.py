"""What a class offers: by what it defines, whatever its objects are given later or make up."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
import pytest

from proctor.core import abilities
from proctor.core.abilities import MAX_CLASSES, Ability, members, offers


class Opens(Protocol):
    def open(self) -> None: ...


class Doors(Opens, Protocol):
    count: int

    @property
    def wide(self) -> bool: ...

    def close(self) -> None: ...

    def _inside(self) -> None: ...


class Hut:
    def open(self) -> None: ...


class House(Hut):
    count = 2

    @property
    def wide(self) -> bool:
        return True

    def close(self) -> None: ...


def test_members_of_a_protocol() -> None:
    assert members(Opens) == ("open",)
    assert members(Doors) == ("open", "count", "wide", "close")


def test_a_class_offers_what_it_or_its_bases_define() -> None:
    assert offers(Hut, Opens)
    assert not offers(Hut, Doors), "every member is needed"
    assert offers(House, Doors)
    assert not offers(object, Opens)


def test_a_slot_or_a_field_is_defined_by_the_class() -> None:
    class Slotted:
        __slots__ = ("open",)

    class Fielded(msgspec.Struct):
        open: int

    assert offers(Slotted, Opens)
    assert offers(Fielded, Opens)


def test_what_objects_are_given_or_make_up_does_not_count() -> None:
    class Given:
        def __init__(self) -> None:
            self.open = print

    class MakesUp:
        def __getattr__(self, name: str) -> Any:
            return print

    assert not offers(type(Given()), Opens)
    assert not offers(type(MakesUp()), Opens)
    assert not offers(type(Hut), Opens), "a class is not an object of itself"


def test_what_is_set_to_none_is_withdrawn() -> None:
    class Shut(Hut):
        open = None  # type: ignore[assignment]

    class OpenAgain(Shut):
        def open(self) -> None: ...  # type: ignore[override]

    assert not offers(Shut, Opens)
    assert offers(OpenAgain, Opens)


def test_an_answer_is_worked_out_once_per_class(monkeypatch: pytest.MonkeyPatch) -> None:
    opens = Ability(Opens)
    asked: list[type] = []

    def counted(kind: type, ability: type) -> bool:
        asked.append(kind)
        return offers(kind, ability)

    monkeypatch.setattr(abilities, "offers", counted)
    assert [opens[type(thing)] for thing in (Hut(), House(), Hut(), object(), object())] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert asked == [Hut, House, object]


def test_classes_made_on_the_fly_do_not_pile_up() -> None:
    opens = Ability(Opens)
    for number in range(MAX_CLASSES + 10):
        assert not opens[type(f"Made{number}", (), {})]
    assert len(opens) <= MAX_CLASSES
