"""Tool-use constraint: a rule says which tool may be used."""

from proctor.suites.binding.families.topic import Template, Topic

TOOL_USE_CONSTRAINT = Topic(
    name="tool_use_constraint",
    title="Tool-use constraint",
    about="a rule says which tool may be used",
    field="constraints",
    component="veto",
    places=("the print laboratory", "the boatyard", "the organ loft", "the server room"),
    options=(
        *("the heat gun", "the torque wrench", "the band saw", "the vacuum pump"),
        *("the laser level", "the cable tester", "the steam press", "the pillar drill"),
    ),
    templates=(
        Template(
            scene="The job in {place} can be done with {x} or with {y}. {who} is holding the workpiece.",
            lean="Plugged in and within reach is {lean}.",
            option=(
                "Only tools with this year's calibration sticker may be used. The sticker is there on {good}; on "
                "{bad} there is none."
            ),
            veto=(
                "Only tools with this year's calibration sticker may be used. The stickers of all tools in {place} "
                "ran out on {day}, so for now nobody may use a tool there."
            ),
            cue="The safety film on the wall screen is paused at a picture of {pick}.",
            others={
                "plan": "The job has three steps: clamp, work, clean up.",
            },
        ),
        Template(
            scene="{other} asks for one hour with a machine of {place}, be it {x} or {y}.",
            lean="{other} has brought gloves that would go well with {lean}.",
            option=(
                "The permit in {other}'s pocket is made out for {good}; for {bad} a second permit is needed, and "
                "that is lacking."
            ),
            veto=(
                "The permit in {other}'s pocket was revoked on {day}, and without one every machine of {place} is "
                "off limits."
            ),
            cue="A magnet on the tool cabinet is shaped like {pick}.",
            others={
                "plan": "The hour is to be spent on a small thing for the summer fair.",
            },
        ),
        Template(
            scene="A fault has to be mended in {place} before {day}. At hand are {x} and {y}.",
            lean="The last fault was mended with {lean}.",
            option=(
                "The circuit there carries eight amperes. {good} draws five; {bad} draws twelve, and is ruled out."
            ),
            veto=(
                "The circuit there is live and cannot be switched off: working on it, with whatever tool, is "
                "prohibited."
            ),
            cue="The crossword lying in {place} asks for {pick}.",
            others={
                "plan": "Once it is mended {who} will test it and sign.",
            },
        ),
        Template(
            scene="Your trainee {who} stands in {place} with a drawing, and needs to be told {x} or {y}.",
            lean="The trainee's eyes rest on {lean}.",
            option=(
                "Trainees may use what is on the first page of the house list and nothing else. {good} is on the "
                "first page; {bad} comes much later, and is closed to them."
            ),
            veto=(
                "Trainees may use what is on the first page of the house list, and this week that page has been "
                "withdrawn: they are not allowed to touch any tool."
            ),
            cue="The drawing was made on the back of a leaflet about {pick}.",
            others={
                "plan": "First the drawing is read aloud, then measured, then the piece is cut.",
            },
        ),
    ),
)
