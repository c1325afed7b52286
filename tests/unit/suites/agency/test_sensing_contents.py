"""What each sensing family promises about its texts, tools and limits."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.unit.suites.agency.examined import declared_regime

from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Family
from proctor.spec.task import Instance
from proctor.suites.agency.sensing.document_questions import family as documents
from proctor.suites.agency.sensing.document_questions.archive import Archive, numbered, told
from proctor.suites.agency.sensing.document_questions.archive import title as title_of
from proctor.suites.agency.sensing.email_triage import family as mails
from proctor.suites.agency.sensing.email_triage.moments import Moment, plain_moment
from proctor.suites.agency.sensing.log_debugging import family as logs
from proctor.suites.agency.sensing.ocr_invoices import family as invoices
from proctor.suites.agency.sensing.ocr_invoices.bills import words
from proctor.suites.agency.sensing.ocr_invoices.deciphering import places
from proctor.suites.agency.sensing.ticket_routing import family as tickets
from proctor.suites.agency.sensing.ticket_routing.texts import CATEGORIES, CUES
from proctor.suites.kit.rereading import Rereading
from proctor.suites.kit.sheet import LONGEST_PASSAGE, passages

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive

OCR_15 = declared_regime("ocr-15")
QUERIES_3_30S = declared_regime("queries-3-30s")

Sample = Callable[..., list[Instance]]


def test_header_fields_stand_in_the_text_verbatim(sample: Sample) -> None:
    for instance in sample(mails, 300):
        text, answer = instance.observation["text"], instance.hidden["answer"]
        assert answer["from"] in text
        assert answer["subject"] in text
        assert re.search(answer["priority"], text, re.IGNORECASE)
        assert answer["timestamp"][-5:] in text
        addresses = set(re.findall(r"[\w.]+@[\w.]+\w", text))
        assert len(addresses) >= 2


@pytest.mark.parametrize("written", ["iso", "header", "spoken", "slashed", "american"])
def test_moments_are_read_back_however_they_are_written(written: str) -> None:
    for count in (0, 12_345, 99_999, 400_000):
        moment = Moment.of(count)
        assert plain_moment(getattr(moment, written)) == moment.iso
        assert plain_moment(f"{getattr(moment, written)}7") != moment.iso
    assert plain_moment("2026-03-04T09:15:00Z") == "2026-03-04 09:15"
    assert plain_moment("2026-03-04 09:15 2026-03-04 09:15") != "2026-03-04 09:15"
    assert plain_moment("not 2026-03-04 09:15") != "2026-03-04 09:15"


def test_an_address_may_come_with_its_name(sample: Sample, drive: Drive) -> None:
    instance = sample(mails, 1)[0]
    answer = instance.hidden["answer"]
    driver = drive(mails, instance)
    assert driver.verify({**answer, "from": f"Somebody <{answer['from']}>"}).success
    assert not driver.verify({**answer, "from": f"{answer['from']}, a@b.example"}).success


@pytest.mark.parametrize("family", [mails, tickets], ids=["mails", "tickets"])
def test_passages_are_the_whole_text_and_never_cut(family: Family, sample: Sample, drive: Drive) -> None:
    for instance in sample(family, 40):
        lines = instance.observation["text"].split("\n")
        spans = passages(lines)
        assert len(spans) == instance.observation["passages"]
        driver = drive(family, instance)
        shown = [driver.call("passage", number=number + 1) for number in range(len(spans))]
        assert "\n".join(shown) == instance.observation["text"]
        assert max(map(len, shown)) <= LONGEST_PASSAGE
    assert "the last one is" in driver.error("passage", number=99)


def test_tickets_never_name_their_category(sample: Sample) -> None:
    for category, cues in CUES.items():
        assert not [cue for cue in cues if category in cue]
    for instance in sample(tickets, 300):
        text, answer = instance.observation["text"], instance.hidden["answer"]
        assert not re.search(rf"\b{answer['category']}\b", text)
        assert len(set(re.findall(r"\b[A-Z]-\d{3}\b", text))) == 3
    seen = Counter(instance.hidden["answer"]["category"] for instance in sample(tickets, 400))
    assert set(seen) == set(CATEGORIES)


def test_in_half_of_the_logs_something_is_missing(sample: Sample) -> None:
    instances = sample(logs, 600)
    enough = sum(instance.hidden["answer"]["enough"] for instance in instances)
    assert 0.45 <= enough / 600 <= 0.55
    # Neither the length of the trace nor the number of causes in it gives that away.
    for template in logs.spec.templates:
        lengths = {len(i.observation["partial_stacktrace"].split("\n")) for i in instances if i.template == template}
        assert len(lengths) == 1


def test_what_is_missing_is_where_the_request_leads(sample: Sample, drive: Drive) -> None:
    for instance in sample(logs, 120, hops=3):
        answer, needed = instance.hidden["answer"], instance.hidden["needed"]
        detail = re.compile(rf"{re.escape(answer['detail'])}(?!\d)")
        assert bool(detail.search(instance.observation["partial_stacktrace"])) == (answer["enough"] is True)
        driver = drive(logs, instance)
        text = instance.observation["partial_stacktrace"]
        for service in needed:
            assert service in text
            text = driver.call("log_section", service=service)
        assert detail.search(text)


def test_three_sections_and_no_more(sample: Sample, drive: Drive) -> None:
    instance = sample(logs, 1)[0]
    driver = drive(logs, instance)
    names = instance.observation["sections"]
    first = driver.call("log_section", service=names[0])
    for service in names[1:3]:
        driver.call("log_section", service=service)
    assert driver.call("log_section", service=names[0]) == first
    assert "no further one can be" in driver.error("log_section", service=names[3])
    assert driver.call("first_view") == instance.observation
    assert "there is no section" in driver.error("log_section", service="nowhere")


def _wrong_characters(instance: Instance, seen: str) -> tuple[int, int]:
    wrong = total = 0
    for line, shown in zip(instance.hidden["paper"].split("\n"), seen.split("\n"), strict=True):
        kept = sum(block.size for block in SequenceMatcher(None, line, shown, autojunk=False).get_matching_blocks())
        wrong += max(len(line), len(shown)) - kept
        total += sum(not letter.isspace() for letter in line)
    return wrong, total


def test_fifteen_per_cent_of_the_characters_are_wrong(sample: Sample) -> None:
    wrong = total = 0
    for number, instance in enumerate(sample(invoices, 200)):
        reading = Rereading(instance, Deliveries(OCR_15, Stream.keyed("rate", number)))
        one, all_of_them = _wrong_characters(instance, reading.shown({"text": instance.observation["text"]})["text"])
        wrong += one
        total += all_of_them
    assert 0.145 <= wrong / total <= 0.155


def test_values_are_on_the_paper_twice_and_scans_differ(sample: Sample, drive: Drive) -> None:
    for instance in sample(invoices, 160):
        lines = instance.hidden["paper"].split("\n")
        assert all(len(places(lines, value)) >= 2 for value in instance.hidden["written"])
        assert instance.hidden["vendor"] in instance.observation["register"]
        assert sum(name in instance.hidden["paper"] for name in instance.observation["register"]) >= 1 + (
            instance.template != "till"
        )
    driver = drive(invoices, instance)
    scans = [driver.call("scan", number=number)["text"] for number in range(1, 7)]
    assert scans[0] == instance.observation["text"]
    assert len(set(scans)) == 6
    assert driver.call("scan", number=3)["text"] == scans[2]


def test_scans_without_errors_are_the_paper(sample: Sample, drive: Drive) -> None:
    instance = sample(invoices, 1, errors=0)[0]
    assert instance.observation["text"] == instance.hidden["paper"]


def test_sums_in_words() -> None:
    assert words(128_450) == "one thousand two hundred eighty-four and 50/100"
    assert words(100_000) == "one thousand and 00/100"
    assert words(1_901_700) == "nineteen thousand seventeen and 00/100"


def test_a_hundred_documents_that_lead_to_each_other(sample: Sample, drive: Drive) -> None:
    counts: Counter[int] = Counter()
    for instance in sample(documents, 80):
        lines, path = instance.observation["catalogue"], instance.hidden["path"]
        archive = msgspec.convert(instance.hidden["archive"], Archive)
        assert len({line[6:] for line in lines}) == 100
        assert all(line[6:] == title_of(archive, numbered(archive, n)) for n, line in enumerate(lines, 1))
        counts[len(path)] += 1
        driver = drive(documents, instance)
        texts = [driver.call("read_document", number=number) for number in path]
        for text, following in zip(texts, path[1:], strict=False):
            about = re.sub(r", issue \d$", "", lines[int(following[2:]) - 1][6:])
            thing = told(archive, numbered(archive, int(following[2:])))["me"]
            assert thing in about
            assert thing in text
        assert instance.hidden["answer"]["name"] in texts[-2]
        assert str(instance.hidden["answer"]["number"]) in texts[-1]
    assert set(counts) == {2, 3}


def test_older_issues_say_something_else(sample: Sample) -> None:
    for instance in sample(documents, 60, issues=2):
        lines = instance.observation["catalogue"]
        archive = msgspec.convert(instance.hidden["archive"], Archive)
        shadowed = 0
        for number in instance.hidden["path"]:
            line = lines[int(number[2:]) - 1]
            others = [other for other in lines if other[6:-1] == line[6:-1] and other != line]
            shadowed += len(others)
            for other in others:
                assert int(other[-1]) < int(line[-1])
                old, new = (told(archive, numbered(archive, int(item[2:5]))) for item in (other, line))
                assert old["number"] != new["number"] or old["name"] != new["name"]
                assert old.get("next", "old") != new.get("next", "new")
        assert shadowed == 2


def test_a_fourth_query_ends_the_episode_under_the_regime(sample: Sample, drive: Drive) -> None:
    assert QUERIES_3_30S.axes == ("information", "compute")
    instance = sample(documents, 1)[0]
    driver = drive(documents, instance)
    assert driver.limits.queries == 5
    driver.call("search", words="issue")
    for number in ("1", "D-2", "d-003", "100"):
        driver.call("read_document", number=number)
    with pytest.raises(LimitReached):
        asyncio.run(driver.session.call("read_document", number="5"))
