"""The words of the family: what the interface is for, and what its documentation leaves out."""

from __future__ import annotations

from proctor.suites.agency.learning.api_versions.plant import GRADES, OPERATIONS

_OPERATIONS = "; ".join(OPERATIONS.values())
_GRADES = "; ".join(f"{name} ({meaning})" for name, meaning in GRADES.items())
SERVICES = ("kiln", "cellar", "laundry", "dairy", "hothouse", "foundry", "brewery", "dyeworks", "bakery", "ice plant")
TRAINING_PREFIXES = ("AB", "CT", "FE", "GU", "HY", "KO")
TEST_PREFIXES = ("LM", "NA", "PR", "RU", "SI", "VO", "WE")

GOALS = (
    "Bring the units of the {service} to their wanted settings through the control interface, version {version}.",
    "The {service} is controlled by an interface of which version {version} is running. Set its units right.",
    "Some units of the {service} are off. Put them right with one command each (interface version {version}).",
    "Night shift in the {service}: give every unit the one command that it needs. The interface is at version "
    "{version}.",
)
RULES = (
    "\nWanted:\n{wanted}\n{guide} The layout of answers is not always the same.\nOf each unit exactly one "
    "setting is not as wanted. Find it with the tool get, then send the unit one command with the tool send: an "
    f"operation and a grade. There are eight operations, each with a made-up name: one each that {_OPERATIONS}. There "
    f"are four grades, with made-up names as well: {_GRADES}. Names of operations, in alphabetical order: "
    "{operations}. Names of grades, in alphabetical order: {grades}. Which name means what is documented nowhere; it "
    "is the same in all services and in both versions. Only the first command to a unit counts, and every unit has to "
    "get the right one. "
)
TAUGHT = "After each command the interface reports whether it was the right one, and which one was."
UNTAUGHT = "The interface accepts commands and reports nothing."
READING = " get may be repeated: an answer that was garbled on the way comes out anew."
ANSWER_FORMAT = "Nothing has to be handed in: what counts are the commands on record. Any short remark will do."
