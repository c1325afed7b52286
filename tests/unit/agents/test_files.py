"""The files of an agent, one by one: what differs, in words that stay within their line."""

from __future__ import annotations

from proctor.agents.files import by_name, differences, source


def test_files_that_changed_came_and_went_are_named() -> None:
    before = by_name([["/agent/a.py", "1"], ["/agent/data", [["x.json", "2"], ["y.json", "3"]]]])
    now = by_name([["/agent/a.py", "4"], ["/agent/data", [["x.json", "2"], ["z.json", "3"]]]])
    assert differences(before, now) == "a.py changed, data/y.json removed, data/z.json added"
    assert differences(now, now) == ""


def test_a_few_are_named_and_the_others_counted() -> None:
    now = by_name([[f"/agent/{number}.py", "1"] for number in range(9)])
    assert differences({}, now).endswith("4.py added and 4 more")


def test_a_file_may_be_called_anything() -> None:
    named = differences({}, by_name([["/agent/a\n::error::\x1b[2J.py", "1"]]))
    assert named == "a ::error:: [2J.py added"
    assert len(differences({}, {"n" * 5_000: "1"})) < 300


def test_the_digest_of_all_follows_from_each() -> None:
    one, other = ["/agent/a.py", "1"], ["/agent/data", [["x.json", "2"]]]
    assert source([one, other]) == source([other, one]) != source([one])
