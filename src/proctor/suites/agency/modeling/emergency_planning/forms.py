"""Eight forms in which teams, sites, roads, plan and proposals are told."""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.emergency_planning.proposals import proposals
from proctor.suites.agency.modeling.emergency_planning.scenes import Scene
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.spelling import ORDINALS, capital, enumerated, in_words
from proctor.suites.kit.words import GIVEN


def board(s: Scene, stream: Stream) -> Sheet:
    """Tables on a board."""
    sheet = Sheet(f"SITUATION BOARD {stream.integer(10, 99)}", "site | people | lost at minute")
    sheet.fact(*(f"{site.name} | {site.people} | {site.lost}" for site in s.sites))
    sheet.fact(
        f"team | ready at | min per km | people per min | {' | '.join(f'km to {site.name}' for site in s.sites)}"
    )
    for team in s.teams:
        sheet.fact(f"{team.name} | {team.ready} | {team.pace} | {team.rate} | {' | '.join(map(str, team.roads))}")
    sheet.fact("plan: " + "; ".join(f"{site.name} <- {s.teams[n].name}" for n, site in enumerate(s.sites)))
    sheet.fact(*(p.worded("proposal {n}: {place} <- {one}", "proposal {n}: swap {one}, {two}") for p in proposals(s)))
    return sheet


def as_json(s: Scene, stream: Stream) -> Sheet:
    """One object, a part a line."""
    sheet = Sheet("{", f'"case": {stream.integer(1000, 9999)},', '"sites": {')
    for n, site in enumerate(s.sites, 1):
        row = json.dumps({"people": site.people, "lost_at": site.lost})
        sheet.fact(f' "{site.name}": {row}{"," if n < len(s.sites) else ""}')
    sheet.add("},", '"teams": {')
    for n, team in enumerate(s.teams, 1):
        km = dict(zip((site.name for site in s.sites), team.roads, strict=True))
        row = json.dumps({"ready": team.ready, "min_per_km": team.pace, "people_per_min": team.rate, "km": km})
        sheet.fact(f' "{team.name}": {row}{"," if n < len(s.teams) else ""}')
    plan = {site.name: s.teams[n].name for n, site in enumerate(s.sites)}
    sheet.add("},")
    sheet.fact(f'"plan": {json.dumps(plan)},')
    sheet.add('"proposals": [')
    ends = ["," if n < len(s.proposals) else "" for n in range(1, len(s.proposals) + 1)]
    for p, end in zip(proposals(s), ends, strict=True):
        sent = {"send": p.one, "to": p.place, "keep_back": p.two} if p.place else {"swap": f"{p.one}, {p.two}"}
        sheet.fact(f" {json.dumps(sent)}{end}")
    sheet.add("]", "}")
    return sheet


def briefing(s: Scene, stream: Stream) -> Sheet:
    """Sentences, site by site and team by team."""
    sheet = Sheet("Briefing for the officer in charge")
    for n, site in enumerate(s.sites):
        start = f"At the {site.name} {site.people} people wait, and it is lost at minute {site.lost};"
        sheet.fact(f"{start} under the plan {s.teams[n].name} goes there.")
    for team in s.teams:
        sheet.fact(
            f"{team.name} is ready at minute {team.ready}, needs {team.pace} minutes a kilometre and brings out "
            f"{team.rate} a minute."
        )
        km = enumerated([f"{road} km to the {site.name}" for road, site in zip(team.roads, s.sites, strict=True)])
        sheet.fact(f"Its roads: {km}.")
    sheet.add(f"{s.reserve.name} is held in reserve.")
    for p in proposals(s):
        order = capital(ORDINALS[p.number - 1])
        instead = "{one} is sent to the {place} and {two} stays behind."
        sheet.fact(f"{order} proposal: {p.worded(instead, '{one} and {two} change places.')}")
    return sheet


def radio(s: Scene, stream: Stream) -> Sheet:
    """Radio traffic; teams report on themselves."""
    sheet = Sheet(f"[channel {stream.integer(2, 16)}]")
    for team in s.teams:
        sheet.fact(f"{team.name.upper()}: rolling at {team.ready}, {team.pace} min each km, {team.rate} out per min")
        km = ", ".join(f"{site.name} {road}" for road, site in zip(team.roads, s.sites, strict=True))
        sheet.fact(f"{team.name.upper()}: distances in km {km}, over")
    for n, site in enumerate(s.sites):
        sheet.fact(f"CONTROL: {site.name} holds {site.people}, gone by minute {site.lost}, {s.teams[n].name} assigned")
    sheet.add(f"CONTROL: {s.reserve.name} stand by")
    for p in proposals(s):
        instead = "{place} to {one} instead, {two} stands by"
        sheet.fact(f"CONTROL: what if, number {p.number}: {p.worded(instead, '{one} and {two} trade targets')}")
    return sheet


def log(s: Scene, stream: Stream) -> Sheet:
    """Records of a dispatch system, one value pair after the other."""
    run = stream.hex(4)
    sheet = Sheet(f"{run} session opened")
    for site in s.sites:
        sheet.fact(f"{run} SITE {site.name} n={site.people} t_lost={site.lost}")
    for team in s.teams:
        sheet.fact(f"{run} UNIT {team.name} t_ready={team.ready} min_per_km={team.pace} n_per_min={team.rate}")
        for road, site in zip(team.roads, s.sites, strict=True):
            sheet.fact(f"{run} ROAD {team.name}->{site.name} km={road}")
    for n, site in enumerate(s.sites):
        sheet.fact(f"{run} PLAN {s.teams[n].name}->{site.name}")
    sheet.fact(
        *(
            p.worded(f"{run} ALT {{n}} {{one}}->{{place}} release={{two}}", f"{run} ALT {{n}} {{one}}<->{{two}}")
            for p in proposals(s)
        )
    )
    return sheet


def chat(s: Scene, stream: Stream) -> Sheet:
    """Two planners; roads are told site by site."""
    one, two = stream.sample(GIVEN, 2)
    sheet = Sheet(f"{one}: give me everything we have")
    for n, site in enumerate(s.sites):
        km = ", ".join(f"{team.name} {team.roads[n]}" for team in s.teams)
        sheet.fact(f"{two}: {site.name}: {site.people} people, lost at minute {site.lost}")
        sheet.fact(f"{two}: km to the {site.name}: {km}")
    sheet.add(f"{one}: and the teams?")
    for team in s.teams:
        sheet.fact(f"{two}: {team.name} leaves at minute {team.ready}, {team.pace} min/km, takes out {team.rate}/min")
    plan = ", ".join(f"{s.teams[n].name} at the {site.name}" for n, site in enumerate(s.sites))
    sheet.fact(f"{one}: the plan is {plan}")
    for p in proposals(s):
        instead = "{one} at the {place} rather than {two}"
        sheet.fact(f"{two}: idea {p.number}: {p.worded(instead, '{one} and {two} the other way round')}")
    return sheet


def cards(s: Scene, stream: Stream) -> Sheet:
    """A card for each site and each team, in capitals."""
    sheet = Sheet(f"CARD FILE {stream.integer(100, 999)}")
    for n, site in enumerate(s.sites):
        sheet.add(f"=== SITE {site.name.upper()} ===")
        sheet.fact(f"PERSONS ..... {site.people}", f"LOST AT MIN . {site.lost}", f"PLANNED ..... {s.teams[n].name}")
    for team in s.teams:
        sheet.add(f"=== TEAM {team.name.upper()} ===")
        sheet.fact(f"START ....... {team.ready}", f"MIN/KM ...... {team.pace}", f"PERSONS/MIN . {team.rate}")
        sheet.fact(*(f"KM {site.name} ... {road}" for road, site in zip(team.roads, s.sites, strict=True)))
    sheet.add("=== PROPOSALS ===")
    sheet.fact(*(p.worded("NO. {n}: {place} = {one}", "NO. {n}: EXCHANGE {one} / {two}") for p in proposals(s)))
    return sheet


def spoken(s: Scene, stream: Stream) -> Sheet:
    """A recording without punctuation, with numbers in words."""
    sheet = Sheet(f"[recording {stream.integer(10, 99)}, transcribed automatically]")
    for n, site in enumerate(s.sites):
        sheet.fact(
            f"the {site.name} has {in_words(site.people)} people and is lost at minute {in_words(site.lost)} and "
            f"{s.teams[n].name.lower()} is meant to go there"
        )
    for team in s.teams:
        sheet.fact(
            f"{team.name.lower()} can start at minute {in_words(team.ready)} does a kilometre in {in_words(team.pace)} "
            f"minutes and gets {in_words(team.rate)} out per minute"
        )
        pairs = zip(team.roads, s.sites, strict=True)
        km = " and ".join(f"{in_words(road)} kilometres to the {site.name}" for road, site in pairs)
        sheet.fact(f"for {team.name.lower()} it is {km}")
    for p in proposals(s):
        instead = "what if {one} goes to the {place} and {two} stays at home"
        sheet.fact(p.worded(instead, "what if {one} and {two} trade places").lower())
    return sheet


Form = Callable[[Scene, Stream], Sheet]
FORMS: dict[str, Form] = {
    "board": board,
    "json": as_json,
    "briefing": briefing,
    "radio": radio,
    "log": log,
    "chat": chat,
    "cards": cards,
    "spoken": spoken,
}
