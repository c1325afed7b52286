"""The decision world: a case of an organisation, with sources to read, gates to go through, evidence to leave behind,
colleagues to hand over to, and one decision that ends it.

`case` compiles a scenario, `world` has the tools, `gates` the gates and their scripted approvers, `bundle` the
evidence, `harm` the safety classes; `comparator` says what all of it was worth. A hand-off is two agents and two
sessions in one episode: the bench carries the record, and the second agent, made anew, sees what it is told and the
record, and decides.
"""

from proctor.worlds.decision.case import Case
from proctor.worlds.decision.comparator import REASONS
from proctor.worlds.decision.world import DecisionWorld

__all__ = ["REASONS", "Case", "DecisionWorld"]
