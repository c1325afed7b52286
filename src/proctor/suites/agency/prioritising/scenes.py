"""Where contests take place: what options cost, what the limit is, and four goals each, said in several ways.

Every way to say a goal has the goal's label in it, so that whoever reads it knows which numbers it is about.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.suites.agency.prioritising.board import Board, Column, Group, Record, codes, names
from proctor.suites.agency.prioritising.contests import Contest
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.words import FIRM_ONE, WEEKDAYS


class Aim(Struct, frozen=True):
    """A goal: the column that counts it, and ways to name it."""

    label: str
    verb: str
    phrases: tuple[str, ...]

    @property
    def column(self) -> Column:
        return Column(self.label, f"{self.verb} {{}} {self.label}", f"how many {self.label} the option {self.verb}")


class Scene(Struct, frozen=True):
    """A setting: one resource that runs out, and four goals."""

    title: str
    option: str
    cost: str
    unit: str
    aims: tuple[Aim, ...]

    @property
    def spending(self) -> Column:
        """The column with what each option costs."""
        return Column(self.cost, f"takes {{}} {self.cost}", f"{self.unit} the option takes")

    @property
    def ceiling(self) -> Column:
        """The column with what may be spent."""
        return Column(f"{self.cost} available", f"there are {{}} {self.cost} to spend", f"{self.unit} there are")


def _aim(label: str, verb: str, *phrases: str) -> Aim:
    return Aim(label, verb, phrases)


SCENES = (
    Scene(
        *("flood works", "work plan", "hours", "crew hours"),
        (
            _aim("wells", "protects", "protecting wells", "keeping wells out of the flood", "wells that stay clean"),
            _aim("lanes", "reopens", "reopening lanes", "getting lanes back into use", "lanes free for traffic"),
            _aim("cellars", "drains", "draining cellars", "getting cellars dry", "water out of cellars"),
            _aim("fields", "saves", "saving fields", "keeping fields above water", "fields that stay dry"),
        ),
    ),
    Scene(
        *("office maintenance", "work order", "hours", "fitter hours"),
        (
            _aim("desks", "rewires", "rewiring desks", "getting desks on the network", "desks with a connection"),
            _aim("lifts", "repairs", "repairing lifts", "getting lifts to run again", "lifts in working order"),
            _aim("doors", "adjusts", "adjusting doors", "letting doors close by themselves", "doors that shut well"),
            _aim("lamps", "replaces", "replacing lamps", "getting lamps renewed", "new lamps"),
        ),
    ),
    Scene(
        *("railway closures", "closure plan", "slots", "track slots"),
        (
            _aim("sidings", "clears", "clearing sidings", "making sidings usable", "sidings free of wagons"),
            _aim("trains", "runs", "running trains", "keeping trains on the move", "trains that are not cancelled"),
            _aim("signals", "renews", "renewing signals", "putting new signals up", "modern signals"),
            _aim("platforms", "cleans", "cleaning platforms", "getting platforms tidy", "platforms free of dirt"),
        ),
    ),
    Scene(
        *("data centre changes", "change", "windows", "change windows"),
        (
            _aim(
                "backups", "verifies", "verifying backups", "knowing that backups can be read", "backups one can trust"
            ),
            _aim("racks", "cools", "cooling racks", "keeping racks from overheating", "racks at a low temperature"),
            _aim("tenants", "moves", "moving tenants", "bringing tenants to the new hall", "tenants in the new hall"),
            _aim("licences", "saves", "saving licences", "needing fewer licences", "licences that can be returned"),
        ),
    ),
    Scene(
        *("harbour dredging", "dredging run", "tides", "tides of dredger time"),
        (
            _aim("berths", "deepens", "deepening berths", "making berths deep enough", "depth at the berths"),
            _aim("buoys", "resets", "resetting buoys", "putting buoys back in place", "buoys where they belong"),
            _aim("ferries", "serves", "serving ferries", "letting ferries keep their times", "ferries on time"),
            _aim("yachts", "admits", "admitting yachts", "finding room for yachts", "a place for yachts"),
        ),
    ),
    Scene(
        *("museum loans", "loan", "permits", "transport permits"),
        (
            _aim(
                "panels", "conserves", "conserving panels", "stopping panels from decaying", "panels that do not decay"
            ),
            _aim("schools", "invites", "inviting schools", "having schools in the rooms", "visits by schools"),
            _aim("guides", "trains", "training guides", "having guides who know the rooms", "guides who are prepared"),
            _aim("posters", "prints", "printing posters", "having posters on the walls", "posters in the streets"),
        ),
    ),
    Scene(
        *("water in a dry summer", "schedule", "tanks", "tanks of water"),
        (
            _aim("stables", "waters", "watering stables", "giving stables enough to drink", "water for the stables"),
            _aim("orchards", "saves", "saving orchards", "bringing orchards through the heat", "orchards that live"),
            _aim("lawns", "greens", "greening lawns", "keeping lawns from turning brown", "lawns that stay green"),
            _aim("fountains", "fills", "filling fountains", "letting fountains play", "fountains with water in them"),
        ),
    ),
    Scene(
        *("festival staffing", "rota", "guards", "guards on duty"),
        (
            _aim("queues", "splits", "splitting queues", "making queues shorter", "shorter queues"),
            _aim("vans", "directs", "directing vans", "bringing vans through the crowd", "a clear way for vans"),
            _aim("stalls", "opens", "opening stalls", "letting stalls sell", "stalls in business"),
            _aim("bands", "greets", "greeting bands", "meeting bands at the gate", "a welcome for the bands"),
        ),
    ),
)


class Docket(Struct, frozen=True):
    """Several contests in one scene: aims in order of priority, and who is who."""

    scene: Scene
    aims: tuple[Aim, ...]
    contests: tuple[Contest, ...]
    occasions: tuple[str, ...]
    codes: tuple[tuple[str, ...], ...]
    names: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    """In which order cost (0) and goals (1, 2, …) stand."""

    @property
    def answer(self) -> list[str]:
        """The right codes, in order of occasions."""
        return [group[contest.right] for group, contest in zip(self.codes, self.contests, strict=True)]

    @property
    def traps(self) -> dict[str, str]:
        """What is wrong with each wrong code, written small."""
        return {
            code.lower(): option.trap
            for group, contest in zip(self.codes, self.contests, strict=True)
            for code, option in zip(group, contest.options, strict=True)
            if option.trap
        }

    @property
    def shown_columns(self) -> tuple[Column, ...]:
        """The columns in the order shown."""
        own = (self.scene.spending, *(aim.column for aim in self.aims))
        return tuple(own[place] for place in self.columns)


def docket(dice: Dice, contests: tuple[Contest, ...]) -> Docket:
    """A scene for these contests; which of its goals come first is drawn, too."""
    scene = dice.choice(SCENES)
    goals = len(contests[0].options[0].worth)
    aims = tuple(dice.sample(scene.aims, goals))
    count, size = len(contests), len(contests[0].options)
    if dice.below(2):
        start = dice.below(len(WEEKDAYS))
        occasions = tuple(WEEKDAYS[(start + index) % len(WEEKDAYS)] for index in range(count))
    else:
        occasions = tuple(f"{name} district" for name in dice.sample(FIRM_ONE, count))
    cut = [slice(size * index, size * (index + 1)) for index in range(count)]
    made, called = codes(dice, count * size), names(dice, count * size)
    return Docket(
        scene=scene,
        aims=aims,
        contests=contests,
        occasions=occasions,
        codes=tuple(tuple(made[part]) for part in cut),
        names=tuple(tuple(called[part]) for part in cut),
        columns=tuple(dice.shuffled(range(goals + 1))),
    )


def board_of(drawn: Docket, dice: Dice | None = None) -> Board:
    """The docket as a board; with dice, options stand in another order."""
    groups = []
    for index, contest in enumerate(drawn.contests):
        records = []
        for option, code, name in zip(contest.options, drawn.codes[index], drawn.names[index], strict=True):
            own = (option.cost, *option.worth)
            records.append(Record(code, name, tuple(own[column] for column in drawn.columns)))
        if dice is not None:
            records = dice.shuffled(records)
        groups.append(Group(drawn.occasions[index], contest.limit, tuple(records)))
    return Board(drawn.scene.title, drawn.shown_columns, tuple(groups), drawn.scene.ceiling)
