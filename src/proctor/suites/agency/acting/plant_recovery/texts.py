"""The words of the family: four plants with their units, and goals in several wordings."""

from __future__ import annotations

PLANTS = (
    (
        "the district heating plant",
        ("boiler", "feed_pump", "flue_fan", "gas_train", "heat_store", "main_pump", "soot_blower", "water_softener"),
    ),
    (
        "the water works",
        ("aerator", "clarifier", "dosing_unit", "filter_bed", "intake_pump", "ozone_unit", "raw_tank", "booster"),
    ),
    (
        "the dairy",
        ("chiller", "homogeniser", "milk_tank", "pasteuriser", "separator", "steam_line", "filler", "cream_line"),
    ),
    (
        "the paper mill",
        ("calender", "dryer", "head_box", "press_roll", "pulper", "reeler", "steam_box", "vacuum_pump"),
    ),
)
GOALS = (
    "{plant} has tripped and its controller lost its set points. Restore them and restart the units: five actions "
    "and ten minutes are all there is, and about three calls in ten fail.",
    "Bring {plant} back: its controller has to be restored and its units restarted, with at most five actions and "
    "within ten minutes. The line to the controller works about seven times in ten.",
    "Service of {plant} is interrupted. Put the right set points back and restart the units. You have five actions and "
    "ten minutes; calls fail three times in ten.",
)
RULES = (
    "\nThe procedure:\n"
    "- restore(snapshot) takes 90 seconds. The right snapshot is the newest of those that were taken before the fault "
    "began, are complete, and were made with the firmware that the controller has now.\n"
    "- restart(order, load_percent) takes 110 seconds and can be carried out once; the controller must have been "
    "restored before. `order` names every unit once. A unit may start only after all units it needs; of the units that "
    "may start at a moment, the one with the largest drive power comes first.\n"
    "- load_percent is the smallest of the units' load limits.\n"
    "An action is a tool call of any kind. One that fails was not carried out; it costs an action and its time, and "
    "can be repeated. {correct}"
)
ANSWER_FORMAT = "The word done, once the plant is restarted."
