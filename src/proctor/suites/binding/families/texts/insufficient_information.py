"""Deferral under insufficient information: what would decide is there, or it is not."""

from proctor.suites.binding.families.topic import Template, Topic

INSUFFICIENT_INFORMATION = Topic(
    name="insufficient_information",
    title="Deferral under insufficient information",
    about="what would decide is there, or it is not",
    field="reason",
    component="reason",
    places=("the blood bank", "the translation bureau", "the mushroom market", "the ice rink"),
    options=(
        *("the chilled batch", "the legal draft", "the pale basket", "the blue track"),
        *("the frozen batch", "the press draft", "the brown basket", "the green track"),
    ),
    templates=(
        Template(
            scene="{who} at {place} has to release one of two: {x}, or {y}.",
            lean="The trolley with {lean} is nearer to the door.",
            option="The laboratory has answered in full: {good} is clean. In {bad} something grew.",
            defer="The laboratory has not answered; of either it is unknown whether it is clean.",
            cue="The laboratory's logo is a stylised picture of {pick}.",
            others={
                "memory": "{who} has been with {place} since its opening and remembers its first day.",
            },
        ),
        Template(
            scene="A messenger of {place} leaves at noon with {x} or with {y}, whichever is right.",
            lean="The messenger has kept the larger pocket for {lean}.",
            option=(
                "The client's note on the purpose has come in, and it is plain: {good} serves it, {bad} would be "
                "useless."
            ),
            defer=(
                "The client's note on the purpose was lost in the post; a copy is on its way and nobody knows what "
                "it says."
            ),
            cue="The messenger's bicycle bell has the shape of {pick}.",
            others={
                "memory": "Last summer the messengers had new jackets.",
            },
        ),
        Template(
            scene="At {place} {other} asks which one can be sold today: {x} or {y}?",
            lean="In the morning light {lean} looks the more inviting.",
            option="The expert has had both under the microscope: {good} is edible; {bad} is a poisonous double.",
            defer="The expert, who alone can tell them apart, comes on {day}; nobody else has looked at either.",
            cue="A street musician sings a ballad about {pick}.",
            others={
                "memory": "Business was good in the past week, as stall holders recall.",
            },
        ),
        Template(
            scene="{place} opens one of its two halves for {day}, {x} or {y}. {who} turns the key.",
            lean="The key ring has a tag in the colour of {lean}.",
            option=("The thickness was measured at dawn. {good} has twelve centimetres; {bad} has five, not enough."),
            defer=(
                "The drill for measuring the thickness is broken, and the spare one comes in the afternoon; till "
                "then no figure exists."
            ),
            cue="The snack bar has a cocktail named after {pick}.",
            others={
                "memory": "There was music here on Sunday, and people liked it.",
            },
        ),
    ),
)
