"""The words of the family: goals, how the controller decides, and the eight ways of telling. Nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.deciding.material import Wording
from proctor.suites.agency.deciding.prose import unwrapped

GOALS = (
    "You are the controller of a room. Decide heat, cool or off for each of {steps} readings, one after the other.",
    "The thermostat of a room is broken and you stand in for it: at {steps} moments of one day, set the plant to heat, "
    "cool or off.",
    "{steps} times today the plant of a room asks what to do. Answer each time with heat, cool or off.",
    "Run the heating and cooling of a room for a day: {steps} readings come in, and each needs heat, cool or off.",
)
RULES = unwrapped("""

The tool set_mode decides the current reading for good and shows the next one; after the last one you are done. Every
reading is decided by itself: what you decided before changes nothing.

The room's own numbers are in the text. A rule for which the text states nothing does not apply to this room, and a
reading may well state things that no rule here needs. This is how the controller decides:
1. The room's temperature is what the sensor shows, plus the sensor correction (which may be negative).
2. The target is that of the period of the day in which the time lies. A period begins with its first minute and ends
   just before the minute that is named as its end.
3. Boost: if the button was pressed no longer ago than the stated minutes, the target is raised by the stated degrees.
4. The band reaches as far as the dead band below and above the target. While the room is empty, it is widened by the
   absence margin, downwards and upwards.
5. Below the band: heat. Above it: cool. Within it, and exactly on either limit: off.
6. Cooling lock: while it is colder outside than stated, it never cools; cool becomes off.
7. Window: if the text says that an open window matters, an open window means off, whatever rules 1 to 6 give.
8. Frost protection: if the room's temperature (rule 1) is below the stated limit, heat, whatever all other rules give.

The tool reading shows the current reading again; reread and passage show the text again. All temperatures are in
degrees Celsius.""")
ANSWER_FORMAT = "The word done, once every reading is decided."

ROOMS = (
    *("reading room", "server room", "rehearsal hall", "orangery", "print shop", "canteen", "map store", "foyer"),
    *("workshop", "studio", "nursery", "tasting room", "ball room", "chapel", "laboratory", "ticket office"),
)

WORDING = Wording(
    headings={
        "periods": "Targets through the day",
        "settings": "Settings of the room",
        "reading": "Reading",
    },
    labels={
        "from": "From",
        "until": "Until",
        "target": "Target",
        "setting": "Setting",
        "value": "Value",
        "time": "Time",
        "sensor": "Sensor shows",
        "outside": "Outside",
        "window": "Window",
        "people": "People",
        "button": "Boost button",
    },
    letter={
        "period": "Between {from} and {until} we want it to be {target} degrees.",
        "dead band": "It may be off by {value} degrees either way before anything is done: that is the dead band.",
        "sensor correction": "The sensor is not right; please correct whatever it shows by {value} degrees.",
        "absence margin": "While nobody is in, the dead band may grow by {value} degrees on either side.",
        "open window": "As soon as a window is open, the plant has to be {value}.",
        "frost protection": "Never let the room fall below {value} degrees: that is our frost protection.",
        "cooling lock": "The cooling is locked as long as it is less than {value} degrees outside.",
        "boost degrees": "Whoever presses the boost button gets {value} degrees more than the target.",
        "boost minutes": "Such a boost counts for {value} minutes.",
        "reading": "It is {time}, the sensor shows {sensor} degrees and outside it is {outside} degrees; the window is "
        "{window}, the room is {people}; boost button last pressed: {button}.",
    },
    chat={
        "period": "{target} please from {from}, that holds till {until}",
        "dead band": "tolerance (dead band) is plus minus {value}",
        "sensor correction": "oh and the sensor lies, add {value} to it",
        "absence margin": "nobody there? then let it drift {value} further, both ways",
        "open window": "window open = plant {value}, no discussion",
        "frost protection": "but frost protection kicks in under {value}!",
        "cooling lock": "no cooling if it's under {value} out there",
        "boost degrees": "boost button means target goes up {value}",
        "boost minutes": "and a boost is good for {value} min",
        "reading": "{time} now. sensor says {sensor}, outdoors {outside}, window {window}, room {people}, boost "
        "pressed: {button}",
    },
    minutes={
        "period": "Agreed: a target of {target}, valid from {from} up to {until}.",
        "dead band": "Agreed: the dead band is set at {value}.",
        "sensor correction": "Reported: the sensor has to be corrected by {value}.",
        "absence margin": "Agreed: an empty room has an absence margin of {value}.",
        "open window": "Agreed: with an open window the plant stays {value}.",
        "frost protection": "Agreed: frost protection acts under {value}.",
        "cooling lock": "Agreed: a cooling lock with an outside temperature under {value}.",
        "boost degrees": "Agreed: a boost adds {value} to the target.",
        "boost minutes": "Agreed: a boost expires after {value} minutes.",
        "reading": "Reported at {time}: {sensor} on the sensor, {outside} outside, window {window}, room {people}, "
        "boost button pressed: {button}.",
    },
)
