"""The decision world: a case of an organisation.

The agent reads sources, passes gates, files evidence, may hand over to a colleague, and closes the case by a decision.

`case` compiles a scenario, `world` has the tools, `gates` the gates and their scripted approvers, `bundle` the
evidence, `harm` the safety classes; `comparator` judges the whole trajectory. A hand-over is two agents and two
sessions in one episode: the bench carries the record, and the second agent, made anew, sees what it is told and the
record, and decides.
"""

from proctor.worlds.decision.case import Case
from proctor.worlds.decision.comparator import REASONS
from proctor.worlds.decision.world import DecisionWorld

__all__ = ["REASONS", "Case", "DecisionWorld"]
