"""Deployments with their exact plans, and the revision each allows."""

from __future__ import annotations

from datetime import date

from proctor.core.seeds import Stream
from proctor.suites.agency.revising.deadline_revision.texts import BOOK, FEATURES, TEAMS
from proctor.suites.agency.revising.facts import Dossier, Fact
from proctor.suites.agency.revising.names import TITLES, places
from proctor.suites.agency.revising.revision import Call, Case
from proctor.suites.agency.revising.workdays import WEEKS, Crew, Step, finishes, some_day
from proctor.suites.kit.draws import quick_shuffle, sample_spaced, split_draw
from proctor.suites.kit.spelling import Value

_TEAMS = 3
_WEEKS = tuple(WEEKS)
_MARGINS = (0, 0, 1, 2)
"""Days by which a date that can be kept is later than it must be."""


def deployments(stream: Stream, count: int, features: int) -> Case:
    """So many goals of so many features; one to all but one can be kept, half of them in the mean."""
    today = some_day(stream)
    closed = [today + stream.integer(1, 9)]
    teams = [_team(stream, name, today) for name in sample_spaced(stream, TEAMS, _TEAMS)]
    kept = stream.integer(1, count - 1)
    keeps = [True] * kept + [False] * (count - kept)
    stream.shuffle(keeps)
    facts = _surroundings(today, closed, teams)
    goals: dict[str, dict[str, object]] = {}
    right: list[Call] = []
    names = quick_shuffle(stream, FEATURES)
    for goal, keep in zip(places(stream, count), keeps, strict=True):
        steps = [Step(teams[team], 2 + days) for team, days in (split_draw(stream, _TEAMS, 5) for _ in range(features))]
        done = finishes(steps, today, closed)
        may_change = stream.choice(("date", "scope"))
        due = _due(stream, today, done, may_change, keep=keep)
        facts.append(Fact("goal", goal, {"goal": goal, "due": date.fromordinal(due), "may_change": may_change}))
        facts += [_feature(goal, number, names.pop(), step) for number, step in enumerate(steps, 1)]
        goals[goal] = {"due": due, "may_change": may_change, "steps": [[s.crew.name, s.days] for s in steps]}
        right.append(_right(goal, done, due, may_change))
    plan = {
        "today": today,
        "closed": closed,
        "teams": [[team.name, team.week, team.away_from, team.away_until] for team in teams],
    }
    return Case(Dossier(stream.choice(TITLES), facts, BOOK), goals, right, plan)


def _team(stream: Stream, name: str, today: int) -> Crew:
    week = stream.choice(_WEEKS)
    if stream.chance(0.4):
        return Crew(name, week)
    first = today + stream.integer(1, 8)
    return Crew(name, week, first, first + stream.integer(1, 5))


def _due(stream: Stream, today: int, done: list[int], may_change: str, *, keep: bool) -> int:
    if keep:
        return done[-1] + stream.choice(_MARGINS)
    earliest = done[0] if may_change == "scope" else max(today + 1, done[-1] - 5)
    return stream.integer(earliest, done[-1] - 1)


def _right(goal: str, done: list[int], due: int, may_change: str) -> Call:
    if done[-1] <= due:
        return Call("keep_goal", {"goal": goal})
    if may_change == "date":
        return Call("move_date", {"goal": goal, "date": date.fromordinal(done[-1]).isoformat()})
    return Call("cut_scope", {"goal": goal, "features": sum(day <= due for day in done)})


def _surroundings(today: int, closed: list[int], teams: list[Crew]) -> list[Fact]:
    facts = [Fact("today", "", {"date": date.fromordinal(today)})]
    facts += [Fact("closure", "", {"date": date.fromordinal(day)}) for day in closed]
    for team in teams:
        facts.append(Fact("team", "", {"team": team.name, "works": team.week}))
        if team.away_from:
            first, last = date.fromordinal(team.away_from), date.fromordinal(team.away_until)
            facts.append(Fact("leave", "", {"team": team.name, "first_day": first, "last_day": last}))
    return facts


def _feature(goal: str, number: int, name: str, step: Step) -> Fact:
    values: dict[str, Value] = {"goal": goal, "number": number, "feature": name}
    return Fact("feature", goal, {**values, "team": step.crew.name, "working_days": step.days})
