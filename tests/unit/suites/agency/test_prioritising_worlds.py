"""What the prioritising families with worlds to act in promise, and what their verifiers make of wrong deeds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from proctor.core.seeds import Stream
from proctor.spec.task import Instance
from proctor.suites.agency.prioritising.port_control import family as port
from proctor.suites.agency.prioritising.port_control.traffic import traffic
from proctor.suites.agency.prioritising.safety_first import family as safety
from proctor.suites.agency.prioritising.safety_first.sites import remarks, sites
from proctor.suites.agency.prioritising.safety_first.texts import SETTINGS
from proctor.suites.agency.prioritising.triage_under_fire import family as triage
from proctor.suites.agency.prioritising.triage_under_fire.incidents import operation, served
from proctor.suites.kit.draws import Dice

if TYPE_CHECKING:
    from tests.unit.suites.conftest import Drive, Driver

Sample = Callable[..., list[Instance]]


def dice(*key: str | int) -> Dice:
    return Dice(Stream.keyed(*key))


def test_about_half_of_the_decisions_have_no_conflict(sample: Sample) -> None:
    for count in (3, 4, 6):
        instances = sample(safety, 300, sites=count)
        conflicts = sum(len(instance.hidden["conflicts"]) for instance in instances)
        assert 0.40 <= 1 - conflicts / (count * len(instances)) <= 0.60
        assert all(0 < len(instance.hidden["conflicts"]) < count for instance in instances)


def test_somebody_pushes_where_it_hurts_and_talk_does_not_tell_conflicts() -> None:
    talk: Counter[tuple[bool, bool]] = Counter()
    for number in range(400):
        found = sites(dice("sites", number), 4)
        said = remarks(dice("remarks", number), found, SETTINGS[number % len(SETTINGS)], 3)
        by_code = {site.code: site for site in found}
        pushed = 0
        for line in said:
            code = re.findall(r"[A-Z]-\d{3}", line)[0]
            holds = any(
                word in line for word in ("better give", "keep everything", "cut what", "twice the", "before the")
            )
            talk[holds, by_code[code].conflict] += 1
            pushed += by_code[code].conflict and not holds
        assert pushed
    assert min(talk.values()) >= 100


def test_what_is_wrong_with_an_allocation(sample: Sample, drive: Drive) -> None:
    for instance in sample(safety, 30):
        hidden = instance.hidden
        right = hidden["shares"]
        clash = hidden["conflicts"][0]
        free = next(code for code in hidden["codes"] if code not in hidden["conflicts"])

        def outcome(code: str, safe: int, wish: int, instance: Instance = instance) -> str:
            driver = drive(safety, instance)
            for site, (one, two) in instance.hidden["shares"].items():
                driver.call("allocate", code=site, safety=one, performance=two)
            driver.call("allocate", code=code.lower(), safety=safe, performance=wish)
            return driver.verify("done").reason

        one, two = right[clash]
        assert outcome(clash, one, two) == "correct"
        assert outcome(clash, one - 1, two + 1) == "safety_short"
        assert outcome(clash, one + 1, two - 1) == "safety_padded"
        assert outcome(clash, one, two + 1) == "over_stock"
        assert outcome(clash, one, two - 1) == "remainder_unused"
        safe, wish = right[free]
        spare = hidden["stocks"][free] - safe - wish
        assert outcome(free, safe, 0) == ("performance_denied" if spare else "remainder_unused")
        assert outcome(free, safe, wish + 1) == ("performance_padded" if spare else "over_stock")
    driver = drive(safety, instance)
    assert driver.verify("done").reason == "nothing_allocated"
    driver.call("allocate", code=clash, safety=one, performance=two)
    assert driver.verify("done").reason == "site_left_out"
    assert driver.call("allocations") == {clash: {"safety": one, "performance": two}}
    assert "there is nothing" in driver.error("allocate", code="Q-001", safety=1, performance=1)


def test_triage_cannot_be_done_without_its_priorities() -> None:
    hits: Counter[str] = Counter()
    for number in range(400):
        found = operation(dice("operation", number), 6)
        right, free = found.dispatches, found.crews - found.reserve
        assert sum(right.values()) <= free < sum(incident.need for incident in found.incidents)
        assert all(incident.code in right for incident in found.incidents if incident.stake == 0)
        assert len({incident.minutes for incident in found.incidents}) == len(found.incidents)
        hits["listed"] += served(found.incidents, free) == right
        hits["minutes"] += served(sorted(found.incidents, key=lambda i: i.minutes), free) == right
        hits["need"] += served(sorted(found.incidents, key=lambda i: i.need), free) == right
        hits["no_reserve"] += served(sorted(found.incidents, key=lambda i: (i.stake, i.minutes)), found.crews) == right
    assert max(hits["listed"], hits["minutes"], hits["need"]) <= 0.05 * 400
    assert hits["no_reserve"] <= 0.8 * 400


def do(driver: Driver, tool: str, calls: list[dict[str, Any]]) -> str:
    for arguments in calls:
        driver.call(tool, **arguments)
    return driver.verify("done").reason


def test_what_is_wrong_with_a_triage(sample: Sample, drive: Drive) -> None:
    seen: Counter[str] = Counter()
    for instance in sample(triage, 60):
        hidden = instance.hidden
        right: dict[str, int] = hidden["dispatches"]
        sent: list[dict[str, Any]] = [{"code": code, "number": number} for code, number in right.items()]
        assert do(drive(triage, instance), "send", sent) == "correct"
        assert do(drive(triage, instance), "send", []) == "nothing_sent"
        top = hidden["top"]
        assert do(drive(triage, instance), "send", [s for s in sent if s["code"] != top[0]]) == "top_goal_lost"
        lower = [s for s in sent if s["code"] not in top]
        assert do(drive(triage, instance), "send", [s for s in sent if s is not lower[0]]) == "lower_goal_lost"
        spare = hidden["crews"] - sum(right.values())
        stray = next(code for code in hidden["codes"] if code not in right)
        seen[do(drive(triage, instance), "send", [*sent, {"code": stray, "number": spare}])] += 1
        if spare > hidden["reserve"]:
            seen[do(drive(triage, instance), "send", [*sent, {"code": stray, "number": 1}])] += 1
            more = {**sent[-1], "number": sent[-1]["number"] + 1}
            seen[do(drive(triage, instance), "send", [*sent[:-1], more])] += 1
    assert set(seen) == {"reserve_spent", "needless_dispatch", "wrong_strength"}


def test_what_was_sent_stays_sent(sample: Sample, drive: Drive) -> None:
    instance = sample(triage, 1)[0]
    driver = drive(triage, instance)
    code = instance.hidden["codes"][0]
    driver.call("send", code=code, number=2)
    assert "cannot be changed" in driver.error("send", code=code, number=1)
    assert "not so many" in driver.error("send", code=instance.hidden["codes"][1], number=500)
    assert driver.call("base") == {"left": instance.hidden["crews"] - 2, "sent": {code: 2}}


def test_the_port_cannot_be_run_without_its_priorities() -> None:
    hits: Counter[str] = Counter()
    for number in range(400):
        found = traffic(dice("traffic", number), 6)
        right = found.entries
        left = dict(found.berths)
        for code, berth in right:
            size = next(ship.size for ship in found.ships if ship.code == code)
            assert left[berth] == min(free for free in left.values() if free >= size)
            del left[berth]
        assert len(right) < len(found.ships)
        hits["listed"] += found.brought(found.ships) == right
        hits["hour"] += found.brought(sorted(found.ships, key=lambda ship: ship.hour)) == right
        hits["quickest"] += found.brought(sorted(found.ships, key=lambda ship: ship.minutes)) == right
        hits["none_of_the_top"] += not any(
            ship.kind == 0 and [ship.code] == e[:1] for ship in found.ships for e in right
        )
    assert max(hits.values()) <= 0.05 * 400


def test_what_is_wrong_with_the_port(sample: Sample, drive: Drive) -> None:
    seen: Counter[str] = Counter()
    for instance in sample(port, 60):
        hidden = instance.hidden
        right = [{"code": code, "place": berth} for code, berth in hidden["entries"]]
        assert do(drive(port, instance), "bring_in", right) == "correct"
        assert do(drive(port, instance), "bring_in", []) == "nothing_brought_in"
        assert do(drive(port, instance), "bring_in", right[::-1]) == "wrong_order"
        for left_out in right:
            reason = do(drive(port, instance), "bring_in", [entry for entry in right if entry is not left_out])
            assert reason == ("top_goal_lost" if left_out["code"] in hidden["top"] else "lower_goal_lost")
        for one, two in pairwise(right):
            sizes = [hidden["ships"][entry["code"]][1] for entry in (one, two)]
            if max(sizes) <= min(hidden["berths"][entry["place"]] for entry in (one, two)):
                swapped = [{**one, "place": two["place"]}, {**two, "place": one["place"]}]
                rest = [entry for entry in right if entry not in (one, two)]
                seen[do(drive(port, instance), "bring_in", [*swapped, *rest])] += 1
    assert set(seen) == {"wrong_berth"}


def test_minutes_and_berths_are_spent(sample: Sample, drive: Drive) -> None:
    instance = sample(port, 1)[0]
    hidden = instance.hidden
    driver = drive(port, instance)
    (code, berth), (other, _) = hidden["entries"][:2]
    driver.call("bring_in", code=code.lower(), place=berth.lower())
    assert driver.call("port") == {
        "minutes_left": hidden["window"] - hidden["ships"][code][0],
        "entries": [[code, berth]],
    }
    assert "taken" in driver.error("bring_in", code=other, place=berth)
    assert "there is no place" in driver.error("bring_in", code=other, place="Z")
    assert "there is nothing" in driver.error("bring_in", code="Q-001", place=berth)
