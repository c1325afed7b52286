"""The family `files`: the verifier opens the real files and notices what is nearly right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from proctor.core.hashing import sha256_hex
from proctor.spec.task import Instance
from proctor.suites.hello.files import family

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive, Driver

Sample = Callable[..., list[Instance]]


@pytest.fixture
def solved(sample: Sample, drive: Drive) -> Driver:
    instance = next(item for item in sample(family, 30) if item.template == "by-year")
    driver = drive(family, instance)
    assert driver.run(family.oracle(instance)).success
    return driver


def _hidden(driver: Driver) -> dict[str, dict[str, str]]:
    hidden: dict[str, dict[str, str]] = driver.world.instance.hidden  # type: ignore[attr-defined]
    return hidden


def test_artifacts_are_the_real_files(solved: Driver) -> None:
    expected = _hidden(solved)["expected"]
    found = solved.verify("done")
    assert dict(found.artifacts) == {path: sha256_hex(text.encode()) for path, text in expected.items()}
    for name, digest in found.artifacts:
        data = solved.world.artifact(name)
        assert data is not None
        assert sha256_hex(data) == digest


def test_space_at_line_ends_of_the_list_is_free(solved: Driver) -> None:
    index = str(_hidden(solved)["index"])
    text = _hidden(solved)["expected"][index]
    solved.call("write_file", path=index, text=text.rstrip("\n"))
    assert solved.verify().success
    solved.call("write_file", path=index, text=text.replace("\n", " \n") + "\n")
    assert solved.verify().success


def test_near_misses(solved: Driver) -> None:
    index = str(_hidden(solved)["index"])
    expected = _hidden(solved)["expected"]
    lines = expected[index].splitlines()
    paper = next(path for path in expected if path != index)
    for wrong in (
        "\n".join(reversed(lines)),
        "\n".join(lines[:-1]),
        "\n".join([*lines, lines[0]]),
        expected[index].upper(),
        "Index:\n" + expected[index],
        "",
    ):
        if wrong != expected[index].rstrip():
            solved.call("write_file", path=index, text=wrong)
            assert solved.verify().reason == "wrong_list"
    solved.call("delete_file", path=index)
    assert solved.verify().reason == "missing_list"
    solved.call("write_file", path=index, text=expected[index])
    assert solved.verify().success
    solved.call("append_file", path=paper, text="\n")
    assert solved.verify().reason == "changed_file"
    solved.call("write_file", path=paper, text=expected[paper])
    solved.call("write_file", path="/task/note.txt", text="done")
    assert solved.verify().reason == "unexpected_file"
    solved.call("delete_file", path="/task/note.txt")
    solved.call("move_file", source=paper, target="/task/elsewhere.txt")
    assert solved.verify().reason == "missing_file"


def test_nothing_done_is_said_so(sample: Sample, drive: Drive) -> None:
    for instance in sample(family, 5):
        assert drive(family, instance).verify("done").reason == "nothing_done"


def test_other_papers_stay_and_names_say_nothing(sample: Sample) -> None:
    for others in (0, 1, 3):
        for instance in sample(family, 40, others=others):
            files, expected = instance.hidden["files"], instance.hidden["expected"]
            stray = [path for path, text in files.items() if "Kind: invoice" not in text]
            assert len(stray) == others
            assert all(expected[path] == files[path] for path in stray)
            assert sorted(set(expected.values()) - {expected[instance.hidden["index"]]}) == sorted(files.values())
            for path, text in files.items():
                number = text.split("Number: ")[1][:5]
                assert number not in path


def test_every_template_asks_for_something(sample: Sample) -> None:
    for instance in sample(family, 100):
        assert instance.hidden["moves"]
        assert instance.hidden["expected"][instance.hidden["index"]].strip()
        if instance.template == "unpaid":
            assert "\ntotal," in instance.hidden["expected"][instance.hidden["index"]]
