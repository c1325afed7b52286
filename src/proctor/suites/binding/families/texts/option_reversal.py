"""Option reversal: what was said of the two has changed places."""

from proctor.suites.binding.families.topic import Template, Topic

OPTION_REVERSAL = Topic(
    name="option_reversal",
    title="Option reversal",
    about="what was said of the two has changed places",
    field="reason",
    component="reason",
    places=("the wine cellar", "the auction house", "the weather station", "the school kitchen"),
    options=(
        *("the left cask", "the second lot", "the roof sensor", "the barley soup"),
        *("the right cask", "the last lot", "the yard sensor", "the lentil stew"),
    ),
    templates=(
        Template(
            scene="{place} has to name one of two things for the guests of {day}: {x} or {y}.",
            lean="Everybody has got used to hearing {lean} praised.",
            option=(
                "The two labels had been exchanged by mistake. All the praise belongs to {good}, and all the "
                "complaints to {bad}, which failed the tasting."
            ),
            defer=(
                "The two labels may have been exchanged; {who} has sent samples away, and the answer is still to come."
            ),
            cue="The guests of last time left a napkin with {pick} drawn on it.",
            others={
                "memory": "On {day} the first list had {trap} on top; that list has since been replaced.",
            },
        ),
        Template(
            scene="{who} is to bid once in {place}, for {x} or for {y}, and relies on you.",
            lean="The catalogue gives {lean} a full page.",
            option=(
                "An hour ago it was the other way round. Since the repair {good} is whole, while {bad} has been "
                "dropped and is broken."
            ),
            defer=(
                "An hour ago it was one way round; whether the repair has turned that about is being checked, and "
                "no result has come yet."
            ),
            cue="The auctioneer's tie has a pattern with {pick}.",
            others={
                "memory": (
                    "You remember {trap} as the better one, from a time before the repair that no longer counts."
                ),
            },
        ),
        Template(
            scene=(
                "Readings from {place} go to the newspaper. Only one series can be printed, that of {x} or that of {y}."
            ),
            lean="The newspaper has always printed {lean}.",
            option=(
                "Since the cables were crossed on {day}, what is shown under one name comes from the other. The "
                "true series is now {good}; the one called {bad} is false."
            ),
            defer=(
                "Somebody has crossed the cables, perhaps twice. Until {who} has traced them it cannot be said "
                "which series is which."
            ),
            cue="A sparrow has built its nest on top of {pick}.",
            others={
                "memory": "In older papers {trap} was called the reliable one, which was long before the cables.",
            },
        ),
        Template(
            scene="The menu of {place} has a gap. {other} can fill it with {x} or {y}.",
            lean="Chalk marks on the board still hint at {lean}.",
            option=(
                "It used to be that one of them made people ill. The recipes were turned about since, and today "
                "{good} is fine; {bad} is the one that makes people ill."
            ),
            defer=(
                "It used to be that one of them made people ill. The recipes are being turned about at this moment, "
                "and {who} has not said yet how it ends."
            ),
            cue="The fridge magnet in {place} is a small model of {pick}.",
            others={
                "memory": "Last term {trap} was the safe one; the recipes of last term are gone.",
            },
        ),
    ),
)
