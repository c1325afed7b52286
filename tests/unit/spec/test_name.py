"""Names and versions."""

from __future__ import annotations

import pytest

from proctor.core.errors import InputError
from proctor.spec.family import FamilySpec
from proctor.spec.name import FullName, Version
from proctor.suites.hello.extract import family


@pytest.mark.parametrize("text", ["hello", "hello@1.0", "severe-standard@10.20", "a_b-c9"])
def test_names(text: str) -> None:
    name = FullName.parse(text)
    assert "@".join(part for part in name if part) == text


@pytest.mark.parametrize(
    "text",
    ["", "@1.0", "Hello", "9lives", "a--b", "-a", "a-", "a b", "../x", "hello\n", "hello@1.0\n", "a/b", "é", "hello@"],
)
def test_what_is_no_name_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as caught:
        FullName.parse(text)
    assert "e.g." in str(caught.value)


@pytest.mark.parametrize("text", ["1", "1.", ".1", "1.0.0", "01.0", "1.00", "v1.0", "1.0\n", "-1.0", "1,0"])
def test_what_is_no_version_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError, match=r"major\.minor, e\.g\. 1\.0"):
        Version.parse(text)


def test_versions_compare_as_numbers() -> None:
    assert Version.parse("1.10") > Version.parse("1.9")
    assert Version.parse("10.0") > Version.parse("9.99")
    assert str(Version.parse("1.10")) == "1.10"


@pytest.mark.parametrize("text", ["9" * 5000 + ".0", "1." + "9" * 5000, "1234567890.0"])
def test_a_version_of_endless_digits_is_one_short_sentence(text: str) -> None:
    for parse in (Version.parse, lambda version: FullName.parse(f"hello@{version}")):
        with pytest.raises(InputError, match="at most nine digits") as caught:
            parse(text)
        assert len(str(caught.value)) < 400
    assert Version.parse("999999999.0").major == 999_999_999


def test_a_long_name_is_cut() -> None:
    with pytest.raises(InputError, match="…' is not a name") as caught:
        FullName.parse("A" * 5000)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("field", ["reasons", "templates"])
def test_codes_of_a_family_are_one_line_each(field: str) -> None:
    with pytest.raises(ValueError, match="write it on one line"):
        FamilySpec.model_validate({**family.spec.model_dump(), field: ("a\n::error::b",)})
