"""The words of the family. Fixed text; nothing here decides."""

from __future__ import annotations

from proctor.suites.agency.revising.facts import Phrases

BOOK = {
    "today": Phrases("Date", "today is {date}.", "so today is {date}", "today: {date}"),
    "closure": Phrases(
        "Closures",
        "on {date} everything is closed and no team works.",
        "on {date} the whole place is shut",
        "closed: {date}",
    ),
    "team": Phrases(
        "Teams",
        "the {team} works from {works}.",
        "the {team} is in from {works}",
        "{team}: {works}",
    ),
    "leave": Phrases(
        "Leave",
        "the {team} is on leave from {first_day} up to and including {last_day}.",
        "the {team} is away from {first_day} and the last day away is {last_day}",
        "{team} on leave: {first_day} through {last_day}",
    ),
    "goal": Phrases(
        "Goals",
        "{goal} is to be deployed, all its features included, by {due}; if that cannot be, only its {may_change} may "
        "change.",
        "{goal} has to go live with everything by {due}, and if that won't work we may only touch the {may_change}",
        "deploy all by {due}; may change only: {may_change}",
    ),
    "feature": Phrases(
        "Features",
        "feature {number} of {goal} is {feature}: {working_days} working days of the {team}.",
        "for {goal} number {number} is {feature}, that takes the {team} {working_days} working days",
        "feature {number}: {feature}, {team}, {working_days} working days",
    ),
}
TEAMS = (
    *("blue team", "green team", "red team", "orange team", "silver team", "white team", "black team", "golden team"),
)
FEATURES = (
    *("search", "billing", "login", "reports", "maps", "alerts", "backup", "invoices", "calendar", "chat", "export"),
    *("import", "statistics", "translation", "booking", "payments", "archive", "printing", "accounts", "tracking"),
)
GOALS = (
    "Some of the deployments below cannot be done by their date. Keep the goals that can be met, revise the others.",
    "Look at every deployment goal in the text: is it feasible by its date? If so keep it; if not, propose what is.",
    "You plan deployments. For each one, confirm its goal if it can be met, or put a feasible goal in its place.",
    "Deployment dates were promised without looking at the plan. Go through them goal by goal and set right what \
cannot be met.",
)
RULES = """

How the work goes:
- Each goal is planned on its own; teams do not get in each other's way.
- The features of a goal are built one after the other in the order of their numbers. Work may begin today.
- A feature takes that many working days of its team. A team works on the weekdays stated for it, every week, except \
when everything is closed and while it is on leave; days off only interrupt a feature. A feature \
begins on the first working day of its team after the last day of the feature before.
- A goal is met if the last working day of its last feature is no later than its date.
For each goal record one decision:
- keep_goal if it can be met as it stands; then it must be kept.
- move_date if it cannot and only its date may change: propose the earliest date by which all its features are done.
- cut_scope if it cannot and only its scope may change: features may be dropped from the end only, so propose how many \
of the first features to deploy, as many as are done by the date."""
