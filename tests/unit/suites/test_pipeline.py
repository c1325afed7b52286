"""The family `pipeline`: hiccups happen once, keys make uploads safe to repeat, and the archive decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proctor.spec.task import Instance
from proctor.suites.hello.pipeline import family

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive, Driver

Sample = Callable[..., list[Instance]]


def _calm(sample: Sample, template: str = "listed") -> Instance:
    """An instance without hiccups."""
    return next(item for item in sample(family, 60, hiccups=0) if item.template == template)


def _with(sample: Sample, kind: str) -> tuple[Instance, int]:
    """An instance in which this hiccup, and no other, waits for one page."""
    for instance in sample(family, 200, hiccups=1):
        if instance.hidden["hiccups"][0][0] == kind:
            return instance, instance.hidden["hiccups"][0][1]
    raise AssertionError(kind)


def _upload_all(driver: Driver, instance: Instance, skip: int = 0) -> None:
    for wanted in instance.hidden["wanted"][skip:]:
        driver.call("upload", key=wanted["key"], page=wanted["page"], items=wanted["items"])


def test_the_tools_lead_to_what_is_wanted(sample: Sample, drive: Drive) -> None:
    instance = _calm(sample)
    driver = drive(family, instance)
    for page in instance.observation["pages"]:
        fetched = driver.call("fetch", page=page)
        assert fetched["checksum"] == sum(fetched["items"])
        converted = driver.call("transform", items=fetched["items"])
        assert converted["checksum"] == sum(converted["items"])
        key = instance.observation["key"].replace("PAGE", str(page))
        driver.call("upload", key=key, page=page, items=converted["items"])
    assert driver.verify("done").success
    assert len(driver.call("archive")["keys"]) == len(instance.observation["pages"])


def test_a_chain_ends_with_zero_and_visits_every_page(sample: Sample, drive: Drive) -> None:
    instance = _calm(sample, "linked")
    driver = drive(family, instance)
    page, visited = instance.observation["first_page"], []
    while page:
        visited.append(page)
        page = driver.call("fetch", page=page)["next"]
    assert visited == [item["page"] for item in instance.hidden["wanted"]]
    assert "pages" not in instance.observation
    assert f" {visited[1]} " not in instance.goal


def test_drafts_must_stay_out(sample: Sample, drive: Drive) -> None:
    instance = _calm(sample, "ready")
    driver = drive(family, instance)
    _upload_all(driver, instance)
    assert driver.verify().success
    draft = next(page for page in instance.hidden["source"] if page["status"] == "draft")
    driver.call("upload", key="more", page=draft["page"], items=[1])
    assert driver.verify().reason == "unwanted_page"


def test_busy_servers_and_lost_answers(sample: Sample, drive: Drive) -> None:
    instance, page = _with(sample, "fetch")
    driver = drive(family, instance)
    assert "busy" in driver.error("fetch", page=page)
    assert driver.call("fetch", page=page)["page"] == page

    instance, page = _with(sample, "upload")
    driver = drive(family, instance)
    wanted = next(item for item in instance.hidden["wanted"] if item["page"] == page)
    assert "nothing was stored" in driver.error("upload", key=wanted["key"], page=page, items=wanted["items"])
    assert driver.call("archive")["keys"] == []

    instance, page = _with(sample, "lost")
    driver = drive(family, instance)
    wanted = next(item for item in instance.hidden["wanted"] if item["page"] == page)
    assert "may or may not" in driver.error("upload", key=wanted["key"], page=page, items=wanted["items"])
    assert driver.call("archive")["keys"] == [wanted["key"]]
    again = driver.call("upload", key=wanted["key"], page=page, items=wanted["items"])
    assert again == {"key": wanted["key"], "stored": True, "repeated": True}


def test_near_miss_archives(sample: Sample, drive: Drive) -> None:
    instance = _calm(sample)
    first = instance.hidden["wanted"][0]
    raw = instance.hidden["source"][0]["items"]

    def left(reason: str, *, skip: int = 1, **upload: object) -> None:
        driver = drive(family, instance)
        _upload_all(driver, instance, skip)
        if upload:
            driver.call("upload", **upload)
        assert driver.verify("done").reason == reason

    key, page, items = first["key"], first["page"], first["items"]
    left("missing_page")
    left("nothing_stored", skip=99)
    left("wrong_items", key=key, page=page, items=raw)
    left("wrong_items", key=key, page=page, items=[*items[:-1], items[-1] + 1])
    left("wrong_items", key=key, page=page, items=items[::-1] if items != items[::-1] else [])
    left("wrong_key", key=f"{key}x", page=page, items=items)
    left("stored_twice", skip=0, key=f"{key}-again", page=page, items=items)
    left("unwanted_page", skip=0, key="other", page=7, items=items)


def test_a_wrong_upload_cannot_be_taken_back(sample: Sample, drive: Drive) -> None:
    instance = _calm(sample)
    driver = drive(family, instance)
    first = instance.hidden["wanted"][0]
    driver.call("upload", key=first["key"], page=first["page"], items=[0])
    _upload_all(driver, instance)
    assert driver.verify().reason == "wrong_items"


def test_knobs_count_pages_and_hiccups(sample: Sample) -> None:
    for pages in (3, 4, 6, 8):
        for hiccups in (0, 1, 2, 3):
            for instance in sample(family, 10, pages=pages, hiccups=hiccups):
                assert len(instance.hidden["source"]) == pages
                assert len(instance.hidden["hiccups"]) == hiccups
