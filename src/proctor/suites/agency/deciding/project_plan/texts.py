"""The words of the family: undertakings and their tasks, goals, and the eight ways of telling. Nothing here decides."""

from __future__ import annotations

from typing import NamedTuple

from proctor.suites.agency.deciding.material import Wording
from proctor.suites.agency.deciding.prose import unwrapped


class Undertaking(NamedTuple):
    """What a project is about."""

    title: str
    machines: tuple[str, ...]
    goods: tuple[str, ...]
    works: tuple[str, ...]
    closings: tuple[str, ...]


UNDERTAKINGS = (
    Undertaking(
        "the repair of the mill of {firm}",
        ("crane", "lift truck", "steam winch"),
        ("oak beams", "roof slates", "mill stones", "iron bands", "lime"),
        (
            *("mend the sluice", "set the main shaft", "square the frame", "hang the wheel", "fit the gallery"),
            *("point the south wall", "true the bearings", "lay the threshing floor", "raise the cap", "rig the sails"),
            *("cut the wedges", "fasten the brake", "line the chute", "clear the race", "test the gears"),
        ),
        ("close the roof", "flood the race"),
    ),
    Undertaking(
        "the open-air stage of {firm}",
        ("scaffold lift", "cable plough", "mobile crane"),
        ("truss segments", "loudspeakers", "lamps", "seats", "curtains"),
        (
            *(
                "mark the ground",
                "level the platform",
                "raise the east tower",
                "raise the west tower",
                "hang the truss",
            ),
            *(
                "run the power lines",
                "mount the mixing desk",
                "fix the backdrop",
                "set up the barriers",
                "patch the sound",
            ),
            *("focus the lights", "build the ramp", "number the rows", "fit the canopy", "check the earthing"),
        ),
        ("lock the gates", "roll out the floor"),
    ),
    Undertaking(
        "the refit of the ferry of {firm}",
        ("dry dock", "floating crane", "welding rig"),
        ("hull plates", "a gearbox", "life rafts", "deck planks", "glass panes"),
        (
            *("scrape the hull", "renew the keel bolts", "draw the propeller", "weld the bow", "align the shaft"),
            *("seat the engine", "caulk the deck", "rewire the bridge", "prime the tanks", "refit the rudder"),
            *("mount the winch", "paint the waterline", "fit the stairs", "load the ballast", "trim the lines"),
        ),
        ("seal the hatches", "let the water in"),
    ),
    Undertaking(
        "the new exhibition of {firm}",
        ("glass lifter", "indoor crane", "sanding machine"),
        ("show cases", "plinths", "a model ship", "wall panels", "carpets"),
        (
            *(
                "strip the old hall",
                "draw the floor plan",
                "plaster the niche",
                "set the pedestal",
                "hang the tapestry",
            ),
            *("place the bronze", "wire the alarms", "letter the labels", "tune the climate", "mount the screens"),
            *("fit the rails", "dress the dummies", "assemble the whale", "frame the maps", "aim the spotlights"),
        ),
        ("wax the floor", "arm the alarm"),
    ),
    Undertaking(
        "the hill station of {firm}",
        ("helicopter", "rock drill", "rope winch"),
        ("battery packs", "antenna parts", "timber frames", "food crates", "solar panels"),
        (
            *("cut the path", "blast the ledge", "anchor the hut", "raise the mast", "stretch the guy wires"),
            *("bury the cable", "insulate the walls", "set the stove", "calibrate the sensors", "test the radio"),
            *("dig the cistern", "brace the roof", "bolt the antenna", "fill the gabions", "survey the slope"),
        ),
        ("block the upper path", "weatherproof the hut"),
    ),
)

GOALS = (
    "Bring a project to its end: all {steps} steps that the text lists have to be done, in an order that works.",
    "You lead a project of {steps} steps. The text says what each needs; see to it that every single one gets done.",
    "Carry out the project of the text. It is finished when its {steps} steps are done, and it must get finished.",
    "{steps} steps, one after the other, until the project stands: find an order in which all can be done, and do so.",
)
RULES = unwrapped("""

The tool do_step does one step; each can be done once, and nothing can be undone. These rules hold:
- A step can be done only when all steps that are named as coming before it are done.
- A machine is there from the step that hires it on, for as many further steps as stated. Every step done counts,
  whether it needs the machine or not. Then the machine is gone, and it cannot be hired a second time. A step that needs
  a machine can be done only while that machine is there.
- A delivery takes up one place in the yard until the step that frees this place is done. While the yard is full, no
  delivery can be done.
- When the closing step is done, the steps that it bars cannot be done any more.

A step that cannot be done is refused: that costs a call and changes nothing. A step that can be done is done, even if
it spoils the rest. Calls may be few and time short (your budget says what you have; do_step takes eleven seconds,
status three): think the whole order through before you begin. The order in which the text lists the steps is no order
for doing them.

status shows what is done, which machines are there and what lies in the yard; reread and passage show the text again.
What counts is that all steps are done in the end.""")
ANSWER_FORMAT = "The word finished, once every step is done."

WORDING = Wording(
    headings={
        "steps": "Steps",
        "machines": "Machines",
        "yard": "Yard",
        "closing": "Closing step",
    },
    labels={
        "step": "Step",
        "task": "Task",
        "after": "Comes after",
        "needs": "Needs machine",
        "yard": "Yard",
        "machine": "Machine",
        "hired_by": "Hired by",
        "stays": "Stays for steps",
        "room": "Places",
        "closes": "Closing step",
        "bars": "Bars",
    },
    letter={
        "free": "{step}, {task}, can be done at any time.",
        "work": "{step}, {task}, has to wait for {after}.",
        "use": "{step}, {task}, has to wait for {after} and cannot do without the {needs}.",
        "delivery": "{step}, {task}, can be done at any time and fills one place in the yard.",
        "taking": "{step}, {task}, has to wait for {after}; it {yard} in the yard.",
        "machine": "The {machine} is hired by step {hired_by} and stays for the {stays} steps after that.",
        "room": "The yard has {room} places.",
        "closing": "Once {closes} is done, it is too late for {bars}.",
    },
    chat={
        "free": "{task} = {step}, whenever you like",
        "work": "{task} = {step}, not before {after}",
        "use": "{task} = {step}, not before {after}; only with the {needs}",
        "delivery": "{task} = {step}, whenever you like, but it blocks a place in the yard",
        "taking": "{task} = {step}, not before {after}; {yard}",
        "machine": "{hired_by} gets us the {machine}, which is good for the next {stays} steps",
        "room": "yard places: {room}",
        "closing": "careful: {closes} shuts out {bars}",
    },
    minutes={
        "free": "Step {step} ({task}): no condition.",
        "work": "Step {step} ({task}): preceded by {after}.",
        "use": "Step {step} ({task}): preceded by {after}; equipment {needs}.",
        "delivery": "Step {step} ({task}): no condition; occupies a yard place.",
        "taking": "Step {step} ({task}): preceded by {after}; {yard}.",
        "machine": "Equipment {machine}: contract begins with {hired_by}, then {stays} further steps.",
        "room": "Yard: {room} places at a time.",
        "closing": "Exclusion: {closes} ends the possibility of {bars}.",
    },
)
