"""Family `project-plan`: twenty steps in an order that has to be thought out beforehand."""

from proctor.suites.agency.deciding.project_plan.family import family

__all__ = ["family"]
