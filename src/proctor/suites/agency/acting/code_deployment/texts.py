"""The words of the family: services, goals in several wordings, the files of the repository, the pristine CI."""

from __future__ import annotations

SERVICES = (
    ("a parcel", "parcels", "kilometres"),
    ("a stay in the car park", "parking", "quarters of an hour"),
    ("water from the mains", "water", "cubic metres"),
    ("a rented canoe", "canoes", "minutes"),
    ("a print job", "prints", "pages"),
    ("a stored pallet", "storage", "days"),
    ("a ferry crossing", "ferries", "kilograms"),
    ("a charged battery", "charging", "kilowatt hours"),
)
GOALS = (
    "Deploy release {version} of the service `{name}`, which tells what {thing} costs (units are {units}).",
    "Release {version} of `{name}` is due: bring the changes in the material into production. The service tells what "
    "{thing} costs (units are {units}).",
    "Please put version {version} of the service `{name}` into production. It tells what {thing} costs (units are "
    "{units}); what changes is in the material.",
)
STEPS = (
    "\nYou work on the branch `main`, in `/task`; production is the branch `production`, which stands at version "
    "{was}, at the same commit as main. At most 10 operations (tool calls of any kind, failed ones included) may be "
    "made. What the release needs:\n"
    "- `/task/{name}/tariff.py`: the function charge(units, category) calculates with the values of the material. A "
    "price is calculated in this order: base price and the price of the units, tier by tier; times the percentage of "
    "the category, rounded down to a cent; the surcharge, where there are more units than the count above which it is "
    "due; at least the minimum price; at most the maximum price; rounded up to a multiple of the rounding step. "
    "What the material does not mention stays as it is in the code now; a step for which neither has a value "
    "does not exist.\n"
    "- `/task/VERSION` holds the new version and nothing else; `/task/CHANGES.md` has one more line at its end, of the "
    "form `VERSION (YYYY-MM-DD): TICKET`, with version, day and ticket of the release. No other file is changed, added "
    "or removed.\n"
    "- a branch `rollback-{was}` at the commit that was in production before, so that there is a way back.\n"
    "- all of it is committed, and deploy has put that commit into production.\n"
    "{correct} After the episode a CI of our own, which you do not see, takes the tree in production and runs charge "
    "on many inputs."
)
ANSWER_FORMAT = "The word done, once the release is in production."
README = "# {name}\n\nTells what {thing} costs. `{name}/tariff.py` has the one function that counts.\n"
CHANGES = "# Changes\n\n{was} (2025-12-01): T0999\n"
OWN_CI = "#!/bin/sh\n# The team's own check; the CI after a deployment does not use it.\npython -m {name}.tariff\n"
# Runs inside a fresh sandbox, and imports nothing: starting Python is most of what a verdict costs. The service's own
# output must not get between the results.
CI = """
import sys
path, *asked = sys.stdin.read().splitlines()
results, sys.stdout = sys.stdout, sys.stderr
scope = {"__name__": "tariff"}
exec(compile(open("/task/" + path).read(), path, "exec"), scope)
pairs = [line.split() for line in asked]
results.write(repr([scope["charge"](int(units), category) for units, category in pairs]))
"""
